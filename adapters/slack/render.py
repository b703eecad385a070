"""Cards drawn in Block Kit; pure.

Quiz text goes into `rich_text` and `plain_text`, which Slack never parses: it stands as typed, and
no mention in it is alive. Only the top-level `text` is parsed, and there it is escaped.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from bot.chat import card
from bot.chat.card import Mark
from bot.chat.spans import isolated, spans

Json: TypeAlias = dict[str, Any]

_SIGNS = {Mark.KEY: "✓ ", Mark.CHOSEN: "✗ ", Mark.CHOSEN_KEY: "✓ ", Mark.NONE: ""}
_PER_ROW = 25
_HEADER, _CONTEXT = 150, 3_000
"""Characters that these blocks take; what is longer stands as running text."""


def payload(shown: card.Card) -> Json:
    """A message's `text` and `blocks`."""
    blocks = [block for part in shown.body for block in _block(part)]
    rows = (row[i : i + _PER_ROW] for row in shown.buttons for i in range(0, len(row), _PER_ROW))
    return {"text": escape(shown.alt), "blocks": [*blocks, *map(_actions, rows)]}


def escape(text: str) -> str:
    """Text for the one field that Slack parses: its three control characters, nothing else."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _block(block: card.Block) -> Iterable[Json]:
    match block:
        case card.Heading(text):
            return [_header(text)]
        case card.Text(text):
            return [_rich(_styled(text))]
        case card.Note(text):
            return [_context(text)]
        case card.Question(progress=progress, stem=stem):
            return [_context(progress), _rich(_styled(stem, bold=True))]
        case card.Options(lines):
            return [_rich(_lines(_option(line) for line in lines))]
        case card.Verdict():
            return [_rich(_verdict(block))]
        case card.Score(text=text):
            return [_rich(_styled(text, bold=True))]
        case card.Links(label, items):
            return [_rich(_links(label, items))]
        case card.Entries(rows):
            return [_rich(_lines(_entry(row) for row in rows))]
        case card.Rule():
            return [{"type": "divider"}]


def _header(text: str) -> Json:
    bare = _bare(text)
    if len(bare) > _HEADER:
        return _rich(_styled(text, bold=True))
    return {"type": "header", "text": _plain(bare)}


def _context(text: str) -> Json:
    bare = _bare(text)
    if len(bare) > _CONTEXT:
        return _rich(_styled(text))
    return {"type": "context", "elements": [_plain(bare)]}


def _option(line: card.OptionLine) -> list[Json]:
    remark = [_run(f"  ({line.remark})", italic=True)] if line.remark else []
    letter = _run(f"{_SIGNS[line.mark]}{line.letter}.", bold=True)
    return [letter, _run(" "), *_styled(isolated(line.text)), *remark]


def _verdict(verdict: card.Verdict) -> list[Json]:
    sign = "✓" if verdict.right else "✗"
    lines = [_styled(f"{sign} {verdict.title}", bold=True)]
    lines += [_styled(text) for text in (verdict.but, verdict.why) if text]
    return _lines(lines)


def _links(label: str, items: Iterable[card.Link]) -> list[Json]:
    found = [_run(f"{label}: ", italic=True)]
    for i, item in enumerate(items):
        found += [_run("; ")] if i else []
        if item.url:
            found.append({"type": "link", "url": item.url, "text": item.title})
        else:
            found.append(_run(item.title))
    return found


def _entry(row: card.Entry) -> list[Json]:
    return [_run(row.term, code=True), _run("  "), *_styled(row.text)]


def _lines(lines: Iterable[list[Json]]) -> list[Json]:
    found: list[Json] = []
    for line in lines:
        found += [_run("\n"), *line] if found else line
    return found


def _styled(text: str, *, bold: bool = False) -> list[Json]:
    """Words as typed, code as code; a fenced span stands as an element of its own."""
    found: list[Json] = []
    for span in spans(text):
        if span.fenced:
            found.append({"type": "rich_text_preformatted", "elements": [_run(span.text)]})
        elif span.text:
            found.append(_run(span.text, bold=bold, code=span.code))
    return found


def _rich(elements: Iterable[Json]) -> Json:
    """A `rich_text` block in which fenced code interrupts the running text."""
    parts: list[Json] = []
    for element in elements:
        if element["type"] == "rich_text_preformatted":
            parts.append(element)
        elif parts and parts[-1]["type"] == "rich_text_section":
            parts[-1]["elements"].append(element)
        else:
            parts.append({"type": "rich_text_section", "elements": [element]})
    return {"type": "rich_text", "elements": parts}


def _run(text: str, **style: bool) -> Json:
    styles = {name: True for name, on in style.items() if on}
    return {"type": "text", "text": text} | ({"style": styles} if styles else {})


def _bare(text: str) -> str:
    return "".join(span.text for span in spans(text))


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}


def _actions(row: Iterable[card.Button]) -> Json:
    return {"type": "actions", "elements": [_button(button) for button in row]}


def _button(button: card.Button) -> Json:
    drawn = {
        "type": "button",
        "text": _plain(button.label),
        "action_id": button.token,
        "value": button.token,
    }
    return drawn | ({"style": "primary"} if button.main else {})
