"""The stand-in of Slack hands commands and presses over, and is strict about the answers."""

import asyncio

import pytest

from tests.adapters.slack.tiny_bot import (
    FIRST,
    QUESTION,
    both_modes,
    button,
    card,
    over_http,
    posted,
)
from tests.standins.slack import SlackStandin
from tests.standins.slack_http import timestamp


@both_modes
@pytest.mark.asyncio
async def test_the_acknowledgement_of_a_command_is_shown_to_its_author_alone(mode):
    async with SlackStandin() as slack, mode(slack):
        ayu, budi, channel = slack.person("Ayu"), slack.person("Budi"), slack.channel("ml-infra")
        delivery = await slack.command(ayu, channel, "checkpointing")
        assert delivery.acked
        assert not delivery.late
        [message] = slack.seen_by(ayu, channel)
        assert message.words == QUESTION
        assert message.buttons == ["A", "B"]
        assert message.ephemeral_to == ayu.id
        assert slack.seen_by(budi, channel) == []
        assert slack.violations == []


@both_modes
@pytest.mark.asyncio
async def test_an_in_channel_acknowledgement_is_shown_to_all(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, budi, channel = slack.person("Ayu"), slack.person("Budi"), slack.channel("ml-infra")
        bot.answer = FIRST | {"response_type": "in_channel"}
        await slack.command(ayu, channel, "checkpointing")
        assert [it.text for it in slack.seen_by(budi, channel)] == [QUESTION]


@both_modes
@pytest.mark.asyncio
async def test_an_empty_acknowledgement_shows_nothing(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.answer = None
        assert (await slack.command(ayu, channel)).acked
        assert slack.seen_by(ayu, channel) == []


@both_modes
@pytest.mark.asyncio
async def test_a_plain_text_acknowledgement_is_a_message_too(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.answer = "Nothing is open."
        await slack.command(ayu, channel, "stop")
        assert [it.words for it in slack.seen_by(ayu, channel)] == ["Nothing is open."]


@both_modes
@pytest.mark.asyncio
async def test_a_press_carries_what_slack_sends_and_its_url_redraws_the_message(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        [message] = slack.seen_by(ayu, channel)
        assert (await slack.press(ayu, message, button="B")).acked
        [payload] = bot.payloads
        assert payload["user"]["id"] == ayu.id
        assert payload["container"]["is_ephemeral"] is True
        assert "message" not in payload
        assert payload["actions"][0]["value"] == "1.r.b"
        response = await bot.respond(replace_original=True, **card("B is right."))
        assert (response.status_code, response.body) == (200, "ok")
        assert [it.words for it in slack.seen_by(ayu, channel)] == ["B is right."]
        assert message.versions[0][0] == QUESTION
        assert slack.violations == []


@both_modes
@pytest.mark.asyncio
async def test_the_very_same_press_comes_again_marked_as_a_retry(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        first = await slack.press(ayu, slack.seen_by(ayu, channel)[0], button="1.r.a")
        again = await slack.redeliver(first, retry_num=2)
        assert again.acked
        assert bot.payloads[0] == bot.payloads[1]
        assert bot.retries == [None, "2"]


@pytest.mark.asyncio
async def test_two_presses_of_one_button_differ_in_trigger_and_response_url():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        [message] = slack.seen_by(ayu, channel)
        await asyncio.gather(*(slack.press(ayu, message, button="A") for _ in range(2)))
        one, two = bot.payloads
        for key in ("trigger_id", "response_url"):
            assert one[key] != two[key]
        assert one["actions"][0]["action_ts"] != two["actions"][0]["action_ts"]


@pytest.mark.asyncio
async def test_a_forged_button_reaches_the_bot_with_its_value():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        assert (await slack.press_value(ayu, channel, value="1.r.forged.0.A")).acked
        assert bot.payloads[0]["actions"][0]["value"] == "1.r.forged.0.A"


@pytest.mark.asyncio
async def test_a_public_press_has_the_message_with_its_plain_text_escaped():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        content = card(QUESTION, button("A & B", "v"))
        await bot.client.chat_postMessage(**posted(channel, **content))
        await slack.press(ayu, slack.seen_by(ayu, channel)[0], button="A & B")
        [payload] = bot.payloads
        assert payload["message"]["blocks"][1]["elements"][0]["text"]["text"] == "A &amp; B"
        held = payload["message"]["blocks"][1]["block_id"]
        assert payload["actions"][0]["block_id"] == held
        assert payload["container"]["is_ephemeral"] is False


@pytest.mark.asyncio
async def test_a_button_of_an_earlier_version_can_still_be_pressed():
    async with SlackStandin() as slack, over_http(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        await slack.command(ayu, channel, "checkpointing")
        [message] = slack.seen_by(ayu, channel)
        await slack.press(ayu, message, button="A")
        await bot.respond(replace_original=True, **card("Right.", button("Next", "1.r.next")))
        with pytest.raises(AssertionError, match="0 buttons 'A' among"):
            await slack.press(ayu, message, button="A")
        assert (await slack.press(ayu, message, button="A", version=0)).acked


# The deadline


@both_modes
@pytest.mark.asyncio
async def test_a_command_answered_past_the_deadline_is_an_error_and_its_message_is_lost(mode):
    async with SlackStandin(deadline=0.1, patience=5) as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.wait = asyncio.Event()
        pressing = asyncio.create_task(slack.command(ayu, channel, "checkpointing"))
        await slack.until(lambda: slack.errors_seen_by(ayu))
        bot.wait.set()
        delivery = await pressing
        assert delivery.late
        assert not delivery.acked
        assert delivery.body["text"] == QUESTION
        assert delivery.seconds >= 0.1
        assert slack.errors_seen_by(ayu) == ["/quiz checkpointing: operation_timeout"]
        assert slack.seen_by(ayu, channel) == []
        assert slack.violations == ["/quiz checkpointing: not acknowledged within 0.1 s"]


@both_modes
@pytest.mark.asyncio
async def test_a_press_that_is_never_answered_is_given_up_after_the_patience(mode):
    async with SlackStandin(deadline=0.05, patience=0.1) as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.wait = asyncio.Event()
        delivery = await slack.press_value(ayu, channel, value="x")
        assert (delivery.acked, delivery.late, delivery.body) == (False, True, None)
        assert slack.violations == ["press x: not acknowledged within 0.05 s"]
        bot.wait.set()


@pytest.mark.asyncio
async def test_a_command_that_nobody_listens_for_shows_an_error_and_is_no_violation():
    async with SlackStandin() as slack:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        unplugged = await slack.command(ayu, channel)
        slack.speak_http_to("http://127.0.0.1:1/slack/events")
        refused = await slack.command(ayu, channel)
        assert not unplugged.acked
        assert not refused.acked
        assert slack.errors_seen_by(ayu) == ["/quiz: dispatch_failed"] * 2
        assert slack.violations == []


@pytest.mark.asyncio
async def test_an_error_status_is_shown_to_the_person_and_noted():
    async with SlackStandin() as slack, over_http(slack):
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        delivery = await slack.command(ayu, channel, command="/unknown")
        assert delivery.status == 404
        assert slack.errors_seen_by(ayu) == ["/unknown: dispatch_failed"]
        assert slack.violations == ["/unknown: answered with 404"]


@both_modes
@pytest.mark.asyncio
async def test_a_body_in_the_acknowledgement_of_a_press_is_ignored_and_noted(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.ack_press = FIRST
        await slack.press_value(ayu, channel, value="x")
        assert slack.seen_by(ayu, channel) == []
        assert slack.violations == ["press x: ack body ignored"]


@both_modes
@pytest.mark.asyncio
async def test_an_invalid_acknowledgement_of_a_command_shows_an_error_instead(mode):
    async with SlackStandin() as slack, mode(slack) as bot:
        ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
        bot.answer = card("x" * 3001)
        await slack.command(ayu, channel)
        assert slack.seen_by(ayu, channel) == []
        assert slack.errors_seen_by(ayu) == ["/quiz: invalid_command_response"]
        assert slack.violations == ["/quiz: [0].text: 3001 characters, at most 3000"]


# Signatures


BROKEN = {
    "bad signature": {"X-Slack-Signature": "v0=00"},
    "no signature": {"X-Slack-Signature": None},
    "stale": {"X-Slack-Request-Timestamp": timestamp(age=600)},
}


@pytest.mark.parametrize("headers", BROKEN.values(), ids=BROKEN)
@pytest.mark.asyncio
async def test_a_request_that_slack_did_not_sign_can_be_sent(headers):
    async with SlackStandin() as slack, over_http(slack):
        status, _ = await slack.send_raw(headers_override=headers)
        assert status == 401


@pytest.mark.asyncio
async def test_a_timestamp_that_is_no_number_and_bodies_that_make_no_sense_can_be_sent():
    async with SlackStandin() as slack, over_http(slack):
        headers = {"X-Slack-Request-Timestamp": "yesterday"}
        assert (await slack.send_raw(headers_override=headers))[0] == 500
        assert (await slack.send_raw(body=b"\xff\xfe{"))[0] in {400, 404, 500}
        assert (await slack.send_raw(body="x" * 2_000_000))[0] in {0, 413}
        assert (await slack.send_raw())[0] == 200
