"""`serve` as an operator meets it: what it says, and how it ends."""

import asyncio
import re
import socket
import sqlite3
from pathlib import Path

import pytest

from tests.proof.program import Program
from tests.standins.slack import SlackStandin

pytestmark = pytest.mark.asyncio


def slack_settings(slack: SlackStandin, **more: str) -> dict[str, str]:
    return {
        "SLACK_API_URL": slack.api_url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "PORT": "0",
    } | more


DISCORD_NOWHERE = {
    "DISCORD_TOKEN": "x.y.z",
    "DISCORD_API_URL": "http://127.0.0.1:9/api/v10",
    "PORT": "0",
}
"""Discord where nobody listens."""


async def ends(folder: Path, **environment: str) -> tuple[int, str]:
    """Run `serve` until it ends by itself: its exit code and what it said."""
    return await Program(folder, "serve", **environment).run()


async def test_with_nothing_configured_it_says_what_to_set(tmp_path):
    code, said = await ends(tmp_path)

    assert code == 2
    assert "SLACK_BOT_TOKEN" in said
    assert "latih setup slack" in said
    assert "DISCORD_TOKEN" in said
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("flags", "settings", "sentences"),
    [
        (["--slack"], {"DISCORD_TOKEN": "x.y.z"}, ["Slack is not configured: run"]),
        (["--discord"], {"SLACK_BOT_TOKEN": "xoxb-1"}, ["Discord is not configured: run"]),
        (["--slack", "--discord"], {"SLACK_BOT_TOKEN": "xoxb-1"}, ["Discord is not configured"]),
        (["--slack", "--discord"], {}, ["Slack is not configured", "Discord is not configured"]),
    ],
    ids=["slack", "discord", "one of two", "both"],
)
async def test_a_surface_that_is_asked_for_without_its_token_is_told(
    tmp_path, flags, settings, sentences
):
    code, said = await Program(tmp_path, "serve", *flags, **settings).run()

    assert code == 2
    assert len(said.splitlines()) == len(sentences)
    assert all(sentence in said for sentence in sentences)
    assert not (tmp_path / "var").exists()


async def test_a_surface_that_is_not_asked_for_is_not_served(tmp_path):
    async with SlackStandin() as slack:
        settings = slack_settings(slack, DISCORD_TOKEN="x.y.z")
        program = await Program(tmp_path, "serve", "--slack", **settings).start("Latih listens")

        assert await program.stop() == 0
    said = "\n".join(program.said)
    assert "DISCORD_TOKEN" not in said  # which Discord would not accept
    assert "discord" not in said


@pytest.mark.parametrize(("served", "other"), [("slack", "discord"), ("discord", "slack_bolt")])
async def test_a_process_imports_only_the_surface_that_it_serves(tmp_path, served, other):
    async with SlackStandin() as slack:
        settings = slack_settings(slack) if served == "slack" else DISCORD_NOWHERE
        program = Program(tmp_path, "serve", PYTHONPROFILEIMPORTTIME="1", **settings)
        await program.start("Latih listens" if served == "slack" else "discord is down")
        await program.stop()

    imported = {line.rpartition("|")[2].strip() for line in program.said if "import time" in line}
    assert f"bot.cli.{served}_server" in imported
    assert other not in imported


async def test_the_first_start_prints_a_claim_code_that_works_and_the_second_none(tmp_path):
    async with SlackStandin() as slack:
        program = Program(tmp_path, "serve", **slack_settings(slack))
        await program.start("Your claim code")
        code = re.search(r"claim code: (\S+)", program.said[-1])
        slack.speak_http_to((await program.says("Latih listens")).split()[-1])
        ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, place, f"managers claim {code[1]}")
        assert "You now manage Latih" in slack.seen_by(ayu, place)[-1].words
        assert await program.stop() == 0

        again = Program(tmp_path, "serve", **slack_settings(slack))
        await again.start("Latih listens")
        assert await again.stop() == 0
        assert not [line for line in again.said if "claim" in line]


async def test_a_broken_quiz_is_named_once_and_the_others_are_served(tmp_path):
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "broken.yaml").write_text("title: [")
    async with SlackStandin() as slack:
        settings = slack_settings(slack, LATIH_QUIZZES=str(folder))
        program = await Program(tmp_path, "serve", **settings).start("Latih listens")

        assert len([line for line in program.said if "broken.yaml:" in line]) == 1
        assert await program.stop() == 0


async def test_a_token_that_slack_refuses_is_told_in_a_sentence(tmp_path):
    async with SlackStandin() as slack:
        settings = slack_settings(slack) | {"SLACK_BOT_TOKEN": "xoxb-wrong"}
        code, said = await ends(tmp_path, **settings)

    assert code == 3
    assert "Slack does not accept SLACK_BOT_TOKEN: invalid_auth" in said
    assert "xoxb-wrong" not in said


async def test_an_app_token_that_slack_refuses_is_told_in_a_sentence(tmp_path):
    async with SlackStandin() as slack:
        settings = slack_settings(slack, SLACK_APP_TOKEN="xapp-wrong")
        code, said = await ends(tmp_path, **settings)

    assert code == 3
    assert said.splitlines()[-1] == "Slack does not accept SLACK_APP_TOKEN: invalid_auth"
    assert "Traceback" not in said


async def test_slack_refused_and_discord_not_there_yet_goes_on(tmp_path):
    async with SlackStandin() as slack:
        settings = slack_settings(slack) | DISCORD_NOWHERE | {"SLACK_BOT_TOKEN": "xoxb-wrong"}
        program = await Program(tmp_path, "serve", **settings).start("slack is down")

        assert await program.stop() == 0
    assert "SLACK_BOT_TOKEN: invalid_auth; trying again" in "\n".join(program.said)


async def test_a_bot_token_alone_is_not_enough_and_it_says_so(tmp_path):
    code, said = await ends(tmp_path, SLACK_BOT_TOKEN="xoxb-1")

    assert code == 3
    assert "SLACK_APP_TOKEN for Socket Mode" in said


async def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        async with SlackStandin() as slack:
            code, said = await ends(tmp_path, **slack_settings(slack) | {"PORT": port})

    assert code == 3
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use. Set HOST or PORT" in said


async def test_over_a_socket_a_port_that_is_taken_is_told_and_slack_is_served(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        async with SlackStandin() as slack:
            more = {"PORT": port, "SLACK_APP_TOKEN": slack.app_token}
            program = Program(tmp_path, "serve", **slack_settings(slack) | more)
            await program.start("Latih is in Slack")
            await slack.connected()
            ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
            assert (await slack.command(ayu, place, "checkpointing")).acked
            assert await program.stop() == 0

    said = "\n".join(program.said)
    assert f"web is down: cannot listen on 127.0.0.1:{port}: Address already in use." in said


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("PORT", "eighty", "PORT: "),
        ("LATIH_ZONE", "Mars/Olympus", "LATIH_ZONE: 'Mars/Olympus' is no time zone"),
        ("LATIH_MANAGERS", "ayu", "LATIH_MANAGERS: 'ayu' is no identity"),
        ("LATIH_LANGUAGE", "fr", "LATIH_LANGUAGE: "),
        ("LATIH_LOG", "loud", "LATIH_LOG: 'loud' is not text or json"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL is not a database address"),
    ],
)
async def test_a_setting_that_cannot_be_used_is_named(tmp_path, setting, value, said):
    environment = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"} | {setting: value}
    code, told = await ends(tmp_path, **environment)

    assert code in (2, 3)
    assert said in told
    assert "Traceback" not in told


async def test_slack_that_cannot_be_reached_is_waited_for(tmp_path):
    async with SlackStandin() as slack:
        slack.fail_next("auth.test", error="internal_error", status=503, times=1)
        program = Program(tmp_path, "serve", **slack_settings(slack))
        await program.start("Latih listens")

        assert any("Slack cannot be reached" in line for line in program.said)
        assert await program.stop() == 0


async def test_logs_hold_no_names_ids_or_payloads(tmp_path):
    async with SlackStandin() as slack:
        settings = slack_settings(slack, LATIH_LOG="json debug")
        program = await Program(tmp_path, "serve", **settings).start("Latih listens")
        slack.speak_http_to((await program.says("Latih listens")).split()[-1])
        ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, place, "checkpointing")
        question = slack.seen_by(ayu, place)[-1]
        for fault in ("response_url", "chat.postEphemeral", "chat.postMessage"):
            slack.fail_next(fault, error="internal_error", status=500)
        await slack.press(ayu, question, button="A")
        assert await program.stop() == 0

    logged = "\n".join(program.said)
    assert "reached nobody" in logged
    for secret in (ayu.id, place, ayu.name, slack.bot_token, question.ts, 'checkpointing"'):
        assert secret not in logged


async def test_a_second_server_on_the_same_sqlite_file_serves_as_well(tmp_path):
    async with SlackStandin() as slack:
        programs = [
            await Program(tmp_path, "serve", **slack_settings(slack)).start("Latih listens")
            for _ in range(2)
        ]
        said = [await program.says("Latih listens") for program in programs]
        addresses = [line.split()[-1] for line in said]
        ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
        slack.speak_http_to(addresses[0])
        await slack.command(ayu, place, "checkpointing")
        question = slack.seen_by(ayu, place)[-1]
        slack.speak_http_to(addresses[1])
        assert (await slack.press(ayu, question, button="A")).acked
        await slack.until(lambda: "Next" in question.buttons)
        await asyncio.gather(*(program.stop() for program in programs))

    with sqlite3.connect(tmp_path / "var" / "latih.db") as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == (1,)
