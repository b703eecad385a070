"""Slack and Discord in one process: with Slack away, Discord never notices.

The other way round is in `test_serving.py`.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.adapters.discord.people import DiscordUser
from tests.proof.program import Program
from tests.standins.discord import DiscordStandin
from tests.standins.slack import SlackStandin

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[SlackStandin]:
    async with SlackStandin() as workspace:
        yield workspace


@pytest_asyncio.fixture
async def discord() -> AsyncIterator[DiscordStandin]:
    async with DiscordStandin() as server:
        yield server


@pytest_asyncio.fixture
async def program(slack, discord, tmp_path) -> AsyncIterator[Program]:
    program = Program(
        tmp_path,
        "serve",
        SLACK_API_URL=slack.api_url,
        SLACK_BOT_TOKEN=slack.bot_token,
        SLACK_APP_TOKEN=slack.app_token,
        DISCORD_TOKEN=discord.bot_token,
        DISCORD_API_URL=discord.api_url,
        DISCORD_GATEWAY_URL=discord.gateway_url,
        PORT="0",
    )
    await program.start("Your claim code")
    await asyncio.gather(slack.connected(timeout=20), discord.connected(timeout=20))
    yield program
    assert await program.stop() == 0


async def takes_it_in_slack(slack: SlackStandin) -> None:
    ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
    await slack.command(ayu, place, "checkpointing")
    message = slack.seen_by(ayu, place)[-1]
    for _ in range(8):
        for button in (lambda _: "A", next_button):
            before = len(message.versions)
            delivery = await slack.press(ayu, message, button=button(message.buttons))
            assert delivery.acked
            await slack.until(lambda: len(message.versions) > before)  # noqa: B023 - awaited here
    assert "of 8 right" in message.words
    assert (slack.violations, slack.errors_seen_by(ayu)) == ([], [])


async def takes_it_in_discord(discord: DiscordStandin) -> None:
    ayu = DiscordUser(discord, discord.person("Ayu"), discord.channel("training"))
    await ayu.types("/quiz start", quiz="checkpointing")
    for _ in range(8):
        await ayu.presses("A")
        await ayu.presses(next_button(ayu.screen.buttons))
    assert ayu.sees("of 8 right")
    assert (discord.violations, ayu.errors) == ([], [])


def next_button(buttons: list[str]) -> str:
    return "Next" if "Next" in buttons else "See the result"


async def test_with_slack_away_discord_never_notices_and_slack_goes_on_when_it_is_back(
    program, slack, discord
):
    slack.refuse_connections()
    slack.drop_sockets()
    await takes_it_in_discord(discord)

    slack.refuse_connections(refuse=False)
    await slack.connected(timeout=60)
    await takes_it_in_slack(slack)
