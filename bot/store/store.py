"""The store's door: opens whichever database a URL names, and runs units on it."""

from collections.abc import Callable
from pathlib import Path
from typing import Self

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from bot.store.migrate import migrate
from bot.store.postgres import PostgresLane
from bot.store.sqlite import SqliteLane
from bot.store.unit import StoreError, T
from bot.store.work import Work


class Store:
    """A database that units are run on, one transaction each."""

    def __init__(self, lane: SqliteLane | PostgresLane) -> None:
        self._lane = lane

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the database at `url` and bring its tables up to date.

        Raises `StoreError` for a URL that names no database of ours, and for a database that
        cannot be reached or written.
        """
        lane = _lane(url)
        try:
            migrate(lane.engine)
        except BaseException:
            lane.close()
            raise
        return cls(lane)

    async def write(self, unit: Callable[[Work], T]) -> T:
        """Run `unit` in a transaction and give its result once that is durable."""
        return await self._lane.write(unit)

    async def read(self, unit: Callable[[Work], T]) -> T:
        """Run a `unit` that changes nothing, beside the writers."""
        return await self._lane.read(unit)

    def close(self) -> None:
        """Finish what is under way and let go of the database."""
        self._lane.close()


def _lane(url: str) -> SqliteLane | PostgresLane:
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        message = "DATABASE_URL is not a database address; it looks like sqlite:///var/latih.db"
        raise StoreError(message) from error
    if parsed.get_backend_name() == "postgresql":
        return PostgresLane(parsed)
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        file = Path(parsed.database)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder {file.parent}: {error.strerror}"
            raise StoreError(message) from error
        return SqliteLane(file)
    message = "DATABASE_URL must begin with sqlite:/// and a file name, or with postgresql://"
    raise StoreError(message)
