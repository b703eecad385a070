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
GUILD = "400000000000000001"
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
class Surface:
    """How people and places are named: `team` stands in accounts, `home` in addresses."""

    name: str
    team: str
    home: str
    people: str
    channels: str

    def user(self, number: int) -> str:
        return self.people.format(number)

    def channel(self, number: int) -> str:
        return self.channels.format(number % CHANNELS)

    def who(self, user: str, channel: str) -> Who:
        return Who(Identity(self.name, self.team, user), Address(self.name, self.home, channel))


SLACK = Surface("slack", TEAM, TEAM, "U{:010d}", "C{:010d}")
DISCORD = Surface("discord", "", GUILD, "5{:017d}", "6{:017d}")
_SURFACES = {surface.name: surface for surface in (SLACK, DISCORD)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that was asked and not yet answered, and the letter that will be pressed."""

    token: str
    user: str
    channel: str
    position: int
    letter: str
    surface: str = SLACK.name

    @property
    def who(self) -> Who:
        return _SURFACES[self.surface].who(self.user, self.channel)

    @property
    def wire(self) -> str:
        return RunToken(self.token, self.position, self.letter).wire

    @property
    def event(self) -> Pressed:
        return Pressed(self.who, self.wire, press=f"press-of-{self.token}", at=now())


async def ask(kit: Kit, people: Iterable[int], surface: Surface = SLACK) -> list[Waiting]:
    """An open run for each of `people`, at its first question, its second, and so on in turn."""
    await Service(kit).open(now())
    numbered = enumerate(people)
    found: list[Waiting] = []
    while some := list(itertools.islice(numbered, _TOGETHER)):
        found += await kit.store.write(lambda work, some=some: _ask(kit, work, some, surface))
    return found


def _ask(
    kit: Kit, work: Work, people: Sequence[tuple[int, int]], surface: Surface
) -> list[Waiting]:
    return [_one(kit, work, turn, number, surface) for turn, number in people]


def _one(kit: Kit, work: Work, turn: int, number: int, surface: Surface) -> Waiting:
    at, user, channel = now(), surface.user(number), surface.channel(number)
    who = surface.who(user, channel)
    person, place = work.meet(who.identity, at), work.visit(who.address)
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
    return Waiting(token, user, channel, position, letter, surface.name)


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
