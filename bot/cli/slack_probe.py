"""Asking Slack whether it accepts our tokens, and what it says with that."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.client import web_client
from adapters.slack.manifest import missing_scopes
from bot.engine.fault import RefusedError, UnavailableError

T = TypeVar("T")

_UNKNOWN = "Slack does not know it; copy it again, whole"
_REASONS = {
    "invalid_auth": _UNKNOWN,
    "not_authed": _UNKNOWN,
    "account_inactive": "the app was removed from its workspace; install it again, copy the token",
    "token_revoked": "it was revoked; install the app again and copy the new one",
    "token_expired": "it has expired; make an app from the manifest, without token rotation",
    "not_allowed_token_type": "it is a token of another kind",
    "missing_scope": "it lacks the scope connections:write",
    "team_access_not_granted": "an administrator has to approve the app for the workspace first",
}
_PASSING = {"internal_error", "fatal_error", "service_unavailable", "request_timeout", None}
_FAILED = 500


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a bot token belongs; `missing` is None when Slack did not say its scopes."""

    name: str
    url: str
    missing: tuple[str, ...] | None
    slack_time: datetime | None


def ask_bot(token: str, api_url: str, seconds: float) -> Workspace:
    """The workspace of a bot token, by `auth.test`."""

    async def call(client: AsyncWebClient) -> Workspace:
        told = await client.auth_test()
        headers = {name.lower(): value for name, value in told.headers.items()}
        scopes = headers.get("x-oauth-scopes")
        return Workspace(
            name=told.get("team") or "?",
            url=told.get("url") or "",
            missing=None if scopes is None else missing_scopes(scopes),
            slack_time=_time(headers.get("date")),
        )

    return asyncio.run(_ask(token, api_url, seconds, call))


def ask_app(token: str, api_url: str, seconds: float) -> None:
    """Whether an app token may open a Socket Mode connection; none is opened."""

    async def call(client: AsyncWebClient) -> None:
        await client.apps_connections_open(app_token=token)

    asyncio.run(_ask(token, api_url, seconds, call))


async def _ask(
    token: str, api_url: str, seconds: float, call: Callable[[AsyncWebClient], Awaitable[T]]
) -> T:
    try:
        async with asyncio.timeout(seconds), aiohttp.ClientSession() as session:
            return await call(web_client(token, api_url, session))
    except SlackApiError as error:
        raise _refusal(error) from error
    except TimeoutError as error:
        raise _unreachable(api_url, f"no answer within {seconds:g} s") from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise _unreachable(api_url, str(error) or type(error).__name__) from error


def _refusal(error: SlackApiError) -> UnavailableError:
    data = getattr(error.response, "data", None)
    code = data.get("error") if isinstance(data, dict) else None
    status = getattr(error.response, "status_code", _FAILED)
    if code in _PASSING or status >= _FAILED:
        return UnavailableError(f"Slack is in trouble ({code or status}): try again in a minute")
    return RefusedError(_REASONS.get(str(code), f"Slack says {code}"))


def _unreachable(api_url: str, why: str) -> UnavailableError:
    return UnavailableError(
        f"Slack cannot be reached at {api_url} ({why}): check the network, a proxy, SLACK_API_URL"
    )


def _time(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header) if header else None
    except ValueError:
        return None
