"""What all rooms of the store share: the connection, and statements built once a dialect."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.prepared import direct


class Rows:
    """A transaction's connection; rows are turned into values before they leave."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name
        self._direct = direct(connection)


def per_dialect(table: Table, build: Callable[[Any], Any]) -> dict[str, Any]:
    """`build(insert)` for each database: their conflict clauses belong to the dialect."""
    return {
        "sqlite": build(sqlite.insert(table)),
        "postgresql": build(postgresql.insert(table)),
    }
