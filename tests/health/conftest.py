"""A web server with the health pages alone, on a store whose database can be harmed."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest_asyncio

from bot.cli.web import WebServer
from bot.health import Metrics, pages
from bot.store import Store
from bot.supervisor import Board
from tests.world import Clock


@dataclass
class Answer:
    status: int
    kind: str
    text: str
    json: Any


@dataclass
class Probe:
    """Who asks, as a load balancer or Prometheus does."""

    store: Store
    board: Board
    metrics: Metrics
    address: str
    session: aiohttp.ClientSession

    async def asks(self, path: str, method: str = "GET") -> Answer:
        async with self.session.request(method, self.address + path) as response:
            text = await response.text()
            is_json = response.content_type == "application/json"
            body = await response.json() if is_json else None
            return Answer(response.status, response.headers["Content-Type"], text, body)

    async def sample(self, name: str, **labels: str) -> float | None:
        """A metric as it is read from the page."""
        await self.asks("/metrics")
        return self.metrics.registry.get_sample_value(name, labels)


@pytest_asyncio.fixture
async def probe(sqlite_store: Store, clock: Clock) -> AsyncIterator[Probe]:
    async with probing(sqlite_store, clock) as made:
        yield made


@asynccontextmanager
async def probing(store: Store, clock: Clock) -> AsyncIterator[Probe]:
    board = Board(clock.now)
    metrics = Metrics(surfaces=["test"], board=board, waiting=lambda: store.waiting, now=clock.now)
    web = WebServer("127.0.0.1", 0)
    web.add(pages(store, board, metrics))
    await web.bind()
    async with aiohttp.ClientSession() as session:
        yield Probe(store, board, metrics, web.address, session)
    await web.close()


@contextmanager
def locked(url: str) -> Iterator[None]:
    """A SQLite file while another process writes."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()
