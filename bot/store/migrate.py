"""Migrations: Alembic, run at start through the app's own connection."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from bot.store.unit import StoreError, is_locked, pause

_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = 0x4C_41_54_49_48  # "LATIH": one migrating process at a time on Postgres

_OTHERS_MIGRATE = 30  # seconds for which another process that migrates is waited for


def migrate(engine: Engine) -> None:
    """Bring the database to the newest revision; raises `StoreError` when that cannot be done."""
    began, tries = time.monotonic(), 0
    while True:
        try:
            with engine.connect() as connection:
                return _upgrade(connection)
        except DBAPIError as error:
            if not is_locked(error) or time.monotonic() - began > _OTHERS_MIGRATE:
                message = f"the database cannot be used: {error.orig}"
                raise StoreError(message) from error
            time.sleep(pause(tries))
            tries += 1


def head() -> str:
    """The newest revision."""
    revision = ScriptDirectory(str(_SCRIPTS)).get_current_head()
    assert revision is not None
    return revision


def revisions() -> list[str]:
    """All revisions that this program knows, newest first."""
    return [script.revision for script in ScriptDirectory(str(_SCRIPTS)).walk_revisions()]


def refuse_newer(name: str | None) -> None:
    """Raise `StoreError` for a database whose revision only a newer Latih knows."""
    if name is not None and name not in revisions():
        message = f"the database is of a newer Latih (revision {name}): update Latih"
        raise StoreError(message)


def revision(connection: Connection) -> str | None:
    """The revision that a database is at; None for one without our tables."""
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection) -> None:
    sqlite = connection.dialect.name == "sqlite"
    with connection.begin():
        now = revision(connection)
    if now == head():
        return
    refuse_newer(now)
    if sqlite and now is not None:
        _set_aside(connection, now)
    if sqlite:
        # Rebuilding a table would otherwise delete the rows that refer to it.
        outside_transactions(connection, "PRAGMA foreign_keys=OFF")
    with connection.begin():
        lock(connection)
        command.upgrade(config(connection), "head")
    if sqlite:
        connection.invalidate()  # the next user gets a connection with the settings of all others


def lock(connection: Connection) -> None:
    """Let no other process change the tables until this transaction ends; SQLite's own rule."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


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


def outside_transactions(connection: Connection, pragma: str) -> None:
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.execute(pragma)
