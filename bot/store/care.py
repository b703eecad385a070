"""What an operator does to a whole database: look at it, migrate it, back it up, restore it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from bot.store.copy import Copied, dump, fill
from bot.store.migrate import head, outside_transactions, revision, revisions
from bot.store.migrate import migrate as bring_up_to_date
from bot.store.postgres import PostgresLane
from bot.store.sqlite import SqliteLane
from bot.store.store import address, lane
from bot.store.unit import StoreError
from bot.store.work import Work


@dataclass(frozen=True, slots=True)
class Seen:
    """A database as it was found; `file` is SQLite's, and `there` says whether it exists yet."""

    file: Path | None
    there: bool
    revision: str | None = None

    @property
    def newest(self) -> str:
        return head()

    @property
    def is_newer(self) -> bool:
        """Whether a newer Latih has changed its tables."""
        return self.revision is not None and self.revision not in revisions()


def look(url: str) -> Seen:
    """Find out how a database is and that it can be written, changing nothing."""
    file = sqlite_file(url)
    if file is not None and not file.exists():
        return Seen(file, there=False)
    with _opened(url) as found, found.engine.connect() as connection:
        with connection.begin() as transaction:
            now = revision(connection)
            _try_to_write(connection, made=now is not None)
            transaction.rollback()
        return Seen(file, there=True, revision=now)


def migrate(url: str) -> tuple[str | None, str]:
    """Bring a database up to date: the revision that it was at, and the one that it is at."""
    with _opened(url) as found:
        before = _revision(found.engine)
        bring_up_to_date(found.engine)
        return before, head()


def backup(url: str, file: IO[bytes], at: datetime) -> Copied:
    """Write all that a database holds at one moment into `file`, while others go on using it."""
    source = sqlite_file(url)
    if source is not None and not source.exists():
        message = f"there is no database at {source} yet, so there is nothing to back up"
        raise StoreError(message)
    with _opened(url) as found, found.snapshot() as connection:
        return dump(connection, file, at)


def restore(url: str, file: IO[bytes]) -> Copied:
    """Fill an empty database from a backup; whatever goes wrong, nothing is stored."""
    with _opened(url) as found, found.engine.connect() as connection:
        if isinstance(found, SqliteLane):
            # Tables that are rebuilt on the way to the newest revision keep who refers to them.
            outside_transactions(connection, "PRAGMA foreign_keys=OFF")
        with connection.begin():
            if isinstance(found, PostgresLane):
                found.take_time(connection)
            return fill(connection, file)


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for one on a server."""
    parsed = address(url)
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database
    return Path(parsed.database) if is_file and parsed.database else None


@contextmanager
def _opened(url: str) -> Iterator[SqliteLane | PostgresLane]:
    found = lane(url)
    try:
        yield found
    except DBAPIError as error:
        message = f"the database cannot be used: {' '.join(str(error.orig).split())}"
        raise StoreError(message) from error
    finally:
        found.close()


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection, connection.begin():
        return revision(connection)


def _try_to_write(connection: Connection, *, made: bool) -> None:
    """Raise what a write would: of no row into a table, or of a table where there is none yet."""
    if made:
        Work(connection).try_to_write()
    else:
        connection.execute(text("CREATE TABLE latih_was_here (id INTEGER)"))
