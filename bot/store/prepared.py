"""The statements of a press, which SQLite runs without SQLAlchemy's execution around them.

That execution takes several times as long as SQLite does, and it is most of what an answer costs
when many come at once (docs/decisions has the figures). Text, parameters and types stay
SQLAlchemy's, compiled once; Postgres, where the way to the server costs more, is asked as usual.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.selectable import TypedReturnsRows

Convert: TypeAlias = Callable[[Any], Any]

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
        self._write = [(name, _to(compiled, name)) for name in compiled.positiontup or ()]
        types = [column.type.dialect_impl(_SQLITE) for column in on_sqlite.exported_columns]
        readers = (type_.result_processor(_SQLITE, None) for type_ in types)
        self._read = [(i, reader) for i, reader in enumerate(readers) if reader is not None]

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows that the statement returns for `values`."""
        if connection.dialect.name != _SQLITE.name:
            return connection.execute(self._on_postgres, values).all()
        given = [write(values[name]) if write else values[name] for name, write in self._write]
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return [self._converted(row) for row in driver.execute(self._text, given)]

    def _converted(self, row: Sequence[Any]) -> Sequence[Any]:
        values = list(row)
        for i, read in self._read:
            values[i] = read(values[i])
        return values


def _to(compiled: SQLCompiler, name: str) -> Convert | None:
    return compiled.binds[name].type.dialect_impl(_SQLITE).bind_processor(_SQLITE)
