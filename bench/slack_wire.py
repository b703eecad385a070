"""The other side of the wire: connections that post presses, and a Slack that takes replies."""

import asyncio
import json
from typing import Any

from typing_extensions import override

_OK = b'{"ok": true, "team_id": "T0BENCH0001", "user_id": "U0BENCHBOT1", "bot_id": "B0BENCHBOT1"}'
_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(_OK)
) + _OK


class Connection(asyncio.Protocol):
    """One keep-alive connection; a request goes out when the last one was answered."""

    def __init__(self) -> None:
        self._received = b""
        self._answer: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, port: int) -> "Connection":
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(cls, "127.0.0.1", port)
        return connection

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionError("the server hung up"))

    @override
    def data_received(self, data: bytes) -> None:
        self._received += data
        message = _message(self._received)
        if message is not None and self._answer is not None:
            self._received = b""
            self._answer.set_result(message)

    async def post(self, request: bytes) -> bytes:
        """The body of the answer, which must be 200."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        answer = await self._answer
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise AssertionError(answer[:200])
        return answer.partition(b"\r\n\r\n")[2]

    async def get(self, path: str) -> Any:
        request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n"
        return json.loads(await self.post(request.encode()))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Slack(asyncio.Protocol):
    """Says yes to everything that is posted."""

    taken = 0

    def __init__(self) -> None:
        self._received = b""
        self._transport: asyncio.Transport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @override
    def data_received(self, data: bytes) -> None:
        self._received += data
        if _message(self._received) is not None and self._transport is not None:
            self._received = b""
            Slack.taken += 1
            self._transport.write(_ANSWER)


def _message(received: bytes) -> bytes | None:
    """What was received once it is a whole message."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return None
    lower = head.lower()
    at = lower.find(b"\r\ncontent-length:")
    size = int(lower[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    return received if len(body) >= size else None
