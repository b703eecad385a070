"""Databases with something in them, backup files made by hand, and what tables hold."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, inspect, select

from bot.engine.people import Identity
from bot.service import Service
from bot.store import Store, Work
from bot.store.schema import leases, metadata
from bot.store.store import address
from tests.conftest import kit_on
from tests.people import Person
from tests.world import Clock, CountingDice

AT = datetime(2026, 12, 1, 2, 0, 0, 123456, tzinfo=UTC)
HEADER: dict[str, Any] = {
    "format": "latih-backup",
    "version": 1,
    "revision": "0001",
    "at": "2026-12-01T02:00:00Z",
    "rows": {"persons": 1},
}
PERSON = {
    "table": "persons",
    "row": {"id": 7, "language": "id", "created_at": "2026-12-01T02:00:00Z"},
}


async def live_in(url: str) -> None:
    """Two people take quizzes: runs that are open, ended, and children of others."""
    store = Store.open(url)
    try:
        await _take_quizzes(store)
        await store.write(_some_people)
    finally:
        store.close()


async def _take_quizzes(store: Store) -> None:
    clock = Clock(AT)
    service = Service(kit_on(store, CountingDice()))
    await service.open(clock.now())
    for name in ("Ayu", "S\u00e1ri \U0001f9f5"):
        person = Person(service, clock, name=name)
        await person.types("shards")
        for following in ("Next", "Next", "See the result"):
            await person.answers(right=False)
            clock.pass_(seconds=1)
            await person.presses(following)
        await person.presses("Review the misses")


def _some_people(work: Work) -> None:
    """Enough that they do not fit into one batch, and one who manages."""
    for number in range(450):
        work.meet(Identity("slack", "T1", f"U{number}"), AT)
    manager = work.meet(Identity("slack", "T1", "U1"), AT).id
    work.call(manager, work.workspace("slack", "T1"), 'Ana "A" \\ \n\t\u2028 O\'Neill')
    work.appoint(manager, work.workspace("slack", "T1"))
    work.offer_claim("ab" * 32, AT)


def holds(url: str) -> dict[str, list[dict[str, Any]]]:
    """All rows that last by table, in the order of their keys; nothing where no tables are."""
    engine = create_engine(address(url))
    try:
        with engine.connect() as connection:
            there = inspect(connection).get_table_names()
            return {
                table.name: [
                    dict(row)
                    for row in connection.execute(
                        select(table).order_by(*table.primary_key)
                    ).mappings()
                ]
                for table in metadata.sorted_tables
                if table.name in there and table is not leases
            }
    finally:
        engine.dispose()


def written(file: Path, *lines: Any) -> Path:
    """A backup file of these lines, each bytes or what JSON can write."""
    with gzip.open(file, "wb") as packed:
        for line in lines:
            packed.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
    return file
