"""The stand-in's Web API and its rules for messages: what Slack takes, and what it refuses."""

import aiohttp
import pytest
import pytest_asyncio
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.adapters.slack.tiny_bot import FIRST, QUESTION, error_of, posted
from tests.standins.slack import SlackStandin


@pytest_asyncio.fixture
async def slack():
    async with SlackStandin() as standin:
        yield standin


@pytest.fixture
def client(slack):
    return AsyncWebClient(token=slack.bot_token, base_url=slack.api_url, timeout=5)


# Methods


@pytest.mark.asyncio
async def test_the_bot_learns_who_it_is_and_its_scopes(slack, client):
    slack.grant("commands", "chat:write")
    answer = await client.auth_test()
    assert answer["team_id"] == slack.team_id
    assert answer.headers["x-oauth-scopes"] == "commands,chat:write"
    assert answer.headers["Date"].endswith("GMT")
    assert await error_of(client.users_info(user="U1")) == "missing_scope"


@pytest.mark.asyncio
async def test_a_wrong_token_or_none_is_refused(slack):
    for token, error in ((None, "not_authed"), (slack.app_token, "invalid_auth")):
        client = AsyncWebClient(token=token, base_url=slack.api_url)
        assert await error_of(client.auth_test()) == error


@pytest.mark.asyncio
async def test_a_message_is_posted_updated_and_deleted(slack, client):
    ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
    ts = (await client.chat_postMessage(**posted(channel, **FIRST)))["ts"]
    await client.chat_update(channel=channel, ts=ts, text="Closed.")
    [message] = slack.seen_by(ayu, channel)
    assert (message.text, message.blocks, message.versions[0][0]) == ("Closed.", [], QUESTION)
    await client.chat_delete(channel=channel, ts=ts)
    assert slack.seen_by(ayu, channel) == []
    update = client.chat_update(channel=channel, ts=ts, text="Again.")
    assert await error_of(update) == "message_not_found"
    assert slack.violations == []
    assert [call.method for call in slack.calls][:2] == ["chat.postMessage", "chat.update"]


@pytest.mark.asyncio
async def test_an_ephemeral_is_seen_by_one_and_cannot_be_updated(slack, client):
    ayu, budi, channel = slack.person("Ayu"), slack.person("Budi"), slack.channel("ml-infra")
    answer = await client.chat_postEphemeral(channel=channel, user=ayu.id, **FIRST)
    assert len(slack.seen_by(ayu, channel)) == 1
    assert slack.seen_by(budi, channel) == []
    update = client.chat_update(channel=channel, ts=answer["message_ts"], text="x")
    assert await error_of(update) == "message_not_found"


@pytest.mark.asyncio
async def test_a_message_in_a_direct_view_is_seen_there_by_its_person(slack, client):
    ayu, budi = slack.person("Ayu"), slack.person("Budi")
    opened = (await client.conversations_open(users=ayu.id))["channel"]["id"]
    assert opened == slack.direct(ayu)
    await client.chat_postMessage(**posted(ayu.id, text="Hello."))
    assert [it.text for it in slack.seen_by(ayu, opened)] == ["Hello."]
    assert slack.seen_by(budi, opened) == []


@pytest.mark.asyncio
async def test_where_the_bot_may_not_write_slack_says_why(slack, client):
    ayu = slack.person("Ayu")
    foreign = slack.channel("foreign", bot_is_member=False)
    hidden = slack.channel("hidden", bot_is_member=False, private=True)
    old, left = slack.channel("old"), slack.channel("left")
    slack.archive(old)
    slack.leave(ayu, left)
    expected = {
        foreign: "not_in_channel",
        hidden: "channel_not_found",
        old: "is_archived",
        "C404": "channel_not_found",
    }
    for channel, error in expected.items():
        post = client.chat_postMessage(**posted(channel, text="Hello."))
        assert await error_of(post) == error
    whisper = client.chat_postEphemeral(channel=left, user=ayu.id, text="Hello.")
    assert await error_of(whisper) == "user_not_in_channel"
    slack.grant("chat:write", "chat:write.public")
    await client.chat_postMessage(**posted(foreign, text="Hello."))


@pytest.mark.asyncio
async def test_a_bot_put_out_of_a_channel_cannot_update_until_it_is_invited(slack, client):
    channel = slack.channel("ml-infra")
    ts = (await client.chat_postMessage(**posted(channel, text="One.")))["ts"]
    slack.remove_bot(channel)
    assert await error_of(client.chat_update(channel=channel, ts=ts, text="x")) == "not_in_channel"
    slack.invite_bot(channel)
    await client.chat_update(channel=channel, ts=ts, text="Two.")


@pytest.mark.asyncio
async def test_people_are_described_and_their_locale_only_when_asked_for(slack, client):
    rina = slack.person("Rina", owner=True, locale="fr-FR")
    user = (await client.users_info(user=rina.id))["user"]
    assert (user["is_admin"], user["is_owner"], user["is_bot"]) == (True, True, False)
    assert "locale" not in user
    asked = (await client.users_info(user=rina.id, include_locale=True))["user"]
    assert asked["locale"] == "fr-FR"
    info = (await client.conversations_info(channel=slack.channel("ml-infra")))["channel"]
    assert (info["name"], info["is_member"], info["is_im"]) == ("ml-infra", True, False)


@pytest.mark.asyncio
async def test_form_bodies_are_read_as_json_bodies_are(slack, client):
    channel = slack.channel("ml-infra")
    form = {"channel": channel, "text": "Hi", "unfurl_links": "0", "unfurl_media": "false"}
    form["blocks"] = '[{"type": "divider"}]'
    await client.api_call("chat.postMessage", data=form)
    assert slack.messages(channel)[0].blocks == [{"type": "divider"}]
    assert slack.violations == []


@pytest.mark.asyncio
async def test_an_unknown_method_is_refused_and_noted(slack, client):
    assert await error_of(client.api_call("chat.shout")) == "unknown_method"
    assert slack.violations == ["chat.shout: the stand-in has no such method"]


# Faults


@pytest.mark.asyncio
async def test_a_rate_limit_comes_once_with_its_retry_after(slack, client):
    channel = slack.channel("ml-infra")
    slack.fail_next("chat.postMessage", retry_after=7)
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(**posted(channel, text="Hello."))
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "7"
    assert slack.messages(channel) == []
    await client.chat_postMessage(**posted(channel, text="Hello."))


@pytest.mark.asyncio
async def test_a_failure_is_ordered_as_often_as_wanted(slack, client):
    slack.fail_next("auth.test", error="token_revoked", status=200, times=2)
    assert await error_of(client.auth_test()) == "token_revoked"
    assert await error_of(client.auth_test()) == "token_revoked"
    await client.auth_test()


@pytest.mark.parametrize("posts", [True, False])
@pytest.mark.asyncio
async def test_a_lost_answer_hides_whether_the_message_was_posted(slack, client, posts):
    channel = slack.channel("ml-infra")
    client.retry_handlers.clear()
    slack.lose_answer("chat.postMessage", posted=posts)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(**posted(channel, text="Hello."))
    assert len(slack.messages(channel)) == posts


@pytest.mark.asyncio
async def test_a_silent_slack_has_posted_when_the_client_gives_up(slack):
    channel = slack.channel("ml-infra")
    client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url, timeout=0.1)
    slack.silence("chat.postMessage", 60)
    with pytest.raises(TimeoutError):
        await client.chat_postMessage(**posted(channel, text="Hello."))
    assert len(slack.messages(channel)) == 1


@pytest.mark.asyncio
async def test_a_wait_that_fails_draws_what_each_person_sees(slack, client):
    ayu, channel = slack.person("Ayu"), slack.channel("ml-infra")
    await client.chat_postEphemeral(channel=channel, user=ayu.id, **FIRST)
    with pytest.raises(AssertionError) as caught:
        await slack.until(lambda: False, timeout=0.01)
    picture = str(caught.value)
    assert "Ayu sees" in picture
    assert f"(only they) {QUESTION} [A] [B]" in picture
