"""Runs and answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, insert, select, update

from bot.engine.language import Language
from bot.engine.people import Address, Identity, Person, Place
from bot.engine.run import Answer, End, Given, NewRun, Run
from bot.store.prepared import Prepared
from bot.store.rows import Rows, per_dialect
from bot.store.schema import (
    answers,
    identities,
    persons,
    places,
    runs,
    workspaces,
)


@dataclass(frozen=True, slots=True)
class PressedRun:
    """A run by its token, with who pressed and where, as far as either is known."""

    run: Run
    person: Person | None
    place: Place | None


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
_GIVEN = (answers.c.position, answers.c.chosen, answers.c.answered_at, answers.c.press)
_LOCKED_WITH_ITS_PRESSER = (
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
_PRESSED = Prepared(on_sqlite=_LOCKED_WITH_ITS_PRESSER, on_postgres=_LOCKED_WITH_ITS_PRESSER)
# A statement of its own: who waited for the run's lock must see what was answered meanwhile,
# and Postgres reads joined rows as they were before the wait.
_OF_RUN = select(*_GIVEN).where(answers.c.run_id == bindparam("run"))
_ANSWERED = Prepared(on_sqlite=_OF_RUN, on_postgres=_OF_RUN)
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
_UNLESS_ANSWERED = per_dialect(
    answers,
    lambda row: row.on_conflict_do_nothing(
        index_elements=[answers.c.run_id, answers.c.position]
    ).returning(answers.c.id),
)
_RECORD = Prepared(
    on_sqlite=_UNLESS_ANSWERED["sqlite"],
    on_postgres=_UNLESS_ANSWERED["postgresql"],
    keys=[column.name for column in answers.c if column is not answers.c.id],
)


class RunRows(Rows):
    """The verbs of taking a quiz."""

    def press(self, token: str, identity: Identity, address: Address) -> PressedRun | None:
        """The run of a pressed button, locked until the end of this transaction."""
        rows = _PRESSED.rows(
            self._direct,
            {
                "token": token,
                "surface": identity.surface,
                "workspace": identity.workspace,
                "external": identity.external,
                "place_workspace": address.workspace,
                "channel": address.external,
            },
        )
        if not rows:
            return None
        run, found = rows[0][: len(_RUN)], rows[0][len(_RUN) :]
        identity_id, presser, spoken, place_id, workspace, language, zone = found
        person = Person(presser, identity_id, _language(spoken)) if identity_id else None
        place = Place(place_id, workspace, _language(language), zone) if place_id else None
        return PressedRun(self._whole(run), person, place)

    def open_runs(self, person: int) -> tuple[Run, ...]:
        """The person's open runs, oldest first, locked until the end of this transaction."""
        rows = self._connection.execute(_OPEN, {"person": person}).all()
        return tuple(self._whole(row) for row in rows)

    def moved(self, person: int, by: str) -> Run | None:
        """The person's run that `by` moved on last, if there is one."""
        row = self._connection.execute(_MOVED, {"person": person, "by": by}).one_or_none()
        return None if row is None else self._whole(row)

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

    def record(self, answer: Answer) -> Given:
        """Store an answer unless its position already has one; the answer that stands."""
        new = _RECORD.rows(
            self._direct,
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
        )
        if new:
            return Given(answer.chosen, answer.answered_at, answer.press)
        return _given(self._answered(answer.run))[answer.position]

    def _whole(self, row: Sequence[Any]) -> Run:
        return _run(row, self._answered(row[0]))

    def _answered(self, run: int) -> Sequence[Sequence[Any]]:
        return _ANSWERED.rows(self._direct, {"run": run})


def _run(row: Sequence[Any], answered: Iterable[Sequence[Any]]) -> Run:
    """A run from its columns, in the order of `_RUN`, and its answers', in that of `_GIVEN`."""
    (number, token, person, quiz, seed, versions, position, started_at, shown_at) = row[:9]
    ended_at, end, parent, moved_by = row[9:]
    return Run(
        id=number,
        token=token,
        person=person,
        quiz=quiz,
        seed=seed,
        versions=versions,
        position=position,
        started_at=started_at,
        shown_at=shown_at,
        given=_given(answered),
        ended_at=ended_at,
        end=End(end) if end else None,
        parent=parent,
        moved_by=moved_by,
    )


def _given(answered: Iterable[Sequence[Any]]) -> dict[int, Given]:
    return {position: Given(chosen, at, press) for position, chosen, at, press in answered}


def _language(tag: str | None) -> Language | None:
    return Language(tag) if tag else None
