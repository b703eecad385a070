"""Surfaces as the proof sees them: somebody starts a quiz, presses, and is shown screens.

Slack and Discord differ here in nothing but how a program is told of its surface, and in what a
command and a press are called.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

from aiohttp import web
from typing_extensions import override

from bot.engine.people import Identity
from tests.proof.program import Program
from tests.proof.screens import Screen
from tests.standins.discord import DiscordStandin
from tests.standins.discord_words import buttons_in as discord_buttons
from tests.standins.discord_words import words_of as discord_words
from tests.standins.slack import Delivery, SlackStandin
from tests.standins.slack_words import buttons_in as slack_buttons
from tests.standins.slack_words import label_of
from tests.standins.slack_words import words_of as slack_words

_HEARD = 0.002  # seconds between looks whether the last words of a dead program were heard
_SETTLED = 0.5  # seconds for a screen that may lawfully not come
_ANSWERED = 20.0  # seconds for a screen; the stand-ins hold the platform's own deadlines


class Seat(ABC):
    """One person in front of a surface, in a channel of their own."""

    def __init__(self, standin: Any, person: Any, channel: Any, identity: Identity) -> None:
        self.standin = standin
        self.person = person
        self.channel = channel
        self.identity = identity
        self._screens: dict[tuple[int, int], Screen] = {}

    async def shows(self, more_than: int) -> None:
        """Wait until this person has been shown more screens than so many."""
        await self.standin.until(lambda: self.count > more_than, timeout=_ANSWERED)

    async def settles(self, count: int) -> None:
        """Wait a little for what may come, or not."""
        with suppress(AssertionError):
            await self.standin.until(lambda: self.count > count, timeout=_SETTLED)

    @property
    def count(self) -> int:
        """How many screens this person has been shown."""
        return sum(len(message.versions) + 1 for message in self._messages)

    @property
    def screens(self) -> list[Screen]:
        """All of them, of older messages first."""
        return [
            self._screen(message, version)
            for message in self._messages
            for version in range(len(message.versions) + 1)
        ]

    @abstractmethod
    async def start(self, quiz: str) -> bool:
        """Type the command that starts a quiz; whether the bot acknowledged it."""

    async def press(self, screen: Screen, token: str) -> bool:
        """Press a button of a screen, be it long gone; whether the bot acknowledged it."""
        is_now = screen.version == len(screen.message.versions)
        version = None if is_now else screen.version
        delivery = await self.standin.press(
            self.person, screen.message, button=token, version=version
        )
        return bool(delivery.acked)

    async def press_again(self) -> bool:
        """Have the platform deliver this person's last press once more, where platforms do."""
        return True

    @property
    def can_press_again(self) -> bool:
        return False

    @property
    def _messages(self) -> list[Any]:
        return [it for it in self.standin.messages(self.channel) if self.is_shown(it)]

    def is_shown(self, message: Any) -> bool:
        return not message.deleted

    def _screen(self, message: Any, version: int) -> Screen:
        key = id(message), version
        if key not in self._screens:
            is_now = version == len(message.versions)
            shown = self.now(message) if is_now else message.versions[version]
            self._screens[key] = self.read(message, version, *shown)
        return self._screens[key]

    @abstractmethod
    def now(self, message: Any) -> tuple[str, list[Any]]:
        """What a message shows, in the form that its former versions have."""

    @abstractmethod
    def read(self, message: Any, version: int, text: str, parts: list[Any]) -> Screen: ...


class Surface(ABC):
    """A platform that the program serves; it outlives the program."""

    name: ClassVar[str]
    redraws_after_answering: ClassVar[bool]
    standin: Any

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, str]:
        """What tells a program to serve this surface."""

    @abstractmethod
    async def joined(self, program: Program) -> None:
        """Wait until a program that was just started serves this surface."""

    @abstractmethod
    def newcomer(self, name: str) -> Seat: ...

    async def left(self) -> None:
        """Wait until all that a dead program had sent was heard."""
        runner: web.AppRunner = self.standin._runner
        server = runner.server
        assert server is not None
        while server.connections:  # noqa: ASYNC110 - nothing tells when the last one is gone
            await asyncio.sleep(_HEARD)
        await asyncio.sleep(_HEARD)

    @property
    def violations(self) -> list[str]:
        found: list[str] = self.standin.violations
        return found


class RecordingSlack(SlackStandin):
    """Remembers what was sent, also when nobody lived to acknowledge it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, dict[str, Any]] = {}

    @override
    async def send(self, payload: dict[str, Any]) -> Delivery:
        if "user" in payload:
            self.sent[payload["user"]["id"]] = payload
        return await super().send(payload)


class _SlackSeat(Seat):
    standin: RecordingSlack

    @override
    async def start(self, quiz: str) -> bool:
        delivery = await self.standin.command(self.person, self.channel, f"start {quiz}")
        return delivery.acked

    @property
    @override
    def can_press_again(self) -> bool:
        return self.person.id in self.standin.sent

    @override
    async def press_again(self) -> bool:
        payload = self.standin.sent[self.person.id]
        lost = Delivery(payload=payload, status=None, seconds=0, body=None, acked=False, late=True)
        return (await self.standin.redeliver(lost)).acked

    @override
    def now(self, message: Any) -> tuple[str, list[Any]]:
        return message.text, message.blocks

    @override
    def read(self, message: Any, version: int, text: str, parts: list[Any]) -> Screen:
        buttons = {label_of(it): str(it.get("value")) for _, it in slack_buttons(parts)}
        return Screen(message, version, slack_words(parts), buttons)


class _Slack(Surface):
    redraws_after_answering = True

    def __init__(self, standin: RecordingSlack) -> None:
        self.standin = standin

    @override
    def newcomer(self, name: str) -> Seat:
        person = self.standin.person(name)
        channel = self.standin.channel(f"of-{name.lower()}")
        identity = Identity("slack", self.standin.team_id, person.id)
        return _SlackSeat(self.standin, person, channel, identity)

    @property
    @override
    def settings(self) -> Mapping[str, str]:
        return {"SLACK_API_URL": self.standin.api_url, "SLACK_BOT_TOKEN": self.standin.bot_token}


class SlackOverSocket(_Slack):
    name = "slack-socket"

    @property
    @override
    def settings(self) -> Mapping[str, str]:
        return {**super().settings, "SLACK_APP_TOKEN": self.standin.app_token}

    @override
    async def joined(self, program: Program) -> None:
        await program.says("Latih is in Slack")
        await self.standin.connected(timeout=_ANSWERED)


class SlackOverHttp(_Slack):
    name = "slack-http"

    @property
    @override
    def settings(self) -> Mapping[str, str]:
        return {**super().settings, "SLACK_SIGNING_SECRET": self.standin.signing_secret}

    @override
    async def joined(self, program: Program) -> None:
        line = await program.says("Latih listens for Slack on ")
        self.standin.speak_http_to(line.rpartition(" ")[2])


class _DiscordSeat(Seat):
    standin: DiscordStandin

    @override
    async def start(self, quiz: str) -> bool:
        delivery = await self.standin.command(self.person, self.channel, "/quiz start", quiz=quiz)
        return delivery.acked

    @override
    def is_shown(self, message: Any) -> bool:
        """A deferral is nothing to see yet."""
        return super().is_shown(message) and not message.loading

    @override
    def now(self, message: Any) -> tuple[str, list[Any]]:
        return message.content, message.components

    @override
    def read(self, message: Any, version: int, text: str, parts: list[Any]) -> Screen:
        buttons = {str(it.get("label")): str(it["custom_id"]) for it in discord_buttons(parts)}
        return Screen(message, version, discord_words(text, [], parts), buttons)


class Discord(Surface):
    name = "discord"
    redraws_after_answering = False

    def __init__(self, standin: DiscordStandin) -> None:
        self.standin = standin

    @property
    @override
    def settings(self) -> Mapping[str, str]:
        return {
            "DISCORD_TOKEN": self.standin.bot_token,
            "DISCORD_API_URL": self.standin.api_url,
            "DISCORD_GATEWAY_URL": self.standin.gateway_url,
        }

    @override
    async def joined(self, program: Program) -> None:
        await self.standin.connected(timeout=_ANSWERED)

    @override
    def newcomer(self, name: str) -> Seat:
        person = self.standin.person(name)
        channel = self.standin.channel(f"of-{name.lower()}")
        return _DiscordSeat(self.standin, person, channel, Identity("discord", "", person.id))
