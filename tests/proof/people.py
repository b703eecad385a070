"""People who take quizzes while the program dies under their hands."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from random import Random
from typing import Any

from bot.chat.token import RunToken, parse
from tests.proof.checker import Press, Story, is_answer, starts_a_run
from tests.proof.promises import promised
from tests.proof.screens import Screen
from tests.proof.stored import StoredRun
from tests.proof.surfaces import Seat

QUIZZES = ("proof-two", "proof-four")


class Player:
    """One person: what they do next depends on what is on their screen."""

    def __init__(self, name: str, seat: Seat) -> None:
        self.name = name
        self.seat = seat
        self.screen: Screen | None = None
        self.waits = False
        self._known: set[Screen] = set()
        self._presses: list[Press] = []
        self._started = 0

    @property
    def story(self) -> Story:
        return Story(
            self.name, self.seat.identity, self.seat.screens, list(self._presses), self._started
        )

    def looks(self) -> None:
        """See what came without being waited for."""
        new = [it for it in self.seat.screens if it not in self._known]
        self._known.update(new)
        self.screen = new[-1] if new else self.screen

    async def starts(self, quiz: str) -> Screen:
        """Type the command; the screen that comes."""
        self._started += 1
        self.waits = True
        before = self._before()
        assert await self.seat.start(quiz), f"{self.name}'s command was not acknowledged"
        return await self._comes(before)

    async def presses(self, screen: Screen, token: str) -> Screen:
        """Press a button; the screen that comes."""
        before = self._before()
        await self.sends(screen, token)
        return await self._comes(before)

    async def presses_both(self, screen: Screen, *tokens: str) -> Screen:
        """Two presses at once, each of which gets an answer; the screen that came last."""
        before = self._before()
        await together(self.sends(screen, token) for token in tokens)
        return await self._comes(before, len(tokens))

    async def sends(self, screen: Screen, wire: str) -> None:
        """Press a button, and wait for no more than that the bot acknowledges it."""
        token = parse(wire)
        letter = token.verb if isinstance(token, RunToken) else ""
        self._presses.append(Press(wire, screen.options.get(letter)))
        self._started += starts_a_run(wire)
        self.waits = True
        assert await self.seat.press(screen, wire), f"{self.name}'s press was not acknowledged"

    async def acts(self, runs: Mapping[str, StoredRun] | None = None) -> Screen:
        """Go on as whoever wants to reach the result; `runs` holds what comes to its promise."""
        screen = self.screen
        if screen is None:
            return await self.starts(QUIZZES[0])
        letters = [token.wire for token in screen.letters]
        found = [*letters[:1], *map(screen.button, ("next", "resume", "start"))]
        on = next(filter(None, found), None)
        assert on is not None, f"nothing leads on from here: {screen}"
        if runs is not None and isinstance(parse(on), RunToken):
            return await self.tries(screen, on, runs)
        return await self.presses(screen, on)

    async def plays(self, chance: Random, shown: Callable[[], None]) -> None:
        """Take quizzes for as long as the program lives, and not always as one should."""
        while True:
            await self._plays(chance)
            shown()

    async def _plays(self, chance: Random) -> Screen:
        screen = self.screen
        if screen is None or screen.run is None or chance.random() < 0.05:
            leads = screen and (screen.button("resume") or screen.button("start"))
            if screen and leads and chance.random() < 0.7:
                return await self.presses(screen, leads)
            return await self.starts(chance.choice(QUIZZES))
        if screen.is_question:
            letters = [token.wire for token in screen.letters]
            if chance.random() < 0.2:
                return await self.presses_both(screen, *chance.choices(letters, k=2))
            return await self.presses(screen, chance.choice(letters))
        if screen.is_verdict and chance.random() < 0.9:
            return await self.presses(screen, str(screen.button("next")))
        if screen.is_result:
            offered = [it for it in map(screen.button, ("review", "start")) if it]
            return await self.presses(screen, chance.choice(offered))
        return await self.presses(*self._any(chance))

    async def tries_any(self, runs: Mapping[str, StoredRun], chance: Random) -> None:
        """Press a button from before the kill: mostly the newest, sometimes one long gone.

        When a press was lost in the kill, the platform may deliver that one again.
        """
        if self.waits and self.seat.can_press_again and chance.random() < 0.3:
            before = self._before()
            assert await self.seat.press_again()
            # Of a press that was stored, and whose run has moved on, nothing more comes.
            await self.seat.settles(before)
            self.looks()
            self.waits = False
            return
        now = self.screen
        if now is not None and (now.is_question or now.is_verdict) and chance.random() < 0.7:
            letters = [token.wire for token in now.letters]
            await self.tries(now, str(now.button("next") or chance.choice(letters)), runs)
        elif any(screen.tokens for screen in self.seat.screens):
            await self.tries(*self._any(chance), runs)

    async def tries(self, screen: Screen, wire: str, runs: Mapping[str, StoredRun]) -> Screen:
        """Press a button, and hold what comes against what is promised."""
        token = parse(wire)
        assert isinstance(token, RunToken)
        run = runs.get(token.run)
        assert run is not None, f"{self.name} was shown a run that is not stored: {screen}"
        promise = promised(token, run)
        comes = await self.presses(screen, wire)
        assert promise.is_kept(comes), (
            f"{self.name} pressed {wire} and was promised {promise.says}, but got: {comes}"
        )
        return comes

    def harmless(self, runs: Mapping[str, StoredRun]) -> list[tuple[Screen, str]]:
        """The buttons shown so far that are promised to change nothing."""
        found = ((screen, wire, parse(wire)) for screen, wire in self.pressable)
        return [
            (screen, wire)
            for screen, wire, token in found
            if isinstance(token, RunToken) and not promised(token, runs[token.run]).changes
        ]

    @property
    def pressable(self) -> list[tuple[Screen, str]]:
        """Every letter and every Next that this person was ever shown."""
        return [
            (screen, token.wire)
            for screen in self.seat.screens
            for token in screen.tokens
            if token.verb == "next" or is_answer(token.wire)
        ]

    def _any(self, chance: Random) -> tuple[Screen, str]:
        return chance.choice(self.pressable)

    def _before(self) -> int:
        self.looks()
        return self.seat.count

    async def _comes(self, before: int, screens: int = 1) -> Screen:
        await self.seat.shows(before + screens - 1)
        self.looks()
        self.waits = False
        assert self.screen is not None
        return self.screen


async def together(doings: Iterable[Coroutine[Any, Any, None]]) -> None:
    """As `gather`, but when one fails nobody goes on."""
    async with asyncio.TaskGroup() as group:
        for doing in doings:
            group.create_task(doing)
