"""What the bot is measured with: its own quizzes, a clock, dice, and runs that wait for answers."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.chat.event import Pressed, Who
from bot.chat.token import RunToken
from bot.engine.language import Language
from bot.engine.people import Address, Identity, Person, Place
from bot.engine.quiz import LETTERS, Question, Quiz, order
from bot.engine.run import Answer, NewRun, Run
from bot.phrases import Phrasebook
from bot.quiz_files import load
from bot.service import Catalog, Kit, Service
from bot.store import Store, Work

ROOT = Path(__file__).parents[1]
TEAM, CHANNELS, ZONE = "T0BENCH0001", 20, "Asia/Jakarta"
_TOGETHER = 50


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - Slack's signatures hold for five minutes of real time


class CountingDice:
    """Nothing here is a secret, and every run of the benchmark meets the same rows."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def token(self) -> str:
        return f"bench{next(self._numbers):011d}"

    def seed(self) -> int:
        return next(self._numbers) * 0x9E3779B97F4A7C15 % 2**62

    def code(self) -> str:
        return f"{next(self._numbers):020d}"


def kit(store: Store) -> Kit:
    """The service's parts as `serve` wires them."""
    quizzes = load([ROOT / "quizzes"], today=now().date()).quizzes
    return Kit(
        store=store,
        catalog=Catalog(quizzes),
        phrasebook=Phrasebook(),
        dice=CountingDice(),
        language=Language.EN,
        zone=ZONE,
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that was asked and not yet answered, and the letter that will be pressed."""

    token: str
    user: str
    channel: str
    position: int
    letter: str

    @property
    def wire(self) -> str:
        return RunToken(self.token, self.position, self.letter).wire

    @property
    def event(self) -> Pressed:
        who = Who(Identity("slack", TEAM, self.user), Address("slack", TEAM, self.channel))
        return Pressed(who, self.wire, press=f"press-of-{self.token}", at=now())


def user(number: int) -> str:
    return f"U{number:010d}"


def channel(number: int) -> str:
    return f"C{number % CHANNELS:010d}"


async def ask(kit: Kit, people: Iterable[int]) -> list[Waiting]:
    """An open run for each of `people`, at its first question, its second, and so on in turn."""
    await Service(kit).open(now())
    numbered = enumerate(people)
    found: list[Waiting] = []
    while some := list(itertools.islice(numbered, _TOGETHER)):
        found += await kit.store.write(lambda work, some=some: _ask(kit, work, some))
    return found


def _ask(kit: Kit, work: Work, people: Sequence[tuple[int, int]]) -> list[Waiting]:
    return [_one(kit, work, turn, number) for turn, number in people]


def _one(kit: Kit, work: Work, turn: int, number: int) -> Waiting:
    at = now()
    person = work.meet(Identity("slack", TEAM, user(number)), at)
    place = work.visit(Address("slack", TEAM, channel(number)))
    quiz = _free(kit, work, person)
    versions = tuple(question.version for question in quiz.live)
    token, seed = kit.dice.token(), kit.dice.seed()
    run = work.start(NewRun(token, person.id, place.id, quiz.id, seed, versions, at))
    position = 1 + turn % run.of
    for fact in _before(run, quiz, person, place, position):
        work.record(fact)
    if position > 1:
        work.save(_at(run, position))
    letter = LETTERS[turn % len(quiz.live[position - 1].options)]
    return Waiting(token, user(number), channel(number), position, letter)


def _free(kit: Kit, work: Work, person: Person) -> Quiz:
    """A quiz that the person has not open."""
    taken = {run.quiz for run in work.open_runs(person.id)}
    return next(quiz for quiz in kit.catalog.quizzes if quiz.id not in taken)


def _at(run: Run, position: int) -> Run:
    return Run(
        run.id, run.token, run.person, run.quiz, run.seed, run.versions, position,
        run.started_at, run.shown_at,
    )  # fmt: skip


def _before(run: Run, quiz: Quiz, person: Person, place: Place, position: int) -> Iterator[Answer]:
    """The answers given before `position`."""
    for i, question in enumerate(quiz.live[: position - 1], start=1):
        yield fact(run, question, person, place, i)


def fact(run: Run, question: Question, person: Person, place: Place, position: int) -> Answer:
    return Answer(
        identity=person.identity,
        place=place.id,
        run=run.id,
        position=position,
        question=question.id,
        version=question.version,
        chosen=question.key,
        order=order(question, run.seed),
        shown_at=run.shown_at,
        answered_at=run.shown_at,
        local_date=run.shown_at.date(),
        language=Language.EN,
        level=question.level,
        press=f"{run.token}-{position}",
    )
