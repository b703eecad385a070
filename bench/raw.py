"""The floors under the store: the driver alone, a transaction for each press."""

import asyncio
import queue
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import psycopg

from bench.units import Statements

_Job: TypeAlias = "tuple[Statements, asyncio.Future[None]]"


class Raw(Protocol):
    async def press(self, statements: Statements) -> None: ...
    def close(self) -> None: ...


class RawSqlite:
    """One thread that begins, runs and commits: each press by itself, or all that queued."""

    def __init__(self, file: Path, *, together: bool = False) -> None:
        self._file = file
        self._most = 128 if together else 1
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    async def press(self, statements: Statements) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put((statements, future))
        await future

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        connection = opened(self._file)
        while (job := self._queue.get()) is not None:
            jobs = [job]
            while len(jobs) < self._most and not self._queue.empty():
                jobs += filter(None, [self._queue.get()])
            in_sqlite(connection, [said for statements, _ in jobs for said in statements])
            job[1].get_loop().call_soon_threadsafe(_wake, [future for _, future in jobs])
        connection.close()


def _wake(futures: "list[asyncio.Future[None]]") -> None:
    for future in futures:
        future.set_result(None)


def opened(file: Path) -> sqlite3.Connection:
    """A connection as durable as the product's."""
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def in_sqlite(connection: sqlite3.Connection, statements: Statements) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement, parameters in statements:
        connection.execute(statement, parameters).fetchall()
    connection.execute("COMMIT")


class RawPostgres:
    """Eight threads with a connection each; psycopg as it comes, prepared statements included."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._own = threading.local()
        self._connections: list[psycopg.Connection[Any]] = []
        self._threads = ThreadPoolExecutor(8)

    async def press(self, statements: Statements) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, self._run, statements)

    def close(self) -> None:
        self._threads.shutdown()
        for connection in self._connections:
            connection.close()

    def _run(self, statements: Statements) -> None:
        connection = self._connection()
        with connection.transaction():
            for statement, parameters in statements:
                connection.execute(statement, parameters).fetchall()

    def _connection(self) -> "psycopg.Connection[Any]":
        if not hasattr(self._own, "connection"):
            self._own.connection = psycopg.connect(self._url, autocommit=True)
            self._connections.append(self._own.connection)
        found: psycopg.Connection[Any] = self._own.connection
        return found
