"""The store's door: opens whichever database a URL names, and runs units on it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.migrate import migrate
from bot.store.sqlite import SqliteLane
from bot.store.unit import StoreError, T
from bot.store.work import Work

if TYPE_CHECKING:
    from bot.store.postgres import PostgresLane


class Store:
    """A database that units are run on, one transaction each."""

    def __init__(self, lane: "SqliteLane | PostgresLane") -> None:
        self._lane = lane

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the database at `url` and bring its tables up to date.

        Raises `StoreError` for a URL that names no database of ours, and for a database that
        cannot be reached or written.
        """
        opened = lane(url)
        try:
            migrate(opened.engine)
        except BaseException:
            opened.close()
            raise
        return cls(opened)

    async def write(self, unit: Callable[[Work], T]) -> T:
        """Run `unit` in a transaction and give its result once that is durable."""
        return await self._lane.write(unit)

    async def read(self, unit: Callable[[Work], T]) -> T:
        """Run a `unit` that changes nothing, beside the writers."""
        return await self._lane.read(unit)

    @property
    def waiting(self) -> int:
        """Units that wait their turn."""
        return self._lane.waiting

    def close(self) -> None:
        """Finish what is under way and let go of the database."""
        self._lane.close()


def lane(url: str) -> "SqliteLane | PostgresLane":
    """Whatever runs units on the database at `url`.

    A SQLite file and its folder are made where there are none, the file for its owner alone.
    """
    parsed = address(url)
    if parsed.get_backend_name() == "postgresql":
        from bot.store.postgres import PostgresLane  # noqa: PLC0415 - its driver takes long to import

        return PostgresLane(parsed)
    file = Path(parsed.database or "")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        message = f"cannot write {file}: {error.strerror}"
        raise StoreError(message) from error
    return SqliteLane(file)


def address(url: str) -> URL:
    """The parts of a URL of ours; raises `StoreError` for one that names no database of ours."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        message = "DATABASE_URL is not a database address; it looks like sqlite:///var/latih.db"
        raise StoreError(message) from error
    file = parsed.database not in (None, "", ":memory:")
    if parsed.get_backend_name() == "postgresql" or (
        parsed.get_backend_name() == "sqlite" and file
    ):
        return parsed
    message = "DATABASE_URL must begin with sqlite:/// and a file name, or with postgresql://"
    raise StoreError(message)
