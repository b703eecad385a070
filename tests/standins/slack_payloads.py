"""The payloads that Slack sends when a person types a command or presses a button."""

import copy
import hashlib
from collections.abc import Mapping
from typing import Any

from tests.standins.slack_state import Channel, Message, SlackPerson, Workspace
from tests.standins.slack_words import Block, buttons_in, label_of


def command_payload(
    workspace: Workspace,
    *,
    person: SlackPerson,
    channel: Channel,
    command: str,
    text: str,
    response_url: str,
) -> dict[str, Any]:
    """The form fields of a slash command."""
    return {
        "token": workspace.app.verification_token,
        "team_id": workspace.team_id,
        "team_domain": workspace.domain,
        "channel_id": channel.id,
        "channel_name": _channel_name(channel),
        "user_id": person.id,
        "user_name": person.name.lower(),
        "command": command,
        "text": text,
        "api_app_id": workspace.app.app_id,
        "is_enterprise_install": "false",
        "response_url": response_url,
        "trigger_id": workspace.new_id("13."),
    }


def press_payload(
    workspace: Workspace,
    *,
    person: SlackPerson,
    channel: Channel,
    message: Message | None,
    action: Mapping[str, Any],
    response_url: str,
) -> dict[str, Any]:
    """A block_actions payload; like Slack's, it has no `message` for an ephemeral one."""
    ephemeral = message is None or message.ephemeral_to is not None
    payload: dict[str, Any] = {
        "type": "block_actions",
        "user": {
            "id": person.id,
            "username": person.name.lower(),
            "name": person.name.lower(),
            "team_id": workspace.team_id,
        },
        "api_app_id": workspace.app.app_id,
        "token": workspace.app.verification_token,
        "container": {
            "type": "message",
            "message_ts": message.ts if message else workspace.new_ts(),
            "channel_id": channel.id,
            "is_ephemeral": ephemeral,
        },
        "trigger_id": workspace.new_id("13."),
        "team": {"id": workspace.team_id, "domain": workspace.domain},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": channel.id, "name": _channel_name(channel)},
        "state": {"values": {}},
        "response_url": response_url,
        "actions": [{**action, "action_ts": workspace.new_ts()}],
    }
    if message is not None and not ephemeral:
        payload["message"] = message_payload(workspace, message)
    return payload


def message_payload(workspace: Workspace, message: Message) -> dict[str, Any]:
    """A message as Slack gives it back to the app that wrote it."""
    payload = {
        "type": "message",
        "user": workspace.app.bot_user_id,
        "bot_id": workspace.app.bot_id,
        "app_id": workspace.app.app_id,
        "team": workspace.team_id,
        "ts": message.ts,
        "text": message.text,
        "blocks": _as_stored(message),
    }
    if message.thread_ts is not None:
        payload["thread_ts"] = message.thread_ts
    return payload


def action_of(
    message: Message, button: str, *, blocks: list[Block] | None = None
) -> dict[str, Any]:
    """The action of the button with that label, or else with that value."""
    choices = list(buttons_in(message.blocks if blocks is None else blocks))
    found = [it for it in choices if label_of(it[1]) == button]
    found = found or [it for it in choices if it[1].get("value") == button]
    labels = [label_of(it) for _, it in choices]
    assert len(found) == 1, f"{len(found)} buttons {button!r} among {labels} of {message.words!r}"
    index, element = found[0]
    block_id = (blocks or message.blocks)[index].get("block_id", _block_id(message, index))
    kept = [key for key in ("action_id", "value", "style") if key in element]
    action: dict[str, Any] = {key: element[key] for key in kept}
    text = _escaped({"emoji": True, **element["text"]})
    return {**action, "block_id": block_id, "text": text, "type": "button"}


def forged_action(value: str, *, action_id: str) -> dict[str, Any]:
    """A button that the bot never sent, as a tampered client could make one up."""
    return {
        "action_id": action_id,
        "block_id": "forge",
        "text": {"type": "plain_text", "text": "?", "emoji": True},
        "value": value,
        "type": "button",
    }


def _channel_name(channel: Channel) -> str:
    if channel.person is not None:
        return "directmessage"
    return "privategroup" if channel.private else channel.name


def _block_id(message: Message, index: int) -> str:
    """Slack invents an id for a block that has none, and keeps it."""
    return hashlib.sha256(f"{message.ts}/{index}".encode()).hexdigest()[:5]


def _as_stored(message: Message) -> list[Block]:
    stored = copy.deepcopy(message.blocks)
    for index, block in enumerate(stored):
        block.setdefault("block_id", _block_id(message, index))
    return [_escaped(block) for block in stored]


def _escaped(it: Any) -> Any:
    """Slack hands plain text back with its three control characters escaped."""
    if isinstance(it, list):
        return [_escaped(each) for each in it]
    if not isinstance(it, dict):
        return it
    copied = {key: _escaped(value) for key, value in it.items()}
    if it.get("type") == "plain_text":
        text = str(it.get("text", "")).replace("&", "&amp;")
        copied["text"] = text.replace("<", "&lt;").replace(">", "&gt;")
    return copied
