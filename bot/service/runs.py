"""Taking a quiz by command: one unit for each, and the screen that its outcome becomes."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from bot.chat.command import Start
from bot.chat.event import Who
from bot.chat.reply import Draw
from bot.engine import run as rules
from bot.engine.people import Person, Place
from bot.engine.quiz import Quiz
from bot.engine.run import NewRun, Run
from bot.service.kit import Kit
from bot.service.outcome import Ended, Screen, card
from bot.service.walk import again, arrive, begin, ended, latest
from bot.store import Work
from bot.views import notes


async def start(
    kit: Kit, who: Who, quiz: Quiz, command: Start, *, at: datetime, typed: str
) -> Draw:
    """Go on with the person's open run of a quiz, or open one."""
    token, seed = kit.dice.token(), command.seed
    if seed is None and command.shuffle:
        seed = kit.dice.seed()

    def step(work: Work, person: Person, place: Place) -> Screen:
        new = NewRun(
            token=token,
            person=person.id,
            place=place.id,
            quiz=quiz.id,
            seed=seed,
            versions=tuple(question.version for question in quiz.live),
            started_at=at,
        )
        return begin(kit, work, new)

    return await _shown(kit, who, step, at=at, typed=typed)


async def resume(kit: Kit, who: Who, *, at: datetime, typed: str) -> Draw:
    """The run pressed last, once more."""

    def step(work: Work, person: Person, place: Place) -> Screen | None:
        del place
        run = latest(work.open_runs(person.id))
        return again(kit, work, run, at) if run else None

    return await _shown(kit, who, step, at=at, typed=typed)


async def stop(kit: Kit, who: Who, *, at: datetime, typed: str, once: str | None) -> Draw:
    """The run pressed last, ended; one only, however often what is named `once` is delivered."""
    by = once or kit.dice.token()

    def step(work: Work, person: Person, place: Place) -> Ended | None:
        del place
        if done := work.moved(person.id, by):
            return ended(kit, work, done)
        run = latest(work.open_runs(person.id))
        if run is None:
            return None
        stopped = rules.stop(run, at, by)
        assert isinstance(stopped, Run)
        work.save(stopped)
        return ended(kit, work, stopped)

    return await _shown(kit, who, step, at=at, typed=typed)


async def _shown(
    kit: Kit,
    who: Who,
    step: Callable[[Work, Person, Place], Screen | Ended | None],
    *,
    at: datetime,
    typed: str,
) -> Draw:
    """The outcome of `step` as a card; None means that no run is open."""

    def unit(work: Work) -> tuple[Screen | Ended | None, Person, Place]:
        person, place = arrive(work, who, at)
        return step(work, person, place), person, place

    outcome, person, place = await kit.store.write(unit)
    reader = kit.reader(who, person, place, typed)
    if outcome is None:
        return partial(notes.note, reader, "note.nothing-open")
    return partial(card, outcome, kit, reader)
