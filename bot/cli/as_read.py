"""What a person reads of a message as it is sent, in words: buttons in brackets, code in marks."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_MARKS = re.compile(
    r"""
    (?P<code>```.*?```|``.*?``(?!`)|`[^`]*`)
    | \\(?P<plain>[^0-9A-Za-z\s])
    | \[(?P<title>[^\[\]\n]*)\]\(<(?P<url>[^>]*)>\)
    | <(?P<address>https?://[^>\s]*)>
    | ^(?:\#{2,3}|-\#)[ ]
    | \*\*
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""Of Discord's markdown what our renderer writes."""


def blocks(sent: Iterable[Json]) -> list[str]:
    """Slack's blocks, a text each."""
    return [_element(block) for block in sent]


def components(sent: Iterable[Json]) -> list[str]:
    """Discord's components, a text for each text and each row of buttons."""
    return [text for part in sent for text in _component(part)]


def _element(part: Json) -> str:
    match part:
        case {"type": "button", "text": {"text": text}}:
            return f"[{text}]"
        case {"type": "rich_text_preformatted", "elements": elements}:
            return f"\n```\n{''.join(map(_element, elements))}\n```\n"
        case {"type": "actions", "elements": elements}:
            return " ".join(map(_element, elements))
        case {"elements": elements}:
            return "".join(map(_element, elements))
        case {"type": "link", "url": url, "text": text}:
            return f"{text} ({url})"
        case {"text": str(text), "style": {"code": True}}:
            return f"`{text}`"
        case {"text": {"text": text}} | {"text": text}:
            return str(text)
        case _:
            return ""


def _component(part: Json) -> Iterator[str]:
    match part:
        case {"content": text}:
            yield _MARKS.sub(_unmarked, text)
        case {"label": label}:
            yield f"[{label}]"
        case {"components": [{"label": _}, *_] as buttons}:
            yield " ".join(components(buttons))
        case {"components": held}:
            yield from components(held)
        case _:
            return


def _unmarked(found: re.Match[str]) -> str:
    if found["title"]:
        return f"{found['title']} ({found['url']})"
    return found["code"] or found["plain"] or found["address"] or ""
