"""Whatever a person does in whatever order, the service agrees with a plain model of a run."""

import asyncio
import itertools
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.engine.run import End
from bot.service import Service
from bot.store import Store
from tests.conftest import kit_on
from tests.people import Person, key_text
from tests.rows import answers, runs
from tests.standins.postgres import Postgres
from tests.world import Clock, CountingDice

LETTERS = st.sampled_from("ABCD")


@dataclass
class Model:
    """What must be true of one run of the three-question quiz."""

    position: int = 1
    given: dict[int, str] = field(default_factory=dict)
    end: End | None = None


class RunMachine(RuleBasedStateMachine):
    """One person, one quiz, restarts at any moment, old messages kept and pressed."""

    def open(self) -> str:
        raise NotImplementedError

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.clock, self.dice = Clock(), CountingDice()
        self.store = Store.open(self.open())
        self.models: list[Model] = []
        self.service = Service(kit_on(self.store, self.dice))
        self.loop.run(self.service.open(self.clock.now()))
        self.ayu = Person(self.service, self.clock)

    @property
    def now(self) -> Model:
        return self.models[-1]

    @rule()
    def start(self) -> None:
        if not self.models or self.now.end:
            self.models.append(Model())
        self.clock.pass_(seconds=1)
        self.loop.run(self.ayu.types("shards"))
        assert self.ayu.asked.number == self.now.position

    @precondition(lambda self: self.models)
    @rule(letter=LETTERS, times=st.integers(1, 3))
    def press_a_letter(self, letter: str, times: int) -> None:
        token = self._token(self.now.position, letter)
        for _ in range(times):
            self.loop.run(self.ayu.presses_token(token))
        if self.now.end is None:
            self.now.given.setdefault(self.now.position, letter)
            assert self.ayu.verdict.answer == self.now.given[self.now.position]

    @precondition(lambda self: self.models)
    @rule(letter=LETTERS, offset=st.integers(1, 3))
    def press_an_earlier_or_later_question(self, letter: str, offset: int) -> None:
        before = len(self.ayu.notes)
        position = (self.now.position - 1 + offset) % 4 + 1
        if position == self.now.position:
            return
        self.loop.run(self.ayu.presses_token(self._token(position, letter)))
        assert len(self.ayu.notes) == before + 1

    @precondition(lambda self: self.models)
    @rule()
    def press_next(self) -> None:
        now = self.now
        self.loop.run(self.ayu.presses_token(self._token(now.position, "next")))
        if now.end is None and now.position in now.given:
            if now.position == 3:
                now.end = End.FINISHED
            else:
                now.position += 1

    @precondition(lambda self: self.models)
    @rule()
    def stop(self) -> None:
        self.loop.run(self.ayu.types("stop"))
        if self.now.end is None:
            done = self.now.position == 3 and 3 in self.now.given
            self.now.end = End.FINISHED if done else End.STOPPED
            assert self.ayu.score.right == self._right(self.now)

    @rule()
    def restart(self) -> None:
        self.ayu.service = Service(kit_on(self.store, self.dice))

    @precondition(lambda self: self.models)
    @rule(language=st.sampled_from(["id", "en"]))
    def switch_language(self, language: str) -> None:
        self.loop.run(self.ayu.presses_token(self._token(self.now.position, language)))
        self.loop.run(self.ayu.presses_token(self._token(self.now.position, "en")))

    @invariant()
    def the_store_agrees_with_the_model(self) -> None:
        stored = self.loop.run(runs(self.store))
        assert [(row["position"], row["end_reason"]) for row in stored] == [
            (model.position, model.end and model.end.value) for model in self.models
        ]
        given = self.loop.run(answers(self.store))
        assert len(given) == sum(len(model.given) for model in self.models)
        assert len({(row["run_id"], row["position"]) for row in given}) == len(given)

    def teardown(self) -> None:
        self.store.close()
        self.loop.close()

    def _token(self, position: int, verb: str) -> str:
        return f"1.r.{self._run()}.{position}.{verb}"

    def _run(self) -> str:
        return str(self.loop.run(runs(self.store))[-1]["token"])

    def _right(self, model: Model) -> int:
        stored = {
            row["position"]: row
            for row in self.loop.run(answers(self.store))
            if row["run_id"] == self.loop.run(runs(self.store))[-1]["id"]
        }
        assert stored.keys() == model.given.keys()
        return sum(
            key_text(row["question_id"]) == f" {row['chosen'][0]}" for row in stored.values()
        )


_numbers = itertools.count()


def test_on_sqlite(sqlite_template: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:

        class OnSqlite(RunMachine):
            def open(self) -> str:
                file = Path(folder) / f"{next(_numbers)}.db"
                shutil.copy(sqlite_template, file)
                return f"sqlite:///{file}"

        run_state_machine_as_test(OnSqlite)


def test_on_postgres(postgres: Postgres, postgres_template: str) -> None:
    class OnPostgres(RunMachine):
        def open(self) -> str:
            self.url = postgres.database(postgres_template)
            return self.url

        def teardown(self) -> None:
            super().teardown()
            postgres.drop(self.url)

    run_state_machine_as_test(OnPostgres)


@pytest.mark.proof
def test_at_length_on_sqlite(sqlite_template: Path) -> None:
    """As above; `make proof` runs it with the full profile."""
    test_on_sqlite(sqlite_template)


@pytest.mark.proof
def test_at_length_on_postgres(postgres: Postgres, postgres_template: str) -> None:
    test_on_postgres(postgres, postgres_template)
