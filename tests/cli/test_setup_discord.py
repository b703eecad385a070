"""`setup discord`: from nothing to a token in `.env` and commands in Discord."""

import asyncio
import signal
import stat
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from tests.cli.desk import Desk, Done, command, environment
from tests.cli.terminal import Terminal
from tests.standins.discord import DiscordStandin

QUESTION = "Bot token (it is not shown)"
WRONG = "1.wrong.token"


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


@pytest_asyncio.fixture
async def discord(desk: Desk) -> AsyncIterator[DiscordStandin]:
    async with DiscordStandin() as standin:
        desk.sets(DISCORD_API_URL=standin.api_url)
        yield standin
        assert standin.violations == []


async def sets_up(desk: Desk, *answers: str) -> Done:
    return await desk.types_beside("setup", "discord", answers=lines(*answers))


def saved(desk: Desk) -> str:
    return (desk.folder / ".env").read_text()


@pytest.mark.asyncio
async def test_a_token_is_all_that_is_asked_for(desk: Desk, discord: DiscordStandin) -> None:
    done = await sets_up(desk, discord.bot_token)
    assert done.code == 0
    assert done.out == ""
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"
    assert stat.S_IMODE((desk.folder / ".env").stat().st_mode) == 0o600
    assert "https://discord.com/developers/applications?new_application=true" in done.err
    assert "it is the bot latih of the application latih." in done.err
    assert "./latih serve" in done.err


@pytest.mark.asyncio
async def test_the_link_adds_the_bot_with_its_commands_and_without_any_permission(
    desk: Desk, discord: DiscordStandin
) -> None:
    done = await sets_up(desk, discord.bot_token)
    assert (
        f"https://discord.com/oauth2/authorize?client_id={discord.application_id}"
        "&scope=bot+applications.commands&permissions=0\n"
    ) in done.err


@pytest.mark.asyncio
async def test_the_commands_are_registered_once(desk: Desk, discord: DiscordStandin) -> None:
    done = await sets_up(desk, discord.bot_token)
    assert "/quiz is registered." in done.err
    assert [it["name"] for it in discord.commands()] == ["quiz"]
    again = await sets_up(desk, discord.bot_token)
    assert "/quiz was registered before." in again.err
    assert [call.method for call in discord.calls].count("PUT") == 1


@pytest.mark.asyncio
async def test_tokens_are_never_shown(desk: Desk, discord: DiscordStandin) -> None:
    done = await sets_up(desk, "hunter2", WRONG, discord.bot_token)
    for secret in ("hunter2", WRONG, discord.bot_token):
        assert secret not in done.out + done.err


@pytest.mark.asyncio
async def test_what_else_is_set_stays(desk: Desk, discord: DiscordStandin) -> None:
    (desk.folder / ".env").write_text("# mine\nDISCORD_TOKEN=old\nPORT=9000\n")
    await sets_up(desk, discord.bot_token)
    assert saved(desk) == f"# mine\nDISCORD_TOKEN={discord.bot_token}\nPORT=9000\n"
    assert stat.S_IMODE((desk.folder / ".env").stat().st_mode) == 0o600


@pytest.mark.asyncio
@pytest.mark.parametrize("around", [' "{}"\t', "Bot {}", "\u201c{}\u201d "])
async def test_what_copying_leaves_around_a_token_is_forgiven(
    desk: Desk, discord: DiscordStandin, around: str
) -> None:
    done = await sets_up(desk, around.format(discord.bot_token))
    assert done.code == 0
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("", "Not that one: the bot token has three parts with dots between them: press Reset"),
        ("hunter2", "Not that one: the bot token has three parts"),
        ("1.2", "Not that one: the bot token has three parts"),
        ("1.2.3.4", "Not that one: the bot token has three parts"),
        ("1.2.three words here", "Not that one: the bot token has three parts"),
        ("1..3", "Not that one: the bot token has three parts"),
        ("1312345678901234567", "this looks like an ID; the bot token has"),
        ("0a" * 32, "this looks like the public key; the bot token has"),
        ("aB3_" * 8, "this looks like the client secret; the bot token has"),
        ("xoxb-1-2", "this looks like a token of Slack; the bot token has"),
        (WRONG, "Discord does not know it; press Reset Token on the page Bot"),
    ],
)
async def test_a_wrong_token_is_asked_for_again_with_the_reason(
    desk: Desk, discord: DiscordStandin, wrong: str, reason: str
) -> None:
    done = await sets_up(desk, wrong, discord.bot_token)
    assert done.code == 0
    assert reason in done.err
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("knob", "value", "said"),
    [
        ("interactions_endpoint", "https://old.example.org", "Empty it under General Information"),
        ("needs_code_grant", True, "so the link below does not add the bot"),
        ("flags", 1 << 13 | 1 << 18, "it has the privileged intents Presence, Message Content."),
    ],
)
async def test_what_should_be_otherwise_in_the_portal_is_told(
    desk: Desk, discord: DiscordStandin, knob: str, value: Any, said: str
) -> None:
    before = await sets_up(desk, discord.bot_token)
    assert said not in before.err
    changes: dict[str, Any] = {knob: value}
    discord.world.application = replace(discord.world.application, **changes)
    done = await sets_up(desk, discord.bot_token)
    assert done.code == 0
    assert said in done.err


@pytest.mark.asyncio
async def test_commands_that_cannot_be_registered_now_can_be_later(
    desk: Desk, discord: DiscordStandin
) -> None:
    discord.fail_next("PUT /applications/*/commands", status=503)
    done = await sets_up(desk, discord.bot_token)
    assert done.code == 0
    assert (
        "could not be registered: Discord is in trouble (503): try again in a minute." in done.err
    )
    assert "Run `./latih discord sync` later" in done.err
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"
    assert "oauth2/authorize" in done.err


@pytest.mark.asyncio
async def test_an_input_that_ends_too_early_leaves_everything_as_it_was(
    desk: Desk, discord: DiscordStandin
) -> None:
    done = await sets_up(desk, WRONG)
    assert done.code == 2
    assert "The input ended before everything was answered. .env is as it was." in done.err
    assert list(desk.folder.iterdir()) == []


@pytest.mark.asyncio
async def test_a_short_rate_limit_is_waited_out(desk: Desk, discord: DiscordStandin) -> None:
    discord.fail_next("GET /users/@me", status=429, retry_after=0.01, times=2)
    done = await sets_up(desk, discord.bot_token)
    assert done.code == 0
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "said"),
    [
        (429, "Discord asks to wait 65 s, because too many calls came: try again then"),
        (500, "Discord is in trouble (500): try again in a minute"),
        (403, "Discord refuses GET /users/@me: no bots today"),
    ],
)
async def test_a_discord_that_answers_otherwise_leaves_everything_as_it_was(
    desk: Desk, discord: DiscordStandin, status: int, said: str
) -> None:
    (desk.folder / ".env").write_text("PORT=9000\n")
    discord.fail_next("GET /users/@me", status=status, message="no bots today", retry_after=65)
    done = await sets_up(desk, discord.bot_token)
    assert done.code == 3
    assert said in done.err
    assert saved(desk) == "PORT=9000\n"


def test_a_discord_that_cannot_be_reached_leaves_everything_as_it_was(desk: Desk) -> None:
    (desk.folder / ".env").write_text("PORT=9000\n")
    desk.sets(DISCORD_API_URL="http://127.0.0.1:1/api/v10")
    done = desk.types("setup", "discord", answers=lines("1.2.3"))
    assert done.code == 3
    assert "Discord cannot be reached at http://127.0.0.1:1/api/v10 (" in done.err
    assert "check the network, a proxy, DISCORD_API_URL" in done.err
    assert saved(desk) == "PORT=9000\n"


def test_a_place_where_nothing_can_be_written_is_told_before_anything_is_asked(
    desk: Desk,
) -> None:
    (desk.folder / ".env").mkdir()
    done = desk.types("setup", "discord", answers="")
    assert done.code == 3
    assert done.err == ".env is no plain file, so settings cannot be written into it.\n"


@pytest.mark.asyncio
async def test_a_token_in_the_environment_that_would_win_is_told(
    desk: Desk, discord: DiscordStandin
) -> None:
    desk.sets(DISCORD_TOKEN=WRONG)
    done = await sets_up(desk, discord.bot_token)
    assert "Careful: DISCORD_TOKEN is also set in the environment" in done.err


@pytest.mark.asyncio
async def test_the_program_itself_starts_when_told_so(desk: Desk) -> None:
    async with DiscordStandin() as discord:
        addresses = {
            "DISCORD_API_URL": discord.api_url,
            "DISCORD_GATEWAY_URL": discord.gateway_url,
        }
        program = await asyncio.create_subprocess_exec(
            *command("setup", "discord"),
            cwd=desk.folder,
            env=environment(**addresses, PORT="0"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert program.stdin is not None
        program.stdin.write(lines(discord.bot_token, "y").encode())
        program.stdin.close()
        await discord.connected(timeout=30)
        assert program.stderr is not None
        said = ""
        async with asyncio.timeout(30):
            while "Your claim code" not in said:
                said += (await program.stderr.readline()).decode()
        program.send_signal(signal.SIGTERM)
        _, rest = await asyncio.wait_for(program.communicate(), 30)
    assert program.returncode == 0
    assert "Traceback" not in said + rest.decode()
    assert discord.bot_token not in said + rest.decode()


@pytest.fixture
def terminal(desk: Desk, discord: DiscordStandin) -> Iterator[Terminal]:
    opened = Terminal(desk.folder, "setup", "discord", DISCORD_API_URL=discord.api_url)
    yield opened
    opened.closes()


@pytest.mark.asyncio
async def test_a_person_at_a_terminal_is_walked_through_and_sees_no_token(
    desk: Desk, discord: DiscordStandin, terminal: Terminal
) -> None:
    discord.fail_next("GET /oauth2/applications/@me", status=503)

    def walk() -> int:
        terminal.types_at(QUESTION, f"{WRONG}\n")
        terminal.sees("Not that one: Discord does not know it")
        terminal.types_at(QUESTION, f"{discord.bot_token}\n")
        terminal.sees("It could not be checked: Discord is in trouble (503)")
        terminal.types_at(QUESTION, f"{discord.bot_token}\n")
        terminal.sees("it is the bot latih")
        terminal.types_at("Start it now? [Y/n]", "n\n")
        return terminal.ends()

    assert await asyncio.to_thread(walk) == 0
    for secret in (WRONG, discord.bot_token):
        assert secret not in terminal.shown
    assert saved(desk) == f"DISCORD_TOKEN={discord.bot_token}\n"


@pytest.mark.asyncio
async def test_ctrl_c_at_the_question_leaves_everything_as_it_was(
    desk: Desk, terminal: Terminal
) -> None:
    (desk.folder / ".env").write_text("PORT=9000\n")

    def walk() -> int:
        terminal.sees(f"{QUESTION}: ")
        terminal.program.send_signal(signal.SIGINT)
        terminal.sees(".env is as it was.")
        return terminal.ends()

    assert await asyncio.to_thread(walk) == 130
    assert saved(desk) == "PORT=9000\n"
    assert "Traceback" not in terminal.shown
