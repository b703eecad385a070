"""Presses as the store meets them: the service's own units, and the statements they come to."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Self, TypeAlias, cast

import psycopg
from sqlalchemy import Dialect, Engine, event
from typing_extensions import override

from bench.world import Waiting, kit
from bot.service import Kit, Service
from bot.store import Store, Work

Unit: TypeAlias = Callable[[Work], Any]
Statements: TypeAlias = list[tuple[str, Any]]


class _TakenError(Exception):
    """A unit was taken instead of being run."""


class _Tap:
    """Stands where the store does and keeps what would be written."""

    def __init__(self) -> None:
        self.units: list[Unit] = []

    async def write(self, unit: Unit) -> NoReturn:
        self.units.append(unit)
        raise _TakenError

    read = write


async def units(parts: Kit, waiting: Sequence[Waiting]) -> list[Unit]:
    """The unit of each press, as the service makes it."""
    tap = _Tap()
    service = Service(replace(parts, store=cast("Store", tap)))
    for press in waiting:
        try:
            await service.handle(press.event)
        except _TakenError:
            continue
    assert len(tap.units) == len(waiting)
    return tap.units


@dataclass(frozen=True, slots=True)
class Heard:
    """What a unit asks of the store, and what the store then says to the database."""

    verbs: Unit
    statements: Statements


async def heard(url: str, presses: Sequence[Unit]) -> list[Heard]:
    """Each unit as the store meets it; `url` is a database to spoil."""
    with _overheard() as said:
        store = Store.open(url)
        try:
            found = [await store.write(_heard(unit, said)) for unit in presses]
        finally:
            store.close()
    assert all(any("INSERT INTO answers" in text for text, _ in it.statements) for it in found)
    return found


def _heard(unit: Unit, said: Statements) -> Callable[[Work], Heard]:
    def listened(work: Work) -> Heard:
        said.clear()
        asked: list[tuple[str, tuple[Any, ...]]] = []
        unit(cast("Work", _Asked(work, asked)))
        return Heard(lambda work: [getattr(work, verb)(*of) for verb, of in asked], list(said))

    return listened


class _Asked:
    """Stands before the store's verbs and keeps what is asked of them."""

    def __init__(self, work: Work, asked: list[tuple[str, tuple[Any, ...]]]) -> None:
        self._work = work
        self._asked = asked

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        def ask(*of: Any) -> Any:
            self._asked.append((verb, of))
            return getattr(self._work, verb)(*of)

        return ask


@contextmanager
def _overheard() -> Iterator[Statements]:
    """What databases opened meanwhile are told, heard at the drivers' own cursors."""
    said: Statements = []

    class SqliteCursor(sqlite3.Cursor):
        @override
        def execute(self, sql: str, parameters: Any = ()) -> Self:
            said.append((sql, parameters))
            return super().execute(sql, parameters)

    class Sqlite(sqlite3.Connection):
        @override
        def cursor(self, factory: Any = SqliteCursor) -> Any:
            return super().cursor(factory)

        @override
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            cursor: sqlite3.Cursor = self.cursor().execute(sql, parameters)
            return cursor

    class PostgresCursor(psycopg.Cursor[Any]):
        @override
        def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
            said.append((query, params))
            return super().execute(query, params, **options)

    def open_so(dialect: Dialect, _: object, __: object, options: dict[str, Any]) -> None:
        sqlite = dialect.name == "sqlite"
        options |= {"factory": Sqlite} if sqlite else {"cursor_factory": PostgresCursor}

    event.listen(Engine, "do_connect", open_so)
    try:
        yield said
    finally:
        event.remove(Engine, "do_connect", open_so)


def wired(url: str) -> Kit:
    """The service's parts on the database at `url`."""
    return kit(Store.open(url))
