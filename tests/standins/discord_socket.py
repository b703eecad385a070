"""One connection to the gateway: frames out in order, compressed as the client asked for."""

import asyncio
import json
import zlib
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web


class Connection:
    """Whatever is said is sent by one task, so that nothing overtakes and nobody waits."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self._request = request
        self._socket = socket
        self._outgoing: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()
        self._over = asyncio.Event()
        compressed = request.query.get("compress") == "zlib-stream"
        self._deflate = zlib.compressobj() if compressed else None
        self._silent = False
        self._farewell: int | None = None
        self._pump = asyncio.create_task(self._send_all())

    @property
    def live(self) -> bool:
        """Whether what is said now can still arrive."""
        return not (self._silent or self._over.is_set() or self._farewell or self._socket.closed)

    @property
    def close_code(self) -> int | None:
        """Of whoever closed first; none when the line was cut."""
        return self._farewell or self._socket.close_code

    def say(self, op: int, data: Any = None) -> None:
        self.say_raw(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def say_raw(self, text: str) -> None:
        if self.live:
            self._outgoing.put_nowait(text)

    def close(self, code: int, reason: str = "") -> None:
        """After all that was said before."""
        if self.live:
            self._farewell = code
            self._outgoing.put_nowait((code, reason))

    def cut(self) -> None:
        """In the middle, without a goodbye."""
        self._over.set()
        if self._request.transport is not None:
            self._request.transport.abort()

    def go_silent(self) -> None:
        """Half open: the line stands, and nothing comes or is heard any more."""
        self._silent = True

    async def end(self) -> None:
        """Leave nothing behind; a goodbye that was announced is still said."""
        if self._farewell is None:
            self._pump.cancel()
        await asyncio.wait({self._pump})

    async def _send_all(self) -> None:
        """A peer that is gone is noticed by the reader."""
        with suppress(ConnectionError):
            while True:
                match await self._outgoing.get():
                    case str() as text:
                        await self._send(text)
                    case (code, reason):
                        await self._socket.close(code=code, message=reason.encode())
                        return

    async def _send(self, text: str) -> None:
        if self._deflate is None:
            await self._socket.send_str(text)
            return
        packed = self._deflate.compress(text.encode()) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
        await self._socket.send_bytes(packed)

    async def hear(self, *, patience: float) -> str | None:
        """The next thing that the client says; None when there will be no more.

        Who says nothing for `patience` seconds has missed a heartbeat.
        """
        while True:
            try:
                message = await self._socket.receive(timeout=patience)
            except TimeoutError:
                self.close(4009, "Session timed out.")
                continue
            if self._silent:
                await self._over.wait()
                return None
            if message.type is WSMsgType.TEXT:
                return str(message.data)
            if message.type is WSMsgType.CLOSE:
                await self._socket.close()
            return None
