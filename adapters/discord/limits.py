"""What Discord would refuse in a message or a command and discord.py lets pass; pure.

Sources: Discord's reference of components, messages and application commands. Lengths are counted
as sent, escapes included.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeAlias

Json: TypeAlias = Mapping[str, Any]

COMPONENTS = 40
TEXT = 4_000
ROW = 5
LABEL = 80
CUSTOM_ID = 100
URL = 512

NAME = 32
DESCRIPTION = 100
OPTIONS = 25
CHOICES = 25
CHOICE = 100
COMMAND = 8_000
"""Characters of all names, descriptions and values of a command, each in its longest language."""

_LINK = 5
"""The style of a button that leads out of Discord."""

_A_NAME = re.compile("[-_'\\w\u0900-\u097f\u0e00-\u0e7f]+")
"""Letters and numbers, with the vowel signs of Devanagari and Thai."""


class _Type(IntEnum):
    ROW = 1
    BUTTON = 2
    TEXT = 10
    CONTAINER = 17


def message_faults(payload: Json) -> list[str]:
    """All that is wrong with a message of components, one fault a line."""
    parts = list(_every(payload["components"]))
    text = sum(len(part["content"]) for part in parts if part["type"] == _Type.TEXT)
    ids = Counter(part["custom_id"] for part in parts if part.get("custom_id"))
    return [
        *_over(len(parts), COMPONENTS, "components"),
        *_over(text, TEXT, "characters of text"),
        *(f"custom_id {id_!r} stands {times} times" for id_, times in ids.items() if times > 1),
        *_misplaced(payload["components"], None),
        *(fault for part in parts for fault in _part_faults(part)),
    ]


def command_faults(payload: Json) -> list[str]:
    """All that is wrong with a command as it is registered."""
    return [
        *_over(_weight(payload), COMMAND, f"characters in all of {payload['name']}"),
        *_described_faults(payload, payload["name"]),
    ]


def _every(parts: Iterable[Json]) -> Iterator[Json]:
    for part in parts:
        yield part
        yield from _every(part.get("components", ()))


def _misplaced(parts: Iterable[Json], holder: int | None) -> Iterator[str]:
    for part in parts:
        if part["type"] == _Type.BUTTON and holder != _Type.ROW:
            yield "a button outside a row"
        if part["type"] == _Type.CONTAINER and holder is not None:
            yield "a container in another component"
        yield from _misplaced(part.get("components", ()), part["type"])


def _part_faults(part: Json) -> Iterator[str]:
    match part["type"]:
        case _Type.ROW:
            yield from _within(len(part["components"]), 1, ROW, "buttons in a row")
        case _Type.BUTTON:
            yield from _button_faults(part)
        case _Type.TEXT if not part["content"].strip():
            yield "an empty text"
        case _:
            return


def _button_faults(button: Json) -> Iterator[str]:
    yield from _within(len(button.get("label", "")), 1, LABEL, "characters of a label")
    if button["style"] == _LINK:
        yield from _within(len(button.get("url", "")), 1, URL, "characters of an address")
    else:
        yield from _within(len(button.get("custom_id", "")), 1, CUSTOM_ID, "characters of an id")


def _described_faults(it: Json, path: str) -> Iterator[str]:
    """Of a command, a sub-command, a group of them or an option."""
    for name in _said(it, "name"):
        yield from _name_faults(name, path)
    for said in _said(it, "description"):
        yield from _within(len(said), 1, DESCRIPTION, f"characters of a description of {path}")
    options: Sequence[Json] = it.get("options", ())
    yield from _over(len(options), OPTIONS, f"options of {path}")
    yield from _choice_faults(it.get("choices", ()), path)
    needed = [bool(option.get("required")) for option in options]
    if needed != sorted(needed, reverse=True):
        yield f"an option of {path} that is needed after one that is not"
    for option in options:
        yield from _described_faults(option, f"{path} {option['name']}")


def _name_faults(name: str, path: str) -> Iterator[str]:
    yield from _within(len(name), 1, NAME, f"characters of a name of {path}")
    if name and (not _A_NAME.fullmatch(name) or name != name.lower()):
        yield f"{name!r} is no name for {path}"


def _choice_faults(choices: Sequence[Json], path: str) -> Iterator[str]:
    yield from _over(len(choices), CHOICES, f"choices of {path}")
    for choice in choices:
        for name in _said(choice, "name"):
            yield from _within(len(name), 1, CHOICE, f"characters of a choice of {path}")
        if isinstance(choice["value"], str):
            yield from _over(len(choice["value"]), CHOICE, f"characters of a value of {path}")


def _weight(it: Json) -> int:
    own = sum(max(map(len, _said(it, key)), default=0) for key in ("name", "description"))
    value = len(str(it.get("value", "")))
    return own + value + sum(map(_weight, (*it.get("options", ()), *it.get("choices", ()))))


def _said(it: Json, key: str) -> list[str]:
    """A name or a description by default and in every language."""
    localised: Mapping[str, str] = it.get(f"{key}_localizations") or {}
    return [it[key], *localised.values()] if key in it else []


def _over(number: int, most: int, what: str) -> Iterator[str]:
    yield from _within(number, 0, most, what)


def _within(number: int, least: int, most: int, what: str) -> Iterator[str]:
    if number > most:
        yield f"{number:,} {what}, at most {most:,}"
    elif number < least:
        yield f"{number} {what}, at least {least}"
