"""What an answer costs with a million of them stored, against ten thousand."""

import itertools
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Self, TypeAlias

from bench.measure import Claim, Cost, Plan, claim, rotated, settle
from bench.units import Unit, units, wired
from bench.world import CHANNELS, SLACK, TEAM, ask, now
from bot.engine.quiz import Quiz, order
from bot.service import Kit, Service
from bot.store import Store

_FEW, _MANY, _BAR = 10_000, 1_000_000, 1.2
_QUICK = 100_000  # with --quick
_PRESSES = 150
_STAMP = "%Y-%m-%d %H:%M:%S.%f"

Row: TypeAlias = tuple[Any, ...]

_PERSON = "INSERT INTO persons (id, created_at) VALUES (?, ?)"
_IDENTITY = (
    "INSERT INTO identities (id, surface, workspace, external, person_id) "
    "VALUES (?, 'slack', ?, ?, ?)"
)
_RUN = (
    "INSERT INTO runs (id, token, person_id, place_id, quiz_id, seed, versions, position, "
    "started_at, shown_at, ended_at, end_reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ANSWER = (
    "INSERT INTO answers (identity_id, place_id, run_id, position, question_id, version, chosen, "
    "option_order, shown_at, answered_at, local_date, language, level, press) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'en', ?, ?)"
)


@dataclass(frozen=True, slots=True)
class _Quiz:
    """A quiz as its runs' rows tell of it."""

    id: str
    versions: str
    questions: tuple[tuple[str, str, str, str, str], ...]
    """Of each question: id, version, the key, all options, level."""

    @classmethod
    def of(cls, quiz: Quiz) -> Self:
        return cls(
            quiz.id,
            ",".join(question.version for question in quiz.live),
            tuple(
                (q.id, q.version, ",".join(q.key), ",".join(order(q, None)), q.level.value)
                for q in quiz.live
            ),
        )


async def measure(plan: Plan, folder: Path) -> list[Claim]:
    many = _MANY if plan.share >= 1 else _QUICK
    sizes = {"few": _FEW, "many": many}
    count = plan.many(_PRESSES) * (plan.rounds + 1)
    presses = {name: iter(await _filled(folder, name, size, count)) for name, size in sizes.items()}
    stores = {name: Store.open(_url(folder, name)) for name in sizes}
    costs: dict[str, list[Cost]] = {name: [] for name in sizes}
    try:
        for turn in range(plan.rounds + 1):
            for name in rotated(tuple(sizes), turn):
                work = list(itertools.islice(presses[name], plan.many(_PRESSES)))
                cost = await _run(stores[name], work)
                if turn:
                    costs[name].append(cost)
    finally:
        for store in stores.values():
            store.close()
    what = f"an answer after {many:,} v after {_FEW:,}"
    return [
        claim(what, costs["many"], costs["few"], _BAR),
        claim(f"{what}, processor", costs["many"], costs["few"], cpu=True),
    ]


async def _run(store: Store, presses: list[Unit]) -> Cost:
    settle()
    began, spent = time.perf_counter(), time.process_time()
    for unit in presses:
        await store.write(unit)
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    return Cost(wall / len(presses), cpu / len(presses))


def _url(folder: Path, name: str) -> str:
    return f"sqlite:///{folder / name}.db"


async def _filled(folder: Path, name: str, answers: int, count: int) -> list[Unit]:
    """A database with so many answers, and `count` presses by people who are all over it."""
    parts = wired(_url(folder, name))
    try:
        await Service(parts).open(now())
        people = _load(parts, folder / f"{name}.db", answers)
        pressing = [i * 7_919 % people for i in range(count)]
        return await units(parts, await ask(parts, pressing))
    finally:
        parts.store.close()


def _load(parts: Kit, file: Path, answers: int) -> int:
    """Finished runs of eight answers, as if taken one after another; how many people took them."""
    runs = answers // 8
    people = min(runs, max(1_250, runs // 4))
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for pragma in ("foreign_keys=OFF", "synchronous=OFF"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        _places(connection)
        at = now().strftime(_STAMP)
        connection.executemany(_PERSON, ((i + 1, at) for i in range(people)))
        rows = ((i + 1, TEAM, SLACK.user(i), i + 1) for i in range(people))
        connection.executemany(_IDENTITY, rows)
        taken = [_Quiz.of(quiz) for quiz in parts.catalog.quizzes if len(quiz.live) == 8]
        connection.executemany(_RUN, (_run_row(taken[i % 2], i, runs, people) for i in range(runs)))
        each = (row for i in range(runs) for row in _answer_rows(taken[i % 2], i, runs, people))
        connection.executemany(_ANSWER, each)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return people


def _places(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO workspaces VALUES (1, 'slack', ?)", (TEAM,))
    rows = ((i + 1, SLACK.channel(i)) for i in range(CHANNELS))
    connection.executemany("INSERT INTO places (id, workspace_id, external) VALUES (?, 1, ?)", rows)


def _run_row(quiz: _Quiz, number: int, of: int, people: int) -> Row:
    at = (now() - timedelta(minutes=of - number)).strftime(_STAMP)
    person, place = number % people + 1, number % CHANNELS + 1
    token = f"taken{number:011d}"
    return (
        number + 1, token, person, place, quiz.id, None, quiz.versions, 8, at, at, at, "finished",
    )  # fmt: skip


def _answer_rows(quiz: _Quiz, number: int, of: int, people: int) -> Iterator[Row]:
    moment = now() - timedelta(minutes=of - number)
    at, day = moment.strftime(_STAMP), str(moment.date())
    person, place = number % people + 1, number % CHANNELS + 1
    for i, (question, version, key, options, level) in enumerate(quiz.questions, start=1):
        press = f"{number:016x}{i:016x}"
        yield (
            person, place, number + 1, i, question, version, key, options, at, at, day, level, press
        )  # fmt: skip
