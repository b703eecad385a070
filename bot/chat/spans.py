"""Quiz text is plain text in which only code is marked: `code` in backticks, or fenced lines."""

from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = (("\u0590", "\u08ff"), ("\ufb1d", "\ufdff"), ("\ufe70", "\ufeff"))


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text; a `fenced` one is code on lines of its own."""

    text: str
    code: bool = False
    fenced: bool = False


@lru_cache(maxsize=4096)
def spans(text: str) -> tuple[Span, ...]:
    """Split `text` into plain words and code; joined, the plain spans stand as typed."""
    parser = MarkdownIt("zero").enable(["backticks", "fence"])
    found: list[Span] = []
    end = 0
    for token in parser.parse(text):
        if token.type == "fence":
            found.append(Span(token.content.rstrip("\n"), code=True, fenced=True))
        elif token.type == "inline" and token.map is not None:
            start, stop = token.map
            if found and not found[-1].fenced:
                found.append(Span("\n" * (start - end + 1)))
            found.extend(_inline(token))
            end = stop
    return tuple(found)


def _inline(token: Token) -> list[Span]:
    return [
        Span(child.content, code=child.type == "code_inline")
        for child in token.children or ()
        if child.content
    ]


def isolated(text: str) -> str:
    """`text` so wrapped that right-to-left words in it cannot move what stands beside it."""
    if any(low <= char <= high for char in text for low, high in _RIGHT_TO_LEFT):
        return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"
    return text
