"""What a press asks of the store, against the same statements in the driver, a commit each."""

import shutil
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeAlias

from bench.measure import Claim, Cost, Plan, at_once, claim, rotated, settle
from bench.raw import Raw, RawPostgres, RawSqlite
from bench.units import Heard, Unit, heard, units, wired
from bench.world import ask
from bot.store import Store
from tests.standins.postgres import Postgres

Press: TypeAlias = tuple[Unit, Heard]
Side: TypeAlias = Callable[[Press], Awaitable[object]]
_Costs: TypeAlias = dict[tuple[str, int], list[Cost]]

_PRESSES = {1: 60, 16: 240, 128: 512}


async def sqlite(plan: Plan, folder: Path) -> list[Claim]:
    names = ("store", "press", "raw", "together", "spoiled")
    files = {name: folder / f"{name}.db" for name in names}
    pressed = await _asked(f"sqlite:///{files['store']}", plan)
    for name in names[1:]:
        shutil.copy(files["store"], files[name])
    presses = zip(pressed, await heard(f"sqlite:///{files['spoiled']}", pressed), strict=True)
    with ExitStack() as open_now:
        store, press = (
            open_now.enter_context(closing(Store.open(f"sqlite:///{files[name]}")))
            for name in ("store", "press")
        )
        raw = open_now.enter_context(closing(RawSqlite(files["raw"])))
        together = open_now.enter_context(closing(RawSqlite(files["together"], together=True)))
        sides = {**_sides(store, press, raw), "together": _said_to(together)}
        costs = await _compare(sides, presses, plan)
    return [
        *_claims("SQLite store", costs, "store", {16: 0.5}),
        *_claims("whole unit of a press", costs, "press"),
        *_claims("statements in one commit", costs, "together"),
    ]


async def postgres(plan: Plan, folder: Path) -> list[Claim]:
    del folder
    cluster = Postgres.start(durable=True)
    try:
        first = cluster.database()
        pressed = await _asked(first, plan)
        own, plain, spoiled = (cluster.database(first) for _ in range(3))
        presses = zip(pressed, await heard(spoiled, pressed), strict=True)
        with (
            closing(Store.open(first)) as store,
            closing(Store.open(own)) as press,
            closing(RawPostgres(plain)) as raw,
        ):
            costs = await _compare(_sides(store, press, raw), presses, plan)
        return [
            *_claims("Postgres store", costs, "store"),
            *_claims("whole unit of a press", costs, "press"),
        ]
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


def _needed(plan: Plan) -> dict[int, int]:
    return {callers: plan.many(count, callers) for callers, count in _PRESSES.items()}


def _sides(store: Store, press: Store, raw: Raw) -> dict[str, Side]:
    """Each on a database of its own, for each answers the same questions."""
    return {
        "store": lambda it: store.write(it[1].verbs),
        "press": lambda it: press.write(it[0]),
        "raw": _said_to(raw),
    }


def _said_to(raw: Raw) -> Side:
    return lambda it: raw.press(it[1].statements)


async def _compare(sides: Mapping[str, Side], presses: Iterable[Press], plan: Plan) -> _Costs:
    costs: _Costs = {}
    coming = iter(presses)
    for turn in range(plan.rounds + 1):
        for callers, count in _needed(plan).items():
            work = [next(coming) for _ in range(count)]
            for side in rotated(list(sides), turn):
                cost = await _cost(sides[side], callers, work)
                if turn:
                    costs.setdefault((side, callers), []).append(cost)
    return costs


async def _cost(side: Side, callers: int, work: Sequence[Press]) -> Cost:
    settle()
    began, spent = time.perf_counter(), time.process_time()
    await at_once(callers, work, side)
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    return Cost(wall / len(work), cpu / len(work))


def _claims(
    what: str, costs: _Costs, side: str, bars: Mapping[int, float] | None = None
) -> list[Claim]:
    return [
        claim(
            f"{what}, at {callers}",
            costs[side, callers],
            costs["raw", callers],
            (bars or {}).get(callers),
        )
        for callers in _PRESSES
    ]
