"""Slack's payloads, read into events; pure."""

import html
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any

from bot.chat.command import parse
from bot.chat.event import Commanded, Pressed, Who
from bot.engine.people import Address, Identity

SURFACE = "slack"

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")


def commanded(body: Mapping[str, Any], *, quizzes: Collection[str], at: datetime) -> Commanded:
    """A slash command's form fields."""
    who = Who(
        identity=Identity(SURFACE, body["team_id"], body["user_id"]),
        address=Address(SURFACE, body["team_id"], body["channel_id"]),
        name=body.get("user_name"),
    )
    text, mentioned = _text(body.get("text") or "")
    command = parse(text, quizzes, mentioned)
    typed = body.get("command") or "/quiz"
    trigger = body.get("trigger_id")
    return Commanded(who, command, at, typed, id=_name(trigger) if trigger else None)


def pressed(body: Mapping[str, Any], *, at: datetime, typed: str) -> Pressed:
    """A `block_actions` payload; what counts is the button's value, never the message's content."""
    user, action = body["user"], body["actions"][0]
    workspace = (body.get("team") or {}).get("id") or user.get("team_id") or ""
    container = body.get("container") or {}
    channel = container.get("channel_id") or (body.get("channel") or {}).get("id") or user["id"]
    who = Who(
        identity=Identity(SURFACE, user.get("team_id") or workspace, user["id"]),
        address=Address(SURFACE, workspace, channel),
    )
    return Pressed(who, str(action.get("value") or ""), _press(body, action), at, typed)


def _text(text: str) -> tuple[str, frozenset[str]]:
    """The words typed, with mentions as `@` and their id, and those ids."""
    mentioned = frozenset(_MENTION.findall(text))
    return html.unescape(_MENTION.sub(r"@\1", text)), mentioned


def _press(body: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """What names a press: the same for each delivery, another for each time a person presses."""
    trigger, user = body.get("trigger_id"), body["user"]["id"]
    return _name(user, trigger, action.get("action_ts"), action.get("value"))


def _name(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()
