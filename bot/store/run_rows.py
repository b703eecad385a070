"""Runs, answers and the words that were seen."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, insert, select, update

from bot.engine.language import Language
from bot.engine.people import Address, Identity, Person, Place
from bot.engine.quiz import Question
from bot.engine.run import Answer, End, Given, NewRun, Run
from bot.store.rows import Rows, per_dialect
from bot.store.schema import (
    answers,
    identities,
    persons,
    places,
    question_versions,
    runs,
    workspaces,
)


@dataclass(frozen=True, slots=True)
class PressedRun:
    """A run by its token, with who pressed and where, as far as either is known."""

    run: Run
    person: Person | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The outcome of recording: the answer that stands, and whether this press is its own."""

    given: Given
    fresh: bool


_RUN = (
    runs.c.id,
    runs.c.token,
    runs.c.person_id,
    runs.c.quiz_id,
    runs.c.seed,
    runs.c.versions,
    runs.c.position,
    runs.c.started_at,
    runs.c.shown_at,
    runs.c.ended_at,
    runs.c.end_reason,
    runs.c.parent_id,
    runs.c.moved_by,
)
_PRESSED = (
    select(
        *_RUN,
        identities.c.id.label("identity"),
        identities.c.person_id.label("presser"),
        persons.c.language.label("person_language"),
        places.c.id.label("place"),
        places.c.workspace_id,
        places.c.language.label("place_language"),
        places.c.zone,
    )
    .select_from(
        runs.outerjoin(
            identities.join(persons, persons.c.id == identities.c.person_id),
            and_(
                identities.c.surface == bindparam("surface"),
                identities.c.workspace == bindparam("workspace"),
                identities.c.external == bindparam("external"),
            ),
        ).outerjoin(
            places.join(workspaces, workspaces.c.id == places.c.workspace_id),
            and_(
                workspaces.c.surface == bindparam("surface"),
                workspaces.c.external == bindparam("place_workspace"),
                places.c.external == bindparam("channel"),
            ),
        )
    )
    .where(runs.c.token == bindparam("token"))
    .with_for_update(of=runs)
)
_GIVEN = select(answers.c.position, answers.c.chosen, answers.c.answered_at, answers.c.press).where(
    answers.c.run_id == bindparam("run")
)
_OPEN = (
    select(*_RUN)
    .where(runs.c.person_id == bindparam("person"), runs.c.ended_at.is_(None))
    .order_by(runs.c.id)
    .with_for_update()
)
_MOVED = select(*_RUN).where(
    runs.c.person_id == bindparam("person"), runs.c.moved_by == bindparam("by")
)
_FINISHED = (
    select(runs.c.quiz_id)
    .where(runs.c.person_id == bindparam("person"), runs.c.end_reason == End.FINISHED.value)
    .distinct()
)
_START = insert(runs).returning(runs.c.id)
_SAVE = update(runs).where(runs.c.id == bindparam("run"))
_RECORD = per_dialect(
    answers,
    lambda row: row.on_conflict_do_nothing(
        index_elements=[answers.c.run_id, answers.c.position]
    ).returning(answers.c.id),
)
_KEEP = per_dialect(
    question_versions,
    lambda row: row.on_conflict_do_nothing(index_elements=[question_versions.c.version]),
)
_SEEN = select(question_versions.c.seen).where(question_versions.c.version == bindparam("version"))


class RunRows(Rows):
    """The verbs of taking a quiz."""

    def press(self, token: str, identity: Identity, address: Address) -> PressedRun | None:
        """The run of a pressed button, locked until the end of this transaction."""
        row = self._connection.execute(
            _PRESSED,
            {
                "token": token,
                "surface": identity.surface,
                "workspace": identity.workspace,
                "external": identity.external,
                "place_workspace": address.workspace,
                "channel": address.external,
            },
        ).one_or_none()
        if row is None:
            return None
        person = place = None
        if row.identity is not None:
            person = Person(row.presser, row.identity, _language(row.person_language))
        if row.place is not None:
            language = _language(row.place_language)
            place = Place(row.place, row.workspace_id, language, row.zone)
        return PressedRun(self._run(row), person, place)

    def open_runs(self, person: int) -> tuple[Run, ...]:
        """The person's open runs, oldest first, locked until the end of this transaction."""
        return tuple(map(self._run, self._connection.execute(_OPEN, {"person": person}).all()))

    def moved(self, person: int, by: str) -> Run | None:
        """The person's run that `by` moved on last, if there is one."""
        row = self._connection.execute(_MOVED, {"person": person, "by": by}).one_or_none()
        return None if row is None else self._run(row)

    def finished(self, person: int) -> frozenset[str]:
        """The quizzes that the person has finished at least once."""
        return frozenset(self._connection.execute(_FINISHED, {"person": person}).scalars())

    def start(self, new: NewRun) -> Run:
        """Open a run; one open run per person and quiz is the database's own rule."""
        number = self._connection.execute(
            _START,
            {
                "token": new.token,
                "person_id": new.person,
                "place_id": new.place,
                "quiz_id": new.quiz,
                "seed": new.seed,
                "versions": new.versions,
                "position": 1,
                "started_at": new.started_at,
                "shown_at": new.started_at,
                "parent_id": new.parent,
            },
        ).scalar_one()
        return Run(
            id=number,
            token=new.token,
            person=new.person,
            quiz=new.quiz,
            seed=new.seed,
            versions=new.versions,
            position=1,
            started_at=new.started_at,
            shown_at=new.started_at,
            parent=new.parent,
        )

    def save(self, run: Run) -> None:
        """Store where a run now stands."""
        self._connection.execute(
            _SAVE,
            {
                "run": run.id,
                "position": run.position,
                "shown_at": run.shown_at,
                "ended_at": run.ended_at,
                "end_reason": run.end.value if run.end else None,
                "moved_by": run.moved_by,
            },
        )

    def record(self, answer: Answer) -> Stored:
        """Store an answer unless its position already has one; told from the row that stands."""
        new = self._connection.execute(
            _RECORD[self._dialect],
            {
                "identity_id": answer.identity,
                "place_id": answer.place,
                "run_id": answer.run,
                "position": answer.position,
                "question_id": answer.question,
                "version": answer.version,
                "chosen": answer.chosen,
                "option_order": answer.order,
                "shown_at": answer.shown_at,
                "answered_at": answer.answered_at,
                "local_date": answer.local_date,
                "language": answer.language.value,
                "level": answer.level.value,
                "press": answer.press,
            },
        ).one_or_none()
        if new is not None:
            return Stored(Given(answer.chosen, answer.answered_at, answer.press), fresh=True)
        given = self._given(answer.run)[answer.position]
        return Stored(given, fresh=given.press == answer.press)

    def keep(self, questions: Iterable[Question], at: datetime) -> None:
        """Keep the words of questions that may now be seen."""
        rows = [
            {
                "version": question.version,
                "question_id": question.id,
                "seen": json.dumps(question.seen(), ensure_ascii=False),
                "first_kept_at": at,
            }
            for question in questions
        ]
        if rows:
            self._connection.execute(_KEEP[self._dialect], rows)

    def question(self, version: str) -> Question:
        """The words of a question as they were seen; `LookupError` when they were never kept."""
        seen = self._connection.execute(_SEEN, {"version": version}).scalar_one_or_none()
        if seen is None:
            raise LookupError(version)
        return Question.from_seen(json.loads(seen))

    def _run(self, row: "Row[*tuple[Any, ...]]") -> Run:
        return Run(
            id=row.id,
            token=row.token,
            person=row.person_id,
            quiz=row.quiz_id,
            seed=row.seed,
            versions=row.versions,
            position=row.position,
            started_at=row.started_at,
            shown_at=row.shown_at,
            given=self._given(row.id),
            ended_at=row.ended_at,
            end=End(row.end_reason) if row.end_reason else None,
            parent=row.parent_id,
            moved_by=row.moved_by,
        )

    def _given(self, run: int) -> dict[int, Given]:
        return {
            position: Given(chosen, at, press)
            for position, chosen, at, press in self._connection.execute(_GIVEN, {"run": run})
        }


def _language(tag: str | None) -> Language | None:
    return Language(tag) if tag else None
