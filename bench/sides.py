"""In the process under load: the floor's rows beside the product's service, and a door to both."""

import asyncio
import json
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from aiohttp import web

from bench.answers import RawAnswers
from bench.measure import settle
from bench.world import Surface, Waiting, ask, kit
from bot.chat.card import Card
from bot.service import Service
from bot.store import Store


class Sides:
    """The floor's rows and the product's service, each on a file of its own."""

    def __init__(self, folder: Path, surface: Surface) -> None:
        self._surface = surface
        self._floor, self._product = folder / "floor.db", folder / "product.db"
        self._people = 0
        self.raw = RawAnswers(self._floor)
        self.kit = kit(Store.open(f"sqlite:///{self._product}"))
        self.service = Service(self.kit)

    async def ask(self, count: int) -> list[Waiting]:
        """Open runs of so many new people."""
        first, self._people = self._people, self._people + count
        return await ask(self.kit, range(first, first + count), self._surface)

    async def stored(self, _: web.Request) -> web.Response:
        """How many answers presses have stored."""
        floor = count(self._floor, "SELECT count(*) FROM answers")
        product = count(self._product, _PRESSED)
        return web.json_response({"floor": floor, "product": product})


# The answers that were given before are named by their run.
_PRESSED = "SELECT count(*) FROM answers WHERE press NOT LIKE 'bench%'"


def count(file: Path, query: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(query).fetchone()[0])


def spent() -> web.Response:
    """Clear the ground, and tell the processor time spent so far."""
    so_far = time.process_time()
    settle()
    return web.json_response({"spent": so_far, "from": time.process_time()})


def unexpected(*_: object) -> Card:
    raise AssertionError("an event could not be answered")


async def listen(routes: list[web.RouteDef], most_bytes: int = 1 << 20) -> int:
    app = web.Application(client_max_size=most_bytes)
    app.router.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return int(runner.addresses[0][1])


async def serve(ports: dict[str, int]) -> None:
    """Say where the doors are, and stay for as long as the process that measures."""
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    # The pipe ends with that process.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
