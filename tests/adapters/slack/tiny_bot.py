"""A tiny bot on the real slack-bolt, with which the stand-in proves itself."""

import re
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

QUESTION = "Question 1 of 8: what does fsync promise?"


def button(label, value, **more):
    text = {"type": "plain_text", "text": label}
    return {"type": "button", "action_id": f"a-{label}", "text": text, "value": value, **more}


def card(text, *buttons):
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]
    if buttons:
        blocks.append({"type": "actions", "elements": list(buttons)})
    return {"text": text, "blocks": blocks}


FIRST = card(QUESTION, button("A", "1.r.a"), button("B", "1.r.b"))


class TinyBot:
    """Answers a command with a question and a press with its verdict; slow or broken at will."""

    def __init__(self, slack):
        self.client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
        self.app = AsyncApp(
            client=self.client,
            signing_secret=slack.signing_secret,
            process_before_response=True,
        )
        self.wait = None
        self.ack_press = None
        self.answer = FIRST
        self.payloads = []
        self.retries = []
        self.app.command("/quiz")(self.on_command)
        self.app.action(re.compile(".*"))(self.on_press)

    async def on_command(self, ack):
        if self.wait:
            await self.wait.wait()
        await ack(self.answer) if self.answer else await ack()

    async def on_press(self, ack, body, request):
        self.payloads.append(body)
        self.retries.append(request.headers.get("x-slack-retry-num", [None])[0])
        if self.wait:
            await self.wait.wait()
        await ack(self.ack_press) if self.ack_press else await ack()

    async def respond(self, **content):
        url = self.payloads[-1]["response_url"]
        return await AsyncWebhookClient(url).send_dict(content)


@asynccontextmanager
async def over_http(slack):
    bot = TinyBot(slack)
    runner = web.AppRunner(bot.app.web_app(path="/slack/events"), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.speak_http_to(f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events")
    try:
        yield bot
    finally:
        await runner.cleanup()


@asynccontextmanager
async def over_sockets(slack):
    bot = TinyBot(slack)
    handler = AsyncSocketModeHandler(bot.app, slack.app_token, ping_interval=0.2)
    await handler.connect_async()
    await slack.connected()
    try:
        yield bot
    finally:
        await handler.close_async()


both_modes = pytest.mark.parametrize("mode", [over_http, over_sockets], ids=["http", "socket"])


def posted(channel, **content):
    return {"channel": channel, "unfurl_links": False, "unfurl_media": False, **content}


async def error_of(call):
    with pytest.raises(SlackApiError) as caught:
        await call
    return caught.value.response["error"]
