"""Asking Discord whether it accepts our token, and what it knows about the bot."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import aiohttp

from adapters.discord.rest import Rest
from adapters.discord.sync import is_current
from bot.engine.fault import UnavailableError

T = TypeVar("T")

MOST_SERVERS = 200
"""As many as one call tells."""

_INTENTS = {"Presence": 3 << 12, "Server Members": 3 << 14, "Message Content": 3 << 18}
"""The privileged ones, each with its two flags of an application: for many servers and for few."""

_SPOKEN = {"v": "10", "encoding": "json"}
_HELLO = 10


@dataclass(frozen=True, slots=True)
class Application:
    """The application of a token. `endpoint` takes its interactions away from the gateway."""

    id: str
    name: str
    bot: str
    endpoint: str | None
    needs_code_grant: bool
    intents: tuple[str, ...]
    discord_time: datetime | None


@dataclass(frozen=True, slots=True)
class Gateway:
    """Where events come from; of `starts` sessions a day, `left` can still be started."""

    url: str
    shards: int
    starts: int
    left: int


def ask_application(token: str, api_url: str, seconds: float) -> Application:
    """The application and the bot of a token."""

    async def call(rest: Rest) -> Application:
        bot = await rest.get("/users/@me")
        told: dict[str, Any] = (await rest.get("/oauth2/applications/@me")).body
        flags = told.get("flags") or 0
        return Application(
            id=told["id"],
            name=told["name"],
            bot=bot.body["username"],
            endpoint=told.get("interactions_endpoint_url") or None,
            needs_code_grant=told.get("bot_require_code_grant") or False,
            intents=tuple(name for name, bits in _INTENTS.items() if flags & bits),
            discord_time=bot.at,
        )

    return asyncio.run(_ask(token, api_url, seconds, call))


def ask_servers(token: str, api_url: str, seconds: float) -> int:
    """In how many servers the bot is, counted up to `MOST_SERVERS`."""

    async def call(rest: Rest) -> int:
        return len((await rest.get(f"/users/@me/guilds?limit={MOST_SERVERS}")).body)

    return asyncio.run(_ask(token, api_url, seconds, call))


def ask_commands(
    token: str, api_url: str, application: str, wanted: list[dict[str, Any]], seconds: float
) -> bool:
    """Whether the commands that are registered are those that are wanted."""

    async def call(rest: Rest) -> bool:
        return await is_current(rest, application, wanted)

    return asyncio.run(_ask(token, api_url, seconds, call))


def ask_gateway(token: str, api_url: str, seconds: float) -> Gateway:
    """Where Discord wants the bot to connect to, and how often it still may."""

    async def call(rest: Rest) -> Gateway:
        told = (await rest.get("/gateway/bot")).body
        limit = told["session_start_limit"]
        return Gateway(told["url"], told["shards"], limit["total"], limit["remaining"])

    return asyncio.run(_ask(token, api_url, seconds, call))


def reach_gateway(url: str, seconds: float) -> None:
    """Connect until the gateway says hello; no session is started, which would count."""
    asyncio.run(_greeted(url, seconds))


async def _ask(token: str, api_url: str, seconds: float, call: Callable[[Rest], Awaitable[T]]) -> T:
    async with aiohttp.ClientSession() as session:
        return await call(Rest(session, api_url, token, seconds=seconds))


async def _greeted(url: str, seconds: float) -> None:
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession() as session,
            session.ws_connect(url, params=_SPOKEN) as connection,
        ):
            first = await connection.receive_str()
        if json.loads(first)["op"] != _HELLO:
            raise _silent(url, "no hello came")
    except TimeoutError as error:
        raise _silent(url, f"no hello within {seconds:g} s") from error
    except (aiohttp.ClientError, OSError, ValueError, TypeError, KeyError) as error:
        raise _silent(url, str(error) or type(error).__name__) from error


def _silent(url: str, why: str) -> UnavailableError:
    return UnavailableError(
        f"Discord's gateway cannot be reached at {url} ({why}): "
        "let WebSockets through the firewall or proxy, check DISCORD_GATEWAY_URL"
    )
