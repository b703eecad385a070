"""What the database holds, read without the program, answers in words."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, NullPool, create_engine, func, make_url, select, text

from bot.engine.language import Language
from bot.engine.people import Identity
from bot.engine.quiz import Question
from bot.store.schema import answers, identities, metadata, runs

_LET_GO = 20.0
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)

Words = Callable[[str], Question | None]
"""The question of a version."""


@dataclass(frozen=True)
class StoredAnswer:
    """`option` is the text of the chosen option, `letter` where it stood when it was shown."""

    position: int
    letter: str
    option: str
    right: bool


@dataclass(frozen=True)
class StoredRun:
    token: str
    owner: Identity
    quiz: str
    position: int
    of: int
    end: str | None
    answers: tuple[StoredAnswer, ...]

    def at(self, position: int) -> list[StoredAnswer]:
        return [answer for answer in self.answers if answer.position == position]


@dataclass(frozen=True)
class Stored:
    """All runs by their tokens, and everybody who is known."""

    runs: Mapping[str, StoredRun]
    people: frozenset[Identity]


def read(url: str, words: Words) -> Stored:
    """What a program left that has ended."""
    with _opened(url, alive=False) as connection:
        given = connection.execute(select(answers).order_by(answers.c.id)).all()
        known = connection.execute(select(identities)).all()
        found = connection.execute(select(runs)).all()
    by_run: dict[int, list[StoredAnswer]] = {}
    for row in given:
        by_run.setdefault(row.run_id, []).append(_answer(row, words))
    people = {row.person_id: Identity(row.surface, row.workspace, row.external) for row in known}
    by_token = {
        row.token: StoredRun(
            token=row.token,
            owner=people[row.person_id],
            quiz=row.quiz_id,
            position=row.position,
            of=len(row.versions),
            end=row.end_reason,
            answers=tuple(by_run.get(row.id, ())),
        )
        for row in found
    }
    return Stored(by_token, frozenset(people.values()))


def rows(url: str) -> dict[str, int]:
    """How many rows each table has, while a program is alive."""
    with _opened(url, alive=True) as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }


@contextmanager
def _opened(url: str, *, alive: bool) -> Iterator[Connection]:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        with _connected(parsed.set(drivername="postgresql+psycopg")) as connection:
            if not alive:
                _wait_until_alone(connection)
            yield connection
    elif alive:
        with _connected(parsed) as connection:
            yield connection
    else:
        # A copy: opening the file itself would mend it before the program has to.
        file = Path(str(parsed.database))
        with tempfile.TemporaryDirectory() as folder:
            for part in (file, file.with_name(f"{file.name}-wal")):
                if part.exists():
                    shutil.copy(part, folder)
            with _connected(parsed.set(database=f"{folder}/{file.name}")) as connection:
                yield connection


@contextmanager
def _connected(url: URL) -> Iterator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _wait_until_alone(connection: Connection) -> None:
    """What a dead program had asked of Postgres may still be under way: its COMMIT, for one."""
    deadline = time.monotonic() + _LET_GO
    while connection.execute(_OTHERS).scalar_one():
        assert time.monotonic() < deadline, "a dead program's connections stay"
        connection.rollback()
        time.sleep(0.002)


def _answer(row: Any, words: Words) -> StoredAnswer:
    question = words(row.version)
    assert question is not None, f"an answer to an unknown question, {row.question_id}"
    [chosen] = row.chosen
    return StoredAnswer(
        position=row.position,
        letter="ABCDEFGH"[row.option_order.index(chosen)],
        option=question.option(chosen).text.asked(Language.EN),
        right=question.is_right(row.chosen),
    )
