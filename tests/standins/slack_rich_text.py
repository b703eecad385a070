"""The rules of rich text: the block that is safe for people's words, when it is well formed."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.standins.slack_markup import Breach, refused

DEEPEST = 8
LIVE = {"user", "usergroup", "broadcast", "channel"}
CONTAINER_KEYS = {
    "rich_text_section": {"elements"},
    "rich_text_list": {"elements", "style", "indent", "offset", "border"},
    "rich_text_preformatted": {"elements", "border", "language"},
    "rich_text_quote": {"elements", "border"},
}
PIECE_KEYS = {
    "text": {"text", "style"},
    "link": {"url", "text", "unsafe", "style"},
    "emoji": {"name", "unicode", "skin_tone", "style"},
    "color": {"value"},
    "date": {"timestamp", "format", "url", "fallback"},
}
STYLES = {"bold", "italic", "strike", "code", "underline", "highlight", "unlink"}


def rich_text_breaches(block: Mapping[str, Any], *, where: str) -> Iterator[Breach]:
    elements = block.get("elements")
    if not isinstance(elements, list) or not elements:
        yield refused(f"{where}: rich_text without elements")
        return
    for index, element in enumerate(elements):
        yield from _container(element, where=f"{where}.elements[{index}]")


def _container(element: Mapping[str, Any], *, where: str) -> Iterator[Breach]:
    kind = element.get("type")
    if kind not in CONTAINER_KEYS:
        yield refused(f"{where}: unknown rich text element {kind}")
        return
    yield from _unknown(element, CONTAINER_KEYS[kind], where=where)
    elements = element.get("elements")
    if not isinstance(elements, list):
        yield refused(f"{where}: {kind} without elements")
    elif kind == "rich_text_list":
        yield from _list(element, where=where)
    else:
        for index, piece in enumerate(elements):
            place = f"{where}.elements[{index}]"
            yield from _piece(piece, preformatted=kind == "rich_text_preformatted", where=place)


def _list(element: Mapping[str, Any], *, where: str) -> Iterator[Breach]:
    if element.get("style") not in {"bullet", "ordered"}:
        yield refused(f"{where}: a list is bullet or ordered")
    if not 0 <= element.get("indent", 0) <= DEEPEST:
        yield refused(f"{where}: a list's indent is 0 to {DEEPEST}")
    if not element["elements"]:
        yield refused(f"{where}: a list without items")
    for index, item in enumerate(element["elements"]):
        place = f"{where}.elements[{index}]"
        if item.get("type") == "rich_text_section":
            yield from _container(item, where=place)
        else:
            yield refused(f"{place}: a list holds only sections")


def _piece(piece: Mapping[str, Any], *, preformatted: bool, where: str) -> Iterator[Breach]:
    kind = piece.get("type")
    if kind in LIVE:
        yield Breach(f"{where}: a live mention ({kind} element)")
        return
    allowed = {"text", "link"} if preformatted else set(PIECE_KEYS)
    if kind not in allowed:
        yield refused(f"{where}: unknown rich text piece {kind}")
        return
    yield from _unknown(piece, PIECE_KEYS[kind], where=where)
    yield from _filled(piece, kind=kind, where=where)
    style = piece.get("style", {})
    if not isinstance(style, dict) or not set(style) <= STYLES:
        yield refused(f"{where}: unknown style {style}")


def _filled(piece: Mapping[str, Any], *, kind: str, where: str) -> Iterator[Breach]:
    needed = {"text": "text", "link": "url", "emoji": "name"}.get(kind)
    if needed is not None and not piece.get(needed):
        yield refused(f"{where}: empty {needed} of a {kind}")


def _unknown(it: Mapping[str, Any], known: set[str], *, where: str) -> Iterator[Breach]:
    for key in sorted(set(it) - known - {"type"}):
        yield refused(f"{where}: unknown key {key} on {it['type']}")
