"""What Discord sends: presses and commands as its gateway tells them, and how answers are told."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bench.world import CHANNELS, DISCORD, GUILD, now
from tests.standins.discord_gateway import Gateway
from tests.standins.discord_interactions import Asked, Interaction, Interactions, metadata
from tests.standins.discord_messages import write
from tests.standins.discord_payloads import (
    application_payload,
    bot_user_payload,
    guild_create_payload,
    message_payload,
)
from tests.standins.discord_state import Channel, DiscordPerson, Flag, Guild, Message, World
from tests.standins.discord_words import every, pressed

Json: TypeAlias = dict[str, Any]

STREAM_HEAD = b"\x78\x9c"
"""How a zlib stream begins; nothing else in it depends on the order of its frames."""

_HEARTBEAT = 41_250
_EPHEMERAL = int(Flag.EPHEMERAL | Flag.COMPONENTS_V2)


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did: the frame that tells of it, and the start of what answers the answer."""

    id: str
    frame: bytes
    message: Json
    told: Json

    def answered(self, sent: Json) -> Json:
        """How Discord answers what was `sent`, whose components it numbers."""
        components = sent["data"]["components"]
        for number, component in enumerate(every(components), 1):
            component["id"] = number
        message = {**self.message, "components": components}
        return {"interaction": self.told, "resource": {"type": sent["type"], "message": message}}


class Lab:
    """One server with its channels, and the application that is installed in it."""

    def __init__(self) -> None:
        self._world = World(now=now)
        self._gateway = Gateway(self._world, heartbeat=_HEARTBEAT / 1000)
        self._interactions = Interactions(
            self._world, self._gateway, deadline=3.0, token_life=900.0
        )
        self._guild = Guild(id=GUILD, name="Bench")
        self._world.guilds[GUILD] = self._guild
        for number in range(CHANNELS):
            place = Channel(id=DISCORD.channel(number), name=f"quiz-{number}", guild=self._guild)
            self._world.channels[place.id] = place

    @property
    def bot(self) -> Json:
        return bot_user_payload(self._world)

    @property
    def application(self) -> Json:
        return application_payload(self._world)

    def hello(self) -> bytes:
        return STREAM_HEAD + deflated({"op": 10, "d": {"heartbeat_interval": _HEARTBEAT}})

    def ready(self, gateway: str) -> list[bytes]:
        """What a session is told first."""
        told = {
            "v": 10,
            "user": {**self.bot, "verified": True, "email": None, "mfa_enabled": False},
            "guilds": [{"id": GUILD, "unavailable": True}],
            "session_id": "bench",
            "resume_gateway_url": gateway,
            "application": {"id": self._world.application.id, "flags": 0},
        }
        return [
            _event("READY", told),
            _event("GUILD_CREATE", guild_create_payload(self._world, self._guild)),
        ]

    def press(self, user: str, channel: str, custom_id: str, shown: Sequence[Json]) -> Act:
        """A press on a private message of ours that shows these components."""
        person, place = self._person(user), self._world.channels[channel]
        source = self._begin(Asked.COMMAND, _start("checkpointing"), person, place)
        message = write(
            self._world,
            "a screen",
            place,
            {"flags": _EPHEMERAL, "components": shown},
            ephemeral_to=person,
            source=metadata(source),
        )
        data = pressed(message.components, custom_id)
        return self._act(self._begin(Asked.COMPONENT, data, person, place, message), message)

    def start(self, user: str, channel: str, quiz: str) -> Act:
        """`/quiz start`, typed; the message is the one that the answer will be."""
        person, place = self._person(user), self._world.channels[channel]
        command = self._begin(Asked.COMMAND, _start(quiz), person, place)
        message = Message(
            id=self._world.new_id(),
            channel=place,
            at=now(),
            flags=Flag(_EPHEMERAL),
            ephemeral_to=person,
            source=metadata(command),
        )
        return self._act(command, message)

    def _person(self, user: str) -> DiscordPerson:
        return DiscordPerson(id=user, name=f"engineer-{int(user[1:])}")

    def _begin(
        self,
        asked: Asked,
        data: Json,
        person: DiscordPerson,
        place: Channel,
        message: Message | None = None,
    ) -> Interaction:
        return self._interactions.begin(
            asked, data, what="bench", person=person, channel=place, message=message
        )

    def _act(self, interaction: Interaction, message: Message) -> Act:
        told = {
            "id": interaction.id,
            "type": int(interaction.asked),
            "response_message_id": message.id,
            "response_message_loading": False,
            "response_message_ephemeral": True,
        }
        frame = _event("INTERACTION_CREATE", interaction.payload)
        return Act(interaction.id, frame, message_payload(self._world, message), told)


def deflated(frame: Json) -> bytes:
    """A frame as a piece of a zlib stream that refers to no other piece."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflate.compress(json.dumps(frame).encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)


def _event(name: str, data: Json) -> bytes:
    return deflated({"op": 0, "t": name, "s": 1, "d": data})


def _start(quiz: str) -> Json:
    option = {"type": 3, "name": "quiz", "value": quiz}
    verb = {"type": 1, "name": "start", "options": [option]}
    return {"id": "700000000000000001", "name": "quiz", "type": 1, "options": [verb]}
