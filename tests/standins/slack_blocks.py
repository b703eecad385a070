"""Block Kit's limits, block by block."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block as SdkBlock

from tests.standins.slack_markup import Breach, markup_breaches, refused
from tests.standins.slack_rich_text import rich_text_breaches

KEYS = {
    "header": {"text"},
    "section": {"text", "fields", "accessory", "expand"},
    "context": {"elements"},
    "actions": {"elements"},
    "divider": set(),
    "rich_text": {"elements"},
    "markdown": {"text"},
    "image": {"image_url", "slack_file", "alt_text", "title"},
    "table": {"rows", "column_settings"},
}
TEXT_KEYS = {"plain_text": {"type", "text", "emoji"}, "mrkdwn": {"type", "text", "verbatim"}}
IMAGE_KEYS = {"type", "image_url", "slack_file", "alt_text"}
BUTTON_KEYS = {"type", "text", "action_id", "value", "url", "style", "confirm"}
BUTTON_KEYS |= {"accessibility_label"}
CELLS = {"raw_text", "raw_number", "rich_text"}

Where = str
Rule = Callable[[Mapping[str, Any], Where], Iterator[Breach]]


def block_breaches(block: Any, *, where: str) -> list[Breach]:
    """Our own reading of the rules; when it finds nothing, slack_sdk's models are asked too."""
    kind = block.get("type") if isinstance(block, dict) else None
    if kind not in KEYS:
        return [refused(f"{where}: unknown block type {kind}")]
    found = [
        *_unknown_keys(block, KEYS[kind] | {"type", "block_id"}, where),
        *_length(block.get("block_id", "b"), 255, f"{where}.block_id"),
        *RULES[kind](block, where),
    ]
    return found or list(_second_opinion(block, where))


def _second_opinion(block: dict[str, Any], where: Where) -> Iterator[Breach]:
    try:
        parsed = SdkBlock.parse(copy.deepcopy(block))
        drawn = parsed.to_dict() if parsed else None
    except (SlackObjectFormationError, TypeError, ValueError, KeyError, AttributeError) as error:
        yield refused(f"{where}: slack_sdk refuses it: {error}")
        return
    if drawn != block:
        yield Breach(f"{where}: slack_sdk reads it as {drawn}")


def _unknown_keys(it: Mapping[str, Any], known: set[str], where: Where) -> Iterator[Breach]:
    for key in sorted(set(it) - known):
        yield refused(f"{where}: unknown key {key}")


def _length(text: Any, most: int, where: Where) -> Iterator[Breach]:
    if not isinstance(text, str) or not text:
        yield refused(f"{where}: empty")
    elif len(text) > most:
        yield refused(f"{where}: {len(text)} characters, at most {most}")


def _count(items: Any, most: int, where: Where) -> Iterator[Breach]:
    if not isinstance(items, list) or not items:
        yield refused(f"{where}: empty")
    elif len(items) > most:
        yield refused(f"{where}: {len(items)} items, at most {most}")


def _text(it: Any, most: int, where: Where, *, plain: bool = False) -> Iterator[Breach]:
    kind = it.get("type") if isinstance(it, dict) else None
    if kind not in TEXT_KEYS or (plain and kind != "plain_text"):
        yield refused(f"{where}: not a {'plain_text' if plain else 'text'} object")
        return
    yield from _unknown_keys(it, TEXT_KEYS[kind], where)
    yield from _length(it.get("text"), most, where)
    if kind == "mrkdwn" and isinstance(it.get("text"), str):
        yield from markup_breaches(it["text"], where=where)


def _header(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _text(block.get("text"), 150, f"{where}.text", plain=True)


def _section(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    if "text" in block or "fields" not in block:
        yield from _text(block.get("text"), 3000, f"{where}.text")
    if "fields" in block:
        yield from _count(block["fields"], 10, f"{where}.fields")
        for index, it in enumerate(block["fields"]):
            yield from _text(it, 2000, f"{where}.fields[{index}]")
    if "accessory" in block:
        yield from _element(block["accessory"], f"{where}.accessory")


def _context(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    elements = block.get("elements")
    yield from _count(elements, 10, f"{where}.elements")
    for index, it in enumerate(elements or []):
        place = f"{where}.elements[{index}]"
        if it.get("type") == "image":
            yield from _unknown_keys(it, IMAGE_KEYS, place)
            yield from _picture(it, place)
        else:
            yield from _text(it, 3000, place)


def _actions(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    elements = block.get("elements")
    yield from _count(elements, 25, f"{where}.elements")
    for index, element in enumerate(elements or []):
        yield from _element(element, f"{where}.elements[{index}]")
    yield from _twice([it.get("action_id") for it in elements or []], where)


def _twice(ids: Sequence[Any], where: Where) -> Iterator[Breach]:
    for it in sorted({str(it) for it in ids if it is not None and ids.count(it) > 1}):
        yield refused(f"{where}: action_id {it} stands twice in one block")


def _element(element: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    """Buttons are known by heart; other inputs are left to slack_sdk's models."""
    if element.get("type") == "image":
        yield from _picture(element, where)
        return
    yield from _length(element.get("action_id"), 255, f"{where}.action_id")
    if element.get("type") == "button":
        yield from _button(element, where)


def _button(button: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _unknown_keys(button, BUTTON_KEYS, where)
    yield from _text(button.get("text"), 75, f"{where}.text", plain=True)
    for key, most in (("value", 2000), ("url", 3000), ("accessibility_label", 75)):
        if key in button:
            yield from _length(button[key], most, f"{where}.{key}")
    if button.get("style", "primary") not in {"primary", "danger"}:
        yield refused(f"{where}: a button's style is primary or danger")


def _divider(_: Mapping[str, Any], __: Where) -> Iterator[Breach]:
    yield from ()


def _rich_text(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from rich_text_breaches(block, where=where)


def _markdown(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _length(block.get("text"), 12_000, f"{where}.text")
    yield from (
        breach
        for breach in markup_breaches(str(block.get("text", "")), where=where)
        if "live mention" in breach.words
    )


def _image(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _picture(block, where)
    if "title" in block:
        yield from _text(block["title"], 2000, f"{where}.title", plain=True)


def _picture(it: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _length(it.get("alt_text"), 2000, f"{where}.alt_text")
    if "slack_file" not in it:
        yield from _length(it.get("image_url"), 3000, f"{where}.image_url")


def _table(block: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    yield from _count(block.get("rows"), 100, f"{where}.rows")
    for index, row in enumerate(block.get("rows") or []):
        yield from _count(row, 20, f"{where}.rows[{index}]")
        for cell in row:
            yield from _cell(cell, f"{where}.rows[{index}]")
    if len(block.get("column_settings", [])) > 20:
        yield refused(f"{where}: more than 20 column_settings")


def _cell(cell: Mapping[str, Any], where: Where) -> Iterator[Breach]:
    kind = cell.get("type")
    if kind not in CELLS:
        yield refused(f"{where}: unknown cell {kind}")
    elif kind == "rich_text":
        yield from rich_text_breaches(cell, where=where)
    elif kind == "raw_text":
        yield from _length(cell.get("text"), 3000, f"{where} cell")


RULES: dict[str, Rule] = {
    "header": _header,
    "section": _section,
    "context": _context,
    "actions": _actions,
    "divider": _divider,
    "rich_text": _rich_text,
    "markdown": _markdown,
    "image": _image,
    "table": _table,
}
