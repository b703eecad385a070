"""The few calls of Discord's REST API that need no gateway; what refuses them, in sentences."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from bot import __version__
from bot.engine.fault import RefusedError, UnavailableError

_AGENT = f"DiscordBot (https://docs.aiohttp.org, {aiohttp.__version__}) Latih/{__version__}"
"""The form that Discord asks for (Reference, User Agent): others may be blocked."""

_GOOD, _REFUSED, _LIMITED, _FAILED = 300, 401, 429, 500
_UNSAID = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What Discord said, and when by its own clock, if it told."""

    body: Any
    at: datetime | None


class Rest:
    """One bot's calls; each takes `seconds` at most, the rate limits that it waits out included.

    Raises `RefusedError` for a token that is not accepted and `UnavailableError` for all else.
    """

    def __init__(
        self, session: aiohttp.ClientSession, api_url: str, token: str, *, seconds: float = 30.0
    ) -> None:
        self._session = session
        self._api_url = api_url
        self._headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        self._seconds = seconds

    async def get(self, path: str) -> Answer:
        return await self._call("GET", path, None)

    async def put(self, path: str, body: object) -> Answer:
        return await self._call("PUT", path, body)

    async def _call(self, method: str, path: str, body: object) -> Answer:
        try:
            async with asyncio.timeout(self._seconds) as limit:
                while True:
                    async with self._session.request(
                        method, self._api_url + path, json=body, headers=self._headers
                    ) as response:
                        text = await response.text()
                    if response.status != _LIMITED:
                        return _read(response, text, f"{method} {path.partition('?')[0]}")
                    await _wait(_retry_after(response.headers, text), limit)
        except TimeoutError as error:
            raise self._unreachable(f"no answer within {self._seconds:g} s") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._unreachable(str(error) or type(error).__name__) from error

    def _unreachable(self, why: str) -> UnavailableError:
        return UnavailableError(
            f"Discord cannot be reached at {self._api_url} ({why}): "
            "check the network, a proxy, DISCORD_API_URL"
        )


async def _wait(seconds: float, limit: asyncio.Timeout) -> None:
    """Wait out a rate limit, unless that takes longer than the call may."""
    until = asyncio.get_running_loop().time() + seconds
    if until > (limit.when() or until):
        raise UnavailableError(
            f"Discord asks to wait {seconds:.0f} s, because too many calls came: try again then"
        )
    await asyncio.sleep(seconds)


def _retry_after(headers: Mapping[str, str], text: str) -> float:
    """Seconds to wait; the body tells them finer than the header, and proxies send no body."""
    said = _json(text)
    told = said.get("retry_after") if isinstance(said, dict) else None
    try:
        return max(float(told or headers.get("Retry-After") or _UNSAID), 0.0)
    except (TypeError, ValueError):
        return _UNSAID


def _read(response: aiohttp.ClientResponse, text: str, call: str) -> Answer:
    if response.status >= _FAILED:
        raise UnavailableError(f"Discord is in trouble ({response.status}): try again in a minute")
    if response.status == _REFUSED:
        raise RefusedError(
            "Discord does not know it; press Reset Token on the page Bot and copy the new one"
        )
    body = _json(text)
    if body is None:
        raise UnavailableError(
            f"{call} was answered with {response.status}, but not by Discord's API: "
            "check DISCORD_API_URL"
        )
    if response.status >= _GOOD:
        raise UnavailableError(f"Discord refuses {call}: {_said(body) or response.status}")
    return Answer(body, _time(response.headers.get("Date")))


def _json(text: str) -> Any:
    """What `text` means; None when it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _said(body: Any) -> str:
    """Discord's own words, and for a form that it cannot read, the place of the first fault."""
    if not isinstance(body, dict):
        return ""
    place, inner = [], body.get("errors")
    while isinstance(inner, dict) and inner and "_errors" not in inner:
        name, inner = next(iter(inner.items()))
        place.append(name)
    faults = inner.get("_errors") if isinstance(inner, dict) else None
    why = f" ({'.'.join(place)}: {faults[0].get('message')})" if faults else ""
    return f"{body.get('message', '')}{why}"


def _time(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header) if header else None
    except ValueError:
        return None
