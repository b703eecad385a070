"""Slack as `serve` runs it: signed in, listening, and drained when it stops."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiohttp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from adapters.slack.app import SlackApp
from adapters.slack.client import web_client
from adapters.slack.socket import PING, Socket
from adapters.slack.web import PATH, route
from bot.chat.card import Card
from bot.chat.reply import Handle
from bot.cli.tools import Tools, say
from bot.cli.web import WebServer
from bot.engine.fault import RefusedError, UnavailableError
from bot.service import Kit
from bot.supervisor import DRAINING
from bot.views import notes
from bot.views.build import Reader

_SERVERS_FAULT = 500
_PASSING = {
    *("ratelimited", "rate_limited", "service_unavailable", "request_timeout"),
    *("internal_error", "fatal_error", "team_added_to_org", None),
}
"""What Slack says when nothing is wrong with a token; None when it was not Slack that answered."""

log = logging.getLogger("latih.slack")


class SlackServer:
    """Slack over Socket Mode when there is an app token, else over HTTP by `web`.

    `ping` is the seconds between signs of life on a socket.
    """

    def __init__(
        self, tools: Tools, kit: Kit, handle: Handle, web: WebServer, *, ping: float = PING
    ) -> None:
        self._tools = tools
        self._settings = tools.settings
        self._kit = kit
        self._handle = handle
        self._web = web
        self._ping = ping
        self._app: SlackApp | None = None
        self._has_greeted = False
        if self.is_over_http:
            web.add([route(self._dispatch)])

    @property
    def is_over_http(self) -> bool:
        settings = self._settings
        return settings.slack_app_token is None and settings.slack_signing_secret is not None

    @property
    def address(self) -> str:
        """Where Slack's requests arrive."""
        return self._web.address + PATH

    async def run(self, up: Callable[[], None]) -> None:
        """Serve until cancelled, then finish the replies under way.

        Raises `RefusedError` when Slack does not accept a token or one is missing, and
        `UnavailableError` when it cannot be reached, or no more.
        """
        settings = self._settings
        assert settings.slack_bot_token is not None
        if settings.slack_app_token is None and settings.slack_signing_secret is None:
            message = (
                "Slack needs one more setting: SLACK_APP_TOKEN for Socket Mode, or "
                "SLACK_SIGNING_SECRET for HTTP. `./latih setup slack` walks you through it."
            )
            raise RefusedError(message)
        async with aiohttp.ClientSession() as session:
            app = self._make(settings.slack_bot_token.get_secret_value(), session)
            await _reached(app.sign_in(), "SLACK_BOT_TOKEN")
            if settings.slack_app_token is None:
                await self._serve_http(app, up)
            else:
                await self._serve_socket(app, settings.slack_app_token.get_secret_value(), up)

    async def _serve_http(self, app: SlackApp, up: Callable[[], None]) -> None:
        self._app = app
        try:
            self._greet(f"Latih listens for Slack on {self.address}")
            up()
            await asyncio.Event().wait()
        finally:
            self._app = None
            await _drain(app)

    async def _serve_socket(self, app: SlackApp, token: str, up: Callable[[], None]) -> None:
        socket = Socket(app, token, ping=self._ping)
        try:
            await _reached(socket.open(), "SLACK_APP_TOKEN")
            self._greet("Latih is in Slack (Socket Mode). Type /quiz checkpointing there.")
            up()
            await socket.lost()
        finally:
            await asyncio.gather(socket.close(), _drain(app))
        raise UnavailableError("Slack cannot be reached any more")

    async def _dispatch(self, request: AsyncBoltRequest) -> BoltResponse:
        """What a request over HTTP gets back; before we are signed in, that it comes too early."""
        if self._app is None:
            return BoltResponse(status=503, body="not in Slack yet")
        return await self._app.dispatch(request)

    def _make(self, token: str, session: aiohttp.ClientSession) -> SlackApp:
        secret = self._settings.slack_signing_secret
        return SlackApp(
            client=web_client(token, self._settings.slack_api_url, session),
            session=session,
            handle=self._handle,
            quizzes=lambda: self._kit.catalog.names,
            now=self._tools.now,
            sorry=self._sorry,
            reference=self._tools.dice.reference,
            signing_secret=secret.get_secret_value() if secret else None,
        )

    def _sorry(self, reference: str) -> Card:
        language = self._kit.language
        reader = Reader(language, self._kit.phrasebook.words(language))
        return notes.note(reader, "note.failed", reference=reference)

    def _greet(self, sentence: str) -> None:
        if not self._has_greeted:
            say(sentence)
            self._has_greeted = True


async def _drain(app: SlackApp) -> None:
    if not await app.drain(DRAINING):
        log.warning("stopped with replies still under way; resume shows them")


async def _reached(call: Awaitable[None], setting: str) -> None:
    """Do what needs Slack and the token in `setting`; raises what went wrong, as a sentence."""
    try:
        await call
    except SlackApiError as error:
        said = error.response.get("error")
        if error.response.status_code < _SERVERS_FAULT and said not in _PASSING:
            raise RefusedError(f"Slack does not accept {setting}: {said}") from error
        raise UnavailableError("Slack cannot be reached") from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise UnavailableError("Slack cannot be reached") from error
