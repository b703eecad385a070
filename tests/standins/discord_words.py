"""What a person reads and can press in a message: markdown and components turned into words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

Component = dict[str, Any]


class Type(IntEnum):
    """Of a component."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


MARKUP = re.compile(
    r"""
    ```(?:[\w+-]*\n)?(?P<fence>.+?)\n?```
    | (?P<ticks>`{1,2})(?P<code>.+?)(?P=ticks)
    | \\(?P<escaped>[^a-zA-Z0-9\s])
    | \[(?P<label>[^\]\n]+)\]\(<?https?://[^)\s]+\)
    | <(?P<url>https?://[^>\s]+)>
    | (?P<pair>\*\*\*|\*\*|\*|__|~~|\|\|)(?=\S)(?P<inner>(?:\\.|[^\\])+?)(?<=\S)(?P=pair)
    | (?<!\w)_(?=\S)(?P<slanted>(?:\\.|[^\\])+?)(?<=\S)_(?!\w)
    | ^(?:\#{1,3}|-\#|>>>|>)\ +
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def shown(text: str) -> str:
    """Markdown as it is read: marks and escapes gone, links by their label."""
    return MARKUP.sub(_read, text)


def _read(found: re.Match[str]) -> str:
    nested = found["inner"] or found["slanted"]
    if nested is not None:
        return shown(nested)
    if found["label"] is not None:
        return shown(found["label"])
    plain = (found["fence"], found["code"], found["escaped"], found["url"])
    return next((it for it in plain if it is not None), "")


def words_of(
    content: str, embeds: Sequence[Mapping[str, Any]], components: Sequence[Component]
) -> str:
    """All that is there to read outside buttons, a line for each thing."""
    lines = [shown(content)] if content else []
    lines += [line for embed in embeds for line in _embed_lines(embed)]
    lines += [line for component in components for line in _lines(component)]
    return "\n".join(lines)


def every(components: Sequence[Component]) -> Iterator[Component]:
    """All components, nested ones after what holds them, in reading order."""
    for component in components:
        yield component
        yield from every(held_by(component))


def held_by(component: Mapping[str, Any]) -> list[Component]:
    held = [*(component.get("components") or [])]
    held += [it for key in ("accessory", "component") if (it := component.get(key))]
    return [it for it in held if isinstance(it, dict)]


def buttons_in(components: Sequence[Component]) -> Iterator[Component]:
    return (it for it in every(components) if it.get("type") == Type.BUTTON)


def _lines(component: Mapping[str, Any]) -> Iterator[str]:
    match component.get("type"):
        case Type.TEXT:
            yield shown(str(component.get("content", "")))
        case Type.GALLERY:
            yield from (str(it["description"]) for it in component["items"] if "description" in it)
        case Type.THUMBNAIL if component.get("description"):
            yield str(component["description"])
        case Type.FILE:
            yield str(component.get("name", ""))
        case _:
            for held in held_by(component):
                yield from _lines(held)


def _embed_lines(embed: Mapping[str, Any]) -> Iterator[str]:
    for key in ("title", "description"):
        if embed.get(key):
            yield shown(str(embed[key]))
    for field in embed.get("fields") or []:
        yield f"{shown(str(field.get('name')))}: {shown(str(field.get('value')))}"
    if embed.get("footer"):
        yield str(embed["footer"].get("text", ""))


def pressed(components: Sequence[Component], name: str) -> Component:
    """What a press on the component with that label, or else that custom id, sends to the bot."""
    choices = [it for it in every(components) if "custom_id" in it]
    found = [it for it in choices if it.get("label") == name]
    found = found or [it for it in choices if it["custom_id"] == name]
    labels = [it.get("label") or it["custom_id"] for it in choices]
    assert len(found) == 1, f"{len(found)} buttons {name!r} among {labels}"
    [button] = found
    assert not button.get("disabled"), f"{name!r} is disabled"
    return {
        "custom_id": button["custom_id"],
        "component_type": int(button["type"]),
        "id": button["id"],
    }


def lone_button(custom_id: str) -> Component:
    """A row with one button, numbered far beyond what a message has."""
    button = {"type": 2, "id": 9002, "style": 2, "label": custom_id[:80], "custom_id": custom_id}
    return {"type": 1, "id": 9001, "components": [button]}
