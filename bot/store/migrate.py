"""Migrations: Alembic, run at start through the app's own connection."""

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from bot.store.unit import StoreError

_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = 0x4C_41_54_49_48  # "LATIH": one migrating process at a time on Postgres


def migrate(engine: Engine) -> None:
    """Bring the database to the newest revision; raises `StoreError` when that cannot be done."""
    try:
        with engine.connect() as connection:
            _upgrade(connection)
    except DBAPIError as error:
        message = f"the database cannot be used: {error.orig}"
        raise StoreError(message) from error


def head() -> str:
    """The newest revision."""
    revision = ScriptDirectory(str(_SCRIPTS)).get_current_head()
    assert revision is not None
    return revision


def revision(connection: Connection) -> str | None:
    """The revision that a database is at; None for one without our tables."""
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection) -> None:
    sqlite = connection.dialect.name == "sqlite"
    with connection.begin():
        now = revision(connection)
    if now == head():
        return
    if sqlite and now is not None:
        _set_aside(connection, now)
    if sqlite:
        # Rebuilding a table would otherwise delete the rows that refer to it.
        _outside_transactions(connection, "PRAGMA foreign_keys=OFF")
    with connection.begin():
        if not sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        command.upgrade(config(connection), "head")
    if sqlite:
        _outside_transactions(connection, "PRAGMA foreign_keys=ON")


def config(connection: Connection) -> Config:
    """Alembic's configuration, working on a connection that is already open."""
    made = Config()
    made.set_main_option("script_location", str(_SCRIPTS))
    made.attributes["connection"] = connection
    return made


def _set_aside(connection: Connection, now: str) -> None:
    """Copy a SQLite file beside itself before its tables change."""
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    file = connection.engine.url.database
    with closing(sqlite3.connect(f"{file}.before-{head()}-from-{now}")) as target:
        source.backup(target)


def _outside_transactions(connection: Connection, pragma: str) -> None:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.execute(pragma)
