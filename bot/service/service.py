"""The service's one door: an event comes in, what its person gets back goes out."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import assert_never

from bot.chat.command import (
    AddManager,
    Claim,
    Command,
    ListManagers,
    Menu,
    Preview,
    RemoveManager,
    Resume,
    Speak,
    Start,
    Stop,
    Unknown,
    of_token,
)
from bot.chat.event import Commanded, Event, Pressed, Who
from bot.chat.reply import Draw, Handle, Redraw, Reply, Show, Whisper
from bot.chat.token import MenuToken, RunToken, parse
from bot.engine.language import Language
from bot.engine.people import Person, Place
from bot.engine.run import Refused, Run
from bot.service.kit import Kit
from bot.service.managers import managers
from bot.service.presses import press
from bot.service.runs import resume, start, stop
from bot.service.walk import arrive
from bot.store import BusyError, Work
from bot.views import menu as menus
from bot.views import notes

_REMEMBERED = 20_000
"""Presses of which this process knows that it has answered them."""


class Service:
    """Answers events; holds no state that a restart would miss.

    All answers pass through what `watched` makes of them; `BusyError` leaves there.
    """

    def __init__(
        self, kit: Kit, watched: Callable[[Handle], Handle] = lambda handle: handle
    ) -> None:
        self._kit = kit
        self._answer = watched(self._answered)
        self._pressed: OrderedDict[str, None] = OrderedDict()

    async def open(self, at: datetime) -> None:
        """Keep the words of all questions that may now be asked."""
        questions = tuple(self._kit.catalog.questions)
        await self._kit.store.write(lambda work: work.keep(questions, at))

    async def handle(self, event: Event) -> tuple[Reply, ...]:
        """What the person who acted gets back; nothing for a press delivered again."""
        try:
            return await self._answer(event)
        except BusyError:
            reader = self._kit.reader(event.who, None, None, event.typed)
            busy = partial(notes.note, reader, "note.busy")
            return (Whisper(busy) if isinstance(event, Pressed) else Show(busy),)

    async def _answered(self, event: Event) -> tuple[Reply, ...]:
        match event:
            case Commanded():
                return (Show(await self._command(event, event.command)),)
            case Pressed():
                return await self._once(event)

    async def _once(self, event: Pressed) -> tuple[Reply, ...]:
        if event.press in self._pressed:
            return ()
        self._pressed[event.press] = None
        if len(self._pressed) > _REMEMBERED:
            self._pressed.popitem(last=False)
        try:
            return await self._press(event)
        except BaseException:
            # Nobody saw an answer, so the same press may come again.
            self._pressed.pop(event.press, None)
            raise

    async def _press(self, event: Pressed) -> tuple[Reply, ...]:
        match parse(event.token):
            case RunToken() as token:
                return await press(self._kit, event, token)
            case MenuToken(verb, argument):
                command = of_token(verb, argument, self._kit.catalog.names)
                if command is None:
                    return await self._forged(event)
                return (Redraw(await self._command(event, command)),)
            case None:
                return await self._forged(event)

    async def _forged(self, event: Pressed) -> tuple[Reply, ...]:
        person = await self._kit.store.read(lambda work: work.person(event.who.identity))
        reader = self._kit.reader(event.who, person, None, event.typed)
        return (Whisper(partial(notes.refusal, Refused.UNKNOWN, None, reader)),)

    async def _command(self, event: Event, command: Command) -> Draw:
        kit, who, at, typed = self._kit, event.who, event.at, event.typed
        match command:
            case Start(quiz_id):
                quiz = kit.catalog.quiz(quiz_id)
                if quiz is None:
                    return await self._told(who, Unknown(quiz_id), at, typed)
                return await start(kit, who, quiz, command, at=at, typed=typed)
            case Resume():
                return await resume(kit, who, at=at, typed=typed)
            case Stop():
                return await stop(kit, who, at=at, typed=typed, once=event.once)
            case Claim() | ListManagers() | AddManager() | RemoveManager():
                return await managers(kit, who, command, at=at, typed=typed)
            case Menu() | Preview() | Speak() | Unknown():
                return await self._told(who, command, at, typed)
            case _:
                assert_never(command)

    async def _told(
        self, who: Who, command: Menu | Preview | Speak | Unknown, at: datetime, typed: str
    ) -> Draw:
        if isinstance(command, Speak) and command.language is not None:
            await self._speak(who, command.language, at)

        def unit(work: Work) -> tuple[Person, Place, tuple[Run, ...]]:
            person, place = arrive(work, who, at)
            return person, place, work.open_runs(person.id)

        person, place, runs = await self._kit.store.write(unit)
        reader = self._kit.reader(who, person, place, typed)
        match command:
            case Menu() | Speak(from_menu=True):
                page = command.page if isinstance(command, Menu) else 1
                return partial(menus.menu, self._kit.catalog.quizzes, runs, reader, page)
            case Preview(quiz_id, page):
                quiz = self._kit.catalog.quiz(quiz_id)
                if quiz is None:
                    return partial(notes.note, reader, "note.quiz-gone")
                return partial(menus.preview, quiz, reader, page)
            case Speak(language):
                return partial(notes.language, reader, chosen=language is not None)
            case Unknown(words, near):
                return partial(notes.unknown, words, near, reader)

    async def _speak(self, who: Who, language: Language, at: datetime) -> None:
        def unit(work: Work) -> None:
            person, _ = arrive(work, who, at)
            work.speak(person.id, language)

        await self._kit.store.write(unit)
