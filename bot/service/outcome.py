"""What a unit about a run can come to, and the card or replies that it becomes."""

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from bot.chat.card import Card
from bot.chat.reply import Redraw, Reply, Whisper
from bot.engine import run as rules
from bot.engine.people import Person, Place
from bot.engine.quiz import Question, Quiz
from bot.engine.run import Refused, Run
from bot.service.kit import Kit
from bot.views import notes
from bot.views import run as views
from bot.views.build import Reader


@dataclass(frozen=True, slots=True)
class Screen:
    """A run at its current question, asked or answered; `stands` when another answer counts."""

    run: Run
    question: Question
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that has ended, with its questions in order and the quiz to offer next."""

    run: Run
    questions: tuple[Question, ...]
    after: Quiz | None
    page: int = 1


@dataclass(frozen=True, slots=True)
class Note:
    """A press that changed nothing."""

    reason: Refused
    quiz: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language chosen on a screen that the run has left behind."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A press that was answered before: acknowledged, and nothing more."""


Outcome: TypeAlias = Screen | Ended | Note | Spoken | Silence


@dataclass(frozen=True, slots=True)
class Told:
    """An outcome and, as far as they are known, who it is for and where."""

    outcome: Outcome
    person: Person | None = None
    place: Place | None = None


def card(outcome: Screen | Ended, kit: Kit, reader: Reader) -> Card:
    """The screen of a run as it now stands."""
    quiz = kit.catalog.quiz(outcome.run.quiz)
    match outcome:
        case Screen(run, question, stands) if run.is_answered:
            return views.verdict(run, question, reader, stands=stands)
        case Screen(run, question):
            return views.question(run, question, quiz, reader)
        case Ended(run, questions, after, page):
            score = rules.score(run, questions)
            return views.result(run, score, questions, quiz, reader, page=page, after=after)


def replies(outcome: Outcome, kit: Kit, reader: Reader) -> tuple[Reply, ...]:
    """What a press gets back: its own message redrawn, a private note, or nothing."""
    match outcome:
        case Screen() | Ended():
            return (Redraw(partial(card, outcome, kit, reader)),)
        case Note(reason, quiz):
            return (Whisper(partial(notes.refusal, reason, quiz, reader)),)
        case Spoken():
            return (Whisper(partial(notes.language, reader, chosen=True)),)
        case Silence():
            return ()
