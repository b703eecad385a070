"""response_url: the way back to a person's screen, five uses within half an hour."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from aiohttp import web

from tests.standins.slack_faults import Fault, Faults
from tests.standins.slack_rules import breaches, refusal
from tests.standins.slack_state import Call, Message, Workspace

MOST_USES = 5
LIFETIME = timedelta(minutes=30)
NAME = "response_url"


@dataclass(eq=False, kw_only=True)
class WayBack:
    """What Slack remembers behind one response_url."""

    person: str
    channel: str
    message: Message | None
    replaces: bool
    born: datetime
    uses: int = 0


class ResponseUrls:
    def __init__(self, workspace: Workspace, faults: Faults) -> None:
        self.base = ""
        self._workspace = workspace
        self._faults = faults
        self._known: dict[str, WayBack] = {}

    def issue(self, *, person: str, channel: str, message: Message | None, from_press: bool) -> str:
        """A new one for each delivery; only a press's can replace the message it came from."""
        key = self._workspace.new_id("")
        self._known[key] = WayBack(
            person=person,
            channel=channel,
            message=message,
            replaces=from_press,
            born=self._workspace.now(),
        )
        kind = "actions" if from_press else "commands"
        return f"{self.base}/{kind}/{self._workspace.team_id}/{key}"

    async def handle(self, request: web.Request) -> web.Response:
        raw = await request.text()
        body = _parsed(raw)
        call = Call(method=NAME, args=body or {"raw": raw}, at=self._workspace.now())
        self._workspace.calls.append(call)
        way = self._known.get(request.match_info["key"])

        def perform() -> web.Response:
            return self._use(way, body)

        fault = self._faults.take(NAME)
        if fault is None:
            response = perform()
        else:
            response = await self._faults.meet(
                fault, request=request, perform=perform, refuse=_refusal
            )
        call.error = None if response.status == 200 else response.text
        self._workspace.changed()
        return response

    def _use(self, way: WayBack | None, body: dict[str, Any] | None) -> web.Response:
        if way is None:
            return web.Response(status=404, text="no_such_url")
        if self._workspace.now() - way.born > LIFETIME:
            return web.Response(status=404, text="expired_url")
        if way.uses >= MOST_USES:
            return web.Response(status=404, text="used_url")
        if body is None:
            self._workspace.violate("response_url: the body is not JSON")
            return web.Response(status=400, text="invalid_payload")
        way.uses += 1
        return self._answer(way, body)

    def _answer(self, way: WayBack, body: dict[str, Any]) -> web.Response:
        if way.replaces and body.get("delete_original"):
            return self._delete(way, body)
        found = breaches(body)
        for breach in found:
            self._workspace.violate(f"response_url: {breach.words}")
        error = refusal(found)
        if error is not None:
            return web.Response(status=400, text=error)
        if way.replaces and body.get("replace_original"):
            return self._replace(way, body)
        self._post(way, body)
        return web.Response(text="ok")

    def _delete(self, way: WayBack, body: Mapping[str, Any]) -> web.Response:
        if set(body) - {"delete_original", "response_type"}:
            self._workspace.violate("response_url: delete_original stands alone")
        if way.message is None or way.message.deleted:
            return _gone(way)
        self._workspace.remove(way.message)
        return web.Response(text="ok")

    def _replace(self, way: WayBack, body: Mapping[str, Any]) -> web.Response:
        """An ephemeral that has vanished swallows its redraw, as it does for a real person."""
        if way.message is None or way.message.deleted:
            return _gone(way)
        blocks = body.get("blocks") or []
        self._workspace.redraw(way.message, text=str(body.get("text", "")), blocks=blocks)
        return web.Response(text="ok")

    def _post(self, way: WayBack, body: Mapping[str, Any]) -> None:
        public = body.get("response_type") == "in_channel"
        self._workspace.post(
            channel=way.channel,
            text=str(body.get("text", "")),
            blocks=body.get("blocks") or [],
            ephemeral_to=None if public else way.person,
            thread_ts=body.get("thread_ts"),
        )


def _gone(way: WayBack) -> web.Response:
    if way.message is None or way.message.ephemeral_to is not None:
        return web.Response(text="ok")
    return web.Response(status=404, text="message_not_found")


def _refusal(fault: Fault) -> web.Response:
    headers = {"Retry-After": str(fault.retry_after)} if fault.status == 429 else {}
    return web.Response(status=fault.status, text=fault.error, headers=headers)


def _parsed(raw: str) -> dict[str, Any] | None:
    try:
        body = json.loads(raw)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None
