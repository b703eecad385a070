"""The real bot in a Discord server, kept running as `serve` keeps it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.discord.app import HALF_OPEN
from bot.cli.discord_server import DiscordServer
from bot.cli.tools import Tools
from bot.engine.lease import Holder
from bot.service import Kit
from bot.store import Store
from bot.supervisor import Board, Component, State, Status, Supervisor
from tests.adapters.discord.people import DiscordUser
from tests.standins.discord import DiscordStandin
from tests.world import Clock, CountingDice

NAME = "Discord"


@dataclass
class Bot:
    """The running bot and the server that it is in."""

    discord: DiscordStandin
    store: Store
    kit: Kit
    clock: Clock
    board: Board
    task: "asyncio.Task[None]"

    @property
    def status(self) -> Status:
        return self.board.statuses[NAME]

    def user(self, name: str, channel: str = "ml-infra", **traits: Any) -> DiscordUser:
        person = self.discord.person(name, **traits)
        place = self.discord.channel(channel)
        return DiscordUser(self.discord, person, place, tuple(self.kit.catalog.questions))

    async def is_up(self, *, restarts: int = 0) -> None:
        """Wait until it serves, after so many restarts at the least."""

        def holds(statuses: Mapping[str, Status]) -> bool:
            status = statuses.get(NAME)
            up = status is not None and status.state is State.UP
            return up and status.restarts >= restarts

        async with asyncio.timeout(20):
            await self.board.until(holds)


@asynccontextmanager
async def running(
    discord: DiscordStandin,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    process: str = "one",
    host: str = "a",
    half_open: float = HALF_OPEN,
    waits: bool = True,
) -> AsyncIterator[Bot]:
    """The bot configured by its environment alone; a restart's pause is cut short."""
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("DISCORD_TOKEN", discord.bot_token)
    monkeypatch.setenv("DISCORD_API_URL", discord.api_url)
    monkeypatch.setenv("DISCORD_GATEWAY_URL", discord.gateway_url)
    clock = Clock()
    tools = Tools(now=clock.now, dice=CountingDice())
    tools.holder = Holder(process, host, 1)
    store = Store.open(url)
    kit = tools.kit(store)
    service = tools.service(kit)
    await service.open(clock.now())
    server = DiscordServer(tools, kit, service.handle, half_open=half_open)
    supervisor = Supervisor(
        now=clock.now,
        chance=tools.dice.fraction,
        reference=tools.dice.reference,
        sleep=lambda seconds: asyncio.sleep(seconds / 50),
    )
    task = asyncio.create_task(supervisor.run([Component(NAME, server.run)]))
    bot = Bot(discord, store, kit, clock, supervisor.board, task)
    try:
        if waits:
            await bot.is_up()
        yield bot
    finally:
        task.cancel()
        await asyncio.wait({task})
        store.close()
