"""A server with the real bot in it: discord.py over loopback."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import discord as library
import pytest
import pytest_asyncio
import yarl

from tests.standins.discord import DiscordStandin


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No `.env` or setting of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DISCORD_API_URL", "DISCORD_GATEWAY_URL", "LATIH_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


@pytest.fixture(autouse=True)
def _addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py keeps Discord's addresses for the whole process: none outlives its test."""
    monkeypatch.setattr(library.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    nowhere = yarl.URL("ws://127.0.0.1:1/")
    monkeypatch.setattr(library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", nowhere)


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[DiscordStandin]:
    async with DiscordStandin() as standin:
        yield standin
