"""Slack over HTTP: one route, whose requests are looked at before Bolt sees them."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

PATH = "/slack/events"

Dispatch: TypeAlias = Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]


def route(dispatch: Dispatch) -> web.RouteDef:
    """The route that Slack posts commands and presses to; `dispatch` answers each."""

    async def receive(request: web.Request) -> web.Response:
        refusal = await _refusal(request)
        if refusal is not None:
            return refusal
        try:
            read = await to_bolt_request(request)
        except ValueError:
            return web.Response(status=400, text="not JSON")
        return await to_aiohttp_response(await dispatch(read))

    return web.post(PATH, receive)


async def _refusal(request: web.Request) -> web.Response | None:
    """What Bolt would stumble over, answered before it does.

    Bolt raises at a timestamp that is no number and at text that is not UTF-8, both before it has
    looked at the signature.
    """
    if not request.headers.get("X-Slack-Request-Timestamp", "").isdecimal():
        return web.Response(status=401, text="no Slack timestamp")
    try:
        (await request.read()).decode()
    except UnicodeDecodeError:
        return web.Response(status=400, text="not UTF-8")
    return None
