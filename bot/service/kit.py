"""What every flow of the service works with, and how it tells who reads."""

from dataclasses import dataclass
from typing import Protocol

from bot.chat.event import Who
from bot.chat.words import Phrasebook
from bot.engine.language import Language
from bot.engine.people import Identity, Person, Place
from bot.engine.quiz import Question
from bot.service.catalog import Catalog
from bot.store import Store, Work
from bot.views.build import Reader


class Dice(Protocol):
    """Chance, drawn before a unit is queued so that the unit may run twice."""

    def token(self) -> str:
        """16 url-safe characters that nobody can guess."""
        ...

    def seed(self) -> int:
        """A number below 2**63 to shuffle by."""
        ...

    def code(self) -> str:
        """A claim code that can be read aloud."""
        ...


@dataclass(frozen=True, slots=True)
class Kit:
    """The service's parts; `language` and `zone` (IANA) are those of places that set none."""

    store: Store
    catalog: Catalog
    phrasebook: Phrasebook
    dice: Dice
    language: Language
    zone: str
    managers: frozenset[Identity] = frozenset()

    def reader(self, who: Who, person: Person | None, place: Place | None, typed: str) -> Reader:
        """Who a reply is for: own choice, then the surface's locale, then the place's language."""
        own = person.language if person else None
        local = (place.language if place else None) or self.language
        language = own or who.locale or local
        return Reader(language, self.phrasebook.words(language), typed)

    def words(self, work: Work, version: str) -> Question:
        """A question as it was seen, from memory when it is current."""
        return self.catalog.question(version) or work.question(version)
