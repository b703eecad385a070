"""Postgres: a pool of connections in threads, one READ COMMITTED transaction for each unit."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from bot.store.unit import MOST_WAITING, BusyError, Job, Outcome, T, pause, settle, told
from bot.store.work import Work

_CONNECTIONS = 8

# The lock timeout stands above Postgres' own deadlock_timeout of one second, so that a deadlock
# is found and one side goes on; the idle timeout frees what a paused process held.
_SETTINGS = "SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = '5s'"

_PASSING = (
    errors.DeadlockDetected,
    errors.LockNotAvailable,
    errors.SerializationFailure,
    errors.UniqueViolation,
    errors.CannotConnectNow,
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.IdleInTransactionSessionTimeout,
    errors.TooManyConnections,
)


class PostgresLane:
    """Runs units on a Postgres database."""

    def __init__(self, url: URL) -> None:
        self.engine = _engine(url)
        self._threads = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="latih-store")
        self._waiting = 0
        self._closing = threading.Event()

    async def write(self, unit: Callable[[Work], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise BusyError
        job = Job(unit, asyncio.get_running_loop().create_future())
        self._waiting += 1
        try:
            self._threads.submit(self._serve, job)
            result: T = await job.future
            return result
        finally:
            self._waiting -= 1

    async def read(self, unit: Callable[[Work], T]) -> T:
        return await self.write(unit)

    @property
    def waiting(self) -> int:
        return max(self._waiting - _CONNECTIONS, 0)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that sees one moment of the database, and never makes a writer wait."""
        with self.engine.connect() as connection:
            level = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            with connection.execution_options(**level).begin():
                self.take_time(connection)
                yield connection

    def take_time(self, connection: Connection) -> None:
        """Let a transaction of ours last as long as a whole database takes."""
        for setting in ("idle_in_transaction_session_timeout", "statement_timeout"):
            connection.execute(text(f"SET LOCAL {setting} = 0"))

    def close(self) -> None:
        """Finish what is under way, then stop; a lost database is no longer waited for."""
        self._closing.set()
        self._threads.shutdown()
        self.engine.dispose()

    def _serve(self, job: Job) -> None:
        try:
            outcome = Outcome(job, self._persist(job))
        except Exception as error:  # noqa: BLE001 - handed to whoever awaits the unit
            outcome = Outcome(job, error=told(error))
        settle([outcome])

    def _persist(self, job: Job) -> Any:
        tries = 0
        while True:
            try:
                with self.engine.begin() as connection:
                    return job.unit(Work(connection))
            except DBAPIError as error:
                if isinstance(error.orig, errors.ReadOnlySqlTransaction):
                    self.engine.dispose()  # a connection made while it was read-only stays so
                if not _may_pass(error) or job.is_late or self._closing.is_set():
                    raise
                self._closing.wait(pause(tries))
                tries += 1


def _engine(url: URL) -> Engine:
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        poolclass=QueuePool,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        hide_parameters=True,
        # Poolers between us and Postgres may hand each transaction another connection.
        connect_args={"prepare_threshold": None, "connect_timeout": 5},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: "psycopg.Connection[Any]", _: object) -> None:
        autocommit, connection.autocommit = connection.autocommit, True
        connection.execute(_SETTINGS)
        connection.autocommit = autocommit

    return engine


def _may_pass(error: DBAPIError) -> bool:
    """Whether the same unit may well succeed in a moment."""
    lost = isinstance(error.orig, psycopg.OperationalError) and error.orig.sqlstate is None
    return error.connection_invalidated or lost or isinstance(error.orig, _PASSING)
