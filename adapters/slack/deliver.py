"""Getting a private reply to its person on Slack, by the first way that works."""

import logging
from dataclasses import dataclass

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.render import Json

_TIMEOUT = aiohttp.ClientTimeout(total=10)

log = logging.getLogger("latih.slack")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a person's reply goes: the response URL of what they did, or them in a channel."""

    response_url: str | None
    channel: str
    user: str


class Delivery:
    """Sends replies: the response URL, else an ephemeral message, else a direct one.

    Replies are best effort: what they show is stored already, and the next press or `resume`
    draws it again.
    """

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession) -> None:
        self._client = client
        self._session = session

    async def send(self, message: Json, target: Target, *, redraws: bool) -> None:
        """Get a message to its person; with `redraws` in place of the one they pressed."""
        if await self._respond(message, target, redraws=redraws):
            return
        if await self._whisper(message, target) or await self._direct(message, target):
            return
        log.warning("a reply reached nobody; the next press or resume shows it")

    async def _respond(self, message: Json, target: Target, *, redraws: bool) -> bool:
        if target.response_url is None:
            return False
        body = message | {"response_type": "ephemeral", "replace_original": redraws}
        try:
            async with self._session.post(
                target.response_url, json=body, timeout=_TIMEOUT
            ) as response:
                return response.status == 200  # noqa: PLR2004
        except (aiohttp.ClientError, TimeoutError):
            return False

    async def _whisper(self, message: Json, target: Target) -> bool:
        try:
            await self._client.chat_postEphemeral(
                channel=target.channel, user=target.user, **message
            )
        except (SlackApiError, aiohttp.ClientError, TimeoutError):
            return False
        return True

    async def _direct(self, message: Json, target: Target) -> bool:
        try:
            await self._client.chat_postMessage(
                channel=target.user, unfurl_links=False, unfurl_media=False, **message
            )
        except (SlackApiError, aiohttp.ClientError, TimeoutError):
            return False
        return True
