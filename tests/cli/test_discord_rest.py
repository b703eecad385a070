"""Single calls of Discord's API: how they look, how long they wait, and what refuses them."""

from collections.abc import AsyncIterator, Callable

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.discord.rest import Rest
from bot.engine.fault import RefusedError, UnavailableError
from tests.standins.discord import DiscordStandin


class Door:
    """Answers one call after the other as it was told to, and keeps what was asked."""

    def __init__(self) -> None:
        self.answers: list[web.Response] = []
        self.asked: list[web.Request] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request)
        return self.answers.pop(0)


@pytest.fixture
def door() -> Door:
    return Door()


@pytest_asyncio.fixture
async def rest(door: Door) -> AsyncIterator[Callable[[float], Rest]]:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", door.answer)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        address = str(server.make_url("/api/v10"))
        yield lambda seconds: Rest(session, address, "1.2.hunter", seconds=seconds)


@pytest.mark.asyncio
async def test_a_call_says_which_bot_and_which_program_calls(
    door: Door, rest: Callable[[float], Rest]
) -> None:
    door.answers = [web.json_response({"id": "1"})]
    assert (await rest(5).get("/users/@me")).body == {"id": "1"}
    (asked,) = door.asked
    assert asked.path == "/api/v10/users/@me"
    assert asked.headers["Authorization"] == "Bot 1.2.hunter"
    assert asked.headers["User-Agent"].startswith("DiscordBot (https://")
    assert "Latih/" in asked.headers["User-Agent"]


@pytest.mark.asyncio
async def test_the_limit_of_a_proxy_that_only_heads_its_page_is_kept(
    door: Door, rest: Callable[[float], Rest]
) -> None:
    page = web.Response(status=429, text="<html>", headers={"Retry-After": "0"})
    door.answers = [page, web.json_response([])]
    assert (await rest(5).get("/users/@me/guilds")).body == []
    assert len(door.asked) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("said", [{}, {"Retry-After": "soon"}])
async def test_a_limit_without_a_time_is_taken_for_a_second(
    door: Door, rest: Callable[[float], Rest], said: dict[str, str]
) -> None:
    door.answers = [web.Response(status=429, headers=said)]
    with pytest.raises(UnavailableError, match="Discord asks to wait 1 s"):
        await rest(0.5).get("/users/@me")


@pytest.mark.asyncio
async def test_limits_are_waited_out_only_as_long_as_the_call_may_take(
    door: Door, rest: Callable[[float], Rest]
) -> None:
    door.answers = [web.json_response({"retry_after": 0.2}, status=429) for _ in range(9)]
    with pytest.raises(UnavailableError, match="because too many calls came: try again then"):
        await rest(0.5).get("/users/@me")
    assert 2 <= len(door.asked) <= 3


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            200,
            "<html>",
            "GET /a was answered with 200, but not by Discord's API: check DISCORD_API",
        ),
        (403, "blocked", "GET /a was answered with 403, but not by Discord's API"),
        (404, '{"message": "Unknown", "code": 1}', "Discord refuses GET /a: Unknown"),
        (400, "[]", "Discord refuses GET /a: 400"),
        (500, "{}", "Discord is in trouble (500): try again in a minute"),
    ],
)
async def test_what_is_no_good_answer_is_told_in_a_sentence(
    door: Door, rest: Callable[[float], Rest], status: int, body: str, said: str
) -> None:
    door.answers = [web.Response(status=status, text=body)]
    with pytest.raises(UnavailableError) as refused:
        await rest(5).get("/a?b=c")
    assert str(refused.value).startswith(said)
    assert not isinstance(refused.value, RefusedError)


@pytest.mark.asyncio
async def test_only_a_token_that_is_not_accepted_is_a_refusal(
    door: Door, rest: Callable[[float], Rest]
) -> None:
    door.answers = [web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)]
    with pytest.raises(RefusedError, match="press Reset Token") as refused:
        await rest(5).get("/users/@me")
    assert "hunter" not in str(refused.value)


@pytest.mark.asyncio
async def test_an_answer_that_does_not_come_is_given_up() -> None:
    async with DiscordStandin() as discord, aiohttp.ClientSession() as session:
        discord.silence("GET /users/@me", 60)
        rest = Rest(session, discord.api_url, discord.bot_token, seconds=0.2)
        with pytest.raises(UnavailableError) as silent:
            await rest.get("/users/@me")
        assert str(silent.value) == (
            f"Discord cannot be reached at {discord.api_url} (no answer within 0.2 s): "
            "check the network, a proxy, DISCORD_API_URL"
        )
