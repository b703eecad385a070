"""The stand-in's Socket Mode: tickets, connections that go and come back, strange frames."""

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.adapters.slack.tiny_bot import error_of, over_sockets
from tests.standins.slack import SlackStandin


@pytest.mark.asyncio
async def test_a_bot_asked_to_refresh_comes_back_and_goes_on_answering():
    async with SlackStandin() as slack, over_sockets(slack):
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.refresh_socket()
        await slack.connected()
        assert (await slack.command(ayu, channel)).acked


@pytest.mark.asyncio
async def test_dropped_sockets_come_back_by_themselves():
    async with SlackStandin() as slack, over_sockets(slack):
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        slack.drop_sockets()
        assert not (await slack.command(ayu, channel)).acked
        await slack.connected()
        assert (await slack.command(ayu, channel)).acked


@pytest.mark.asyncio
async def test_each_envelope_goes_to_one_of_the_connections():
    async with SlackStandin() as slack, over_sockets(slack) as one, over_sockets(slack) as two:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        for number in range(4):
            await slack.press_value(ayu, channel, value=str(number))
        assert (len(one.payloads), len(two.payloads)) == (2, 2)


@pytest.mark.asyncio
async def test_an_eleventh_connection_is_turned_away():
    async with SlackStandin() as slack, aiohttp.ClientSession() as session:
        client = AsyncWebClient(token=slack.app_token, base_url=slack.api_url)
        sockets = []
        for _ in range(11):
            url = (await client.apps_connections_open(app_token=slack.app_token))["url"]
            sockets.append(await session.ws_connect(url))
        frames = [await socket.receive_json() for socket in sockets]
        assert [frame["num_connections"] for frame in frames[:10]] == list(range(1, 11))
        assert frames[10]["reason"] == "too_many_websockets"
        assert slack.violations == ["socket: more than 10 connections"]
        for socket in sockets:
            await socket.close()


@pytest.mark.asyncio
async def test_a_ticket_works_once_and_no_connection_is_made_while_slack_refuses():
    async with SlackStandin() as slack, aiohttp.ClientSession() as session:
        client = AsyncWebClient(base_url=slack.api_url)
        url = (await client.apps_connections_open(app_token=slack.app_token))["url"]
        await (await session.ws_connect(url)).close()
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(url)
        bot_token = client.apps_connections_open(app_token=slack.bot_token)
        assert await error_of(bot_token) == "invalid_auth"
        slack.refuse_connections(True)
        refused = client.apps_connections_open(app_token=slack.app_token)
        assert await error_of(refused) == "service_unavailable"


@pytest.mark.asyncio
async def test_a_strange_frame_on_a_socket_is_noted():
    async with SlackStandin() as slack, aiohttp.ClientSession() as session:
        client = AsyncWebClient(base_url=slack.api_url)
        url = (await client.apps_connections_open(app_token=slack.app_token))["url"]
        socket = await session.ws_connect(url)
        await socket.send_str("hi")
        await socket.send_json({"envelope_id": "nobody's"})
        await slack.until(lambda: len(slack.violations) == 2)
        await socket.close()
        assert slack.violations[1] == "socket: acknowledged an unknown envelope nobody's"
