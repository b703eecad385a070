"""A run: one person's walk through a quiz.

A run is *asking* when its current question has no answer, *answered* when it has one, and
*ended* for good. What derives from the answers is read from them.

| state    | event           | at position | becomes                              |
|----------|-----------------|-------------|--------------------------------------|
| asking   | answer          | current     | answered                             |
| asking   | answer          | other       | refused: STALE                       |
| asking   | advance         | current     | refused: TOO_SOON                    |
| asking   | advance         | other       | refused: STALE                       |
| answered | answer          | current     | refused: ALREADY                     |
| answered | answer          | other       | refused: STALE                       |
| answered | advance         | current     | asking the next one; after the last: ended, finished |
| answered | advance         | other       | refused: STALE                       |
| asking   | resume          | -           | asking, shown again now              |
| answered | resume          | -           | answered, shown again now            |
| asking   | stop            | -           | ended, stopped                       |
| answered | stop            | -           | ended, stopped; at the last position: finished |
| ended    | answer, advance | any         | refused: OVER                        |
| ended    | resume, stop    | -           | refused: OVER                        |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import Enum, StrEnum, auto

from bot.engine.language import Language
from bot.engine.quiz import LETTERS, Level, Question, order


class Refused(Enum):
    """Why an event changed nothing."""

    UNKNOWN = auto()
    NOT_YOURS = auto()
    STALE = auto()
    OVER = auto()
    ALREADY = auto()
    TOO_SOON = auto()


class End(StrEnum):
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as the run sees it: the option ids, when (UTC), and by which press."""

    chosen: tuple[str, ...]
    at: datetime
    press: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as stored; positions count from 1, times are UTC, `seed` None is the file's order."""

    id: int
    token: str
    person: int
    quiz: str
    seed: int | None
    versions: tuple[str, ...]
    position: int
    started_at: datetime
    shown_at: datetime
    given: Mapping[int, Given] = field(default_factory=dict)
    ended_at: datetime | None = None
    end: End | None = None
    parent: int | None = None
    moved_by: str | None = None
    """The press or command that last moved it on, so that the same one again is recognised."""

    @property
    def of(self) -> int:
        return len(self.versions)

    @property
    def version(self) -> str:
        """The version of the current question."""
        return self.versions[self.position - 1]

    @property
    def is_answered(self) -> bool:
        return self.position in self.given

    @property
    def touched_at(self) -> datetime:
        """When its person last did something with it."""
        return max([self.shown_at, *(given.at for given in self.given.values())])


@dataclass(frozen=True, slots=True)
class NewRun:
    """What starting a run decides; the store numbers it."""

    token: str
    person: int
    place: int
    quiz: str
    seed: int | None
    versions: tuple[str, ...]
    started_at: datetime
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The append-only fact. Times are UTC; `local_date` is the place's; `order` as shown."""

    identity: int
    place: int
    run: int
    position: int
    question: str
    version: str
    chosen: tuple[str, ...]
    order: tuple[str, ...]
    shown_at: datetime
    answered_at: datetime
    local_date: date
    language: Language
    level: Level
    press: str


@dataclass(frozen=True, slots=True)
class Score:
    right: int
    of: int
    missed: tuple[int, ...]
    """The positions answered wrongly or not at all."""


def answer(run: Run, position: int, given: Given) -> Run | Refused:
    """`run` with its current question answered."""
    if run.end is not None:
        return Refused.OVER
    if position != run.position:
        return Refused.STALE
    if run.is_answered:
        return Refused.ALREADY
    return replace(run, given={**run.given, position: given})


def advance(run: Run, position: int, at: datetime, by: str) -> Run | Refused:
    """`run` at its next question, or finished after the last; moved on by the press `by`."""
    if run.end is not None:
        return Refused.OVER
    if position != run.position:
        return Refused.STALE
    if not run.is_answered:
        return Refused.TOO_SOON
    if position == run.of:
        return replace(run, ended_at=at, end=End.FINISHED, moved_by=by)
    return replace(run, position=position + 1, shown_at=at, moved_by=by)


def resume(run: Run, at: datetime) -> Run | Refused:
    """`run` shown once more where it stands."""
    return Refused.OVER if run.end is not None else replace(run, shown_at=at)


def stop(run: Run, at: datetime, by: str) -> Run | Refused:
    """`run` ended by its person; one whose every question is answered counts as finished."""
    if run.end is not None:
        return Refused.OVER
    done = run.position == run.of and run.is_answered
    return replace(run, ended_at=at, end=End.FINISHED if done else End.STOPPED, moved_by=by)


def chosen(question: Question, seed: int | None, letter: str) -> str | None:
    """The option id that stands under `letter` in the order shown; None when none does."""
    shown = dict(zip(LETTERS, order(question, seed), strict=False))
    return shown.get(letter)


def score(run: Run, questions: Sequence[Question]) -> Score:
    """What the run's answers are worth; `questions` are those of `run.versions`, in order."""
    missed = tuple(
        position
        for position, question in enumerate(questions, start=1)
        if position not in run.given or not question.is_right(run.given[position].chosen)
    )
    return Score(right=run.of - len(missed), of=run.of, missed=missed)
