"""The gateway: who identifies, what each session is told, and how a lost one is resumed."""

import json
import uuid
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.standins.discord_payloads import bot_user_payload, guild_create_payload
from tests.standins.discord_socket import Connection
from tests.standins.discord_state import Guild, World

HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME, MEMBERS = 1, 2, 3, 4, 6, 8
RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 9, 10, 11
KNOWN = {HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME, MEMBERS}
LONGEST_FRAME = 4096

GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
ALL_INTENTS = (1 << 17) - 1 | 1 << 20 | 1 << 21 | 1 << 24 | 1 << 25
WANTED_INTENT = {"INTERACTION_CREATE": 0, "READY": 0, "RESUMED": 0}
FATAL = {1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}
"""Codes after whose closing a session cannot be resumed."""


@dataclass(eq=False)
class Session:
    """What one identified client is told, kept for those who come back."""

    id: str
    intents: int
    shard: tuple[int, int]
    connection: Connection | None
    events: list[str] = field(default_factory=list)

    @property
    def live(self) -> bool:
        return self.connection is not None and self.connection.live

    def tell(self, event: str, data: dict[str, Any]) -> None:
        frame = {"op": 0, "t": event, "s": len(self.events) + 1, "d": data}
        self.events.append(json.dumps(frame))
        if self.connection is not None:
            self.connection.say_raw(self.events[-1])

    def cares(self, event: str, guild: Guild | None) -> bool:
        shard, shards = self.shard
        own = (int(guild.id) >> 22) % shards if guild else 0
        wanted = _intent(event, guild)
        return own == shard and (not wanted or bool(self.intents & wanted))


def _intent(event: str, guild: Guild | None) -> int:
    if event.startswith("MESSAGE_"):
        return GUILD_MESSAGES if guild else DIRECT_MESSAGES
    return WANTED_INTENT.get(event, GUILDS)


def _read(text: str) -> tuple[int, Any]:
    if len(text) > LONGEST_FRAME:
        raise ValueError(f"{len(text)} characters")
    frame = json.loads(text)
    return frame["op"], frame["d"]


class Gateway:
    def __init__(self, world: World, *, heartbeat: float) -> None:
        self.heartbeat = heartbeat
        self.refusing = False
        self.shards = 1
        self.starts_left = 999
        self.privileged_intents = False
        self.doomed: deque[int] = deque()
        self.log: list[str] = []
        self.heartbeats = 0
        self._world = world
        self.sessions: list[Session] = []
        self._connections: list[Connection] = []
        world.announce = self.announce

    @property
    def url(self) -> str:
        return self._world.base.replace("http", "ws", 1) + "/gateway"

    @property
    def live(self) -> list[Session]:
        """Without those that are gone but may be resumed."""
        return [session for session in self.sessions if session.live]

    def announce(self, event: str, data: dict[str, Any], guild: Guild | None) -> None:
        for session in self.sessions:
            if session.cares(event, guild):
                session.tell(event, data)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self.refusing:
            return web.Response(status=503)
        socket = web.WebSocketResponse(timeout=1.0, autoclose=False, compress=False)
        await socket.prepare(request)
        connection = Connection(request, socket)
        self._connections.append(connection)
        try:
            await self._serve(connection)
        finally:
            await connection.end()
            self._connections.remove(connection)
            self._gone(connection)
        return socket

    async def _serve(self, connection: Connection) -> None:
        if self.doomed:
            connection.close(self.doomed.popleft())
        connection.say(HELLO, {"heartbeat_interval": round(self.heartbeat * 1000)})
        while (text := await connection.hear(patience=self.heartbeat * 2 + 1)) is not None:
            self._obey(connection, text)

    def _obey(self, connection: Connection, text: str) -> None:
        try:
            op, data = _read(text)
        except (ValueError, TypeError, KeyError):
            self._throw_out(connection, 4002, "Error while decoding payload.")
            return
        session = self._session_of(connection)
        if op == HEARTBEAT:
            self.heartbeats += 1
            connection.say(HEARTBEAT_ACK)
            self._world.changed()
        elif op not in KNOWN:
            self._throw_out(connection, 4001, "Unknown opcode.")
        elif op in {IDENTIFY, RESUME} and session is not None:
            self._throw_out(connection, 4005, "Already authenticated.")
        elif op == IDENTIFY:
            self._identify(connection, data)
        elif op == RESUME:
            self._resume(connection, data)
        elif session is None:
            self._throw_out(connection, 4003, "Not authenticated.")

    def _session_of(self, connection: Connection) -> Session | None:
        mine = (it for it in self.sessions if it.connection is connection)
        return next(mine, None)

    def _throw_out(self, connection: Connection, code: int, reason: str) -> None:
        """A bot that is thrown out is at fault, save for a token that was taken from it."""
        self.log.append(f"closed {code}")
        if code != 4004:
            self._world.violate(f"gateway: {code} {reason}")
        connection.close(code, reason)

    def _identify(self, connection: Connection, data: dict[str, Any]) -> None:
        intents = int(data.get("intents", 0))
        shard, shards = data.get("shard") or (0, 1)
        if data.get("token") != self._world.bot_token:
            self._throw_out(connection, 4004, "Authentication failed.")
        elif not 0 <= shard < shards:
            self._throw_out(connection, 4010, "Invalid shard.")
        elif intents & ~ALL_INTENTS:
            self._throw_out(connection, 4013, "Invalid intent(s).")
        elif intents & PRIVILEGED and not self.privileged_intents:
            self._throw_out(connection, 4014, "Disallowed intent(s).")
        else:
            self.log.append("identified")
            self._open(connection, intents, (shard, shards))

    def _open(self, connection: Connection, intents: int, shard: tuple[int, int]) -> None:
        session = Session(uuid.uuid4().hex, intents, shard, connection)
        self.sessions.append(session)
        guilds = [it for it in self._world.guilds.values() if it.bot_is_member]
        mine = [it for it in guilds if session.cares("READY", it)]
        session.tell("READY", self._ready(session, mine))
        if intents & GUILDS:
            for guild in mine:
                session.tell("GUILD_CREATE", guild_create_payload(self._world, guild))
        self._world.changed()

    def _ready(self, session: Session, guilds: list[Guild]) -> dict[str, Any]:
        user = {**bot_user_payload(self._world), "verified": True, "email": None}
        return {
            "v": 10,
            "user": {**user, "mfa_enabled": False},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": self._world.application.id, "flags": 0},
            "private_channels": [],
            "relationships": [],
        }

    def _resume(self, connection: Connection, data: dict[str, Any]) -> None:
        session = next((it for it in self.sessions if it.id == data.get("session_id")), None)
        heard = data.get("seq") or 0
        if data.get("token") != self._world.bot_token:
            self._throw_out(connection, 4004, "Authentication failed.")
        elif session is None:
            self.log.append("resume refused")
            connection.say(INVALID_SESSION, False)
        elif heard > len(session.events):
            self.sessions.remove(session)
            self._throw_out(connection, 4007, "Invalid seq.")
        else:
            self.log.append("resumed")
            session.connection = connection
            for event in session.events[heard:]:
                connection.say_raw(event)
            session.tell("RESUMED", {"_trace": []})
            self._world.changed()

    def _gone(self, connection: Connection) -> None:
        session = self._session_of(connection)
        if session is not None:
            session.connection = None
            if connection.close_code in FATAL:
                self.sessions.remove(session)
        self._world.changed()

    # Bad days

    def drop(self, code: int | None) -> None:
        """Close every connection with that code, or cut it without a word."""
        for connection in list(self._connections):
            connection.cut() if code is None else connection.close(code)
        self._world.changed()

    def ask_to_reconnect(self) -> None:
        for session in self.live:
            assert session.connection is not None
            session.connection.say(RECONNECT)

    def invalidate(self, *, resumable: bool) -> None:
        for session in self.live:
            assert session.connection is not None
            session.connection.say(INVALID_SESSION, resumable)
            if not resumable:
                self.sessions.remove(session)

    def forget(self) -> None:
        """No session can be resumed; those with a connection go on until they lose it."""
        self.sessions = self.live
        for session in self.sessions:
            session.id = uuid.uuid4().hex

    def say_raw(self, text: str) -> None:
        for session in self.live:
            assert session.connection is not None
            session.connection.say_raw(text)

    def go_silent(self) -> None:
        for connection in self._connections:
            connection.go_silent()
        self._world.changed()
