"""A workspace with the real bot in it: slack-bolt over loopback, in both modes."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from bot.cli.slack_server import SlackServer
from bot.cli.tools import Tools
from bot.store import Store
from tests.adapters.slack.people import Bot
from tests.standins.slack import SlackStandin
from tests.world import Clock, CountingDice

MODES = ("http", "socket")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No `.env` or setting of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "LATIH_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[SlackStandin]:
    async with SlackStandin() as workspace:
        yield workspace


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def bot(
    slack: SlackStandin, mode: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Bot]:
    """The bot in the workspace, configured by its environment alone."""
    async with running(slack, mode, sqlite_url, monkeypatch) as started:
        yield started


@asynccontextmanager
async def running(
    slack: SlackStandin, mode: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Bot]:
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("SLACK_API_URL", slack.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", slack.bot_token)
    monkeypatch.setenv("PORT", "0")
    if mode == "http":
        monkeypatch.setenv("SLACK_SIGNING_SECRET", slack.signing_secret)
    else:
        monkeypatch.setenv("SLACK_APP_TOKEN", slack.app_token)
    clock = Clock()
    tools = Tools(now=clock.now, dice=CountingDice())
    store = Store.open(url)
    kit = tools.kit(store)
    service = tools.service(kit)
    await service.open(clock.now())
    async with SlackServer(tools, kit, service) as server:
        if mode == "http":
            slack.speak_http_to(server.address)
        else:
            await slack.connected()
        yield Bot(slack, store, kit, clock, server)
    store.close()
