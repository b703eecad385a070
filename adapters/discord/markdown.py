"""Markdown that Discord shows as it was typed; pure.

Discord's clients turn shortcodes such as `:smile:` into emoji even in what a bot sends, end a
fence at the first three backticks, drop a heading's last `#`, and know no escapes in a link's
label. Before any other character that marks something, a backslash makes it plain text.
"""

import re
from functools import lru_cache
from itertools import groupby

from bot.chat.spans import Span, spans

_MARKS = re.compile(
    r"""
    (?P<address>https?://(?:[^\s<>()]|\([^\s<>()]*\))+(?<![.,:;"'\]]))
    | [\\*_`<@]
    | ~(?=~)                 # struck out
    | \|(?=\|)               # a spoiler
    | :(?=[^\s:]*:)          # an emoji by its name
    | :(?=//)                # the rest of an address
    | (?<=\])\(              # a link
    """,
    re.VERBOSE,
)
_LINE_STARTS = re.compile(
    r"^[^\S\n]*(?:(?=[-+](?:[\s#]|\Z)|[#>])|\d+(?=\.(?:\s|\Z)))", re.MULTILINE
)
"""Where a list, a heading, a quote or small print would begin."""

_NOTHING = "\u200b"
"""A space without width: it parts what must not stand together, and is not seen."""

_WITHIN_WORDS = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_NO_LABEL, _NO_ADDRESS = frozenset("[]\n"), frozenset("()\\")


def escape(text: str) -> str:
    """Words as typed: no mark in them is alive; addresses can be pressed and show no preview."""
    return _LINE_STARTS.sub(r"\g<0>\\", _MARKS.sub(_plain, text))


def code(text: str) -> str:
    """Code within a line."""
    if "`" not in text:
        return f"`{text}`"
    # Discord takes one space away between the marks and a backtick.
    before, after = (" " if text.strip(" ")[end] == "`" else "" for end in (0, -1))
    apart = re.sub("`(?=`)", f"`{_NOTHING}", text)
    return f"``{before}{apart}{after}``"


def fence(text: str) -> str:
    """Code on lines of its own."""
    apart = re.sub("``(?=`)", f"``{_NOTHING}", text)
    return f"```\n{apart}\n```"


@lru_cache(maxsize=4096)
def marked(text: str, opening: str = "") -> str:
    """Quiz text: words as typed, code as code; each line of words begins with `opening`."""
    parts: list[str] = []
    for fenced, run in groupby(spans(text), lambda span: span.fenced):
        if fenced:
            parts += [fence(span.text) for span in run]
        else:
            parts.append(_opened("".join(map(_inline, run)), opening))
    return "\n".join(parts)


@lru_cache(maxsize=4096)
def link(title: str, url: str) -> str:
    """A title that can be pressed; one that only escapes keep as typed has its address beside."""
    bare = _WITHIN_WORDS.sub("", title)
    if escape(bare) != bare or _NO_LABEL & set(title) or _NO_ADDRESS & set(url):
        return f"{marked(title)} <{url}>"
    return f"[{title}](<{url}>)"


def _plain(found: re.Match[str]) -> str:
    return f"<{found[0]}>" if found["address"] else f"\\{found[0]}"


def _inline(span: Span) -> str:
    return code(span.text) if span.code else escape(span.text)


def _opened(words: str, opening: str) -> str:
    if not opening:
        return words
    ended = re.sub(r"#(?=[^\S\n]*$)", f"#{_NOTHING}", words, flags=re.MULTILINE)
    return "\n".join(f"{opening}{line}" if line.strip() else line for line in ended.split("\n"))
