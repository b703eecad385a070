"""The rules for components, one by one and for a message's components together."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.standins.discord_refusals import Breach
from tests.standins.discord_words import Component, Type, every

MOST_COMPONENTS, MOST_TEXT, MOST_ROWS = 40, 4000, 5
SELECTS = {
    Type.SELECT,
    Type.USER_SELECT,
    Type.ROLE_SELECT,
    Type.MENTIONABLE_SELECT,
    Type.CHANNEL_SELECT,
}
CONTAINED = {Type.ROW, Type.TEXT, Type.SECTION, Type.GALLERY, Type.FILE, Type.SEPARATOR}
TOP = CONTAINED | {Type.CONTAINER}
LINK, PREMIUM = 5, 6

Where = str
Rule = Callable[[Mapping[str, Any], Where], Iterator[Breach]]


def message_components(components: Any, *, v2: bool) -> Iterator[Breach]:
    """The objections to the components of one message."""
    if not isinstance(components, list) or not all(isinstance(it, dict) for it in components):
        yield Breach("components", "not a list of components")
        return
    allowed = TOP if v2 else {Type.ROW}
    yield from _children(components, allowed, "components")
    yield from together(components)
    if not v2 and len(components) > MOST_ROWS:
        yield Breach("components", f"{len(components)} rows, at most {MOST_ROWS}")


def together(components: Sequence[Component]) -> Iterator[Breach]:
    """Limits that hold for all of them, however they are nested."""
    whole = list(every(components))
    if len(whole) > MOST_COMPONENTS:
        yield Breach("components", f"{len(whole)} components, at most {MOST_COMPONENTS}")
    text = sum(len(str(it.get("content", ""))) for it in whole if it.get("type") == Type.TEXT)
    if text > MOST_TEXT:
        yield Breach("components", f"{text} characters of text, at most {MOST_TEXT}")
    for key in ("custom_id", "id"):
        seen = Counter(it[key] for it in whole if it.get(key))
        for value, times in seen.items():
            if times > 1:
                yield Breach("components", f"{key} {value!r} stands {times} times")


def _children(components: Sequence[Any], allowed: set[Type], where: Where) -> Iterator[Breach]:
    for index, component in enumerate(components):
        place = f"{where}[{index}]"
        kind = component.get("type") if isinstance(component, dict) else None
        if kind not in allowed:
            yield Breach(place, f"a component of type {kind} cannot stand here")
        elif kind in RULES:
            yield from RULES[kind](component, place)


def length(
    it: Mapping[str, Any], key: str, most: int, where: Where, *, least: int = 1
) -> Iterator[Breach]:
    """A text of at most that length; with `least` 0 it may be missing."""
    text, place = it.get(key), f"{where}.{key}".lstrip(".")
    if text is None and least == 0:
        return
    if not isinstance(text, str) or len(text) < least:
        yield Breach(place, "empty" if least else "no text")
    elif len(text) > most:
        yield Breach(place, f"{len(text)} characters, at most {most}")


def count(
    it: Mapping[str, Any], key: str, most: int, where: Where, *, least: int = 1
) -> Iterator[Breach]:
    items = it.get(key)
    number = len(items) if isinstance(items, list) else 0
    if not least <= number <= most:
        yield Breach(f"{where}.{key}", f"{number} items, {least} to {most} are allowed")


def _row(row: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from count(row, "components", 5, where)
    held = row.get("components") or []
    yield from _children(held, SELECTS | {Type.BUTTON}, f"{where}.components")
    if len(held) > 1 and any(it.get("type") in SELECTS for it in held):
        yield Breach(where, "a select fills its row alone")


def _button(button: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    style = button.get("style")
    if style not in range(1, 7):
        yield Breach(f"{where}.style", f"{style} is no style of a button")
    if style == LINK:
        yield from length(button, "url", 512, where)
    elif style != PREMIUM:
        yield from length(button, "custom_id", 100, where)
    if style in {LINK, PREMIUM} and button.get("custom_id"):
        yield Breach(f"{where}.custom_id", "stands on a button that is not sent to the bot")
    if style != LINK and button.get("url"):
        yield Breach(f"{where}.url", "stands on a button that is no link")
    if style != PREMIUM and not button.get("label") and not button.get("emoji"):
        yield Breach(where, "a button without a label")
    yield from length(button, "label", 80, where, least=0)


def select(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from length(it, "custom_id", 100, where)
    yield from length(it, "placeholder", 150, where, least=0)
    options = it.get("options") or []
    if it.get("type") == Type.SELECT:
        yield from count(it, "options", 25, where)
        yield from choices(options, f"{where}.options")
    least, most = it.get("min_values", 1), it.get("max_values", 1)
    if not 0 <= least <= 25 or not 1 <= most <= 25 or least > most:
        yield Breach(where, f"{least} to {most} values cannot be chosen")


def choices(options: Sequence[Mapping[str, Any]], where: Where) -> Iterator[Breach]:
    """Of a select, a group of radio buttons or of check boxes."""
    for index, option in enumerate(options):
        place = f"{where}[{index}]"
        yield from length(option, "label", 100, place)
        yield from length(option, "value", 100, place)
        yield from length(option, "description", 100, place, least=0)
    values = Counter(option.get("value") for option in options)
    for value, times in values.items():
        if times > 1:
            yield Breach(where, f"value {value!r} stands {times} times")


def text(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from length(it, "content", MOST_TEXT, where)


def _section(section: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from count(section, "components", 3, where)
    yield from _children(section.get("components") or [], {Type.TEXT}, f"{where}.components")
    beside = section.get("accessory")
    yield from _children([beside], {Type.BUTTON, Type.THUMBNAIL}, f"{where}.accessory")


def _thumbnail(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _media(it.get("media"), f"{where}.media")
    yield from length(it, "description", 1024, where, least=0)


def _gallery(gallery: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from count(gallery, "items", 10, where)
    for index, item in enumerate(gallery.get("items") or []):
        yield from _thumbnail(item, f"{where}.items[{index}]")


def _file(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _media(it.get("file"), f"{where}.file", schemes=("attachment://",))


def _media(
    media: Any, where: Where, *, schemes: tuple[str, ...] = ("http://", "https://", "attachment://")
) -> Iterator[Breach]:
    url = media.get("url") if isinstance(media, dict) else None
    if not isinstance(url, str) or not url.startswith(schemes):
        yield Breach(f"{where}.url", f"{url!r} is not one of {', '.join(schemes)}")


def _separator(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    if it.get("spacing", 1) not in {1, 2}:
        yield Breach(f"{where}.spacing", f"{it['spacing']} is neither 1 nor 2")


def _container(container: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from count(container, "components", MOST_COMPONENTS, where)
    yield from _children(container.get("components") or [], CONTAINED, f"{where}.components")
    colour = container.get("accent_color")
    if colour is not None and not 0 <= colour <= 0xFFFFFF:
        yield Breach(f"{where}.accent_color", f"{colour} is no colour")


RULES: dict[int, Rule] = {
    Type.ROW: _row,
    Type.BUTTON: _button,
    **dict.fromkeys(SELECTS, select),
    Type.SECTION: _section,
    Type.TEXT: text,
    Type.THUMBNAIL: _thumbnail,
    Type.GALLERY: _gallery,
    Type.FILE: _file,
    Type.SEPARATOR: _separator,
    Type.CONTAINER: _container,
}
