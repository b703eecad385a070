"""What the one workspace holds: people, channels, messages, and what Slack noticed."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from tests.standins.slack_words import Block, buttons_in, label_of, shown, words_of

T = TypeVar("T")

SCOPES = ("commands", "chat:write", "users:read", "channels:read", "groups:read", "im:write")


def wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class SlackApp:
    """The installed app as Slack knows it: its ids and its secrets."""

    app_id: str = "A0000LATIH"
    bot_id: str = "B0000LATIH"
    bot_user_id: str = "U0000LATIH"
    bot_token: str = "xoxb-stand-in-bot-token"
    app_token: str = "xapp-1-stand-in-app-token"
    signing_secret: str = "stand-in-signing-secret"
    verification_token: str = "stand-in-verification"


@dataclass(eq=False, kw_only=True)
class SlackPerson:
    id: str
    name: str
    admin: bool = False
    owner: bool = False
    locale: str = "en-US"
    bot: bool = False
    guest: bool = False
    gone: bool = False


@dataclass(eq=False, kw_only=True)
class Channel:
    """A channel, or with `person` the direct view of that person and the bot."""

    id: str
    name: str
    private: bool = False
    bot_is_member: bool = True
    archived: bool = False
    person: str | None = None
    absent: set[str] = field(default_factory=set)

    def has(self, person: str) -> bool:
        if self.person is not None:
            return person == self.person
        return person not in self.absent


@dataclass(eq=False, kw_only=True)
class Message:
    """A message of the bot; `ephemeral_to` names the only person who sees it."""

    ts: str
    channel: str
    text: str
    blocks: list[Block]
    ephemeral_to: str | None = None
    thread_ts: str | None = None
    metadata: dict[str, Any] | None = None
    deleted: bool = False
    versions: list[tuple[str, list[Block]]] = field(default_factory=list)

    @property
    def buttons(self) -> list[str]:
        return [label_of(button) for _, button in buttons_in(self.blocks)]

    @property
    def words(self) -> str:
        return words_of(self.blocks) if self.blocks else shown(self.text)


@dataclass(kw_only=True)
class Call:
    """One request of the bot to Slack: a Web API method, or `response_url`."""

    method: str
    args: dict[str, Any]
    at: datetime
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What became of one command or press that Slack handed to the bot."""

    payload: dict[str, Any]
    status: int | None
    seconds: float
    body: dict[str, Any] | None
    acked: bool
    late: bool


class Workspace:
    """The state that every door of the stand-in reads and changes."""

    def __init__(self, *, team_id: str, now: Callable[[], datetime]) -> None:
        self.team_id = team_id
        self.domain = "latih-test"
        self.app = SlackApp()
        self.scopes = list(SCOPES)
        self.now = now
        self.people: dict[str, SlackPerson] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: list[Message] = []
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.errors: dict[str, list[str]] = {}
        self._numbers = itertools.count(1)
        self._change = asyncio.Event()

    def new_id(self, prefix: str) -> str:
        return f"{prefix}0{next(self._numbers):09X}"

    def new_ts(self) -> str:
        """Unique and ascending, also while the clock stands still."""
        return f"{int(self.now().timestamp())}.{next(self._numbers):06d}"

    def changed(self) -> None:
        """Wake everyone who waits for a change, without polling."""
        self._change.set()
        self._change = asyncio.Event()

    async def until(self, predicate: Callable[[], T], *, seconds: float) -> T:
        """The predicate's value as soon as it is true; it is asked again at each change."""
        try:
            async with asyncio.timeout(seconds):
                while not (value := predicate()):
                    await self._change.wait()
        except TimeoutError:
            raise AssertionError(f"not within {seconds:g} s\n{self.picture()}") from None
        return value

    def violate(self, what: str) -> None:
        self.violations.append(what)
        self.changed()

    def show_error(self, person: str, error: str) -> None:
        self.errors.setdefault(person, []).append(error)
        self.changed()

    def direct(self, person: str) -> Channel:
        return next(it for it in self.channels.values() if it.person == person)

    def post(
        self,
        *,
        channel: str,
        text: str,
        blocks: Sequence[Block],
        ephemeral_to: str | None = None,
        thread_ts: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Message:
        message = Message(
            ts=self.new_ts(),
            channel=channel,
            text=text,
            blocks=list(blocks),
            ephemeral_to=ephemeral_to,
            thread_ts=thread_ts,
            metadata=metadata,
        )
        self.messages.append(message)
        self.changed()
        return message

    def redraw(self, message: Message, *, text: str, blocks: Sequence[Block]) -> None:
        message.versions.append((message.text, message.blocks))
        message.text, message.blocks = text, list(blocks)
        self.changed()

    def remove(self, message: Message) -> None:
        message.deleted = True
        self.changed()

    def seen_by(self, person: str, channel: str) -> list[Message]:
        if not self.channels[channel].has(person):
            return []
        return [
            message
            for message in self.messages
            if message.channel == channel
            and not message.deleted
            and message.ephemeral_to in {None, person}
        ]

    def picture(self) -> str:
        """Everything that anyone sees, for the words of a failed wait."""
        lines = []
        for person in self.people.values():
            lines.append(f"{person.name} sees")
            lines += [f"  error: {error}" for error in self.errors.get(person.id, [])]
            for channel in self.channels.values():
                lines += [
                    f"  {channel.name}: {_sketch(message)}"
                    for message in self.seen_by(person.id, channel.id)
                ]
        lines += [f"violation: {violation}" for violation in self.violations]
        lines += [f"call: {call.method} {call.error or 'ok'}" for call in self.calls[-10:]]
        return "\n".join(lines)


def _sketch(message: Message) -> str:
    whom = " (only they)" if message.ephemeral_to else ""
    words = " / ".join(message.words.splitlines())
    buttons = " ".join(f"[{label}]" for label in message.buttons)
    return f"{message.ts}{whom} {words[:300]} {buttons}"
