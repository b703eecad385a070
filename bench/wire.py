"""Bare HTTP on both sides of a loopback connection: one that asks, and a door that answers."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from typing_extensions import override


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


class Door(asyncio.Protocol):
    """Whole requests in, whole answers out."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self._answer = answer
        self._received = b""
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, answer: Callable[[bytes], bytes]) -> tuple[asyncio.Server, str]:
        """A server of such doors, and where it is."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: cls(answer), "127.0.0.1", 0)
        return server, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @override
    def data_received(self, data: bytes) -> None:
        self._received += data
        request = _message(self._received)
        if request is not None and self._transport is not None:
            self._received = b""
            self._transport.write(self._answer(request))


def ok(body: bytes, *headers: str) -> bytes:
    """The answer 200 with JSON."""
    head = ("HTTP/1.1 200 OK", "Content-Type: application/json", *headers)
    return "\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode() + body


def _message(received: bytes) -> bytes | None:
    """What was received once it is a whole message."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return None
    lower = head.lower()
    at = lower.find(b"\r\ncontent-length:")
    size = int(lower[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    return received if len(body) >= size else None
