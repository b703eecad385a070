"""Socket Mode: tickets, hello, envelopes to one of the live connections, acknowledgements."""

import asyncio
import itertools
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import WSMsgType, web

from tests.standins.slack_state import Workspace

MOST_CONNECTIONS = 10


class UnreachableError(Exception):
    """Nobody listens: Slack cannot even hand the payload over."""


@dataclass(frozen=True)
class Answer:
    """What came back for a payload, in time or not."""

    status: int | None
    body: dict[str, Any] | None


@dataclass(eq=False)
class Connection:
    request: web.Request
    socket: web.WebSocketResponse
    leaving: bool = False
    silent: bool = False


class Sockets:
    def __init__(self, workspace: Workspace) -> None:
        self.base = ""
        self.refusing = False
        self._workspace = workspace
        self._tickets: set[str] = set()
        self._connections: list[Connection] = []
        self._turn = itertools.count()
        self._waiting: dict[str, asyncio.Future[Answer]] = {}
        self._sent: set[str] = set()

    @property
    def live(self) -> list[Connection]:
        """Those that Slack still gives work to: a leaving one is only waited for."""
        return [it for it in self._connections if not it.leaving and not it.socket.closed]

    def ticket_url(self) -> str:
        ticket = uuid.uuid4().hex
        self._tickets.add(ticket)
        return f"{self.base}/link/?ticket={ticket}&app_id={self._workspace.app.app_id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if self.refusing:
            return web.Response(status=503)
        if ticket not in self._tickets:
            return web.Response(status=403)
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse(timeout=1.0)
        await socket.prepare(request)
        if len(self.live) >= MOST_CONNECTIONS:
            await self._turn_away(socket)
        else:
            await self._serve(Connection(request, socket))
        return socket

    async def _turn_away(self, socket: web.WebSocketResponse) -> None:
        self._workspace.violate(f"socket: more than {MOST_CONNECTIONS} connections")
        await socket.send_json({"type": "disconnect", "reason": "too_many_websockets"})
        await socket.close()

    async def _serve(self, connection: Connection) -> None:
        await connection.socket.send_json(self._hello())
        self._connections.append(connection)
        self._workspace.changed()
        try:
            async for message in connection.socket:
                if message.type is WSMsgType.TEXT:
                    self._hear(message.data)
        finally:
            self._connections.remove(connection)
            self._workspace.changed()

    def _hello(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "num_connections": len(self.live) + 1,
            "connection_info": {"app_id": self._workspace.app.app_id},
            "debug_info": {"host": "applink-1", "approximate_connection_time": 18_060},
        }

    def _hear(self, raw: str) -> None:
        """An acknowledgement names its envelope; anything else is not understood."""
        try:
            frame = json.loads(raw)
            envelope = str(frame["envelope_id"])
        except (ValueError, KeyError, TypeError):
            self._workspace.violate(f"socket: not an acknowledgement: {raw[:80]}")
            return
        if envelope not in self._sent:
            self._workspace.violate(f"socket: acknowledged an unknown envelope {envelope}")
        waiting = self._waiting.pop(envelope, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(Answer(None, frame.get("payload") or None))

    async def send(self, payload: Mapping[str, Any], *, retry: tuple[int, str] | None) -> Answer:
        """Hand the payload to the next live connection and wait for its acknowledgement."""
        live = self.live
        if not live:
            raise UnreachableError("no socket is connected")
        envelope = str(uuid.uuid4())
        self._sent.add(envelope)
        waiting: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[envelope] = waiting
        try:
            connection = live[next(self._turn) % len(live)]
            await connection.socket.send_json(_envelope(envelope, payload, retry))
            return await waiting
        except ConnectionError as error:
            raise UnreachableError(str(error)) from error
        finally:
            self._waiting.pop(envelope, None)

    async def ask_to_refresh(self, *, reason: str) -> None:
        """Slack asks for a new connection and gives the old one no more work."""
        for connection in self.live:
            connection.leaving = True
            await connection.socket.send_json(
                {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}}
            )
        self._workspace.changed()

    def drop(self) -> None:
        """Cut every connection in the middle, without a goodbye."""
        for connection in self._connections:
            connection.leaving = True
            if connection.request.transport is not None:
                connection.request.transport.abort()
        self._workspace.changed()

    def go_silent(self) -> None:
        """Neither hear nor say anything on the connections there are, and close none of them."""
        for connection in self._connections:
            connection.leaving = connection.silent = True
            if connection.request.transport is not None:
                connection.request.transport.pause_reading()
        self._workspace.changed()

    async def close(self) -> None:
        for connection in list(self._connections):
            if connection.silent and connection.request.transport is not None:
                connection.request.transport.abort()
            else:
                await connection.socket.close()


def _envelope(
    envelope: str, payload: Mapping[str, Any], retry: tuple[int, str] | None
) -> dict[str, Any]:
    frame: dict[str, Any] = {
        "envelope_id": envelope,
        "type": "slash_commands" if "command" in payload else "interactive",
        "accepts_response_payload": True,
        "payload": payload,
    }
    if retry is not None:
        frame |= {"retry_attempt": retry[0], "retry_reason": retry[1]}
    return frame
