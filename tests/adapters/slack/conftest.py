"""A workspace with the real bot in it: slack-bolt over loopback, in both modes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.slack.socket import PING
from bot.cli.slack_server import SlackServer
from bot.cli.tools import Tools
from bot.cli.web import WebServer
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
    slack: SlackStandin,
    mode: str,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    ping: float = PING,
) -> AsyncIterator[Bot]:
    monkeypatch.setenv("DATABASE_URL", url)
    for name, value in settings_of(slack, mode).items():
        monkeypatch.setenv(name, value)
    clock = Clock()
    tools = Tools(now=clock.now, dice=CountingDice())
    store = Store.open(url)
    kit = tools.kit(store)
    service = tools.service(kit)
    await service.open(clock.now())
    web = WebServer("127.0.0.1", 0)
    server = SlackServer(tools, kit, service.handle, web, ping=ping)
    await web.bind()
    try:
        async with serving(server):
            if mode == "http":
                slack.speak_http_to(server.address)
            else:
                await slack.connected()
            yield Bot(slack, store, kit, clock)
    finally:
        await web.close()
        store.close()


def settings_of(slack: SlackStandin, mode: str) -> dict[str, str]:
    """The environment of a bot in this workspace."""
    way = (
        {"SLACK_SIGNING_SECRET": slack.signing_secret}
        if mode == "http"
        else {"SLACK_APP_TOKEN": slack.app_token}
    )
    return {"SLACK_API_URL": slack.api_url, "SLACK_BOT_TOKEN": slack.bot_token, "PORT": "0"} | way


@asynccontextmanager
async def serving(server: SlackServer) -> AsyncIterator[None]:
    """Slack from when it is up until it has drained."""
    up = asyncio.Event()
    running = asyncio.create_task(server.run(up.set))
    await asyncio.wait([running, asyncio.create_task(up.wait())], return_when="FIRST_COMPLETED")
    assert up.is_set(), await running
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])
