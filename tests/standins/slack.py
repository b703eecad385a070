"""A stand-in of Slack for one workspace, over real loopback sockets.

It keeps what a workspace keeps and is strict where Slack is strict: a test drives the real
slack-bolt against it, looks at what each person sees, and finds in `violations` whatever Slack
would have refused or made people suffer for.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import aiohttp
from aiohttp import web

from tests.standins.slack_delivery import Door, Postman
from tests.standins.slack_faults import Fault, Faults
from tests.standins.slack_http import HttpDoor, encoded
from tests.standins.slack_payloads import (
    action_of,
    command_payload,
    forged_action,
    press_payload,
)
from tests.standins.slack_places import Places
from tests.standins.slack_response_urls import ResponseUrls
from tests.standins.slack_socket import Sockets
from tests.standins.slack_state import (
    Call,
    Delivery,
    Message,
    SlackPerson,
    T,
    Workspace,
    wall_clock,
)
from tests.standins.slack_web import WebApi

__all__ = ["Call", "Delivery", "Message", "SlackPerson", "SlackStandin"]


class SlackStandin(Places):
    """Start it with `async with`; every test has its own, nothing is shared."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = wall_clock,
        deadline: float = 3.0,
        patience: float = 10.0,
        team_id: str = "T0000LATIH",
    ) -> None:
        self.workspace = Workspace(team_id=team_id, now=now)
        self._faults = Faults()
        self._sockets = Sockets(self.workspace)
        self._urls = ResponseUrls(self.workspace, self._faults)
        self._postman = Postman(self.workspace, deadline=deadline, patience=patience)
        self._http: HttpDoor | None = None
        self.api_url = ""
        self.bot_token = self.workspace.app.bot_token
        self.app_token = self.workspace.app.app_token
        self.signing_secret = self.workspace.app.signing_secret
        self.team_id = team_id

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(self._web_app(), access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.api_url = f"http://{host}:{port}/api/"
        self._urls.base = f"http://{host}:{port}"
        self._sockets.base = f"ws://{host}:{port}"
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._faults.closing.set()
        await self._session.close()
        await self._sockets.close()
        await self._runner.cleanup()

    def _web_app(self) -> web.Application:
        app = web.Application()
        app.on_response_prepare.append(self._date)
        api = WebApi(self.workspace, self._faults, self._sockets)
        app.router.add_route("*", "/api/{method}", api.handle)
        app.router.add_post("/{kind:commands|actions}/{team}/{key}", self._urls.handle)
        app.router.add_get("/link/", self._sockets.handle)
        return app

    async def _date(self, _: web.Request, response: web.StreamResponse) -> None:
        """By Slack's clock, which is how a bot learns that its own is wrong."""
        now = self.workspace.now()
        response.headers["Date"] = f"{now:%a, %d %b %Y %H:%M:%S} GMT"

    # What people do

    async def command(
        self, person: SlackPerson, channel: str, text: str = "", *, command: str = "/quiz"
    ) -> Delivery:
        url = self._urls.issue(person=person.id, channel=channel, message=None, from_press=False)
        payload = command_payload(
            self.workspace,
            person=person,
            channel=self.workspace.channels[channel],
            command=command,
            text=text,
            response_url=url,
        )
        return await self.send(payload)

    async def press(
        self,
        person: SlackPerson,
        message: Message,
        *,
        button: str,
        version: int | None = None,
        even_if_gone: bool = False,
    ) -> Delivery:
        """By label, else by value; `version` presses what the message showed before."""
        visible = message in self.seen_by(person, message.channel)
        assert visible or even_if_gone, f"{person.name} does not see {message.words!r}"
        blocks = None if version is None else message.versions[version][1]
        action = action_of(message, button, blocks=blocks)
        return await self._press(person, message.channel, message, action)

    async def press_value(
        self,
        person: SlackPerson,
        channel: str,
        *,
        value: str,
        message: Message | None = None,
        action_id: str = "forged",
    ) -> Delivery:
        """A button that no message of the bot carries."""
        action = forged_action(value, action_id=action_id)
        return await self._press(person, channel, message, action)

    async def _press(
        self, person: SlackPerson, channel: str, message: Message | None, action: dict[str, Any]
    ) -> Delivery:
        url = self._urls.issue(person=person.id, channel=channel, message=message, from_press=True)
        payload = press_payload(
            self.workspace,
            person=person,
            channel=self.workspace.channels[channel],
            message=message,
            action=action,
            response_url=url,
        )
        return await self.send(payload)

    async def send(self, payload: dict[str, Any]) -> Delivery:
        return await self._postman.deliver(self._door, payload)

    async def redeliver(
        self, delivery: Delivery, *, retry_num: int = 1, reason: str = "http_timeout"
    ) -> Delivery:
        """The very same payload, marked as a retry."""
        retry = (retry_num, reason)
        return await self._postman.deliver(self._door, delivery.payload, retry=retry)

    async def send_raw(
        self,
        *,
        body: bytes | str | None = None,
        headers_override: Mapping[str, str | None] | None = None,
    ) -> tuple[int, str]:
        """A signed request with parts replaced, or left out where the override says None."""
        assert self._http is not None, "only after speak_http_to"
        raw = encoded({"command": "/quiz", "text": ""}) if body is None else body
        return await self._http.send_raw(body=raw, headers_override=headers_override)

    @property
    def _door(self) -> Door:
        return self._http or self._sockets

    def speak_http_to(self, url: str) -> None:
        """HTTP mode from now on; without it, Slack speaks through the bot's sockets."""
        self._http = HttpDoor(self.workspace, self._session, url)

    def reload(self, person: SlackPerson) -> None:
        """Her client starts anew, and every ephemeral on it is gone."""
        for message in self.workspace.messages:
            if message.ephemeral_to == person.id:
                self.workspace.remove(message)

    def delete(self, message: Message) -> None:
        self.workspace.remove(message)

    # What can be known

    def seen_by(self, person: SlackPerson, channel: str) -> list[Message]:
        return self.workspace.seen_by(person.id, channel)

    def messages(self, channel: str) -> list[Message]:
        """All that was ever there: for everyone's eyes, and deleted ones too."""
        return [it for it in self.workspace.messages if it.channel == channel]

    def errors_seen_by(self, person: SlackPerson) -> list[str]:
        return self.workspace.errors.get(person.id, [])

    @property
    def violations(self) -> list[str]:
        return self.workspace.violations

    @property
    def calls(self) -> list[Call]:
        return self.workspace.calls

    async def until(
        self,
        predicate: Callable[[], T],
        *,
        timeout: float = 5.0,  # noqa: ASYNC109 - the waiting is this method's purpose
    ) -> T:
        """Asked again at each change of the workspace; nothing else wakes it."""
        return await self.workspace.until(predicate, seconds=timeout)

    async def connected(
        self,
        *,
        timeout: float = 5.0,  # noqa: ASYNC109 - as above
    ) -> None:
        await self.workspace.until(lambda: self._sockets.live, seconds=timeout)

    # Bad days

    def fail_next(
        self,
        method: str,
        *,
        error: str = "ratelimited",
        status: int = 429,
        retry_after: int = 1,
        times: int = 1,
    ) -> None:
        fault = Fault(error=error, status=status, retry_after=retry_after)
        self._faults.add(method, fault, times=times)

    def silence(self, method: str, seconds: float, *, posted: bool = True, times: int = 1) -> None:
        """Slack does its work (unless not `posted`) and answers only after that long."""
        self._faults.add(method, Fault(seconds=seconds, status=503, posted=posted), times=times)

    def lose_answer(self, method: str, *, posted: bool = True, times: int = 1) -> None:
        """The connection breaks after the request, so nobody knows whether it took effect."""
        self._faults.add(method, Fault(lost=True, status=503, posted=posted), times=times)

    def drop_sockets(self) -> None:
        self._sockets.drop()

    def silence_sockets(self) -> None:
        """The sockets there are stay open, and no word passes through them any more."""
        self._sockets.go_silent()

    async def refresh_socket(self, *, reason: str = "refresh_requested") -> None:
        await self._sockets.ask_to_refresh(reason=reason)

    def refuse_connections(self, refuse: bool = True) -> None:  # noqa: FBT001, FBT002 - a switch
        self._sockets.refusing = refuse
