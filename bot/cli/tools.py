"""What commands are handed: the clock, the dice, the settings, and the parts wired from them.

Parts are imported when they are made, so that a command pays only for what it uses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from bot.settings import Settings

if TYPE_CHECKING:
    from bot.chat.reply import Handle
    from bot.engine.lease import Holder
    from bot.quiz_files import Loaded
    from bot.service import Kit, Service
    from bot.store import Store

OWN_QUIZZES = Path(__file__).parents[2] / "quizzes"


class Dice(Protocol):
    """All chance there is in the program."""

    def token(self) -> str: ...
    def seed(self) -> int: ...
    def code(self) -> str: ...
    def reference(self) -> str: ...
    def fraction(self) -> float:
        """From 0 up to, but without, 1."""
        ...


@dataclass
class Tools:
    """Handed to every command by `bot.__main__`."""

    now: Callable[[], datetime]
    dice: Dice

    @cached_property
    def settings(self) -> Settings:
        return Settings.read()

    @property
    def today(self) -> date:
        return self.now().date()

    @property
    def folders(self) -> list[Path]:
        """Where quizzes are: our own first, then the operator's."""
        return [OWN_QUIZZES, *self.settings.latih_quizzes]

    @cached_property
    def loaded(self) -> "Loaded":
        """All quizzes and the faults of those that could not be loaded."""
        from bot.chat.command import RESERVED
        from bot.quiz_files import load

        return load(self.folders, today=self.today, reserved=RESERVED)

    @cached_property
    def holder(self) -> "Holder":
        """The running process, as its leases name it."""
        from bot.service.process import this_process

        return this_process(self.dice.token())

    def store(self) -> "Store":
        from bot.store import Store

        return Store.open(self.settings.database_url)

    def kit(self, store: "Store") -> "Kit":
        """The service's parts on an open store."""
        from bot.engine.language import Language
        from bot.engine.people import Identity
        from bot.phrases import Phrasebook
        from bot.service import Catalog, Kit

        settings = self.settings
        return Kit(
            store=store,
            catalog=Catalog(self.loaded.quizzes),
            phrasebook=Phrasebook(),
            dice=self.dice,
            language=Language(settings.latih_language),
            zone=settings.latih_zone,
            managers=frozenset(map(Identity.read, settings.latih_managers)),
        )

    def service(
        self, kit: "Kit", watched: "Callable[[Handle], Handle]" = lambda handle: handle
    ) -> "Service":
        """The service on a kit; all its answers pass through what `watched` makes of them."""
        from bot.service import Service

        return Service(kit, watched)


def tools(context: typer.Context) -> Tools:
    """The tools of the program that a command runs in."""
    found = context.find_object(Tools)
    assert found is not None
    return found


def say(text: str) -> None:
    """Everything that is not a command's result goes to standard error."""
    typer.echo(text, err=True)
