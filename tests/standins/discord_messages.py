"""A message is made, changed and taken away: by the bot in a channel, or as an answer."""

import copy
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.standins.discord_payloads import message_payload
from tests.standins.discord_refusals import RefusedError, form_error
from tests.standins.discord_rules import message_breaches
from tests.standins.discord_state import NO_FLAG, Channel, DiscordPerson, Flag, Message, World
from tests.standins.discord_words import Component, every

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Upload:
    """A file that came with a request."""

    name: str
    size: int
    kind: str


def write(
    world: World,
    what: str,
    channel: Channel,
    body: Body,
    *,
    files: Sequence[Upload] = (),
    ephemeral_to: DiscordPerson | None = None,
    source: dict[str, Any] | None = None,
) -> Message:
    """A new message; it is empty only when it is loading."""
    _check(world, what, body, None, files)
    flags = Flag(body.get("flags") or 0)
    reference = body.get("message_reference") or {}
    message = Message(
        id=world.new_id(),
        channel=channel,
        at=world.now(),
        flags=flags,
        ephemeral_to=ephemeral_to,
        reply_to=reference.get("message_id") and str(reference["message_id"]),
        nonce=body.get("nonce"),
        source=source,
    )
    _fill(world, message, body, files)
    nothing = not (message.content or message.embeds or message.components or message.attachments)
    if nothing:
        raise RefusedError(50006)
    return _told(world, world.put(message), "MESSAGE_CREATE")


def think(
    world: World,
    channel: Channel,
    *,
    ephemeral_to: DiscordPerson | None,
    source: dict[str, Any],
) -> Message:
    """The empty message of a deferral, to be filled in later."""
    flags = Flag.LOADING | (Flag.EPHEMERAL if ephemeral_to else NO_FLAG)
    message = Message(
        id=world.new_id(),
        channel=channel,
        at=world.now(),
        flags=flags,
        ephemeral_to=ephemeral_to,
        source=source,
    )
    return _told(world, world.put(message), "MESSAGE_CREATE")


def change(
    world: World, what: str, message: Message, body: Body, *, files: Sequence[Upload] = ()
) -> Message:
    """Only what the body names is changed; who sees it never is."""
    _check(world, what, body, message, files)
    if message.loading:
        message.flags &= ~Flag.LOADING
    else:
        world.remembered(message)
    if body.get("flags") is not None:
        kept = message.flags & Flag.EPHEMERAL
        message.flags = (Flag(body["flags"]) & ~Flag.EPHEMERAL) | kept
    _fill(world, message, body, files)
    world.changed()
    return _told(world, message, "MESSAGE_UPDATE")


def remove(world: World, message: Message) -> None:
    world.remove(message)
    if message.ephemeral_to is None:
        gone = {"id": message.id, "channel_id": message.channel.id}
        world.announce("MESSAGE_DELETE", gone, message.channel.guild)


def _check(
    world: World, what: str, body: Body, before: Message | None, files: Sequence[Upload]
) -> None:
    found = message_breaches(body, before=before, files=[it.name for it in files])
    for breach in found:
        world.violate(f"{what}: {breach}")
    if any(breach.refuses for breach in found):
        raise form_error(found)


def _fill(world: World, message: Message, body: Body, files: Sequence[Upload]) -> None:
    if "content" in body:
        message.content = str(body["content"] or "")
    if "embeds" in body:
        message.embeds = [{"type": "rich", **embed} for embed in body["embeds"] or []]
    if "attachments" in body:
        kept = {str(it.get("id")) for it in body["attachments"] or []}
        message.attachments = [it for it in message.attachments if it["id"] in kept]
    message.attachments = [*message.attachments, *(_attachment(world, it) for it in files)]
    if "components" in body:
        message.components = _numbered(copy.deepcopy(body["components"] or []))
        _point_to_files(message)


def _numbered(components: list[Component]) -> list[Component]:
    """Each component without an id gets the next free one, in reading order."""
    taken = {it["id"] for it in every(components) if it.get("id")}
    free = (number for number in itertools.count(1) if number not in taken)
    for component in every(components):
        component["id"] = component.get("id") or next(free)
    return components


def _point_to_files(message: Message) -> None:
    held = {f"attachment://{it['filename']}": it for it in message.attachments}
    for component in every(message.components):
        for item in component.get("items") or [component]:
            media = item.get("media") or item.get("file")
            if media and media["url"] in held:
                attachment = held[media["url"]]
                media |= {key: attachment[key] for key in ("url", "proxy_url", "content_type")}
                media |= {
                    "id": attachment["id"],
                    "attachment_id": attachment["id"],
                    "loading_state": 2,
                }


def _attachment(world: World, file: Upload) -> dict[str, Any]:
    new_id = world.new_id()
    url = f"{world.base}/attachments/{new_id}/{file.name}"
    return {
        "id": new_id,
        "filename": file.name,
        "size": file.size,
        "content_type": file.kind,
        "url": url,
        "proxy_url": url,
    }


def _told(world: World, message: Message, event: str) -> Message:
    """The gateway tells of everything but ephemerals."""
    if message.ephemeral_to is None:
        payload = message_payload(world, message)
        guild = message.channel.guild
        told = payload | ({"guild_id": guild.id} if guild else {})
        world.announce(event, told, guild)
    return message
