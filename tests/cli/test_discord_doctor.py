"""`doctor` on Discord: token, servers, commands and events, in one line each."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from bot.cli.discord import wanted
from tests.cli.desk import Desk, Done
from tests.standins.discord import DiscordStandin


@pytest.fixture
def ours() -> list[dict[str, Any]]:
    """What is to be registered."""
    return wanted()


@pytest_asyncio.fixture
async def discord(desk: Desk, ours: list[dict[str, Any]]) -> AsyncIterator[DiscordStandin]:
    """Well in every respect, and by the operator's own clock."""
    async with DiscordStandin(now=desk.clock.now) as standin:
        standin.registers(ours)
        desk.sets(DISCORD_API_URL=standin.api_url, DISCORD_TOKEN=standin.bot_token)
        yield standin
        assert standin.violations == []


async def looks(desk: Desk) -> Done:
    return await desk.types_beside("doctor")


def about_discord(done: Done) -> list[str]:
    return [line for line in done.out.splitlines() if "Discord" in line]


def line(done: Done, what: str) -> str:
    """The one line about something in Discord."""
    found = [it for it in about_discord(done) if it[7:].startswith(what)]
    assert len(found) == 1, done.out
    return found[0]


@pytest.mark.asyncio
async def test_a_discord_that_is_well_is_named(desk: Desk, discord: DiscordStandin) -> None:
    done = await looks(desk)
    assert done.code == 0
    assert about_discord(done) == [
        "ok     Discord accepts the bot latih of application latih",
        "ok     clock agrees with Discord's",
        "ok     Discord servers with the bot: 1",
        "ok     Discord commands are registered as they should be",
        "ok     Discord events come by the gateway, which can be reached",
    ]
    assert done.out.endswith("\nAll is well.\n")


@pytest.mark.asyncio
async def test_looking_changes_nothing_and_shows_no_token(
    desk: Desk, discord: DiscordStandin
) -> None:
    discord.registers([])
    done = await looks(desk)
    machine = await desk.types_beside("doctor", "--json")
    assert {call.method for call in discord.calls} == {"GET"}
    assert discord.gateway.sessions == []
    assert list(desk.folder.iterdir()) == []
    assert discord.bot_token not in done.out + done.err + machine.out + machine.err


def test_no_discord_is_fine(desk: Desk) -> None:
    done = desk.types("doctor")
    assert done.code == 0
    assert about_discord(done) == ["ok     Discord is not configured (fine for the terminal)"]


@pytest.mark.asyncio
async def test_a_token_that_discord_refuses_is_one_fault(
    desk: Desk, discord: DiscordStandin
) -> None:
    discord.revoke_token()
    done = await looks(desk)
    assert done.code == 1
    assert len(about_discord(done)) == 1
    assert line(done, "Discord") == (
        "fault  Discord does not accept DISCORD_TOKEN: Discord does not know it; "
        "press Reset Token on the page Bot and copy the new one"
    )


def test_a_discord_that_cannot_be_reached_is_one_fault_and_no_refusal(desk: Desk) -> None:
    desk.sets(DISCORD_API_URL="http://127.0.0.1:1/api/v10", DISCORD_TOKEN="1.2.3")
    done = desk.types("doctor")
    assert done.code == 1
    assert len(about_discord(done)) == 1
    assert (
        "fault  Discord does not work: Discord cannot be reached at http://127.0.0.1:1" in done.out
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "said"),
    [
        (502, "Discord is in trouble (502)"),
        (429, "Discord asks to wait 65 s, because too many calls came"),
        (403, "Discord refuses GET /users/@me: not today"),
    ],
)
async def test_what_discord_answers_otherwise_is_told(
    desk: Desk, discord: DiscordStandin, status: int, said: str
) -> None:
    discord.fail_next("GET /users/@me", status=status, message="not today", retry_after=65)
    done = await looks(desk)
    assert done.code == 1
    assert line(done, "Discord does not work").startswith(f"fault  Discord does not work: {said}")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("GET /users/@me/guilds", "Discord servers"),
        ("GET /applications/*/commands", "Discord commands"),
        ("GET /gateway/bot", "Discord events"),
    ],
)
async def test_one_look_that_fails_hides_no_other(
    desk: Desk, discord: DiscordStandin, call: str, what: str
) -> None:
    discord.fail_next(call, status=503)
    done = await looks(desk)
    assert done.out.endswith("\n1 fault.\n")
    assert line(done, what).startswith(f"fault  {what} does not work: Discord is in trouble (503)")
    assert len(about_discord(done)) == 5


@pytest.mark.asyncio
async def test_another_api_than_discords_is_told(desk: Desk, discord: DiscordStandin) -> None:
    other = discord.gateway_url.replace("ws", "http", 1)
    desk.sets(DISCORD_API_URL=f"{other}?path=")
    done = await looks(desk)
    assert done.code == 1
    assert line(done, "Discord does not work").endswith(
        "with 400, but not by Discord's API: check DISCORD_API_URL"
    )


@pytest.mark.asyncio
async def test_a_bot_in_no_server_is_a_warning_with_the_link(
    desk: Desk, discord: DiscordStandin
) -> None:
    discord.guild.bot_is_member = False
    done = await looks(desk)
    assert done.code == 0
    assert line(done, "Discord servers") == (
        "warn   Discord servers with the bot: none yet: add it with "
        f"https://discord.com/oauth2/authorize?client_id={discord.application_id}"
        "&scope=bot+applications.commands&permissions=0"
    )


@pytest.mark.asyncio
async def test_more_servers_than_are_told_at_once_are_not_counted_out(
    desk: Desk, discord: DiscordStandin
) -> None:
    for number in range(199):
        discord.server(f"Server {number}")
    assert line(await looks(desk), "Discord servers").endswith("with the bot: 200 or more")


@pytest.mark.asyncio
@pytest.mark.parametrize("there", [[], [{"name": "quiz", "description": "Of another version"}]])
async def test_commands_that_are_not_current_are_a_warning(
    desk: Desk, discord: DiscordStandin, there: list[dict[str, Any]]
) -> None:
    discord.registers(there)
    done = await looks(desk)
    assert done.code == 0
    assert line(done, "Discord commands") == (
        "warn   Discord commands are not registered as this version has them: "
        "run `./latih discord sync`, or start `serve`, which does it"
    )
    await desk.types_beside("discord", "sync")
    assert line(await looks(desk), "Discord commands").startswith("ok")


@pytest.mark.asyncio
async def test_an_address_that_takes_the_events_away_is_a_fault(
    desk: Desk, discord: DiscordStandin
) -> None:
    taken = replace(discord.world.application, interactions_endpoint="https://old.example.org")
    discord.world.application = taken
    done = await looks(desk)
    assert done.code == 1
    said = line(done, "Discord events")
    assert said.startswith("fault  Discord events do not come: the application has an Interactions")
    assert said.endswith("empty it under General Information in Discord's portal, and save")


@pytest.mark.asyncio
@pytest.mark.parametrize(("left", "state"), [(101, "ok"), (100, "warn"), (0, "warn")])
async def test_few_connects_that_are_left_are_a_warning(
    desk: Desk, discord: DiscordStandin, left: int, state: str
) -> None:
    discord.gateway.starts_left = left
    done = await looks(desk)
    assert done.code == 0
    said = line(done, "Discord events")
    assert said.startswith(state)
    assert (f"only {left} of 1000 connects are left" in said) is (state == "warn")


@pytest.mark.asyncio
async def test_more_shards_than_one_are_a_warning(desk: Desk, discord: DiscordStandin) -> None:
    discord.gateway.shards = 2
    done = await looks(desk)
    assert done.code == 0
    assert "are for 2 shards, as Discord counts, and Latih uses one" in line(done, "Discord shards")


@pytest.mark.asyncio
async def test_a_gateway_that_cannot_be_reached_is_a_fault(
    desk: Desk, discord: DiscordStandin
) -> None:
    discord.refuse_connections()
    done = await looks(desk)
    assert done.code == 1
    said = line(done, "Discord events")
    assert "fault  Discord events does not work: Discord's gateway cannot be reached at " in said
    assert "let WebSockets through the firewall or proxy" in said


@pytest.mark.asyncio
async def test_a_gateway_that_hangs_up_is_a_fault(desk: Desk, discord: DiscordStandin) -> None:
    discord.close_before_hello()
    assert line(await looks(desk), "Discord events").startswith("fault")


@pytest.mark.asyncio
async def test_the_gateway_that_is_set_is_the_one_that_is_tried(
    desk: Desk, discord: DiscordStandin
) -> None:
    desk.sets(DISCORD_GATEWAY_URL="ws://127.0.0.1:1/")
    said = line(await looks(desk), "Discord events")
    assert "cannot be reached at ws://127.0.0.1:1/ (" in said


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (60, "ok     clock agrees with Discord's"),
        (61, "warn   clock is 61 s ahead of Discord's: set this machine's clock (NTP)"),
        (-61, "warn   clock is 61 s behind Discord's: set this machine's clock (NTP)"),
        (3600, "warn   clock is 3600 s ahead of Discord's: set this machine's clock (NTP)"),
    ],
)
async def test_a_clock_that_is_off_is_told_by_discords(desk: Desk, ahead: int, said: str) -> None:
    now = desk.clock.now()
    async with DiscordStandin(now=lambda: now) as discord:
        desk.sets(DISCORD_API_URL=discord.api_url, DISCORD_TOKEN=discord.bot_token)
        desk.clock.pass_(seconds=ahead)
        done = await looks(desk)
    assert done.code == 0
    assert line(done, "clock") == said
