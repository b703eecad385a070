"""What people do, as Discord hands it to the bot: the three seconds, and what they then see."""

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from tests.standins.discord_gateway import Gateway
from tests.standins.discord_payloads import (
    acting_channel_payload,
    acting_member_payload,
    message_payload,
    user_payload,
)
from tests.standins.discord_state import Channel, DiscordPerson, Flag, Message, World
from tests.standins.discord_words import Component

NO_ANSWER = "The application did not respond"


class Asked(IntEnum):
    """What an interaction is: a command, a press, a half-typed option, a filled-in form."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(IntEnum):
    """The types of a first answer."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(eq=False, kw_only=True)
class Interaction:
    """One thing that a person did, and all that the bot answered to it.

    `filled` is false from a deferral until something follows it.
    """

    id: str
    token: str
    asked: Asked
    what: str
    person: DiscordPerson
    channel: Channel
    born: float
    message: Message | None
    payload: dict[str, Any] = field(default_factory=dict)
    answer: Answer | None = None
    lost: bool = False
    original: Message | None = None
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] = field(default_factory=list)
    filled: bool = True
    attempts: int = 0
    refusals: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What became of one command, press or form that Discord handed to the bot."""

    interaction: Interaction
    acked: bool
    late: bool
    seconds: float

    @property
    def payload(self) -> dict[str, Any]:
        return self.interaction.payload

    @property
    def answer(self) -> Answer | None:
        return self.interaction.answer

    @property
    def message(self) -> Message | None:
        """The message that the answer made or changed."""
        return self.interaction.original

    @property
    def modal(self) -> dict[str, Any] | None:
        return self.interaction.modal

    @property
    def choices(self) -> list[dict[str, Any]]:
        return self.interaction.choices

    @property
    def refusals(self) -> list[int]:
        """Discord's codes for the answers that it did not take."""
        return self.interaction.refusals


class Interactions:
    """All of them by token, and the way of each to the bot."""

    def __init__(
        self, world: World, gateway: Gateway, *, deadline: float, token_life: float
    ) -> None:
        self.deadline = deadline
        self.token_life = token_life
        self._world = world
        self._gateway = gateway
        self._by_token: dict[str, Interaction] = {}

    def find(self, token: str) -> Interaction | None:
        return self._by_token.get(token)

    def expired(self, interaction: Interaction) -> bool:
        return self._clock() - interaction.born > self.token_life

    def expire_all(self) -> None:
        """As if the fifteen minutes of every token so far had passed."""
        for interaction in self._by_token.values():
            interaction.born -= self.token_life

    def begin(
        self,
        asked: Asked,
        data: dict[str, Any],
        *,
        what: str,
        person: DiscordPerson,
        channel: Channel,
        message: Message | None = None,
        shows: list[Component] | None = None,
    ) -> Interaction:
        """`shows` is what the person still saw of the message when they pressed it."""
        interaction = Interaction(
            id=self._world.new_id(),
            token=secrets.token_urlsafe(60),
            asked=asked,
            what=what,
            person=person,
            channel=channel,
            born=self._clock(),
            message=message,
        )
        interaction.payload = self._payload(interaction, data)
        if message is not None:
            told = message_payload(self._world, message)
            seen = {} if shows is None else {"components": shows}
            interaction.payload["message"] = told | seen
        self._by_token[interaction.token] = interaction
        return interaction

    def _clock(self) -> float:
        return asyncio.get_running_loop().time()

    def _payload(self, interaction: Interaction, data: dict[str, Any]) -> dict[str, Any]:
        person, channel, guild = interaction.person, interaction.channel, interaction.channel.guild
        payload: dict[str, Any] = {
            "id": interaction.id,
            "application_id": self._world.application.id,
            "type": int(interaction.asked),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": channel.id,
            "channel": acting_channel_payload(self._world, channel, person),
            "locale": person.locale,
            "app_permissions": str(int(channel.granted)),
            "entitlements": [],
            "attachment_size_limit": 10 * 2**20,
            "context": 0 if guild else 1,
            "authorizing_integration_owners": {"0": guild.id if guild else "0"},
        }
        if guild is None:
            payload["user"] = user_payload(person)
        else:
            partial = {"id": guild.id, "locale": guild.locale, "features": []}
            payload |= {"guild_id": guild.id, "guild": partial, "guild_locale": guild.locale}
            payload["member"] = acting_member_payload(person)
        return payload

    async def deliver(self, interaction: Interaction, *, copies: int = 1) -> Delivery:
        """To every session of the shard; past the deadline the person sees an error."""
        attempts, started = interaction.attempts, self._clock()
        for _ in range(copies):
            guild = interaction.channel.guild
            self._gateway.announce("INTERACTION_CREATE", interaction.payload, guild)
        await self._world.happens(
            lambda: interaction.answer and interaction.attempts >= attempts + copies,
            seconds=self.deadline if self._gateway.sessions else 0,
        )
        late = interaction.answer is None
        if late and not interaction.lost:
            self._too_late(interaction)
        return Delivery(
            interaction=interaction,
            acked=not late,
            late=late,
            seconds=self._clock() - started,
        )

    def _too_late(self, interaction: Interaction) -> None:
        """A bot that is down is bad luck; one that is there and silent is at fault."""
        interaction.lost = True
        if interaction.asked is Asked.AUTOCOMPLETE:
            self._world.show_error(interaction.person, "Loading options failed")
        else:
            self._world.show_error(interaction.person, f"{interaction.what}: {NO_ANSWER}")
        if self._gateway.live:
            words = f"not answered within {self.deadline:g} s"
            self._world.violate(f"{interaction.what}: {words}")


def metadata(interaction: Interaction) -> dict[str, Any]:
    """What a message remembers of the interaction that it answers."""
    guild = interaction.channel.guild
    told: dict[str, Any] = {
        "id": interaction.id,
        "type": int(interaction.asked),
        "user": user_payload(interaction.person),
        "authorizing_integration_owners": {"0": guild.id if guild else "0"},
    }
    if interaction.asked is Asked.COMPONENT and interaction.message is not None:
        told["interacted_message_id"] = interaction.message.id
    if interaction.asked is Asked.MODAL:
        source = interaction.message.source if interaction.message else None
        told["triggering_interaction_metadata"] = source or {**told, "type": 2}
    return told


def ephemeral(interaction: Interaction, flags: int) -> DiscordPerson | None:
    return interaction.person if Flag.EPHEMERAL in Flag(flags) else None
