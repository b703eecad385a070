"""Presses on a run's screens: one unit each, whatever the button."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.chat.event import Pressed
from bot.chat.reply import Reply
from bot.chat.token import RunToken
from bot.engine import run as rules
from bot.engine.language import Language, shown
from bot.engine.people import Person, Place
from bot.engine.quiz import LETTERS, Question, order
from bot.engine.run import Answer, End, Given, NewRun, Refused, Run
from bot.service.kit import Kit
from bot.service.outcome import Note, Outcome, Silence, Spoken, Told, replies
from bot.service.walk import begin, ended, screen
from bot.store import Work


async def press(kit: Kit, event: Pressed, token: RunToken) -> tuple[Reply, ...]:
    """What pressing a button on a run's screen does and gets back."""
    new_token, new_seed = kit.dice.token(), kit.dice.seed()

    def unit(work: Work) -> Told:
        pressed = work.press(token.run, event.who.identity, event.who.address)
        if pressed is None:
            return Told(Note(Refused.UNKNOWN), work.person(event.who.identity))
        run, person, place = pressed.run, pressed.person, pressed.place
        if person is None or person.id != run.person:
            return Told(Note(Refused.NOT_YOURS, run.quiz), person, place)
        place = place or work.visit(event.who.address)
        flow = _Press(kit, work, event, token, run, person, place, new_token, new_seed)
        outcome, person = flow.outcome()
        return Told(outcome, person, place)

    told = await kit.store.write(unit)
    reader = kit.reader(event.who, told.person, told.place, event.typed)
    return replies(told.outcome, kit, reader)


@dataclass(frozen=True, slots=True)
class _Press:
    """One press by the run's own person, inside its transaction."""

    kit: Kit
    work: Work
    event: Pressed
    token: RunToken
    run: Run
    person: Person
    place: Place
    new_token: str
    new_seed: int

    def outcome(self) -> tuple[Outcome, Person]:
        verb, _, argument = self.token.verb.partition("-")
        if verb in LETTERS:
            return self._answer(), self.person
        match verb:
            case "next":
                return self._advance(), self.person
            case "review":
                return self._review(), self.person
            case "result" if not argument:
                return self._result(), self.person
            case "result":
                return self._translate(argument)
            case _:
                return self._translate(self.token.verb)

    def _answer(self) -> Outcome:
        given = self.run.given.get(self.token.position)
        if given and given.press == self.event.press and self.token.position != self.run.position:
            return Silence()
        question = self.kit.words(self.work, self.run.version)
        option = rules.chosen(question, self.run.seed, self.token.verb)
        if option is None:
            return Note(Refused.UNKNOWN)
        new = Given((option,), self.event.at, self.event.press)
        decided = rules.answer(self.run, self.token.position, new)
        if decided is Refused.ALREADY:
            stands = self.run.given[self.run.position].chosen != new.chosen
            return screen(self.kit, self.work, self.run, stands=stands)
        if isinstance(decided, Refused):
            return Note(decided, self.run.quiz)
        counts = self.work.record(self._fact(question, new))
        if counts != new:
            decided = replace(decided, given={**decided.given, self.token.position: counts})
        return screen(self.kit, self.work, decided, stands=counts.chosen != new.chosen)

    def _fact(self, question: Question, given: Given) -> Answer:
        reader = self.kit.reader(self.event.who, self.person, self.place, self.event.typed)
        return Answer(
            identity=self.person.identity,
            place=self.place.id,
            run=self.run.id,
            position=self.run.position,
            question=question.id,
            version=self.run.version,
            chosen=given.chosen,
            order=order(question, self.run.seed),
            shown_at=self.run.shown_at,
            answered_at=given.at,
            local_date=_local_date(given.at, self.place.zone or self.kit.zone),
            language=shown(reader.language, question.languages),
            level=question.level,
            press=given.press,
        )

    def _advance(self) -> Outcome:
        if self.run.moved_by == self.event.press:
            return self._now(self.run)
        by = self.event.press
        decided = rules.advance(self.run, self.token.position, self.event.at, by)
        if decided is Refused.TOO_SOON:
            return screen(self.kit, self.work, self.run)
        if isinstance(decided, Refused):
            return Note(decided, self.run.quiz)
        self.work.save(decided)
        return self._now(decided)

    def _now(self, run: Run) -> Outcome:
        """The screen of a run wherever it stands."""
        if run.end is not None:
            return ended(self.kit, self.work, run)
        return screen(self.kit, self.work, run)

    def _result(self) -> Outcome:
        if self.run.end is None:
            return Note(Refused.STALE)
        return ended(self.kit, self.work, self.run, self.token.position)

    def _review(self) -> Outcome:
        """The misses of a finished run, as a run of their own."""
        if self.run.end is not End.FINISHED:
            return Note(Refused.STALE)
        questions = [self.kit.words(self.work, version) for version in self.run.versions]
        missed = rules.score(self.run, questions).missed
        if not missed:
            return Note(Refused.OVER, self.run.quiz)
        new = NewRun(
            token=self.new_token,
            person=self.person.id,
            place=self.place.id,
            quiz=self.run.quiz,
            seed=self.new_seed,
            versions=tuple(self.run.versions[position - 1] for position in missed),
            started_at=self.event.at,
            parent=self.run.id,
        )
        return begin(self.kit, self.work, new)

    def _translate(self, tag: str) -> tuple[Outcome, Person]:
        """The language button of a screen: the choice is kept, the screen drawn in it."""
        try:
            language = Language(tag)
        except ValueError:
            return Note(Refused.UNKNOWN), self.person
        self.work.speak(self.person.id, language)
        person = Person(self.person.id, self.person.identity, language)
        if self.token.verb.startswith("result"):
            return self._result(), person
        if self.run.end is None and self.token.position == self.run.position:
            return screen(self.kit, self.work, self.run), person
        return Spoken(), person


def _local_date(at: datetime, zone: str) -> date:
    return at.astimezone(ZoneInfo(zone)).date()
