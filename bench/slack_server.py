"""The process under load: every variant behind a port of its own, and one port to direct it.

Run as `python -m bench.slack_server FOLDER URL-OF-SLACK`; it prints its ports as JSON.
"""

import asyncio
import json
import logging
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from typing_extensions import override

from adapters.slack.app import SlackApp
from adapters.slack.client import web_client
from adapters.slack.deliver import Target
from adapters.slack.web import MOST_BYTES, route
from bench import slack_floor
from bench.measure import settle
from bench.slack_body import SECRET
from bench.world import ask, kit, now
from bot.chat.card import Card
from bot.chat.reply import Reply
from bot.service import Service
from bot.store import Store


class Undelivered(SlackApp):
    """Stores and acknowledges; what would then be drawn and sent goes nowhere."""

    @override
    async def deliver(self, replies: tuple[Reply, ...], target: Target) -> None:
        return None


class Bench:
    """Floors and product, side by side in one process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._raw = slack_floor.RawAnswers(folder / "floor.db")
        self._store = Store.open(f"sqlite:///{folder}/product.db")
        self._kit = kit(self._store)
        self._service = Service(self._kit)
        self._apps: list[SlackApp] = []
        self._people = 0

    async def bolts(self, slack: str, session: aiohttp.ClientSession) -> dict[str, AsyncApp]:
        return {
            "floor": slack_floor.storing(self._raw),
            "idle": slack_floor.idle(process_before_response=True),
            "idle-default": slack_floor.idle(process_before_response=False),
            "product": await self._product(Undelivered, slack, session),
            "product-redrawn": await self._product(SlackApp, slack, session),
        }

    async def _product(
        self, kind: type[SlackApp], slack: str, session: aiohttp.ClientSession
    ) -> AsyncApp:
        app = kind(
            client=web_client("xoxb-bench", f"{slack}/api/", session),
            session=session,
            handle=self._service.handle,
            quizzes=lambda: self._kit.catalog.names,
            now=now,
            sorry=_unexpected,
            reference=lambda: "bench",
            signing_secret=SECRET,
        )
        await app.sign_in()
        self._apps.append(app)
        return app.bolt

    async def ask(self, request: web.Request) -> web.Response:
        """Open runs of new people, as many as asked for."""
        count = int(request.query["count"])
        first, self._people = self._people, self._people + count
        waiting = await ask(self._kit, range(first, first + count))
        return web.json_response([asdict(press) for press in waiting])

    async def ready(self, _: web.Request) -> web.Response:
        """Let replies leave, clear the ground, and tell the processor time spent so far."""
        for app in self._apps:
            await app.drain()
        spent = time.process_time()
        settle()
        return web.json_response({"spent": spent, "from": time.process_time()})

    async def stored(self, _: web.Request) -> web.Response:
        """How many answers presses have stored."""
        floor = _count(self._folder / "floor.db", "SELECT count(*) FROM answers")
        product = _count(self._folder / "product.db", _PRESSED)
        return web.json_response({"floor": floor, "product": product})


# A press is named by 32 hex digits; the answers given before are named by their run.
_PRESSED = "SELECT count(*) FROM answers WHERE length(press) = 32"


def _count(file: Path, query: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(query).fetchone()[0])


def _unexpected(_: str) -> Card:
    raise AssertionError("an event could not be answered")


async def _listen(routes: list[web.RouteDef]) -> int:
    app = web.Application(client_max_size=MOST_BYTES)
    app.router.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return int(runner.addresses[0][1])


async def _serve(folder: Path, slack: str) -> None:
    logging.getLogger("latih.bolt").setLevel(logging.ERROR)
    bench = Bench(folder)
    handlers: dict[str, Callable[[web.Request], Awaitable[web.StreamResponse]]] = {
        "/ask": bench.ask,
        "/ready": bench.ready,
        "/stored": bench.stored,
    }
    async with aiohttp.ClientSession() as session:
        bolts = await bench.bolts(slack, session)
        ports: dict[str, Any] = {name: await _listen([route(it)]) for name, it in bolts.items()}
        ports["direct"] = await _listen([web.get(path, it) for path, it in handlers.items()])
        sys.stdout.write(json.dumps(ports) + "\n")
        sys.stdout.flush()
        # The pipe ends with the process that measures.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), sys.argv[2]))
