"""The rules for commands that an app registers."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.standins.discord_components import count, length
from tests.standins.discord_refusals import Breach

Definition = Mapping[str, Any]

NAME = re.compile(r"[-_'\w]{1,32}")
MOST_COMMANDS, MOST_OPTIONS, MOST_CHARACTERS = 100, 25, 8000
STRING, INTEGER, NUMBER = 3, 4, 10
OPTION_TYPES = range(1, 12)
LOCALES = {
    *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl"),
    *("no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi"),
    *("th", "zh-CN", "ja", "zh-TW", "ko"),
}


def command_breaches(commands: Sequence[Definition]) -> Iterator[Breach]:
    """The objections to all commands of an app together."""
    if len(commands) > MOST_COMMANDS:
        yield Breach("", f"{len(commands)} commands, at most {MOST_COMMANDS}")
    yield from _twice(commands, "")
    for index, command in enumerate(commands):
        where = f"[{index}]"
        yield from _named(command, where)
        yield from _where_usable(command, where)
        yield from _options(command, where, depth=0)
        if (size := _size(command)) > MOST_CHARACTERS:
            yield Breach(where, f"{size} characters together, at most {MOST_CHARACTERS}")


def _twice(named: Sequence[Definition], where: str) -> Iterator[Breach]:
    for name, times in Counter(it.get("name") for it in named).items():
        if times > 1:
            yield Breach(where, f"name {name!r} stands {times} times")


def _named(it: Definition, where: str) -> Iterator[Breach]:
    names = {"name": it.get("name"), **_localized(it, "name", where)}
    for place, name in names.items():
        if not isinstance(name, str) or not NAME.fullmatch(name) or name != name.lower():
            yield Breach(f"{where}.{place}", f"{name!r} is no name of a command")
    yield from length(it, "description", 100, where)
    for place, text in _localized(it, "description", where).items():
        yield from length({place: text}, place, 100, where)
    for key in ("name_localizations", "description_localizations"):
        for locale in sorted(set(it.get(key) or {}) - LOCALES):
            yield Breach(f"{where}.{key}", f"{locale} is no locale of Discord")


def _localized(it: Definition, key: str, _: str) -> dict[str, Any]:
    name = f"{key}_localizations"
    return {f"{name}.{locale}": text for locale, text in (it.get(name) or {}).items()}


def _where_usable(command: Definition, where: str) -> Iterator[Breach]:
    for key, known in (("integration_types", {0, 1}), ("contexts", {0, 1, 2})):
        values = command.get(key)
        if values is None:
            continue
        if not values or len(set(values)) != len(values) or not set(values) <= known:
            yield Breach(f"{where}.{key}", f"{values} is not a choice of {sorted(known)}")
    permissions = command.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdecimal():
        yield Breach(f"{where}.default_member_permissions", f"{permissions!r} is no number")


def _options(held: Definition, where: str, *, depth: int) -> Iterator[Breach]:
    """Groups hold sub-commands, sub-commands hold values, and nothing is mixed."""
    options = held.get("options") or []
    yield from count(held, "options", MOST_OPTIONS, where, least=0)
    yield from _twice(options, f"{where}.options")
    kinds = {option.get("type") for option in options}
    if kinds & {1, 2} and kinds - {1, 2}:
        yield Breach(f"{where}.options", "sub-commands and values are mixed")
    allowed = {0: {1, 2}, 1: {1}, 2: set[int]()}[depth]
    optional = False
    for index, option in enumerate(options):
        place = f"{where}.options[{index}]"
        yield from _named(option, place)
        kind = option.get("type")
        if kind in {1, 2}:
            if kind not in allowed:
                yield Breach(place, f"an option of type {kind} is nested too deep")
            else:
                yield from _options(option, place, depth=depth + 1 if kind == 2 else 2)
            continue
        if optional and option.get("required"):
            yield Breach(place, "required after an optional one")
        optional = optional or not option.get("required")
        yield from _value(option, place)


def _value(option: Definition, where: str) -> Iterator[Breach]:
    kind = option.get("type")
    if kind not in OPTION_TYPES:
        yield Breach(f"{where}.type", f"{kind} is no type of an option")
    choices = option.get("choices") or []
    yield from count(option, "choices", 25, where, least=0)
    if option.get("autocomplete") and (choices or kind not in {STRING, INTEGER, NUMBER}):
        yield Breach(f"{where}.autocomplete", "not possible here")
    yield from _twice(choices, f"{where}.choices")
    for index, choice in enumerate(choices):
        place = f"{where}.choices[{index}]"
        yield from length(choice, "name", 100, place)
        if kind == STRING:
            yield from length(choice, "value", 100, place)
    for key, kinds in (("min_value", {INTEGER, NUMBER}), ("min_length", {STRING})):
        for bound in (key, key.replace("min", "max")):
            if option.get(bound) is not None and kind not in kinds:
                yield Breach(f"{where}.{bound}", f"not possible for type {kind}")


def _size(it: Definition) -> int:
    """Names, descriptions and values together, each in its longest language."""
    size = _longest(it, "name") + _longest(it, "description")
    if isinstance(it.get("value"), str):
        size += len(it["value"])
    held = [*(it.get("options") or []), *(it.get("choices") or [])]
    return size + sum(_size(each) for each in held)


def _longest(it: Definition, key: str) -> int:
    texts = [it.get(key) or "", *(it.get(f"{key}_localizations") or {}).values()]
    return max(len(text) for text in texts)
