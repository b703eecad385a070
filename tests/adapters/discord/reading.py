"""Discord's markdown as its clients read it: what a person sees, and what has come alive in it.

Every `:name:` counts as an emoji, although clients know only so many.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

RULES = {
    "fence": r"```(?:[a-zA-Z0-9_+\-.#]+?\n)?\n*(?P<raw>[^\n][\s\S]*?)\n*```",
    "quote": r" *>>> +(?P<text>[\s\S]*)| *>(?!>>) +(?P<line>[^\n]*\n?)",
    "heading": r" *#{1,3}\s+(?P<text>(?!\s*#{1,3}\s)[^\n]+?)#*[^\S\n]*(?P<end>\n|$)",
    "small": r" *-# +(?P<text>(?!-#)[^\n]+)(?P<end>\n|$)",
    "list": r" *(?:[*-]|\d+\.) +(?P<text>[^\n]*)(?P<end>\n|$)",
    "escape": r"\\(?P<raw>[^0-9A-Za-z\s])",
    "address": r"<(?P<raw>https?://[^ >]+)>",
    "preview": r"(?P<raw>(?:https?|steam)://[^\s<]+[^<.,:;\"')\]\s])",
    "mail": r"<[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>|<(?:(?:tel|sms):\+?|\+)[0-9][- 0-9]+>",
    "mention": r"<@[!&]?\d+>|<#\d+>|</[^>\n]+:\d+>|<id:\w+>|@(?:everyone|here|silent)",
    "time": r"<t:-?\d+(?::[tTdDfFR])?>",
    "emoji": r"<a?:\w+:\d+>|<sound:\d+:\d+>|:[\w+-]+(?:::skin-tone-\d)?:",
    "link": (
        r"\[(?P<label>(?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*)\]"
        r"\(\s*<?(?P<url>https?:(?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['\"][\s\S]*?['\"])?\s*\)"
    ),
    "bold": r"\*\*(?P<text>(?:\\[\s\S]|[^\\])+?)\*\*(?!\*)",
    "underline": r"__(?P<text>(?:\\[\s\S]|[^\\])+?)__(?!_)",
    "slanted": (
        r"\b_(?P<text>(?:__|\\[\s\S]|[^\\_])+?)_\b"
        r"|\*(?=\S)(?P<line>(?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"
    ),
    "struck": r"~~(?P<text>[\s\S]+?)~~(?!_)",
    "spoiler": r"\|\|(?P<text>[\s\S]+?)\|\|",
    "code": r"(?P<ticks>`+)(?P<raw>[\s\S]*?[^`])(?P=ticks)(?!`)",
}
AT_LINE_STARTS = {"quote", "heading", "small", "list"}
COMPILED = {name: re.compile(rule, re.ASCII) for name, rule in RULES.items()}
PADDING = re.compile(r"^ (?= *`)|(?<=`)( *) $")
UNSEEN = "\u200b"


@dataclass(frozen=True)
class Reading:
    text: str
    alive: frozenset[str]
    """What was not plain text."""


def read(markdown: str) -> Reading:
    alive: set[str] = set()
    text = "".join(_pieces(markdown, alive)).replace(UNSEEN, "")
    return Reading(text, frozenset(alive))


def read_payload(payload) -> Reading:
    """All texts of a message, a line apart."""
    readings = [read(it["content"]) for it in every(payload["components"]) if it["type"] == 10]
    text = "\n".join(it.text for it in readings)
    return Reading(text, frozenset().union(*(it.alive for it in readings)))


def every(components) -> Iterator[dict]:
    for it in components:
        yield it
        yield from every(it.get("components", ()))


def buttons_in(payload) -> list[dict]:
    return [it for it in every(payload["components"]) if it["type"] == 2]


def _pieces(source: str, alive: set[str], *, escapes: bool = True) -> Iterator[str]:
    at_line_start = True
    while source:
        name, found = _first(source, at_line_start=at_line_start, escapes=escapes)
        if found is None:
            yield source[0]
        else:
            alive |= {name} - {"escape"}
            yield from _seen(found, alive)
        taken = found[0] if found else source[0]
        source, at_line_start = source[len(taken) :], taken.endswith("\n")


def _first(source: str, *, at_line_start: bool, escapes: bool) -> tuple[str, re.Match[str] | None]:
    for name, rule in COMPILED.items():
        if (name in AT_LINE_STARTS and not at_line_start) or (name == "escape" and not escapes):
            continue
        if found := rule.match(source):
            return name, found
    return "", None


def _seen(found: re.Match[str], alive: set[str]) -> Iterator[str]:
    groups = {name: text for name, text in found.groupdict().items() if text is not None}
    if "label" in groups:
        yield from _pieces(groups["label"], alive, escapes=False)
    elif "raw" in groups:
        yield PADDING.sub(r"\1", groups["raw"]) if "ticks" in groups else groups["raw"]
    elif nested := groups.get("text") or groups.get("line"):
        yield from _pieces(nested, alive)
    yield groups.get("end", "")
