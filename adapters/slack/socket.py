"""Slack over Socket Mode: the bot calls Slack, so no address of ours need be reachable."""

import asyncio
import logging
from contextlib import suppress

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.slack.app import SlackApp
from bot.chat.patience import PATIENCE

PING = 5.0
"""Seconds between signs of life; a connection without any for one and a half is replaced."""

_TRIES = 6
"""Pings in a row for which the library may be without a connection."""

_CONNECTING = 10.0  # seconds
_GOODBYE = 1.0  # seconds for Slack to close its side

log = logging.getLogger("latih.slack")


class Socket:
    """A connection that the library keeps open, and opens again when it breaks.

    It finds a connection that went silent by its own pings. What it does not find is that a new one
    cannot be made: it goes on with an address that works once and for seconds. So we look, too.
    """

    def __init__(self, app: SlackApp, app_token: str, *, ping: float = PING) -> None:
        self._app = app
        self._ping = ping
        # Its log has addresses with tickets in them, and a trace for each try.
        logger = logging.getLogger("latih.socket")
        self._handler = AsyncSocketModeHandler(
            app.bolt, app_token, logger=logger, ping_interval=ping
        )
        self._client = self._handler.client
        self._client.socket_mode_request_listeners[:] = [self._hear]
        self._is_deaf = False

    async def open(self) -> None:
        """Connect; raises `SlackApiError` when the app token is not accepted."""
        # The library would try a token that is refused again and again.
        self._client.wss_uri = await self._client.issue_new_wss_url()
        async with asyncio.timeout(_CONNECTING):
            await self._handler.connect_async()  # type: ignore[no-untyped-call]

    async def lost(self) -> None:
        """Wait until there is no connection, and none to be had by itself."""
        without = 0
        while without < _TRIES:
            await asyncio.sleep(self._ping)
            without = 0 if await self._client.is_connected() else without + 1

    async def close(self) -> None:
        """Take no more events, acknowledge those under way, and leave."""
        self._is_deaf = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._app.acknowledged(), PATIENCE + _GOODBYE)
        try:
            await asyncio.wait_for(self._leave(), _GOODBYE)
        except TimeoutError:
            await self._leave()  # a silent Slack says no goodbye; what comes after it is left to do

    async def _leave(self) -> None:
        await self._client.close()  # type: ignore[no-untyped-call]

    async def _hear(self, _: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        if self._is_deaf:
            return
        with self._app.request():
            try:
                await self._handler.handle(self._client, request)
            except (OSError, RuntimeError):
                log.warning("an acknowledgement did not reach Slack")
