"""The REST door: tokens, bodies, headers and refusals as discord.py meets them, and faults."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.standins.discord_faults import Fault, Faults
from tests.standins.discord_messages import Upload
from tests.standins.discord_refusals import RefusedError
from tests.standins.discord_state import Call, World

Answered = tuple[int, Any]


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One request, with the ids in its path."""

    world: World
    call: Call
    ids: Mapping[str, str]
    files: list[Upload] = field(default_factory=list)

    @property
    def body(self) -> Any:
        return self.call.body

    @property
    def what(self) -> str:
        return self.call.what


Perform = Callable[[Scene], Answered]


class RestApi:
    def __init__(self, world: World, faults: Faults) -> None:
        self._world = world
        self._faults = faults

    def door(
        self, route: str, perform: Perform, *, public: bool = False
    ) -> Callable[[web.Request], Any]:
        """The handler of one route; a `public` one needs no bot token."""

        async def handle(request: web.Request) -> web.StreamResponse:
            return await self._handle(request, route, perform, public=public)

        return handle

    async def _handle(
        self, request: web.Request, route: str, perform: Perform, *, public: bool
    ) -> web.StreamResponse:
        path = request.path.removeprefix("/api/v10")
        call = Call(
            method=request.method,
            path=path,
            route=route,
            query=dict(request.query),
            body=None,
            at=self._world.now(),
        )
        self._world.calls.append(call)
        self._world.changed()
        fault = self._faults.take(request.method, path)
        if fault is None or fault.posted:
            response = await self._perform(request, call, perform, public=public)
        else:
            call.status, call.error = fault.status, fault.code
            response = self._response(fault.status, fault.body, fault.headers, via=fault.via)
        if fault is not None:
            await self._meet(fault, request)
        self._world.changed()
        return response

    async def _meet(self, fault: Fault, request: web.Request) -> None:
        if fault.seconds:
            await self._faults.silence(fault.seconds)
        if fault.lost and request.transport is not None:
            request.transport.abort()

    async def _perform(
        self, request: web.Request, call: Call, perform: Perform, *, public: bool
    ) -> web.Response:
        try:
            if not public:
                self._check_token(request.headers.get("Authorization"))
            call.body, files = await _content(request)
            ids = request.match_info
            status, body = perform(Scene(world=self._world, call=call, ids=ids, files=files))
        except RefusedError as refused:
            call.error = refused.code
            status, body = refused.status, refused.body
        call.status = status
        return self._response(status, body, {})

    def _check_token(self, given: str | None) -> None:
        if given != f"Bot {self._world.bot_token}":
            raise RefusedError(0)

    def _response(
        self, status: int, body: Any, headers: Mapping[str, str], *, via: bool = True
    ) -> web.Response:
        """discord.py reads JSON only when the type is said without a charset."""
        always = {
            "Date": f"{self._world.now():%a, %d %b %Y %H:%M:%S} GMT",
            "X-RateLimit-Limit": "50",
            "X-RateLimit-Remaining": "0" if status == 429 else "49",
            "X-RateLimit-Reset": f"{time.time() + 1:.3f}",
            "X-RateLimit-Reset-After": headers.get("Retry-After", "1.000"),
        }
        passed = {"Via": "1.1 google"} if via else {}
        if body is None:
            return web.Response(status=status, headers={**always, **passed, **headers})
        response = web.Response(
            status=status,
            body=json.dumps(body).encode(),
            headers={**always, **passed, **headers},
        )
        response.headers["Content-Type"] = "application/json"
        return response


async def _content(request: web.Request) -> tuple[Any, list[Upload]]:
    if request.content_type == "multipart/form-data":
        return await _parts(request)
    return _json(await request.text()), []


async def _parts(request: web.Request) -> tuple[Any, list[Upload]]:
    body: Any = None
    files = []
    form = await request.post()
    for name, value in form.items():
        if isinstance(value, web.FileField):
            size = len(value.file.read())
            value.file.close()
            files.append(Upload(value.filename, size, value.content_type))
        elif name == "payload_json":
            body = _json(str(value))
    return body, files


def _json(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        raise RefusedError(50109) from None
