"""The statements of a press, which SQLite runs without SQLAlchemy's execution around them.

That execution takes several times as long as SQLite does, and it is most of what an answer costs
when many come at once (docs/decisions/7-prepared-statements.md). Text, parameters and types stay
SQLAlchemy's, compiled once; Postgres, where the way to the server costs more, is asked as usual.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.selectable import TypedReturnsRows

Convert: TypeAlias = Callable[[Any], Any]
Direct: TypeAlias = Connection | sqlite3.Connection

_SQLITE = sqlite.dialect()


class Prepared:
    """A statement that returns rows; `keys` are the columns of one that inserts."""

    def __init__(
        self,
        *,
        on_sqlite: TypedReturnsRows[Any],
        on_postgres: TypedReturnsRows[Any],
        keys: Sequence[str] | None = None,
    ) -> None:
        self._on_postgres = on_postgres
        compiled = on_sqlite.compile(dialect=_SQLITE, column_keys=keys)
        assert isinstance(compiled, SQLCompiler)
        self._text = str(compiled)
        self._names = tuple(compiled.positiontup or ())
        self._write = _needed(_to(compiled, name) for name in self._names)
        types = [column.type.dialect_impl(_SQLITE) for column in on_sqlite.exported_columns]
        self._read = _needed(type_.result_processor(_SQLITE, None) for type_ in types)

    def rows(self, on: Direct, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows that the statement returns for `values`."""
        if isinstance(on, Connection):
            return on.execute(self._on_postgres, values).all()
        given = _converted(map(values.__getitem__, self._names), self._write)
        found = on.execute(self._text, given).fetchall()
        return [_converted(row, self._read) for row in found] if self._read else found


def direct(connection: Connection) -> Direct:
    """The shortest way to the database that `connection` is open on."""
    if connection.dialect.name != _SQLITE.name:
        return connection
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _to(compiled: SQLCompiler, name: str) -> Convert | None:
    return compiled.binds[name].type.dialect_impl(_SQLITE).bind_processor(_SQLITE)


def _needed(converts: Iterable[Convert | None]) -> list[tuple[int, Convert]]:
    return [(i, convert) for i, convert in enumerate(converts) if convert is not None]


def _converted(row: Iterable[Any], converts: Iterable[tuple[int, Convert]]) -> list[Any]:
    values = list(row)
    for i, convert in converts:
        values[i] = convert(values[i])
    return values
