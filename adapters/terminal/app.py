"""A conversation in the terminal: events in, replies drawn, keys or lines read, and so on."""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TextIO

from adapters.terminal import read
from adapters.terminal.screen import Feed, Screen, Tell, Transcript, Window
from adapters.terminal.source import HAS_KEYS, KeySource, LineSource, Source
from bot.chat.card import Button, Card, Score
from bot.chat.command import Command
from bot.chat.event import Event
from bot.chat.patience import within
from bot.chat.reply import Handle, Redraw, Reply, Show, Whisper
from bot.chat.words import Phrasebook
from bot.engine.language import Language

log = logging.getLogger("latih.terminal")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a conversation is drawn and read; `auto` when Next presses itself."""

    screen: Screen
    source: Source
    auto: bool


def terminal(stdin: TextIO | None, stdout: TextIO, tell: Tell, *, as_json: bool) -> Terminal:
    """What these streams allow: keys and a window, or lines and a transcript, or objects."""
    descriptor = _descriptor(stdin)
    typing = descriptor is not None and os.isatty(descriptor)
    if as_json:
        return Terminal(Feed(stdout, tell), LineSource(descriptor), auto=True)
    if descriptor is None or not (typing and stdout.isatty() and HAS_KEYS):
        screen = Transcript(stdout, tell, prompting=typing)
        return Terminal(screen, LineSource(descriptor), auto=not typing)
    return Terminal(Window(stdout, tell), KeySource(descriptor), auto=False)


def _descriptor(stdin: TextIO | None) -> int | None:
    try:
        return stdin.fileno() if stdin is not None else None
    except (OSError, ValueError):  # closed, or never a file
        return None


class TerminalApp:
    """The bot in one terminal, with one person.

    `handle` answers events; `reference` names presses and failures; `language` is the one that the
    person reads; `go_on` makes the command line that goes on with a quiz.
    """

    def __init__(
        self,
        *,
        handle: Handle,
        terminal: Terminal,
        phrasebook: Phrasebook,
        language: Language,
        name: str,
        now: Callable[[], datetime],
        reference: Callable[[], str],
        go_on: Callable[[str], str],
    ) -> None:
        self._handle = handle
        self._screen, self._source = terminal.screen, terminal.source
        self._auto = terminal.auto
        self._phrasebook = phrasebook
        self._words = phrasebook.words(language)
        self._name = name
        self._now = now
        self._reference = reference
        self._go_on = go_on
        self._quiz = ""
        self._card: Card | None = None
        self._is_stuck = False

    async def play(self, quiz: str, commands: Sequence[Command]) -> bool:
        """Give `commands`, and talk until the person leaves; False when something broke.

        The replies of all but the last command are not shown.
        """
        self._quiz = quiz
        try:
            with self._source:
                return await self._converse(commands)
        except (asyncio.CancelledError, BrokenPipeError) as left:
            self._say_how_to_go_on()
            if isinstance(left, BrokenPipeError):
                raise
            return True
        except Exception:
            reference = self._reference()
            log.exception("an event could not be answered", extra={"reference": reference})
            self._screen.tell(self._words.say("note.failed", reference=reference))
            self._say_how_to_go_on()
            return False

    async def _converse(self, commands: Sequence[Command]) -> bool:
        replies: tuple[Reply, ...] = ()
        for command in commands:
            replies = await self._answer(read.commanded(self._name, command, at=self._now()))
        while True:
            self._draw(replies)
            if self._is_stuck or (button := await self._press()) is None:
                self._say_how_to_go_on()
                return not self._is_stuck
            self._learn(button)
            press, at = self._reference(), self._now()
            replies = await self._answer(read.pressed(self._name, button, press=press, at=at))

    async def _answer(self, event: Event) -> tuple[Reply, ...]:
        task = asyncio.ensure_future(self._handle(event))
        replies = await within(task)
        if replies is None:
            self._screen.tell(self._words.say("terminal.waiting"))
            replies = await task
        return replies

    def _draw(self, replies: tuple[Reply, ...]) -> None:
        for reply in replies:
            card = reply.draw()
            match reply:
                case Show() | Redraw():
                    self._screen.show(card)
                    self._card = card
                case Whisper():
                    self._screen.whisper(card)
                    self._card = card if read.leads_on(card) else self._card
                    # Nobody is there to choose what else to do, and Next would be refused again.
                    self._is_stuck = self._auto and not read.leads_on(card)

    async def _press(self) -> Button | None:
        """The button that is pressed next; None when the person leaves or input ends."""
        if self._card is None:
            return None
        known = read.keys(self._card)
        if self._auto and (self._is_over or known.main):
            return None if self._is_over else known.main
        again = False
        while True:
            self._screen.ask(known, self._words, again=again)
            typed = await self._source.read()
            if typed is None or read.leaves(typed):
                return None
            if button := read.meant(typed, known):
                return button
            again = True

    def _learn(self, button: Button) -> None:
        """What a button tells of the person's language and of the quiz they go on to."""
        if language := read.language_of(button.token):
            self._words = self._phrasebook.words(language)
        self._quiz = read.quiz_of(button.token) or self._quiz

    @property
    def _is_over(self) -> bool:
        return self._card is not None and any(isinstance(b, Score) for b in self._card.body)

    def _say_how_to_go_on(self) -> None:
        if self._card is not None and not self._is_over:
            command = self._go_on(self._quiz)
            self._screen.tell(self._words.say("terminal.kept", command=command))
