"""Slack's Web API: one session for all calls, and the one thing that is ever tried again."""

import asyncio

import aiohttp
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient
from typing_extensions import override

_MOST_TRIES = 4
_LONGEST = 30.0
_UNSAID = 1.0


def web_client(token: str, api_url: str, session: aiohttp.ClientSession) -> AsyncWebClient:
    """A client of the Web API at `api_url` that shares `session` between its calls."""
    return AsyncWebClient(
        token=token,
        base_url=api_url,
        session=session,
        timeout=10,
        retry_handlers=[RateLimitRetry()],
    )


class RateLimitRetry(AsyncRetryHandler):
    """Waits as long as `Retry-After` says, up to half a minute, and calls again.

    Nothing else is repeated: after a lost connection or a 5xx the message may be there already.
    """

    def __init__(self) -> None:
        super().__init__(max_retry_count=_MOST_TRIES)

    @override
    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        return response is not None and response.status_code == 429  # noqa: PLR2004

    @override
    async def prepare_for_next_attempt_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> None:
        await asyncio.sleep(retry_after(response))
        state.next_attempt_requested = True
        state.increment_current_attempt()


def retry_after(response: HttpResponse | None) -> float:
    """Seconds that a response asks to wait; Slack sends whole ones, proxies may not."""
    headers = {} if response is None else response.headers
    said = next((v for name, v in headers.items() if name.lower() == "retry-after"), None)
    text = said[0] if isinstance(said, list) else said
    try:
        return min(max(float(text or _UNSAID), 0.0), _LONGEST)
    except ValueError:
        return _UNSAID
