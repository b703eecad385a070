"""Backups: all rows of a database as gzipped JSON lines, which either kind of database reads back.

The first line says what the file is, from which revision, and how many rows of each table follow.
Then comes a line for each row, ordered so that a row refers only to rows before it.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby, islice
from typing import IO, Any, Self

from alembic import command
from sqlalchemy import Column, Connection, MetaData, Table, func, inspect, select, text
from sqlalchemy.exc import DBAPIError, InvalidRequestError

from bot.store import schema
from bot.store.migrate import config, head, lock, refuse_newer, revision, revisions
from bot.store.unit import StoreError

_FORMAT = "latih-backup"
_VERSION = 1
_LONGEST_LINE = 1 << 20
_TOGETHER = 200  # rows at a time, so that memory stays the same however many there are

_KEPT = schema.metadata.tables.keys() - {schema.leases.name}
"""The tables of a backup. A lease says which process does something at this moment; where and when
a backup is restored that is no longer so, and would only be waited for.
"""

_DAMAGED = (EOFError, OSError, ValueError, RecursionError, zlib.error)
"""What gzip and JSON raise for a file that is cut short or was changed."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup holds: the revision and time it was taken at, and its rows by table."""

    revision: str
    at: str
    rows: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.rows.values())

    @classmethod
    def read(cls, line: dict[str, Any]) -> Self:
        match line:
            case {"format": format_, "version": int(version)} if format_ == _FORMAT:
                if version > _VERSION:
                    message = "this backup was made by a newer Latih: update Latih, then try again"
                    raise StoreError(message)
            case _:
                message = "this file is no backup of Latih"
                raise StoreError(message)
        match line:
            case {"revision": str(at_revision), "at": str(at), "rows": dict(rows)} if all(
                type(count) is int for count in rows.values()
            ):
                return cls(at_revision, at, rows)
        raise _damaged("its first line is not whole")


def dump(connection: Connection, file: IO[bytes], at: datetime) -> Copied:
    """Write all rows that `connection` sees into `file`; it must see one moment throughout."""
    now = revision(connection)
    if now != head():
        message = (
            f"the database is at {now or 'no revision'} and this Latih needs {head()}: "
            "run `./latih migrate` first, or back it up with the Latih that wrote it"
        )
        raise StoreError(message)
    tables = _tables(connection, _KEPT)
    rows = {table.name: _count(connection, table) for table in tables}
    copied = Copied(now, _plain(at), rows)
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=int(at.timestamp())) as packed:
        first = {"format": _FORMAT, "version": _VERSION, "revision": now, "at": copied.at}
        packed.write(_line(first | {"rows": rows}))
        for table in tables:
            query = select(table).order_by(*table.primary_key)
            for row in connection.execute(query.execution_options(yield_per=_TOGETHER)).mappings():
                plain = {name: _plain(value) for name, value in row.items()}
                packed.write(_line({"table": table.name, "row": plain}))
    return copied


def fill(connection: Connection, file: IO[bytes]) -> Copied:
    """Store what `file` holds in an empty database, whatever kind of database it came from.

    Everything happens in the caller's transaction: whatever is raised, nothing is to be committed.
    The tables are made as they were at the file's revision, filled, and then brought up to date.
    """
    lines = _lines(file)
    copied = Copied.read(next(lines, {}))
    if copied.revision not in revisions():
        message = (
            f"this backup is of revision {copied.revision}, which this Latih does not know: "
            "update Latih, then try again"
        )
        raise StoreError(message)
    lock(connection)
    _refuse_full(connection, copied.rows.keys() | _KEPT)
    _bring(connection, copied.revision)
    tables = _tables(connection, copied.rows)
    stored = _store(connection, {table.name: table for table in tables}, lines)
    if stored != copied.rows:
        raise _damaged(f"it has {sum(stored.values())} rows of {copied.total}")
    _refuse_dangling(connection)
    _count_on(connection, tables)
    _bring(connection, head())
    return copied


def _bring(connection: Connection, to: str) -> None:
    """Bring the tables of an empty, or newly filled, database to a revision."""
    now, newest_first = revision(connection), revisions()
    refuse_newer(now)
    if now is not None and newest_first.index(now) < newest_first.index(to):
        command.downgrade(config(connection), to)
    else:
        command.upgrade(config(connection), to)


def _tables(connection: Connection, names: Any) -> list[Table]:
    """The tables as the database has them, each after those that it refers to."""
    found = MetaData()
    try:
        found.reflect(connection, only=sorted(names))
    except InvalidRequestError:
        raise _damaged("it names tables that its revision does not have") from None
    return found.sorted_tables


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _refuse_full(connection: Connection, names: Any) -> None:
    """Refuse a database that holds a row; keep Postgres' others from adding one meanwhile."""
    there = sorted(set(inspect(connection).get_table_names()) & set(names))
    tables = _tables(connection, there) if there else []
    if tables and connection.dialect.name == "postgresql":
        quoted = ", ".join(f'"{table.name}"' for table in tables)
        connection.execute(text(f"LOCK TABLE {quoted} IN SHARE ROW EXCLUSIVE MODE"))
    if any(_count(connection, table) for table in tables):
        message = (
            "this database already holds data, and restore needs an empty one: "
            "set DATABASE_URL to a new database"
        )
        raise StoreError(message)


def _store(
    connection: Connection, tables: dict[str, Table], lines: Iterator[dict[str, Any]]
) -> dict[str, int]:
    stored = dict.fromkeys(tables, 0)
    for name, group in groupby(lines, key=lambda line: line.get("table")):
        if name not in tables:
            raise _damaged("it has rows of a table that its first line does not name")
        read = _row_reader(tables[name])
        while rows := [read(line.get("row")) for line in islice(group, _TOGETHER)]:
            try:
                connection.execute(tables[name].insert(), rows)
            except DBAPIError as error:
                why = str(error.orig).partition("\n")[0]
                message = f"the backup does not fit into this database ({name}: {why})"
                raise StoreError(message) from error
            stored[name] += len(rows)
    return stored


def _refuse_dangling(connection: Connection) -> None:
    """SQLite looks at references only now; Postgres has looked at each as it came."""
    if connection.dialect.name != "sqlite":
        return
    if connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise _damaged("it has rows that refer to rows that are not there")


def _count_on(connection: Connection, tables: list[Table]) -> None:
    """Let Postgres number new rows after those that came with numbers; SQLite does by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in tables:
        if "id" in table.c:
            sequence = func.pg_get_serial_sequence(table.name, "id")
            connection.execute(select(func.setval(sequence, func.max(table.c.id))))


def _line(content: dict[str, Any]) -> bytes:
    line = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > _LONGEST_LINE:
        message = f"a row of {content.get('table')} is too long for a backup"
        raise StoreError(message)
    return line


def _lines(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    with gzip.GzipFile(fileobj=file, mode="rb") as packed:
        while True:
            try:
                line = packed.readline(_LONGEST_LINE + 1)
                content = json.loads(line) if 0 < len(line) <= _LONGEST_LINE else None
            except _DAMAGED:
                raise _damaged("it was cut short or changed") from None
            if not line:
                return
            if not isinstance(content, dict):
                raise _damaged("it has a line that no backup has")
            yield content


def _plain(value: Any) -> Any:
    """A value as JSON writes it; times are UTC on either database."""
    if isinstance(value, datetime):
        utc = value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        return utc.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


def _row_reader(table: Table) -> Callable[[Any], dict[str, Any]]:
    readers = {column.name: _value_reader(column) for column in table.columns}

    def read(row: Any) -> dict[str, Any]:
        if not isinstance(row, dict) or row.keys() != readers.keys():
            raise _damaged(f"it has a row of {table.name} with other columns")
        try:
            return {name: readers[name](value) for name, value in row.items()}
        except (TypeError, ValueError):
            raise _damaged(f"it has a row of {table.name} with a value of another kind") from None

    return read


def _value_reader(column: Column[Any]) -> Callable[[Any], Any]:
    kind = column.type.python_type
    zoned = getattr(column.type, "timezone", False)

    def read(value: Any) -> Any:
        if value is None and column.nullable:
            return None
        if kind is datetime:
            moment = datetime.fromisoformat(value).astimezone(UTC)
            return moment if zoned else moment.replace(tzinfo=None)
        if kind is date:
            return date.fromisoformat(value)
        if type(value) is not kind:
            raise TypeError(value)
        return value

    return read


def _damaged(how: str) -> StoreError:
    return StoreError(f"the backup is damaged: {how}. Nothing was stored; use another copy")
