"""What Discord holds: servers, channels, people, messages, and what it noticed."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import IntEnum, IntFlag
from typing import Any, TypeVar

from tests.standins.discord_words import Component, buttons_in, words_of

T = TypeVar("T")

EPOCH = 1_420_070_400_000
NONCES_LAST = timedelta(minutes=3)


def wall_clock() -> datetime:
    return datetime.now(UTC)


class Permission(IntFlag):
    """Those bits of Discord's permissions that a quiz bot can meet."""

    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    USE_APPLICATION_COMMANDS = 1 << 31
    SEND_MESSAGES_IN_THREADS = 1 << 38


NO_PERMISSION = Permission(0)
EVERYONE = ~(Permission.ADMINISTRATOR | Permission.MANAGE_GUILD)


class Flag(IntFlag):
    """Of a message."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SILENT = 1 << 12
    COMPONENTS_V2 = 1 << 15


NO_FLAG = Flag(0)


class Kind(IntEnum):
    """Of a channel."""

    TEXT = 0
    DIRECT = 1
    THREAD = 11


@dataclass(frozen=True, kw_only=True)
class Application:
    """The app as Discord knows it; the bot's user has the same id."""

    id: str
    name: str = "latih"
    flags: int = 0
    needs_code_grant: bool = False
    interactions_endpoint: str | None = None


@dataclass(eq=False, kw_only=True)
class DiscordPerson:
    id: str
    name: str
    locale: str = "en-US"
    manager: bool = False
    bot: bool = False
    refuses_direct: bool = False

    @property
    def permissions(self) -> Permission:
        return EVERYONE | Permission.MANAGE_GUILD if self.manager else EVERYONE


@dataclass(eq=False, kw_only=True)
class Guild:
    """A server; `members` are the people in it."""

    id: str
    name: str
    locale: str = "en-US"
    bot_is_member: bool = True
    members: list[DiscordPerson] = field(default_factory=list)


@dataclass(eq=False, kw_only=True)
class Channel:
    """A channel or a thread of a server, or with `person` the direct view of that person."""

    id: str
    name: str
    kind: Kind = Kind.TEXT
    guild: Guild | None = None
    person: DiscordPerson | None = None
    parent: str | None = None
    locked: bool = False
    denied: Permission = NO_PERMISSION

    @property
    def granted(self) -> Permission:
        """What the bot may do here."""
        return EVERYONE & ~self.denied

    def has(self, person: DiscordPerson) -> bool:
        return person in self.guild.members if self.guild else person is self.person


@dataclass(eq=False, kw_only=True)
class Message:
    """A message of the bot; `ephemeral_to` names the only person who sees it."""

    id: str
    channel: Channel
    at: datetime
    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    flags: Flag = NO_FLAG
    ephemeral_to: DiscordPerson | None = None
    reply_to: str | None = None
    nonce: str | int | None = None
    source: dict[str, Any] | None = None
    edited_at: datetime | None = None
    deleted: bool = False
    dismissed: bool = False
    versions: list[tuple[str, list[Component]]] = field(default_factory=list)

    @property
    def buttons(self) -> list[str]:
        return [str(button.get("label", "")) for button in buttons_in(self.components)]

    @property
    def words(self) -> str:
        return words_of(self.content, self.embeds, self.components)

    @property
    def loading(self) -> bool:
        """Deferred: the person sees that the bot is thinking."""
        return Flag.LOADING in self.flags


@dataclass(kw_only=True)
class Call:
    """One request of the bot; `route` is its path with the ids left open."""

    method: str
    path: str
    route: str
    query: dict[str, str]
    body: Any
    at: datetime
    status: int = 0
    error: int | None = None

    @property
    def what(self) -> str:
        return f"{self.method} {self.route}"


class World:
    """The state that every door of the stand-in reads and changes."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        self.now = now
        self._last_id = 0
        self.base = ""
        self.application = Application(id=self.new_id())
        self.bot_token = f"{self.application.id}.stand-in.bot-token"
        self.people: dict[str, DiscordPerson] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: list[Message] = []
        self.commands: dict[str | None, list[dict[str, Any]]] = {None: []}
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.errors: dict[str, list[str]] = {}
        self.announce: Callable[[str, dict[str, Any], Guild | None], None] = lambda *_: None
        self._change = asyncio.Event()

    def new_id(self) -> str:
        """A snowflake: it holds its time, ascending also while the clock stands still."""
        milliseconds = int(self.now().timestamp() * 1000) - EPOCH
        self._last_id = max(self._last_id + 1, milliseconds << 22)
        return str(self._last_id)

    def changed(self) -> None:
        """Wake everyone who waits for a change, without polling."""
        self._change.set()
        self._change = asyncio.Event()

    async def happens(self, predicate: Callable[[], T], *, seconds: float) -> T:
        """The predicate's value when it is true or the time is over; asked at each change."""
        try:
            async with asyncio.timeout(seconds):
                while not (value := predicate()):
                    await self._change.wait()
        except TimeoutError:
            return predicate()
        return value

    async def until(self, predicate: Callable[[], T], *, seconds: float) -> T:
        value = await self.happens(predicate, seconds=seconds)
        assert value, f"not within {seconds:g} s\n{self.picture()}"
        return value

    def violate(self, what: str) -> None:
        self.violations.append(what)
        self.changed()

    def show_error(self, person: DiscordPerson, error: str) -> None:
        self.errors.setdefault(person.id, []).append(error)
        self.changed()

    def direct(self, person: DiscordPerson) -> Channel:
        """The direct view of that person, made when it is first needed."""
        for channel in self.channels.values():
            if channel.person is person:
                return channel
        new = Channel(
            id=self.new_id(), name=f"direct-{person.name}", kind=Kind.DIRECT, person=person
        )
        self.channels[new.id] = new
        return new

    def put(self, message: Message) -> Message:
        self.messages.append(message)
        self.changed()
        return message

    def remembered(self, message: Message) -> None:
        """Before it is redrawn: what it shows now stays pressable as an old version."""
        message.versions.append((message.content, message.components))
        message.edited_at = self.now()

    def remove(self, message: Message) -> None:
        message.deleted = True
        self.changed()

    def find(self, message_id: str) -> Message | None:
        found = (it for it in self.messages if it.id == message_id and not it.deleted)
        return next(found, None)

    def with_nonce(self, nonce: str | int) -> Message | None:
        """The message that carried that nonce in the past few minutes."""
        since = self.now() - NONCES_LAST
        found = (it for it in self.messages if it.nonce == nonce and it.at >= since)
        return next(found, None)

    def seen_by(self, person: DiscordPerson, channel: Channel) -> list[Message]:
        if not channel.has(person):
            return []
        return [
            message
            for message in self.messages
            if message.channel is channel
            and not message.deleted
            and not message.dismissed
            and message.ephemeral_to in {None, person}
        ]

    def picture(self) -> str:
        """Everything that anyone sees, for the words of a failed wait."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for person in self.people.values():
            yield f"{person.name} sees"
            yield from (f"  error: {error}" for error in self.errors.get(person.id, []))
            for channel in self.channels.values():
                for message in self.seen_by(person, channel):
                    yield f"  {channel.name}: {_sketch(message)}"
        yield from (f"violation: {violation}" for violation in self.violations)
        yield from (
            f"call: {it.method} {it.path} {it.status} {it.error}" for it in self.calls[-10:]
        )


def _sketch(message: Message) -> str:
    whom = " (only they)" if message.ephemeral_to else ""
    words = "is thinking" if message.loading else " / ".join(message.words.splitlines())
    buttons = " ".join(f"[{label}]" for label in message.buttons)
    return f"{message.id}{whom} {words[:300]} {buttons}"
