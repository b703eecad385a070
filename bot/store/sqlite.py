"""SQLite: one writer thread with group commit, and a few readers beside it.

The writer runs whatever has queued inside one transaction, commits once, and then wakes everyone;
there is no timer, so a lone unit never waits. It is optimistic and needs no savepoints: when a
unit fails, the batch is rolled back and its units run again one by one.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import PoolProxiedConnection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import QueuePool

from bot.store.unit import (
    MOST_WAITING,
    BusyError,
    Job,
    Outcome,
    T,
    is_locked,
    pause,
    settle,
    told,
)
from bot.store.work import Work

_MOST_TOGETHER = 128
_READERS = 4
_LOCK_WAIT = 1.0  # seconds SQLite itself waits for a lock before we look whether to go on


class SqliteLane:
    """Runs units on a SQLite file."""

    def __init__(self, file: Path) -> None:
        self.engine = _engine(file, "BEGIN IMMEDIATE")
        self._reader = _engine(file, "BEGIN")
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="latih-reader")
        self._closing = threading.Event()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._serve, name="latih-writer", daemon=True)
        self._thread.start()

    async def write(self, unit: Callable[[Work], T]) -> T:
        if self._queue.qsize() >= MOST_WAITING:
            raise BusyError
        job = Job(unit, asyncio.get_running_loop().create_future())
        self._queue.put(job)
        result: T = await job.future
        return result

    async def read(self, unit: Callable[[Work], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, unit)

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that sees one moment of the database, and never makes the writer wait."""
        with self._reader.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Finish what has queued, then stop; a locked database is no longer waited for."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join()
        self._readers.shutdown()
        self.engine.dispose()
        self._reader.dispose()

    def _read(self, unit: Callable[[Work], T]) -> T:
        try:
            with self._reader.connect() as connection, connection.begin():
                return unit(Work(connection))
        except (DBAPIError, sqlite3.Error) as error:
            raise told(error) from None

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            batch = [job]
            while len(batch) < _MOST_TOGETHER and (more := self._take()) is not None:
                batch.append(more)
            settle(self._together(batch))
        self._disconnect()

    def _take(self) -> Job | None:
        """A job that has queued; the closing mark is put back for the loop to see."""
        try:
            job = self._queue.get_nowait()
        except queue.Empty:
            return None
        if job is None:
            self._queue.put(None)
        return job

    def _together(self, batch: list[Job]) -> list[Outcome]:
        try:
            results = self._transaction(batch)
        except Exception as error:  # noqa: BLE001 - handed to whoever awaits the unit
            if len(batch) == 1:
                return [Outcome(batch[0], error=told(error))]
            return [outcome for job in batch for outcome in self._together([job])]
        return [Outcome(job, result) for job, result in zip(batch, results, strict=True)]

    def _transaction(self, batch: list[Job]) -> list[Any]:
        tries = 0
        while True:
            try:
                with self._connect().begin() as transaction:
                    work = Work(transaction.connection)
                    return [job.unit(work) for job in batch]
            except (OperationalError, sqlite3.OperationalError) as error:
                self._disconnect()
                if not is_locked(error) or batch[0].is_late or self._closing.is_set():
                    raise
                self._closing.wait(pause(tries))
                tries += 1

    def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = self.engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _engine(file: Path, begin: str) -> Engine:
    engine = create_engine(
        f"sqlite:///{file}",
        poolclass=QueuePool,
        pool_size=_READERS,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"timeout": _LOCK_WAIT, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        # The driver would begin transactions by itself, deferred; `start` below does it instead.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA secure_delete=ON")

    # Not by a "begin" listener: an engine that has one looks for listeners at every statement.
    def start(connection: PoolProxiedConnection) -> None:
        connection.cursor().execute(begin)

    engine.dialect.do_begin = start  # type: ignore[assignment]
    return engine
