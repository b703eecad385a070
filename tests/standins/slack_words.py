"""What a person reads and can press in a message: blocks turned into words and buttons."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Block = dict[str, Any]

LINK = re.compile(r"<((?:https?://|mailto:|tel:)[^<>|\s]+)(?:\|([^<>]*))?>")
DATE = re.compile(r"<!date\^\d+\^[^<>|]*(?:\|([^<>]*))?>")
BULLET, LETTERS = "•", "abcdefghijklmnopqrstuvwxyz"


def shown(text: str) -> str:
    """Mrkdwn as it is read: links by their label, dates by their fallback, entities decoded."""
    text = LINK.sub(lambda link: link[2] or link[1], text)
    text = DATE.sub(lambda date: date[1] or "", text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def words_of(blocks: Sequence[Block]) -> str:
    """All that is there to read outside buttons, a line for each thing."""
    return "\n".join(line for block in blocks for line in _lines(block))


def buttons_in(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    """Every button in reading order, with the index of the block that holds it."""
    for index, block in enumerate(blocks):
        candidates = [*block.get("elements", []), block.get("accessory") or {}]
        for element in candidates:
            if isinstance(element, dict) and element.get("type") == "button":
                yield index, element


def label_of(button: Mapping[str, Any]) -> str:
    return str(button.get("text", {}).get("text", ""))


def _lines(block: Mapping[str, Any]) -> Iterator[str]:
    match block.get("type"):
        case "header":
            yield _text(block.get("text"))
        case "section":
            texts = [block.get("text"), *block.get("fields", [])]
            yield from (_text(it) for it in texts if it)
        case "context":
            yield from (_text(it) for it in block.get("elements", []))
        case "markdown":
            yield str(block.get("text", ""))
        case "image":
            yield _text(block)
        case "rich_text":
            for element in block.get("elements", []):
                yield from _rich_lines(element)
        case "table":
            for row in block.get("rows", []):
                yield " | ".join(_cell(cell) for cell in row)
        case _:
            return


def _text(it: Any) -> str:
    """A text object, or an image by its alternative text."""
    if not isinstance(it, dict):
        return ""
    if it.get("type") == "image":
        titles = [it.get("title", {}).get("text"), it.get("alt_text")]
        return " ".join(title for title in titles if title)
    raw = str(it.get("text", ""))
    return shown(raw) if it.get("type") == "mrkdwn" else raw


def _cell(cell: Mapping[str, Any]) -> str:
    if cell.get("type") == "rich_text":
        return " ".join(_lines(cell))
    return str(cell.get("text", cell.get("value", "")))


def _rich_lines(element: Mapping[str, Any]) -> Iterator[str]:
    if element.get("type") != "rich_text_list":
        yield _inline(element.get("elements", []))
        return
    first = int(element.get("offset", 0))
    for number, item in enumerate(element.get("elements", []), start=first):
        yield f"{_marker(element, number)} {_inline(item.get('elements', []))}"


def _marker(element: Mapping[str, Any], number: int) -> str:
    """Slack numbers the outer level 1, 2, 3 and the next one a, b, c."""
    if element.get("style") != "ordered":
        return BULLET
    nested = element.get("indent", 0) % 2 == 1
    return f"{LETTERS[number % len(LETTERS)] if nested else number + 1}."


def _inline(elements: Sequence[Mapping[str, Any]]) -> str:
    return "".join(_piece(element) for element in elements)


def _piece(element: Mapping[str, Any]) -> str:
    match element.get("type"):
        case "text":
            return str(element.get("text", ""))
        case "link":
            return str(element.get("text") or element.get("url", ""))
        case "emoji":
            return f":{element.get('name', '')}:"
        case other:
            return f"[{other}]"
