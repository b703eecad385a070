"""Quiz text is plain text in which only code is marked: `code` in backticks, or fenced lines."""

import re
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


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
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    found: list[Span] = []
    end = 0
    for token in parser.parse(text):
        if token.map is None or token.type not in ("fence", "inline"):
            continue
        start, stop = token.map
        pieces = [_fence(token, lines)] if token.type == "fence" else _inline(token)
        if found and pieces and not found[-1].fenced and not pieces[0].fenced:
            found.append(Span("\n" * (start - end + 1)))
        found.extend(pieces)
        end = stop
    return tuple(found)


def _fence(token: Token, lines: list[str]) -> Span:
    """Fenced code; what merely looks like a fence stands as typed.

    A fence is of backticks, is closed, holds something, and is followed by one word at most.
    """
    start, stop = token.map or (0, 0)
    typed, code = lines[start:stop], token.content.rstrip("\n")
    closed = len(typed) > 1 and set(typed[-1].strip()) == {"`"}
    named = len(token.info.split()) <= 1
    if code and closed and named and token.markup.startswith("`"):
        return Span(code, code=True, fenced=True)
    return Span("\n".join(typed).rstrip("\n"))


def _inline(token: Token) -> list[Span]:
    return [
        Span(child.content, code=child.type == "code_inline")
        for child in token.children or ()
        if child.content
    ]


def isolated(text: str) -> str:
    """`text` so wrapped that right-to-left words in it cannot move what stands beside it."""
    if _RIGHT_TO_LEFT.search(text):
        return f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"
    return text
