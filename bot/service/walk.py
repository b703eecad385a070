"""The steps that units about a run share, each inside its caller's transaction."""

from collections.abc import Sequence
from datetime import datetime

from bot.chat.event import Who
from bot.engine import run as rules
from bot.engine.people import Person, Place
from bot.engine.run import NewRun, Run
from bot.service.kit import Kit
from bot.service.outcome import Ended, Screen
from bot.store import Work


def arrive(work: Work, who: Who, at: datetime) -> tuple[Person, Place]:
    """Who acted and where, made known at their first coming."""
    person, place = work.meet(who.identity, at), work.visit(who.address)
    if who.name:
        work.call(person.id, place.workspace, who.name)
    return person, place


def begin(kit: Kit, work: Work, new: NewRun) -> Screen:
    """Go on with the person's open run of that quiz, or open `new`."""
    for run in work.open_runs(new.person):
        if run.quiz == new.quiz:
            return again(kit, work, run, new.started_at)
    return screen(kit, work, work.start(new))


def again(kit: Kit, work: Work, run: Run, at: datetime) -> Screen:
    """An open run, shown once more where it stands."""
    shown = rules.resume(run, at)
    assert isinstance(shown, Run)
    work.save(shown)
    return screen(kit, work, shown)


def screen(kit: Kit, work: Work, run: Run, *, stands: bool = False) -> Screen:
    return Screen(run, kit.words(work, run.version), stands)


def ended(kit: Kit, work: Work, run: Run, page: int = 1) -> Ended:
    questions = tuple(kit.words(work, version) for version in run.versions)
    finished = work.finished(run.person)
    return Ended(run, questions, kit.catalog.after(run.quiz, finished), page)


def latest(runs: Sequence[Run]) -> Run | None:
    """The run that its person last did something with."""
    return max(runs, key=lambda run: run.touched_at, default=None)
