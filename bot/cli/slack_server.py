"""Slack as `serve` runs it: signed in, listening, and drained when it stops."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp import web
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.app import SlackApp
from adapters.slack.client import web_client
from adapters.slack.socket import Socket
from adapters.slack.web import MOST_BYTES, PATH, route
from bot.chat.card import Card
from bot.cli.tools import Tools, say
from bot.engine.fault import UnavailableError
from bot.service import Kit, Service
from bot.views import notes
from bot.views.build import Reader

_LONGEST_PAUSE = 30.0
_SERVERS_FAULT = 500
_DRAINING = 8.0  # seconds for replies under way when the bot is told to stop

log = logging.getLogger("latih.slack")


class SlackServer:
    """Slack over Socket Mode when there is an app token, else over HTTP."""

    def __init__(self, tools: Tools, kit: Kit, service: Service) -> None:
        self._tools = tools
        self._kit = kit
        self._service = service
        self._settings = tools.settings

    async def __aenter__(self) -> Self:
        settings = self._settings
        assert settings.slack_bot_token is not None
        if settings.slack_app_token is None and settings.slack_signing_secret is None:
            message = (
                "Slack needs one more setting: SLACK_APP_TOKEN for Socket Mode, or "
                "SLACK_SIGNING_SECRET for HTTP. `./latih setup slack` walks you through it."
            )
            raise UnavailableError(message)
        self._session = aiohttp.ClientSession()
        try:
            token = settings.slack_bot_token.get_secret_value()
            self._app = self._make(web_client(token, settings.slack_api_url, self._session))
            await _reached(self._app.sign_in, "SLACK_BOT_TOKEN")
            await self._listen()
        except BaseException:
            await self._session.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._deafen()
        try:
            await asyncio.wait_for(self._app.drain(), _DRAINING)
        except TimeoutError:
            log.warning("stopped with replies still under way; resume shows them")
        await self._session.close()

    def _make(self, client: AsyncWebClient) -> SlackApp:
        secret = self._settings.slack_signing_secret
        return SlackApp(
            client=client,
            session=self._session,
            handle=self._service.handle,
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

    async def _listen(self) -> None:
        settings = self._settings
        self._socket: Socket | None = None
        self._runner: web.AppRunner | None = None
        if settings.slack_app_token is not None:
            self._socket = Socket(self._app.bolt, settings.slack_app_token.get_secret_value())
            await _reached(self._socket.open, "SLACK_APP_TOKEN")
            say("Latih is in Slack (Socket Mode). Type /quiz checkpointing there.")
            return
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_routes([route(self._app.bolt)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_DRAINING)
        await self._runner.setup()
        await self._bind(self._runner)
        say(f"Latih listens for Slack on {self.address}")

    @property
    def address(self) -> str:
        """Where Slack's requests arrive; with PORT=0 the port is the system's choice."""
        assert self._runner is not None, "over Socket Mode there is no address"
        host, port = self._runner.addresses[0][:2]
        return f"http://{host}:{port}{PATH}"

    async def _bind(self, runner: web.AppRunner) -> None:
        settings = self._settings
        try:
            await web.TCPSite(runner, settings.host, settings.port).start()
        except OSError as error:
            await runner.cleanup()
            message = (
                f"cannot listen on {settings.host}:{settings.port}: {error.strerror}. "
                "Set HOST or PORT to another address."
            )
            raise UnavailableError(message) from error

    async def _deafen(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._runner is not None:
            await self._runner.cleanup()


async def _reached(call: Callable[[], Awaitable[None]], setting: str) -> None:
    """Do what needs Slack; a Slack that cannot be reached is waited for, a refusal is told."""
    pause = 1.0
    while True:
        try:
            return await call()
        except SlackApiError as error:
            if error.response.status_code < _SERVERS_FAULT:
                message = f"Slack does not accept {setting}: {error.response['error']}"
                raise UnavailableError(message) from error
        except (aiohttp.ClientError, TimeoutError, OSError):
            pass
        log.warning("Slack cannot be reached; trying again in %.0f s", pause)
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
