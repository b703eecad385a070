"""Slack over Socket Mode: the bot calls Slack, so no address of ours need be reachable."""

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

_PING = 5.0  # seconds: how soon a connection that broke without a word is noticed


class Socket:
    """A connection that the library keeps open, and opens again whenever it breaks."""

    def __init__(self, bolt: AsyncApp, app_token: str) -> None:
        self._handler = AsyncSocketModeHandler(bolt, app_token, ping_interval=_PING)

    async def open(self) -> None:
        """Connect; raises `SlackApiError` when the app token is not accepted."""
        await self._handler.connect_async()  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        await self._handler.close_async()  # type: ignore[no-untyped-call]
