"""Everything Discord, or a person who is pinged by mistake, would object to in a message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.standins.discord_components import length, message_components
from tests.standins.discord_refusals import Breach
from tests.standins.discord_state import NO_FLAG, Flag, Message
from tests.standins.discord_words import every

Body = Mapping[str, Any]

SETTABLE = Flag.SUPPRESS_EMBEDS | Flag.EPHEMERAL | Flag.SILENT | Flag.COMPONENTS_V2
FORBIDDEN_WITH_V2 = ("content", "embeds", "poll", "sticker_ids")
CONTENTS = ("content", "embeds", "components", "poll", "sticker_ids")
EMBED = {"title": 256, "description": 4096}
MOST_OF_ALL_EMBEDS = 6000


def message_breaches(
    body: Body, *, before: Message | None = None, files: Sequence[str] = ()
) -> list[Breach]:
    """The objections to a new message, or to a change of the one `before`."""
    flags = _flags(body, before)
    v2 = Flag.COMPONENTS_V2 in flags
    return [
        *_flag_breaches(body, before),
        *(_v2_breaches(body, before) if v2 else _legacy_breaches(body)),
        *message_components(body.get("components") or [], v2=v2),
        *_file_breaches(body, before, files),
        *_nonce_breaches(body),
        *_mention_breaches(body),
    ]


def _flags(body: Body, before: Message | None) -> Flag:
    """A change that names no flags keeps those of the message."""
    if body.get("flags") is not None:
        return Flag(body["flags"])
    return before.flags if before else NO_FLAG


def _flag_breaches(body: Body, before: Message | None) -> Iterator[Breach]:
    flags = Flag(body.get("flags") or 0)
    if flags & ~SETTABLE:
        yield Breach("flags", f"{int(flags & ~SETTABLE)} cannot be set")
    was_v2 = before is not None and Flag.COMPONENTS_V2 in before.flags
    if was_v2 and body.get("flags") is not None and Flag.COMPONENTS_V2 not in flags:
        yield Breach("flags", "a message of components stays one")


def _v2_breaches(body: Body, before: Message | None) -> Iterator[Breach]:
    for key in FORBIDDEN_WITH_V2:
        if body.get(key):
            yield Breach(key, "cannot be used together with components v2")
    if before is not None and Flag.COMPONENTS_V2 not in before.flags:
        for key, held in (("content", before.content), ("embeds", before.embeds)):
            if held and key not in body:
                yield Breach(key, "has to be emptied when a message turns to components v2")
    if "components" in body and not body["components"]:
        yield Breach("components", "empty")


def _legacy_breaches(body: Body) -> Iterator[Breach]:
    yield from length(body, "content", 2000, "", least=0)
    embeds = body.get("embeds") or []
    if len(embeds) > 10:
        yield Breach("embeds", f"{len(embeds)}, at most 10")
    for index, embed in enumerate(embeds):
        yield from _embed(embed, f"embeds[{index}]")
    whole = sum(len(text) for embed in embeds for text in _texts(embed))
    if whole > MOST_OF_ALL_EMBEDS:
        yield Breach("embeds", f"{whole} characters, at most {MOST_OF_ALL_EMBEDS}")


def _embed(embed: Body, where: str) -> Iterator[Breach]:
    for key, most in EMBED.items():
        yield from length(embed, key, most, where, least=0)
    fields = embed.get("fields") or []
    if len(fields) > 25:
        yield Breach(f"{where}.fields", f"{len(fields)}, at most 25")
    for index, field in enumerate(fields):
        yield from length(field, "name", 256, f"{where}.fields[{index}]")
        yield from length(field, "value", 1024, f"{where}.fields[{index}]")
    yield from length(embed.get("footer") or {}, "text", 2048, f"{where}.footer", least=0)
    yield from length(embed.get("author") or {}, "name", 256, f"{where}.author", least=0)


def _texts(embed: Body) -> Iterator[str]:
    yield from (str(embed.get(key) or "") for key in EMBED)
    yield str((embed.get("footer") or {}).get("text") or "")
    yield str((embed.get("author") or {}).get("name") or "")
    for field in embed.get("fields") or []:
        yield f"{field.get('name')}{field.get('value')}"


def _file_breaches(body: Body, before: Message | None, files: Sequence[str]) -> Iterator[Breach]:
    """What a component shows with attachment:// has to be there."""
    held = {str(it["filename"]) for it in before.attachments} if before else set()
    if len(files) > 10:
        yield Breach("files", f"{len(files)}, at most 10")
    for component in every([it for it in body.get("components") or [] if isinstance(it, dict)]):
        items = component.get("items") or [component]
        for item in items:
            media = item.get("media") or item.get("file") or {}
            name = str(media.get("url", "")).partition("attachment://")[2]
            if name and name not in held | set(files):
                yield Breach("components", f"no file {name} was sent along")


def _nonce_breaches(body: Body) -> Iterator[Breach]:
    nonce = body.get("nonce")
    if isinstance(nonce, str) and len(nonce) > 25:
        yield Breach("nonce", f"{len(nonce)} characters, at most 25")


def _mention_breaches(body: Body) -> Iterator[Breach]:
    """Discord would gladly ping; a quiz never does."""
    if not any(body.get(key) for key in CONTENTS):
        return
    allowed = body.get("allowed_mentions")
    if not isinstance(allowed, dict) or allowed.get("parse") is None:
        yield Breach("allowed_mentions", "missing, so mentions are alive", refuses=False)
        return
    for key in ("parse", "users", "roles", "replied_user"):
        if allowed.get(key):
            yield Breach(f"allowed_mentions.{key}", f"{allowed[key]}: alive", refuses=False)
