"""A press as Slack posts it: `block_actions`, url-encoded and signed."""

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode

from adapters.slack.web import PATH
from bench.world import TEAM, Waiting, now

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
PUBLIC, PRIVATE = 3_400, 0
"""Bytes of a body: with the message of four buttons, and without, as for a private message."""


def request(press: Waiting, number: int, response_url: str, size: int) -> bytes:
    """The whole HTTP request; `size` pads the message that comes along, none comes for 0."""
    at = int(now().timestamp())
    payload = _payload(press, f"{at}.{number:06d}", response_url)
    if size:
        payload["message"] = _message(press, "")
        missing = size - len(_encoded(payload))
        payload["message"] = _message(press, "x" * max(missing, 0))
    body = _encoded(payload)
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: bot.example\r\n"
        "User-Agent: Slackbot 1.0 (+https://api.slack.com/robots)\r\n"
        "Accept: application/json,*/*\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"X-Slack-Request-Timestamp: {at}\r\nX-Slack-Signature: {_signature(at, body)}\r\n\r\n"
    )
    return head.encode() + body


def _signature(at: int, body: bytes) -> str:
    signed = hmac.new(SECRET.encode(), f"v0:{at}:".encode() + body, hashlib.sha256)
    return f"v0={signed.hexdigest()}"


def _encoded(payload: dict[str, Any]) -> bytes:
    return urlencode({"payload": json.dumps(payload, separators=(",", ":"))}).encode()


def _payload(press: Waiting, ts: str, response_url: str) -> dict[str, Any]:
    name = press.user.lower()
    return {
        "type": "block_actions",
        "user": {"id": press.user, "username": name, "name": name, "team_id": TEAM},
        "api_app_id": "A0BENCH0001",
        "token": "verification-token-0001",
        "container": {
            "type": "message",
            "message_ts": ts,
            "channel_id": press.channel,
            "is_ephemeral": True,
        },
        "trigger_id": f"13.{ts}.{press.token}",
        "team": {"id": TEAM, "domain": "bench"},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": press.channel, "name": "bench"},
        "state": {"values": {}},
        "response_url": response_url,
        "actions": [{**_button(press, press.letter), "block_id": "b4", "action_ts": ts}],
    }


def _button(press: Waiting, letter: str) -> dict[str, Any]:
    token = f"1.r.{press.token}.{press.position}.{letter}"
    text = {"type": "plain_text", "text": letter, "emoji": True}
    return {"type": "button", "action_id": token, "value": token, "text": text}


def _message(press: Waiting, words: str) -> dict[str, Any]:
    section = {"type": "section", "block_id": "b1", "text": {"type": "mrkdwn", "text": words}}
    buttons = [_button(press, letter) for letter in "ABCD"]
    return {
        "type": "message",
        "user": "U0BENCHBOT1",
        "bot_id": "B0BENCHBOT1",
        "app_id": "A0BENCH0001",
        "team": TEAM,
        "ts": "1700000000.000001",
        "text": "A question with four options",
        "blocks": [section, {"type": "actions", "block_id": "b4", "elements": buttons}],
    }
