"""Discord as a bot meets it, at the least: a gateway that tells, and an API that takes answers."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

from bench.discord_body import Act, Lab, deflated
from bench.sides import listen
from bench.wire import Door, ok

_PATIENCE = 60.0  # seconds for an answer; errors of a bot are in its log
_LIMITS = ("X-RateLimit-Limit: 50", "X-RateLimit-Remaining: 49", "X-RateLimit-Reset-After: 1.000")


class Discord:
    """Every bot identifies with a token of its own, by which it is then told of acts."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._bots: dict[str, web.WebSocketResponse] = {}
        self._open: dict[str, tuple[Act, asyncio.Future[Any]]] = {}
        self.api_url = ""
        self.gateway_url = ""

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        port = await listen([web.get("/gateway", self._gateway)])
        door, url = await Door.open(self._answer)
        self.gateway_url, self.api_url = f"ws://127.0.0.1:{port}/gateway", f"{url}/api/v10"
        async with door:
            yield

    async def tell(self, bot: str, act: Act) -> Any:
        """Tell a bot of an act; what it answers."""
        answer = asyncio.get_running_loop().create_future()
        self._open[act.id] = act, answer
        await self._bots[bot].send_bytes(act.frame)
        async with asyncio.timeout(_PATIENCE):
            return await answer

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        assert request.query["compress"] == "zlib-stream", request.query
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        await socket.send_bytes(self._lab.hello())
        async for message in socket:
            assert message.type is WSMsgType.TEXT
            await self._hear(socket, json.loads(message.data))
        return socket

    async def _hear(self, socket: web.WebSocketResponse, said: Any) -> None:
        match said["op"]:
            case 1:  # a heartbeat
                await socket.send_bytes(deflated({"op": 11}))
            case 2:  # a bot that identifies itself
                self._bots[said["d"]["token"]] = socket
                for frame in self._lab.ready(self.gateway_url):
                    await socket.send_bytes(frame)

    def _answer(self, request: bytes) -> bytes:
        head, _, body = request.partition(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].decode().removeprefix("/api/v10")
        match path.split("/")[1:]:
            case ["interactions", act_id, _, _]:
                act, answer = self._open.pop(act_id)
                sent = json.loads(body)
                answer.set_result(sent)
                told = act.answered(sent)
            case ["users", "@me"]:
                told = self._lab.bot
            case ["oauth2", "applications", "@me"]:
                told = self._lab.application
            case _:
                raise AssertionError(path)
        return ok(json.dumps(told).encode(), *_LIMITS)
