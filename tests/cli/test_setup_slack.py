"""`setup slack`: from nothing to tokens in `.env`, by a person or through a pipe."""

import asyncio
import signal
import stat
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.cli.desk import Desk, command, environment
from tests.cli.terminal import Terminal
from tests.standins.slack import SlackStandin

SECRET = "0123456789abcdef" * 2


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


@pytest.mark.asyncio
async def test_socket_mode_needs_only_two_tokens_and_enter(desk: Desk) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        answers = lines("", "", slack.bot_token, slack.app_token)
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert done.code == 0
    file = desk.folder / ".env"
    assert file.read_text() == (
        f"SLACK_BOT_TOKEN={slack.bot_token}\nSLACK_APP_TOKEN={slack.app_token}\n"
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert done.out == ""
    assert "https://api.slack.com/apps?new_app=1&manifest_json=" in done.err
    assert "it is the bot of the workspace Latih Test" in done.err
    assert "latih serve" in done.err


@pytest.mark.asyncio
async def test_tokens_are_never_shown(desk: Desk) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        answers = lines("socket", "/quiz", "xoxb-wrong", slack.bot_token, slack.app_token)
        done = await desk.types_beside("setup", "slack", answers=answers)
    for secret in ("xoxb-wrong", slack.bot_token, slack.app_token):
        assert secret not in done.out + done.err


@pytest.mark.asyncio
async def test_http_takes_the_address_and_the_signing_secret(desk: Desk) -> None:
    (desk.folder / ".env").write_text("SLACK_APP_TOKEN=xapp-old\nPORT=9000\n")
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        answers = lines("http", "http://a.b", "https://a.b", "kuis", slack.bot_token, "x", SECRET)
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert done.code == 0
    assert (desk.folder / ".env").read_text() == (
        f"SLACK_APP_TOKEN=\nPORT=9000\nSLACK_BOT_TOKEN={slack.bot_token}\n"
        f"SLACK_SIGNING_SECRET={SECRET}\n"
    )
    assert "https%3A//a.b/slack/events" in done.err
    assert "/kuis checkpointing" in done.err
    assert "Let https://a.b lead to 127.0.0.1:9000" in done.err
    assert "32 of the characters" in done.err


@pytest.mark.asyncio
async def test_what_copying_leaves_around_a_token_is_forgiven(desk: Desk) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        answers = lines(" S ", "", f'  "{slack.bot_token}"\t', f"\u201c{slack.app_token}\u201d ")
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert done.code == 0
    assert f"SLACK_APP_TOKEN={slack.app_token}\n" in (desk.folder / ".env").read_text()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("", "begins with xoxb-"),
        ("hunter2", "begins with xoxb-"),
        ("xapp-1-x", "this is an app-level token; the one that is needed begins with xoxb-"),
        ("xoxp-1-x", "this is a user token"),
        ("xoxe.xoxb-1-x", "this is a token that rotates"),
        ("xoxb-two words", "only letters, digits and dashes"),
        ("xoxb-unknown", "Slack does not know it"),
    ],
)
async def test_a_wrong_token_is_asked_for_again_with_the_reason(
    desk: Desk, wrong: str, reason: str
) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        answers = lines("", "", wrong, slack.bot_token, slack.app_token)
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert done.code == 0
    assert reason in done.err
    assert f"SLACK_BOT_TOKEN={slack.bot_token}\n" in (desk.folder / ".env").read_text()


@pytest.mark.asyncio
async def test_scopes_that_are_missing_are_named(desk: Desk) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url)
        slack.workspace.scopes.remove("commands")
        answers = lines("", "", slack.bot_token)
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert done.code == 2
    assert "it lacks the scopes commands." in done.err
    assert "The input ended before everything was answered. .env is as it was." in done.err
    assert list(desk.folder.iterdir()) == []


def test_a_slack_that_cannot_be_reached_leaves_everything_as_it_was(desk: Desk) -> None:
    (desk.folder / ".env").write_text("PORT=9000\n")
    desk.sets(SLACK_API_URL="http://127.0.0.1:1/api/")
    done = desk.types("setup", "slack", answers=lines("", "", "xoxb-1"))
    assert done.code == 3
    assert "Slack cannot be reached at http://127.0.0.1:1/api/" in done.err
    assert (desk.folder / ".env").read_text() == "PORT=9000\n"


def test_a_place_where_nothing_can_be_written_is_told_before_anything_is_asked(
    desk: Desk,
) -> None:
    (desk.folder / ".env").mkdir()
    done = desk.types("setup", "slack", answers="")
    assert done.code == 3
    assert done.err == ".env is no plain file, so settings cannot be written into it.\n"


@pytest.mark.asyncio
async def test_a_token_in_the_environment_that_would_win_is_told(desk: Desk) -> None:
    async with SlackStandin() as slack:
        desk.sets(SLACK_API_URL=slack.api_url, SLACK_BOT_TOKEN="xoxb-other")
        answers = lines("", "", slack.bot_token, slack.app_token)
        done = await desk.types_beside("setup", "slack", answers=answers)
    assert "Careful: SLACK_BOT_TOKEN is also set in the environment" in done.err
    assert "SLACK_APP_TOKEN is also set" not in done.err


@pytest.mark.asyncio
async def test_the_program_itself_starts_when_told_so(desk: Desk) -> None:
    async with SlackStandin() as slack:
        program = await asyncio.create_subprocess_exec(
            *command("setup", "slack"),
            cwd=desk.folder,
            env=environment(SLACK_API_URL=slack.api_url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert program.stdin is not None
        program.stdin.write(lines("", "", slack.bot_token, slack.app_token, "y").encode())
        program.stdin.close()
        await slack.connected(timeout=30)
        assert program.stderr is not None
        async with asyncio.timeout(30):
            while "Your claim code" not in (await program.stderr.readline()).decode():
                pass
        program.send_signal(signal.SIGTERM)
        _, rest = await asyncio.wait_for(program.communicate(), 30)
    assert program.returncode == 0
    assert b"Traceback" not in rest


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[SlackStandin]:
    async with SlackStandin() as started:
        yield started


@pytest.fixture
def terminal(desk: Desk, slack: SlackStandin) -> Iterator[Terminal]:
    opened = Terminal(desk.folder, "setup", "slack", SLACK_API_URL=slack.api_url)
    yield opened
    opened.closes()


@pytest.mark.asyncio
async def test_a_person_at_a_terminal_is_walked_through_and_sees_no_token(
    desk: Desk, slack: SlackStandin, terminal: Terminal
) -> None:
    def walk() -> int:
        terminal.types_at("socket or http [socket]", "\n")
        terminal.types_at("Command that people type [/quiz]", "\n")
        terminal.types_at("Bot User OAuth Token (it is not shown)", "xoxb-wrong\n")
        terminal.sees("Not that one: Slack does not know it")
        terminal.types_at("Bot User OAuth Token (it is not shown)", f"{slack.bot_token}\n")
        terminal.types_at("App-level token (it is not shown)", f"{slack.app_token}\n")
        terminal.types_at("Start it now? [Y/n]", "n\n")
        return terminal.ends()

    assert await asyncio.to_thread(walk) == 0
    for secret in ("xoxb-wrong", slack.bot_token, slack.app_token):
        assert secret not in terminal.shown
    assert slack.app_token in (desk.folder / ".env").read_text()


@pytest.mark.asyncio
async def test_ctrl_c_at_a_question_leaves_everything_as_it_was(
    desk: Desk, slack: SlackStandin, terminal: Terminal
) -> None:
    (desk.folder / ".env").write_text("PORT=9000\n")

    def walk() -> int:
        terminal.types_at("socket or http [socket]", "\n")
        terminal.types_at("Command that people type [/quiz]", "\n")
        terminal.types_at("Bot User OAuth Token (it is not shown)", f"{slack.bot_token}\n")
        terminal.sees("App-level token (it is not shown): ")
        terminal.program.send_signal(signal.SIGINT)
        terminal.sees(".env is as it was.")
        return terminal.ends()

    assert await asyncio.to_thread(walk) == 130
    assert (desk.folder / ".env").read_text() == "PORT=9000\n"
    assert "Traceback" not in terminal.shown
