"""`serve` while it runs and when it is told to stop: its pages, its drain, its end."""

import asyncio
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import aiohttp
import pytest

from tests.adapters.slack.conftest import settings_of
from tests.proof.program import Program
from tests.standins.discord import DiscordStandin
from tests.standins.slack import Message, SlackPerson, SlackStandin

pytestmark = pytest.mark.asyncio

LIMIT = 10.0  # seconds that hosts give a process to stop before they kill it


@pytest.fixture(params=["http", "socket"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Serving(Program):
    """`serve` in a Slack workspace, with whoever plays there."""

    def __init__(self, folder: Path, slack: SlackStandin, mode: str, **more: str) -> None:
        super().__init__(folder, "serve", **settings_of(slack, mode) | more)
        self.slack = slack
        self.mode = mode
        self.database = folder / "var" / "latih.db"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.is_up:
            await self.kill()

    async def begins(self) -> tuple[SlackPerson, Message]:
        """Start it, and a run: its person, with the first question before them."""
        await self.start("Your claim code")
        self.address = "http://" + (await self.says("listening on")).split()[-2]
        if self.mode == "http":
            self.slack.speak_http_to(self.address + "/slack/events")
        else:
            await self.slack.connected()
        ayu, place = self.slack.person("Ayu"), self.slack.channel("ml-infra")
        await self.slack.command(ayu, place, "checkpointing")
        return ayu, self.slack.seen_by(ayu, place)[-1]

    async def asks(self, path: str) -> tuple[int, Any]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(self.address + path) as response,
        ):
            is_json = response.content_type == "application/json"
            return response.status, await (response.json() if is_json else response.text())

    async def until_discord_is(self, state: str) -> None:
        async with asyncio.timeout(30):
            while (await self.asks("/readyz"))[1]["components"]["discord"]["state"] != state:
                continue

    def answers(self) -> int:
        with sqlite3.connect(self.database) as database:
            return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While somebody else writes to the database."""
        other = sqlite3.connect(self.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()


def settings_in(discord: DiscordStandin) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": discord.bot_token,
        "DISCORD_API_URL": discord.api_url,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
    }


async def test_the_pages_tell_the_truth_about_a_running_bot(tmp_path, mode):
    async with SlackStandin() as slack, Serving(tmp_path, slack, mode) as program:
        ayu, question = await program.begins()
        await slack.press(ayu, question, button="A")
        await slack.until(lambda: "Next" in question.buttons)

        assert await program.asks("/healthz") == (200, "ok\n")
        status, ready = await program.asks("/readyz")
        assert status == 200
        assert {name: it["state"] for name, it in ready["components"].items()} == {
            "slack": "up",
            "web": "up",
        }
        _, metrics = await program.asks("/metrics")
        for line in (
            'latih_events_total{kind="command",outcome="answered",surface="slack"} 1.0',
            'latih_events_total{kind="press",outcome="answered",surface="slack"} 1.0',
            'latih_component_up{component="slack"} 1.0',
            "latih_units_waiting 0.0",
        ):
            assert line in metrics.splitlines()
        for secret in (ayu.id, question.channel, slack.team_id, slack.bot_token, slack.app_token):
            assert secret not in metrics + str(ready)

        with program.locked():
            assert (await program.asks("/readyz"))[0] == 503
            assert (await program.asks("/healthz"))[0] == 200
        async with asyncio.timeout(10):
            while (await program.asks("/readyz"))[0] != 200:
                continue
        assert await program.stop() == 0


async def test_slack_goes_on_while_discord_is_gone_and_discord_comes_back(tmp_path, mode):
    async with (
        SlackStandin() as slack,
        DiscordStandin() as discord,
        Serving(tmp_path, slack, mode, **settings_in(discord)) as program,
    ):
        ayu, question = await program.begins()
        await program.until_discord_is("up")
        await discord.goes_away()
        await program.until_discord_is("down")

        assert (await slack.press(ayu, question, button="A")).acked
        await slack.until(lambda: "Next" in question.buttons)
        assert (await program.asks("/readyz"))[0] == 200

        await discord.comes_back()
        await program.until_discord_is("up")
        assert await program.stop() == 0

    said = "\n".join(program.said)
    assert "discord is up again" in said
    assert "Traceback" not in said


async def test_what_was_acknowledged_is_answered_before_the_end(tmp_path, mode):
    async with SlackStandin() as slack, Serving(tmp_path, slack, mode) as program:
        ayu, question = await program.begins()
        with program.locked():
            delivery = await slack.press(ayu, question, button="A")
            assert delivery.acked
            assert "Next" not in question.buttons
            program._signal(signal.SIGTERM)
        code = await asyncio.wait_for(program.ended(), LIMIT)

    assert code == 0
    assert "Next" in question.buttons
    assert program.answers() == 1
    assert "Traceback" not in "\n".join(program.said)


async def test_a_reply_that_is_stuck_does_not_keep_it_from_ending(tmp_path):
    async with SlackStandin() as slack, Serving(tmp_path, slack, "socket") as program:
        ayu, question = await program.begins()
        slack.silence("response_url", 60, times=3)
        assert (await slack.press(ayu, question, button="A")).acked
        began = time.monotonic()
        code = await program.stop()
        took = time.monotonic() - began

    assert code == 0
    assert took < LIMIT
    assert program.answers() == 1
    assert "stopped with replies still under way" in "\n".join(program.said)


async def test_sockets_that_went_silent_do_not_keep_it_from_ending(tmp_path):
    async with (
        SlackStandin() as slack,
        DiscordStandin() as discord,
        Serving(tmp_path, slack, "socket", **settings_in(discord)) as program,
    ):
        await program.begins()
        await program.until_discord_is("up")
        slack.silence_sockets()
        discord.go_silent()
        began = time.monotonic()
        assert await program.stop() == 0

    assert time.monotonic() - began < LIMIT


async def test_a_database_that_stays_locked_does_not_keep_it_from_ending(tmp_path):
    async with SlackStandin() as slack, Serving(tmp_path, slack, "http") as program:
        ayu, question = await program.begins()
        with program.locked():
            assert (await slack.press(ayu, question, button="A")).acked
            began = time.monotonic()
            await program.stop()
            took = time.monotonic() - began

    assert took < LIMIT
    assert program.answers() == 0


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_it_at_once(tmp_path, second):
    async with SlackStandin() as slack, Serving(tmp_path, slack, "http") as program:
        ayu, question = await program.begins()
        slack.silence("response_url", 60)
        assert (await slack.press(ayu, question, button="A")).acked
        program._signal(signal.SIGINT)
        await program.says("told to stop")
        program._signal(second)
        code = await asyncio.wait_for(program.ended(), 3)

    assert code == 128 + second
    assert program.answers() == 1
