"""`discord sync`: the commands are registered when they differ, and left alone when they do not."""

import copy
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from adapters.discord.sync import same, sync
from bot.cli.discord import wanted
from bot.engine.fault import RefusedError, UnavailableError
from tests.cli.desk import Desk
from tests.standins.discord import DiscordStandin

Json = dict[str, Any]

WANTED: list[Json] = [
    {
        "name": "quiz",
        "description": "Quizzes",
        "description_localizations": {"en-US": "Quizzes", "id": "Kuis"},
        "type": 1,
        "nsfw": False,
        "dm_permission": True,
        "default_member_permissions": None,
        "contexts": [0, 1],
        "integration_types": [0],
        "options": [
            {"type": 1, "name": "menu", "description": "All", "options": []},
            {
                "type": 1,
                "name": "start",
                "description": "Take one",
                "options": [
                    {
                        "type": 3,
                        "name": "quiz",
                        "description": "Which",
                        "required": True,
                        "autocomplete": True,
                        "min_length": 1,
                    },
                    {
                        "type": 3,
                        "name": "language",
                        "description": "Which language",
                        "required": False,
                        "choices": [{"name": "English", "value": "en"}],
                    },
                ],
            },
        ],
    },
    {"name": "Stop", "type": 3, "integration_types": [0], "contexts": None, "nsfw": False},
]


def told() -> list[Json]:
    """`WANTED` as Discord's documentation has the answer."""
    quiz, stop = copy.deepcopy(WANTED)
    added = {"id": "1", "application_id": "2", "version": "3", "default_permission": True}
    start = quiz["options"][1]
    quiz["options"][0] = {"type": 1, "name": "menu", "description": "All"}
    del start["options"][1]["required"]
    start["options"][0]["name_localizations"] = None
    quiz |= added | {"dm_permission": True, "name_localizations": None, "contexts": [1, 0]}
    stop |= added | {"id": "4", "description": "", "default_member_permissions": None}
    return [stop, quiz]


def test_what_discord_adds_and_leaves_out_is_no_difference() -> None:
    assert same(WANTED, told())


def test_our_own_commands_are_the_same_as_themselves() -> None:
    commands = wanted()
    assert same(commands, copy.deepcopy(commands))
    assert [command["name"] for command in commands] == ["quiz"]


def put(*path: str | int, value: Any) -> Callable[[Json], None]:
    """A change of one place in the command `/quiz`."""

    def change(command: Any) -> None:
        for step in path[:-1]:
            command = command[step]
        command[path[-1]] = value

    return change


CHANGES: dict[str, Callable[[Json], None]] = {
    "a description": put("description", value="Quizzes!"),
    "Indonesian words": put("description_localizations", "id", value="Ujian"),
    "one language less": put("description_localizations", value={"en-US": "Quizzes"}),
    "no languages": put("description_localizations", value=None),
    "the words of an option": put("options", 1, "description", value="Take two"),
    "the limit of an option": put("options", 1, "options", 0, "min_length", value=0),
    "what is required": put("options", 1, "options", 1, "required", value=True),
    "what is completed": put("options", 1, "options", 0, "autocomplete", value=False),
    "the name of a choice": put("options", 1, "options", 1, "choices", 0, "name", value="en"),
    "a choice": put("options", 1, "options", 1, "choices", value=[]),
    "the order of options": lambda quiz: quiz["options"].reverse(),
    "one option less": lambda quiz: quiz["options"].pop(),
    "who may use it": put("default_member_permissions", value="0"),
    "where it can be used": put("contexts", value=[0]),
    "where it is installed": put("integration_types", value=[0, 1]),
    "for adults only": put("nsfw", value=True),
    "the name": put("name", value="kuis"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_difference_that_people_could_notice_counts(change: Callable[[Json], None]) -> None:
    there = told()
    change(there[1])
    assert not same(WANTED, there)


def test_a_command_more_or_less_counts() -> None:
    assert not same(WANTED, told()[1:])
    assert not same(WANTED[:1], told())
    assert not same(WANTED, [])


@pytest.mark.parametrize(("ours", "theirs"), [(32, "32"), ("8", "8"), (0, "0")])
def test_permissions_are_the_same_as_number_and_as_text(ours: Any, theirs: str) -> None:
    sent, there = copy.deepcopy(WANTED), told()
    sent[0]["default_member_permissions"] = ours
    assert not same(sent, there)
    there[1]["default_member_permissions"] = theirs
    assert same(sent, there)


@pytest.mark.parametrize("place", ["contexts", "integration_types"])
def test_where_a_command_leaves_the_choice_to_the_application_any_will_do(place: str) -> None:
    sent, there = copy.deepcopy(WANTED), told()
    sent[0][place] = None
    there[1][place] = [0, 1, 2]
    assert same(sent, there)


# Against Discord


@pytest.fixture
def ours() -> list[Json]:
    """What is to be registered."""
    return wanted()


@pytest_asyncio.fixture
async def discord(desk: Desk) -> AsyncIterator[DiscordStandin]:
    async with DiscordStandin() as standin:
        desk.sets(DISCORD_API_URL=standin.api_url, DISCORD_TOKEN=standin.bot_token)
        yield standin


def puts(discord: DiscordStandin) -> int:
    return [call.what for call in discord.calls].count("PUT /applications/{application}/commands")


@pytest.mark.asyncio
async def test_commands_are_registered_once_and_then_left_alone(
    desk: Desk, discord: DiscordStandin
) -> None:
    first = await desk.types_beside("discord", "sync")
    assert (first.code, first.out) == (0, "registered: /quiz\n")
    assert [command["name"] for command in discord.commands()] == ["quiz"]
    again = await desk.types_beside("discord", "sync")
    assert (again.code, again.out) == (0, "unchanged\n")
    assert puts(discord) == 1
    assert discord.violations == []


@pytest.mark.asyncio
async def test_a_program_reads_whether_anything_changed(
    desk: Desk, discord: DiscordStandin
) -> None:
    for changed in (True, False):
        done = await desk.types_beside("discord", "sync", "--json")
        assert done.json == [{"changed": changed, "commands": ["/quiz"]}]


@pytest.mark.asyncio
async def test_commands_of_an_older_version_make_room(
    desk: Desk, discord: DiscordStandin, ours: list[Json]
) -> None:
    old = copy.deepcopy(ours)
    old[0]["description_localizations"]["id"] = "Kuis lama"
    discord.registers([*old, {"name": "gone", "description": "Long gone"}])
    done = await desk.types_beside("discord", "sync")
    assert done.out == "registered: /quiz\n"
    assert [command["name"] for command in discord.commands()] == ["quiz"]
    assert same(ours, discord.commands())


@pytest.mark.asyncio
async def test_the_token_is_never_shown(desk: Desk, discord: DiscordStandin) -> None:
    good = await desk.types_beside("discord", "sync")
    discord.revoke_token()
    bad = await desk.types_beside("discord", "sync")
    for done in (good, bad):
        assert "stand-in" not in done.out + done.err


@pytest.mark.asyncio
async def test_a_token_that_discord_refuses_is_told(desk: Desk, discord: DiscordStandin) -> None:
    discord.revoke_token()
    done = await desk.types_beside("discord", "sync")
    assert done.code == 3
    assert done.err == (
        "Discord does not accept DISCORD_TOKEN: Discord does not know it; "
        "press Reset Token on the page Bot and copy the new one.\n"
    )


def test_without_a_token_it_is_told_how_to_get_one(desk: Desk) -> None:
    done = desk.types("discord", "sync")
    assert done.code == 2
    assert done.err == "DISCORD_TOKEN is not set: run `./latih setup discord`.\n"


@pytest.mark.asyncio
async def test_what_discord_cannot_read_is_told_with_its_place(discord: DiscordStandin) -> None:
    broken = [{"name": "quiz", "description": "x" * 101}]
    with pytest.raises(UnavailableError) as refused:
        await registers(discord, broken)
    assert str(refused.value).startswith(
        f"Discord refuses PUT /applications/{discord.application_id}/commands: "
        "Invalid Form Body (0.description: "
    )


async def registers(discord: DiscordStandin, commands: list[Json]) -> bool:
    async with aiohttp.ClientSession() as session:
        return await sync(
            session, discord.api_url, discord.bot_token, discord.application_id, commands
        )


@pytest.mark.asyncio
async def test_a_rate_limit_is_waited_out(discord: DiscordStandin, ours: list[Json]) -> None:
    discord.fail_next("* /applications/*/commands", status=429, retry_after=0.01, times=3)
    assert await registers(discord, ours)
    assert [call.status for call in discord.calls] == [429, 429, 429, 200, 200]


@pytest.mark.asyncio
async def test_a_long_rate_limit_is_told_and_not_waited_for(
    discord: DiscordStandin, ours: list[Json]
) -> None:
    discord.fail_next("PUT /applications/*/commands", status=429, retry_after=300, via=False)
    with pytest.raises(UnavailableError, match="Discord asks to wait 300 s"):
        await registers(discord, ours)
    assert discord.commands() == []


@pytest.mark.asyncio
async def test_a_lost_answer_is_no_refusal_and_the_next_try_finds_all_done(
    discord: DiscordStandin, ours: list[Json]
) -> None:
    discord.lose_answer("PUT /applications/*/commands", times=2)  # the client itself tries twice
    with pytest.raises(UnavailableError, match="Discord cannot be reached") as lost:
        await registers(discord, ours)
    assert not isinstance(lost.value, RefusedError)
    assert not await registers(discord, ours)
