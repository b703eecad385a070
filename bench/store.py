"""The press unit in the store, against its own statements in the bare driver, one commit each."""

import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import Claim, Cost, Plan, at_once, claim, rotated, settle
from bench.raw import Raw, RawPostgres, RawSqlite
from bench.units import Statements, Unit, statements, units, wired
from bench.world import ask
from bot.store import Store
from tests.standins.postgres import Postgres

_BARS = {1: None, 16: 0.5, 128: None}
_PRESSES = {1: 60, 16: 240, 128: 512}


@dataclass
class Sides:
    """The product and its floor on two copies of one database, with the presses for each."""

    store: Store
    raw: Raw
    presses: Iterator[tuple[Unit, Statements]]

    async def run(self, side: str, callers: int, work: list[tuple[Unit, Statements]]) -> Cost:
        do: Callable[[tuple[Unit, Statements]], Awaitable[Any]]
        if side == "store":
            do = lambda press: self.store.write(press[0])  # noqa: E731
        else:
            do = lambda press: self.raw.press(press[1])  # noqa: E731
        settle()
        began, spent = time.perf_counter(), time.process_time()
        await at_once(callers, work, do)
        wall, cpu = time.perf_counter() - began, time.process_time() - spent
        return Cost(wall / len(work), cpu / len(work))


def _needed(plan: Plan) -> dict[int, int]:
    return {callers: plan.many(count, callers) for callers, count in _PRESSES.items()}


async def sqlite(plan: Plan, folder: Path) -> list[Claim]:
    names = ("store", "raw", "spoiled")
    files = {name: folder / f"{name}.db" for name in names}
    presses = await _asked(f"sqlite:///{files['store']}", plan)
    for name in names[1:]:
        shutil.copy(files["store"], files[name])
    said = await statements(f"sqlite:///{files['spoiled']}", presses)
    store = Store.open(f"sqlite:///{files['store']}")
    sides = Sides(store, RawSqlite(files["raw"]), iter(zip(presses, said, strict=True)))
    return await _compare("SQLite", sides, plan, _BARS)


async def postgres(plan: Plan, folder: Path) -> list[Claim]:
    del folder
    cluster = Postgres.start(durable=True)
    try:
        first = cluster.database()
        presses = await _asked(first, plan)
        raw, spoiled = cluster.database(first), cluster.database(first)
        said = await statements(spoiled, presses)
        sides = Sides(Store.open(first), RawPostgres(raw), iter(zip(presses, said, strict=True)))
        return await _compare("Postgres", sides, plan, dict.fromkeys(_BARS))
    finally:
        cluster.stop()


async def _asked(url: str, plan: Plan) -> list[Unit]:
    """Questions for every press to come, and the presses' units."""
    parts = wired(url)
    try:
        count = sum(_needed(plan).values()) * (plan.rounds + 1)
        return await units(parts, await ask(parts, range(count)))
    finally:
        parts.store.close()


async def _compare(
    name: str, sides: Sides, plan: Plan, bars: dict[int, float | None]
) -> list[Claim]:
    costs: dict[tuple[str, int], list[Cost]] = {}
    try:
        for turn in range(plan.rounds + 1):
            for callers, count in _needed(plan).items():
                work = [next(sides.presses) for _ in range(count)]
                for side in rotated(("store", "raw"), turn):
                    cost = await sides.run(side, callers, work)
                    if turn:
                        costs.setdefault((side, callers), []).append(cost)
    finally:
        sides.store.close()
        sides.raw.close()
    return [
        claim(f"{name}, at {callers}", costs["store", callers], costs["raw", callers], bar)
        for callers, bar in bars.items()
    ]
