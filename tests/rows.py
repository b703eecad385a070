"""What a test may look up in the tables themselves."""

from typing import Any

from sqlalchemy import select

from bot.store import Store
from bot.store.schema import answers as answer_table
from bot.store.schema import runs as run_table


async def answers(store: Store) -> list[dict[str, Any]]:
    """All stored answers, in the order stored."""
    return await _rows(store, answer_table)


async def runs(store: Store) -> list[dict[str, Any]]:
    """All runs, in the order started."""
    return await _rows(store, run_table)


async def _rows(store: Store, table: Any) -> list[dict[str, Any]]:
    def unit(work: Any) -> list[dict[str, Any]]:
        found = work._connection.execute(select(table).order_by(table.c.id))
        return [dict(row) for row in found.mappings()]

    return await store.read(unit)
