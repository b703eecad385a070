"""Migrations: from nothing to the newest tables, again without harm, and as the code has them."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from bot.store import Store
from bot.store.migrate import config, head, revision
from bot.store.schema import metadata


def engine_of(store: Store):
    return store._lane.engine


def test_an_empty_database_is_brought_to_the_newest_revision(database_url):
    store = Store.open(database_url)
    with engine_of(store).connect() as connection:
        assert revision(connection) == head()
    store.close()


def test_the_migrated_tables_are_those_of_the_code(database_url):
    store = Store.open(database_url)
    with engine_of(store).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_every_constraint_has_a_name(database_url):
    store = Store.open(database_url)
    seen = inspect(engine_of(store))
    for table in metadata.tables:
        for found in (seen.get_foreign_keys(table), seen.get_unique_constraints(table)):
            assert all(constraint["name"] for constraint in found)
    store.close()


def test_opening_again_changes_nothing(database_url):
    Store.open(database_url).close()
    store = Store.open(database_url)
    assert asyncio.run(store.read(lambda work: work.claims())) == 0
    store.close()


def test_down_to_nothing_and_up_again(database_url):
    store = Store.open(database_url)
    with engine_of(store).connect() as connection:
        with connection.begin():
            command.downgrade(config(connection), "base")
        with connection.begin():
            command.upgrade(config(connection), "head")
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_processes_that_start_together_migrate_once(database_url):
    with ThreadPoolExecutor(4) as threads:
        stores = list(threads.map(Store.open, [database_url] * 4))
    with engine_of(stores[0]).connect() as connection:
        assert revision(connection) == head()
    for store in stores:
        store.close()


def test_a_sqlite_file_is_set_aside_before_its_tables_change(sqlite_url, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.store.migrate.revision", lambda connection: "0000")
    monkeypatch.setattr("bot.store.migrate.revisions", lambda: [head(), "0000"])
    monkeypatch.setattr("bot.store.migrate.command.upgrade", lambda configuration, to: None)

    Store.open(sqlite_url).close()

    (copy,) = tmp_path.glob("latih.db.before-*")
    assert copy.read_bytes()[:15] == b"SQLite format 3"


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_no_time_is_kept_without_its_zone(table, postgres_url):
    store = Store.open(postgres_url)
    for column in inspect(engine_of(store)).get_columns(table):
        assert getattr(column["type"], "timezone", True), column["name"]
    store.close()
