"""The process under load: the floor's bot and the product's, and a port to direct them.

Run as `python -m bench.discord_server FOLDER URL-OF-API URL-OF-GATEWAY`; it prints a port as JSON.
"""

import asyncio
import gc
import sys
import tracemalloc
from dataclasses import asdict
from pathlib import Path
from typing import Any

import discord
from aiohttp import web

from adapters.discord.app import HALF_OPEN, DiscordApp, direct
from adapters.discord.render import payload
from bench.discord_floor import Floor
from bench.foreseen import foreseen
from bench.held import held
from bench.sides import Sides, listen, serve, spent, unexpected
from bench.world import DISCORD, Waiting, now
from bot.chat.command import Resume
from bot.chat.event import Commanded, Event

_ANSWERING = ("discord-ui-dynamic-item", "CommandTree-invoker")
"""How discord.py names the tasks in which it answers."""


class Bench:
    """Floor and product, side by side in one process."""

    def __init__(self, folder: Path) -> None:
        self._sides = Sides(folder, DISCORD)
        self._floor = Floor(self._sides.raw)
        self._product = DiscordApp(
            handle=self._sides.service.handle,
            titles=lambda language: {
                quiz.id: quiz.title.told(language or self._sides.kit.language)
                for quiz in self._sides.kit.catalog.quizzes
            },
            phrasebook=self._sides.kit.phrasebook,
            now=now,
            sorry=unexpected,
            reference=lambda: "bench",
            up=lambda: None,
            half_open=HALF_OPEN,
        )

    @property
    def bots(self) -> dict[str, discord.Client]:
        return {"floor": self._floor, "product": self._product}

    @property
    def routes(self) -> list[web.RouteDef]:
        """By which the process is directed."""
        return [
            web.get("/ask", self._ask),
            web.get("/ready", self._ready),
            web.get("/stored", self._sides.stored),
            web.get("/memory", self._memory),
        ]

    async def open(self) -> None:
        await self._sides.service.open(now())

    async def _ask(self, request: web.Request) -> web.Response:
        """Open runs of new people with what they see; what they will see is the floor's."""
        waiting = await self._sides.ask(int(request.query["count"]))
        return web.json_response([await self._shown(press) for press in waiting])

    async def _shown(self, press: Waiting) -> dict[str, Any]:
        self._floor.screens[press.wire] = await self._screen(press.event)
        resumed = Commanded(press.who, Resume(), now())
        return {"press": asdict(press), "shown": await self._screen(resumed)}

    async def _screen(self, event: Event) -> list[Any]:
        components: list[Any] = payload(await foreseen(self._sides.kit, event))["components"]
        return components

    async def _ready(self, _: web.Request) -> web.Response:
        await _quiet()
        return spent()

    async def _memory(self, _: web.Request) -> web.Response:
        """Bytes that the process holds, and those that Python was asked for, as far as known."""
        await _quiet()
        gc.collect()
        traced = tracemalloc.get_traced_memory()[0] if tracemalloc.is_tracing() else None
        return web.json_response({"resident": held("self", "VmRSS"), "traced": traced})


async def _quiet() -> None:
    """Wait for answers that are still on their way."""
    while answering := [it for it in asyncio.all_tasks() if it.get_name().startswith(_ANSWERING)]:
        await asyncio.wait(answering)


async def _connect(bot: discord.Client, token: str) -> "asyncio.Task[None]":
    await bot.login(token)
    connection = asyncio.create_task(bot.connect(reconnect=False))
    await bot.wait_until_ready()
    return connection


async def _main(folder: Path, api: str, gateway: str) -> None:
    direct(api, gateway)
    bench = Bench(folder)
    await bench.open()
    connections = [await _connect(bot, name) for name, bot in bench.bots.items()]
    await serve({"direct": await listen(bench.routes)})
    for bot in bench.bots.values():
        await bot.close()
    await asyncio.gather(*connections)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), *sys.argv[2:]))
