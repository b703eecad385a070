"""The process under load: every variant behind a port of its own, and one port to direct it.

Run as `python -m bench.slack_server FOLDER URL-OF-SLACK`; it prints its ports as JSON.
"""

import asyncio
import logging
import sys
from dataclasses import asdict
from pathlib import Path

import aiohttp
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from typing_extensions import override

from adapters.slack.app import SlackApp
from adapters.slack.client import web_client
from adapters.slack.deliver import Target
from adapters.slack.web import route
from bench import slack_floor
from bench.sides import Sides, listen, serve, spent, unexpected
from bench.slack_body import SECRET
from bench.world import SLACK, now
from bot.chat.reply import Reply
from bot.cli.web import MOST_BYTES


class Undelivered(SlackApp):
    """Stores and acknowledges; what would then be drawn and sent goes nowhere."""

    @override
    async def deliver(self, replies: tuple[Reply, ...], target: Target) -> None:
        return None


class Bench:
    """Floors and product, side by side in one process."""

    def __init__(self, folder: Path) -> None:
        self._sides = Sides(folder, SLACK)
        self._apps: list[SlackApp] = []

    async def bolts(self, slack: str, session: aiohttp.ClientSession) -> dict[str, AsyncApp]:
        return {
            "floor": slack_floor.storing(self._sides.raw),
            "idle": slack_floor.idle(process_before_response=True),
            "idle-default": slack_floor.idle(process_before_response=False),
            "product": await self._product(Undelivered, slack, session),
            "product-redrawn": await self._product(SlackApp, slack, session),
        }

    @property
    def routes(self) -> list[web.RouteDef]:
        """By which the process is directed."""
        return [
            web.get("/ask", self._ask),
            web.get("/ready", self._ready),
            web.get("/stored", self._sides.stored),
        ]

    async def _product(
        self, kind: type[SlackApp], slack: str, session: aiohttp.ClientSession
    ) -> AsyncApp:
        app = kind(
            client=web_client("xoxb-bench", f"{slack}/api/", session),
            session=session,
            handle=self._sides.service.handle,
            quizzes=lambda: self._sides.kit.catalog.names,
            now=now,
            sorry=unexpected,
            reference=lambda: "bench",
            signing_secret=SECRET,
        )
        await app.sign_in()
        self._apps.append(app)
        return app.bolt

    async def _ask(self, request: web.Request) -> web.Response:
        """Open runs of new people, as many as asked for."""
        waiting = await self._sides.ask(int(request.query["count"]))
        return web.json_response([asdict(press) for press in waiting])

    async def _ready(self, _: web.Request) -> web.Response:
        """Let replies leave first."""
        for app in self._apps:
            await app.drain()
        return spent()


async def _main(folder: Path, slack: str) -> None:
    logging.getLogger("latih.bolt").setLevel(logging.ERROR)
    bench = Bench(folder)
    async with aiohttp.ClientSession() as session:
        bolts = await bench.bolts(slack, session)
        ports = {
            name: await listen([route(it.async_dispatch)], MOST_BYTES) for name, it in bolts.items()
        }
        await serve({**ports, "direct": await listen(bench.routes)})


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2]))
