"""The bad days that the stand-in can have, as discord.py lives through them."""

import asyncio
import json

import aiohttp
import pytest

from tests.adapters.discord.bare import bare, command, plain
from tests.adapters.discord.tiny_bot import TinyBot, points_to, running
from tests.standins.discord import DiscordStandin

POST = "POST /channels/*/messages"
POSTED = "POST /channels/{channel}/messages"


def posts(discord):
    return [call.status for call in discord.calls if call.what == POSTED]


# REST


@pytest.mark.parametrize("everywhere", [False, True], ids=["one path", "global"])
@pytest.mark.asyncio
async def test_a_rate_limit_is_waited_for_and_tried_again(everywhere):
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = bot.get_partial_messageable(int(discord.channel("ml").id))
        discord.fail_next(POST, status=429, retry_after=0.05, everywhere=everywhere)
        await channel.send("x")
        assert posts(discord) == [429, 200]


@pytest.mark.asyncio
async def test_a_rate_limit_says_how_long_whose_and_where_it_comes_from():
    async with DiscordStandin() as discord, aiohttp.ClientSession() as session:
        discord.fail_next("GET /gateway", status=429, retry_after=2.5, everywhere=True)
        discord.fail_next("GET /gateway", status=429, via=False)
        async with session.get(discord.api_url + "/gateway") as response:
            assert response.status == 429
            assert response.headers["Via"]
            assert response.headers["Retry-After"] == "2.5"
            assert response.headers["X-RateLimit-Global"] == "true"
            assert response.headers["Content-Type"] == "application/json"
            limited = await response.json()
            assert (limited["retry_after"], limited["global"]) == (2.5, True)
        async with session.get(discord.api_url + "/gateway") as response:
            assert "Via" not in response.headers
        async with session.get(discord.api_url + "/gateway") as response:
            assert response.status == 200
            assert response.headers["X-RateLimit-Remaining"] == "49"
            assert response.headers["Via"]


@pytest.mark.asyncio
async def test_a_path_can_fail_a_number_of_times_with_any_error():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/channels/{discord.channel('ml').id}/messages"
        discord.fail_next(POST, status=502, times=2)
        discord.fail_next(POST, status=400, code=30046, message="Maximum number of edits")
        assert await bot.call("GET", path) == (200, [])
        assert await bot.call("POST", path, plain("x")) == (502, None)
        assert await bot.call("POST", path, plain("x")) == (502, None)
        status, body = await bot.call("POST", path, plain("x"))
        assert (status, body) == (400, {"code": 30046, "message": "Maximum number of edits"})
        assert (await bot.call("POST", path, plain("x")))[0] == 200
        assert [call.error for call in discord.calls if call.what == POSTED] == [0, 0, 30046, None]


@pytest.mark.asyncio
async def test_an_answer_can_be_delayed_or_lost_after_or_without_its_effect():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        discord.silence(POST, 0.05)
        discord.lose_answer(POST)
        discord.lose_answer(POST, posted=False)
        clock = asyncio.get_running_loop().time
        before = clock()
        assert (await bot.call("POST", path, plain("late")))[0] == 200
        assert clock() - before >= 0.05
        for text in ("lost", "never"):
            with pytest.raises(aiohttp.ClientError):
                await bot.call("POST", path, plain(text))
        assert [it.words for it in discord.messages(channel)] == ["late", "lost"]


@pytest.mark.asyncio
async def test_a_silence_ends_with_the_stand_in():
    async with aiohttp.ClientSession() as session:
        async with DiscordStandin() as discord:
            discord.silence("GET /gateway", 60, posted=False)
            asking = asyncio.create_task(session.get(discord.api_url + "/gateway"))
            await discord.until(lambda: discord.calls)
        response = await asking
        assert response.status == 503


# The gateway


@pytest.mark.asyncio
async def test_a_connection_closed_before_hello_is_tried_again():
    async with DiscordStandin() as discord, running(discord):
        discord.close_before_hello()
        discord.drop_sockets(4000)
        await discord.until(lambda: "resumed" in discord.gateway.log)
        async with bare(discord) as bot:
            discord.close_before_hello(code=4008)
            assert (await bot.frame())["op"] == 10
        async with bare(discord) as bot:
            assert await bot.closed() == 4008


@pytest.mark.asyncio
async def test_no_connection_is_made_while_discord_refuses():
    async with DiscordStandin() as discord, aiohttp.ClientSession() as session:
        discord.refuse_connections()
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(discord.gateway_url)
        discord.refuse_connections(False)
        await (await session.ws_connect(discord.gateway_url)).close()


@pytest.mark.asyncio
async def test_a_half_open_connection_is_given_up_by_the_bot_and_what_it_missed_comes_again():
    async with (
        DiscordStandin(heartbeat=0.1) as discord,
        running(discord, TinyBot(heartbeat_timeout=0.3)) as bot,
    ):
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.go_silent()
        assert discord.gateway.live == []
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.acked
        assert discord.gateway.log == ["identified", "resumed"]
        assert len(bot.interactions) == 1


@pytest.mark.asyncio
async def test_a_half_open_connection_stands_and_nothing_is_heard_on_it():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready(intents=0)
        discord.go_silent()
        for _ in range(2):
            await bot.says(1)
        with pytest.raises(TimeoutError):
            await bot.socket.receive(timeout=0.1)
        assert not bot.socket.closed
        async with bare(discord) as other:
            await other.ready()


@pytest.mark.asyncio
async def test_heartbeats_come_as_often_as_hello_says():
    async with DiscordStandin(heartbeat=0.05) as discord, running(discord):
        await discord.until(lambda: discord.gateway.heartbeats >= 3)
        assert discord.violations == []


GARBAGE = {
    "no JSON": "}{",
    "no object": "[]",
    "an event without its fields": json.dumps({"op": 0, "t": "INTERACTION_CREATE", "d": {}}),
}


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.asyncio
async def test_a_frame_that_cannot_be_read_ends_discord_py(text):
    """Nothing in discord.py catches it: who runs the client has to start it anew."""
    async with DiscordStandin() as discord:
        points_to(discord)
        async with TinyBot() as bot:
            await bot.login(discord.bot_token)
            connecting = asyncio.create_task(bot.connect())
            await discord.connected()
            discord.send_garbage(text)
            with pytest.raises((ValueError, AttributeError, KeyError)):
                await connecting


@pytest.mark.asyncio
async def test_an_event_with_missing_fields_ends_discord_py_too_and_stays_in_the_session():
    async with DiscordStandin() as discord:
        points_to(discord)
        async with TinyBot() as bot:
            await bot.login(discord.bot_token)
            connecting = asyncio.create_task(bot.connect())
            await discord.connected()
            discord.send_event("INTERACTION_CREATE", {"id": "1", "type": 2})
            with pytest.raises(KeyError):
                await connecting
            assert "INTERACTION_CREATE" in discord.gateway.sessions[0].events[-1]


# Away


@pytest.mark.asyncio
async def test_discord_can_go_away_and_come_back_where_it_was():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        url = discord.api_url
        await discord.goes_away()
        assert await bot.closed() != 1000
        with pytest.raises(aiohttp.ClientError):
            await bot.call("GET", "/gateway")
        await discord.comes_back()
        assert discord.api_url == url
        assert (await bot.call("GET", "/gateway"))[0] == 200
        async with bare(discord) as again:
            await again.resume(bot.session_id, 1)
            await again.event("RESUMED")


@pytest.mark.asyncio
async def test_discord_py_is_back_when_discord_is():
    async with DiscordStandin() as discord, running(discord):
        sari, channel = discord.person("Sari"), discord.channel("ml")
        await discord.goes_away()
        await discord.comes_back()
        await discord.connected(timeout=10)
        assert (await discord.command(sari, channel, "/quiz start")).acked


@pytest.mark.asyncio
async def test_a_command_while_discord_cannot_reach_the_bot_is_lost_and_no_violation():
    async with DiscordStandin(deadline=0.1) as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        discord.drop_sockets()
        assert (await discord.command(sari, channel, "/quiz")).late
        assert len(discord.errors_seen_by(sari)) == 1
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_login_without_discord_fails_as_a_connection_does():
    async with DiscordStandin() as discord:
        points_to(discord)
    async with TinyBot() as bot:
        with pytest.raises(aiohttp.ClientConnectorError):
            await bot.login(discord.bot_token)
