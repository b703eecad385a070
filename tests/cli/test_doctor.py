"""`doctor`: what is wrong, in one line each, with how to mend it."""

import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.cli import checks, findings
from bot.cli.findings import Finding, State
from bot.engine.fault import UnavailableError
from tests.cli.desk import Desk, Done
from tests.standins.slack import SlackStandin

SECRET = "0123456789abcdef" * 2


def line(done: Done, start: str) -> str:
    """The one line about something."""
    found = [it for it in done.out.splitlines() if it.partition("  ")[2].strip().startswith(start)]
    assert len(found) == 1, done.out
    return found[0]


def test_a_fresh_start_is_well_and_nothing_is_made(desk: Desk) -> None:
    done = desk.types("doctor")
    assert done.code == 0
    assert line(done, "database").startswith("ok")
    assert line(done, "Slack").endswith("Slack is not configured (fine for the terminal)")
    assert done.out.endswith("\nAll is well.\n")
    assert list(desk.folder.iterdir()) == []


def test_every_line_can_be_read_by_a_program(desk: Desk) -> None:
    desk.sets(DATABASE_URL="postgresql://127.0.0.1:1/x")
    done = desk.types("doctor", "--json")
    found = {it["what"]: it for it in done.json}
    assert found["database"]["state"] == "fault"
    assert "DATABASE_URL" in found["database"]["mend"]
    assert found["quizzes"] == {
        "state": "ok",
        "what": "quizzes",
        "said": found["quizzes"]["said"],
        "mend": None,
    }
    assert done.err == "1 fault.\n"


def test_settings_that_cannot_be_read_are_each_told(desk: Desk) -> None:
    desk.sets(PORT="many", LATIH_ZONE="Mars")
    done = desk.types("doctor")
    assert done.code == 1
    assert "fault  settings cannot be used: PORT" in done.out
    assert "fault  settings cannot be used: LATIH_ZONE" in done.out
    assert done.out.endswith("2 faults.\n")


def test_the_database_of_a_running_bot_is_well(desk: Desk, migrated_url: str) -> None:
    desk.sets(DATABASE_URL=migrated_url)
    said = line(desk.types("doctor"), "database")
    assert said.startswith("ok")
    assert said.endswith("can be written and is at 0002")


def test_an_empty_database_is_not_migrated_by_looking(desk: Desk, database_url: str) -> None:
    (desk.folder / "latih.db").touch()
    desk.sets(DATABASE_URL=database_url)
    for _ in range(2):
        done = desk.types("doctor")
        assert done.code == 0
        assert line(done, "database").startswith("warn")
        assert "run `./latih migrate`" in line(done, "database")
    assert desk.types("migrate").out == "migrated from nothing to 0002\n"


def test_a_file_that_is_no_database_is_told(desk: Desk) -> None:
    (desk.folder / "notes.txt").write_text("no database" * 100)
    desk.sets(DATABASE_URL="sqlite:///notes.txt")
    done = desk.types("doctor")
    assert done.code == 1
    assert "file is not a database" in line(done, "database")


def test_a_place_where_no_database_can_be_made_is_told(desk: Desk) -> None:
    (desk.folder / "file").touch()
    desk.sets(DATABASE_URL="sqlite:///file/latih.db")
    assert line(desk.types("doctor"), "database").startswith("fault")


def test_a_database_that_may_only_be_read_is_told(desk: Desk, postgres_url: str) -> None:
    desk.sets(DATABASE_URL=f"{postgres_url}&options=-c%20default_transaction_read_only%3Don")
    said = line(desk.types("doctor"), "database")
    assert said.startswith("fault")
    assert "read-only" in said


def test_a_database_that_never_answers_is_given_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings.run, "__defaults__", (0.3,))
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        desk.sets(DATABASE_URL=f"postgresql://127.0.0.1:{deaf.getsockname()[1]}/latih")
        done = desk.types("doctor")
    assert done.code == 1
    assert "database gave no answer within 0.3 s" in done.out


def test_little_space_beside_the_database_is_a_warning(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearly_full = SimpleNamespace(free=150_000_000)
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: nearly_full)
    done = desk.types("doctor")
    assert done.code == 0
    assert line(done, "disk").startswith("warn   disk has 150 MB free")


def test_a_broken_quiz_is_a_fault_and_says_who_knows_more(desk: Desk) -> None:
    (desk.folder / "broken.yaml").write_text("title: [")
    desk.sets(LATIH_QUIZZES=str(desk.folder))
    done = desk.types("doctor")
    assert done.code == 1
    assert "quizzes have 1 error, so 1 file cannot be used: `./latih check`" in done.out


def test_tokens_that_everyone_can_read_are_a_warning(desk: Desk) -> None:
    file = desk.folder / ".env"
    file.write_text("LATIH_LANGUAGE=id\n")
    file.chmod(0o644)
    done = desk.types("doctor")
    assert done.code == 0
    assert line(done, ".env") == (
        "warn   .env can be read by everyone on this machine: chmod 600 .env"
    )
    file.chmod(0o600)
    assert ".env can be read" not in desk.types("doctor").out


def connect(desk: Desk, slack: SlackStandin, **settings: str) -> None:
    desk.sets(SLACK_API_URL=slack.api_url, SLACK_BOT_TOKEN=slack.bot_token, **settings)


@pytest.mark.asyncio
async def test_a_slack_that_is_well_is_named(desk: Desk) -> None:
    async with SlackStandin(now=desk.clock.now) as slack:
        connect(desk, slack, SLACK_APP_TOKEN=slack.app_token)
        done = await desk.types_beside("doctor")
    assert done.code == 0
    assert "accepts the bot of workspace Latih Test" in done.out
    assert line(done, "Slack events").startswith("ok")
    assert line(done, "clock").startswith("ok")
    assert slack.bot_token not in done.out + done.err
    assert slack.app_token not in done.out + done.err


@pytest.mark.asyncio
async def test_tokens_that_slack_refuses_are_faults_with_a_reason(desk: Desk) -> None:
    async with SlackStandin(now=desk.clock.now) as slack:
        connect(desk, slack, SLACK_APP_TOKEN="xapp-wrong")
        done = await desk.types_beside("doctor")
        assert done.code == 1
        assert "do not come, SLACK_APP_TOKEN is refused: Slack does not know it" in done.out
        desk.sets(SLACK_BOT_TOKEN="xoxb-wrong")
        done = await desk.types_beside("doctor")
        assert "Slack does not accept SLACK_BOT_TOKEN: Slack does not know it" in done.out


@pytest.mark.asyncio
async def test_scopes_that_are_missing_are_named(desk: Desk) -> None:
    async with SlackStandin(now=desk.clock.now) as slack:
        slack.workspace.scopes.remove("users:read")
        connect(desk, slack, SLACK_SIGNING_SECRET=SECRET)
        done = await desk.types_beside("doctor")
    assert done.code == 1
    assert line(done, "Slack scopes").startswith("fault  Slack scopes lack users:read: add")


@pytest.mark.asyncio
@pytest.mark.parametrize(("secret", "state"), [(SECRET, "ok"), ("stand-in", "fault")])
async def test_a_signing_secret_is_looked_at(desk: Desk, secret: str, state: str) -> None:
    async with SlackStandin(now=desk.clock.now) as slack:
        connect(desk, slack, SLACK_SIGNING_SECRET=secret)
        done = await desk.types_beside("doctor")
    assert line(done, "Slack events").startswith(state)
    assert secret not in done.out


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("ahead", "state"),
    [(0, "ok"), (60, "ok"), (61, "warn"), (-61, "warn"), (240, "warn"), (-241, "fault")],
)
async def test_a_clock_that_is_off_is_told_by_slacks(desk: Desk, ahead: int, state: str) -> None:
    now = desk.clock.now()
    async with SlackStandin(now=lambda: now) as slack:
        connect(desk, slack, SLACK_APP_TOKEN=slack.app_token)
        desk.clock.pass_(seconds=ahead)
        done = await desk.types_beside("doctor")
    assert line(done, "clock").startswith(state)
    assert done.code == (1 if state == "fault" else 0)


@pytest.mark.asyncio
async def test_a_slack_in_trouble_is_not_taken_for_a_refusal(desk: Desk) -> None:
    async with SlackStandin(now=desk.clock.now) as slack:
        slack.fail_next("auth.test", error="internal_error", status=500)
        slack.lose_answer("apps.connections.open")
        connect(desk, slack, SLACK_APP_TOKEN=slack.app_token)
        done = await desk.types_beside("doctor")
    assert "Slack does not work: Slack is in trouble" in done.out
    assert "Slack events does not work: Slack cannot be reached" in done.out


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"SLACK_APP_TOKEN": "xapp-1"}, "Slack is half configured: SLACK_BOT_TOKEN is missing"),
        (
            {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "http://127.0.0.1:1/api/"},
            "neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set: run `./latih setup slack`",
        ),
    ],
)
def test_half_a_configuration_is_a_fault(desk: Desk, settings: dict[str, str], said: str) -> None:
    desk.sets(**settings)
    done = desk.types("doctor")
    assert done.code == 1
    assert said in done.out


def _broken() -> list[Finding]:
    raise RuntimeError("odd")


def _unavailable() -> list[Finding]:
    raise UnavailableError("no network")


def test_a_check_that_breaks_is_a_fault_and_no_end() -> None:
    assert findings.run("it", _broken) == [
        Finding(State.FAULT, "it", "could not be checked: RuntimeError('odd')")
    ]
    assert findings.run("it", _unavailable)[0].line == "fault  it does not work: no network"


def test_the_program_itself_ends_with_one_when_something_is_at_fault(desk: Desk) -> None:
    assert desk.runs("doctor").code == 0
    done = desk.runs("doctor", DATABASE_URL="mysql://db/latih")
    assert done.code == 1
    assert "fault  database does not work: DATABASE_URL must begin with" in done.out


def test_disk_space_is_that_of_the_nearest_folder_that_is_there(desk: Desk) -> None:
    assert "free in ." in line(desk.types("doctor"), "disk")
    desk.sets(DATABASE_URL=f"sqlite:///{Path(os.sep, 'nowhere', 'at', 'all.db')}")
    assert "free in /" in line(desk.types("doctor"), "disk")
