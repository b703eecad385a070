"""The stand-in's response_url: five uses, half an hour, and what each use shows to whom."""

from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.adapters.slack.tiny_bot import FIRST, QUESTION, over_http, posted
from tests.standins.slack import SlackStandin


@pytest.mark.asyncio
async def test_a_sixth_use_of_a_response_url_is_refused():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.press_value(ayu, channel, value="x")
        uses = [await bot.respond(text=f"use {number}") for number in range(6)]
        assert [use.status_code for use in uses] == [200] * 5 + [404]
        assert uses[5].body == "used_url"
        assert len(slack.seen_by(ayu, channel)) == 5
        assert [it.error for it in slack.calls if it.method == "response_url"][-1] == "used_url"
        assert slack.violations == []


@pytest.mark.asyncio
async def test_a_response_url_is_refused_after_half_an_hour():
    clock = [datetime(2026, 3, 2, 9, tzinfo=UTC)]
    async with SlackStandin(now=lambda: clock[0]) as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.press_value(ayu, channel, value="x")
        clock[0] += timedelta(minutes=29)
        assert (await bot.respond(text="in time")).status_code == 200
        clock[0] += timedelta(minutes=2)
        late = await bot.respond(text="too late")
        assert (late.status_code, late.body) == (404, "expired_url")
        assert late.headers["Date"] == "Mon, 02 Mar 2026 09:31:00 GMT"


@pytest.mark.asyncio
async def test_the_response_url_of_a_command_only_ever_posts_a_new_message():
    async with SlackStandin() as slack, over_http(slack):
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        delivery = await slack.command(ayu, channel, "checkpointing")
        url = AsyncWebhookClient(delivery.payload["response_url"])
        await url.send_dict({"text": "More.", "replace_original": True})
        assert [it.text for it in slack.seen_by(ayu, channel)] == [QUESTION, "More."]


@pytest.mark.asyncio
async def test_a_press_may_delete_its_message_whisper_or_speak_to_all():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, budi, channel = slack.person("Ayu"), slack.person("Budi"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        await slack.press(ayu, slack.seen_by(ayu, channel)[0], button="A")
        await bot.respond(delete_original=True)
        await bot.respond(text="Only you.")
        await bot.respond(text="Everyone.", response_type="in_channel")
        assert [it.text for it in slack.seen_by(ayu, channel)] == ["Only you.", "Everyone."]
        assert [it.text for it in slack.seen_by(budi, channel)] == ["Everyone."]


@pytest.mark.asyncio
async def test_a_public_message_is_redrawn_for_everyone_and_a_deleted_one_is_not_found():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, budi, channel = slack.person("Ayu"), slack.person("Budi"), slack.channel("ml-infra")
        await bot.client.chat_postMessage(**posted(channel, **FIRST))
        [message] = slack.seen_by(ayu, channel)
        await slack.press(ayu, message, button="A")
        await bot.respond(text="Closed.", replace_original=True)
        assert slack.seen_by(budi, channel)[0].words == "Closed."
        slack.delete(message)
        assert (await bot.respond(text="Again.", replace_original=True)).status_code == 404
        assert slack.seen_by(budi, channel) == []
        assert slack.messages(channel) == [message]


@pytest.mark.asyncio
async def test_after_a_reload_the_ephemerals_are_gone_and_their_redraws_are_swallowed():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        [message] = slack.seen_by(ayu, channel)
        await slack.press(ayu, message, button="A")
        slack.reload(ayu)
        assert (await bot.respond(text="Right.", replace_original=True)).status_code == 200
        assert slack.seen_by(ayu, channel) == []
        with pytest.raises(AssertionError, match="does not see"):
            await slack.press(ayu, message, button="A")


@pytest.mark.asyncio
async def test_a_body_that_is_not_json_is_refused_by_a_response_url():
    async with SlackStandin() as slack, over_http(slack), aiohttp.ClientSession() as session:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        url = (await slack.press_value(ayu, channel, value="x")).payload["response_url"]
        async with session.post(url, data={"text": "form"}) as response:
            assert response.status == 400
        assert slack.violations == ["response_url: the body is not JSON"]
