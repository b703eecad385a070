"""The Web API's door: tokens, scopes, arguments as slack_sdk sends them, faults."""

import json
from typing import Any

from aiohttp import web

from tests.standins.slack_faults import Fault, Faults
from tests.standins.slack_methods import METHODS, RefusedError, Scene
from tests.standins.slack_socket import Sockets
from tests.standins.slack_state import Call, Workspace

AS_JSON = ("blocks", "attachments", "metadata")
OPEN = "apps.connections.open"


class WebApi:
    def __init__(self, workspace: Workspace, faults: Faults, sockets: Sockets) -> None:
        self._workspace = workspace
        self._faults = faults
        self._sockets = sockets

    async def handle(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        args = await _arguments(request)
        token = _token(request, args)
        call = Call(method=method, args=args, at=self._workspace.now())
        self._workspace.calls.append(call)

        def perform() -> web.Response:
            return self._perform(call, token)

        fault = self._faults.take(method)
        if fault is None:
            response = perform()
        else:
            call.error = None if fault.posted else fault.error
            response = await self._faults.meet(
                fault, request=request, perform=perform, refuse=self._refuse
            )
        self._workspace.changed()
        return response

    def _perform(self, call: Call, token: str | None) -> web.Response:
        try:
            if call.method == OPEN:
                self._check_token(token, self._workspace.app.app_token)
                return self._open_connection()
            self._check_token(token, self._workspace.app.bot_token)
            answer = self._call(call)
        except RefusedError as refused:
            call.error = refused.error
            return self._answer({"ok": False, "error": refused.error, **refused.more})
        return self._answer({"ok": True, **answer})

    def _call(self, call: Call) -> dict[str, Any]:
        found = METHODS.get(call.method)
        if found is None:
            self._workspace.violate(f"{call.method}: the stand-in has no such method")
            raise RefusedError("unknown_method")
        scopes, perform = found
        if scopes and not scopes & set(self._workspace.scopes):
            provided = ",".join(self._workspace.scopes)
            raise RefusedError("missing_scope", needed=",".join(sorted(scopes)), provided=provided)
        return perform(Scene(workspace=self._workspace, method=call.method, args=call.args))

    def _open_connection(self) -> web.Response:
        if self._sockets.refusing:
            return self._refuse(Fault(error="service_unavailable", status=503))
        return self._answer({"ok": True, "url": self._sockets.ticket_url()})

    def _check_token(self, token: str | None, wanted: str) -> None:
        if token is None:
            raise RefusedError("not_authed")
        if token != wanted:
            raise RefusedError("invalid_auth")

    def _refuse(self, fault: Fault) -> web.Response:
        response = self._answer({"ok": False, "error": fault.error}, status=fault.status)
        if fault.status == 429:
            response.headers["Retry-After"] = str(fault.retry_after)
        return response

    def _answer(self, body: dict[str, Any], *, status: int = 200) -> web.Response:
        scopes = {"X-OAuth-Scopes": ",".join(self._workspace.scopes)}
        return web.json_response(body, status=status, headers=scopes)


async def _arguments(request: web.Request) -> dict[str, Any]:
    """Query, form and JSON bodies alike: slack_sdk uses all three."""
    args: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        sent: dict[str, Any] = json.loads(await request.text() or "{}")
        return args | sent
    args |= {key: str(value) for key, value in (await request.post()).items()}
    return args | {key: _json(args[key]) for key in AS_JSON if isinstance(args.get(key), str)}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _token(request: web.Request, args: dict[str, Any]) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    in_body = args.pop("token", None)
    return token if kind == "Bearer" and token else in_body
