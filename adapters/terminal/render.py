"""Cards drawn as lines of a terminal, or as JSON objects; pure.

Quiz text stands as typed: no markup in it is read, and what would move a cursor, change a colour
or turn the direction of writing is shown by its code. Letters, words and signs say everything;
colour only repeats it.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from rich.console import Console
from rich.text import Text

from adapters.terminal.read import LEAVE_KEY, Keys
from bot.chat import card
from bot.chat.card import Mark
from bot.chat.spans import isolated, spans
from bot.chat.words import Words

_SIGNS = {Mark.KEY: "✓", Mark.CHOSEN: "✗", Mark.CHOSEN_KEY: "✓", Mark.NONE: " "}
_COLOURS = {Mark.KEY: "green", Mark.CHOSEN: "red", Mark.CHOSEN_KEY: "green", Mark.NONE: ""}
_CODE = "cyan"
_QUIET = "dim"
_GAP = 3  # blanks between two keys of the legend

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ISOLATE, _POP = "\u2068", "\u2069"

_PLAIN = Console(file=None, width=80, no_color=True, _environ={})  # rich asks for one to wrap


def lines(body: Iterable[card.Block], width: int) -> list[Text]:
    """Everything that `body` says, wrapped at `width`, the parts set apart by blank lines."""
    body = tuple(body)
    drawn = [_block(block, width) for block in body]
    found = drawn[0] if drawn else []
    for (above, below), part in zip(pairwise(body), drawn[1:], strict=True):
        found = [*found, *([] if _belongs(above, below) else [Text()]), *part]
    return found


def legend(known: Keys, words: Words, width: int) -> list[Text]:
    """What can be pressed now, key by key."""
    items = []
    if known.letters:
        letters = " ".join(f"[{letter}]" for letter in known.letters)
        items.append(Text(f"{words.say('terminal.press')} {letters}"))
    items += [_key(key or "Enter", button.label) for key, button in known.others.items()]
    items.append(_key(LEAVE_KEY, words.say("terminal.leave")))
    rows = [items[0]]
    for item in items[1:]:
        if rows[-1].cell_len + _GAP + item.cell_len <= width:
            rows[-1].append(" " * _GAP).append_text(item)
        else:
            rows.append(item)
    return [line for row in rows for line in _wrapped(row, width)]


def rule(width: int) -> list[Text]:
    return [Text("─" * width, _QUIET)]


def json_lines(shown: card.Card, *, ascii_only: bool = False) -> list[str]:
    """The objects that a program reads: the question put, its verdict, or the score."""
    blocks = shown.body
    scores = [_score_object(block) for block in blocks if isinstance(block, card.Score)]
    verdicts = [_answer_object(block) for block in blocks if isinstance(block, card.Verdict)]
    found = scores or verdicts or _question_objects(blocks)
    return [_json(each, ascii_only=ascii_only) for each in found]


def harmless(text: str) -> str:
    """`text` in which nothing acts on the terminal: such characters are shown by their code."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if char == "\n" or not (category in ("Cc", "Cs", "Zl", "Zp") or char in _TURNING):
        return char
    if char < " ":
        return chr(0x2400 + ord(char))
    return f"\\u{ord(char):04x}"


def _belongs(above: card.Block, below: card.Block) -> bool:
    """Whether two blocks are one to the eye, without a blank line between them."""
    match above, below:
        case (card.Heading(), card.Note()) | (card.Text(), card.Entries()):
            return True
        case _:
            return False


def _block(block: card.Block, width: int) -> list[Text]:
    match block:
        case card.Heading(text):
            return _wrapped(_styled(text, "bold"), width)
        case card.Text(text):
            return _wrapped(_styled(text), width)
        case card.Note(text):
            return _wrapped(_styled(text, _QUIET), width)
        case card.Question(progress=progress, stem=stem):
            place = _wrapped(_styled(progress, _QUIET), width)
            return [*place, *_wrapped(_styled(stem, "bold"), width)]
        case card.Options(options):
            return [line for option in options for line in _option(option, width)]
        case card.Verdict():
            return _verdict(block, width)
        case card.Score(text=text):
            return _wrapped(_styled(text, "bold"), width)
        case card.Links(label, items):
            return _links(label, items, width)
        case card.Entries(rows):
            return [line for row in rows for line in _entry(row, width)]
        case card.Rule():
            return rule(width)


def _option(option: card.OptionLine, width: int) -> list[Text]:
    colour = _COLOURS[option.mark]
    lead = Text.assemble((f"{_SIGNS[option.mark]} ", colour), (f"{option.letter}.", "bold"), "  ")
    text = _styled(option.text)
    if option.remark:
        text.append(f" ({harmless(option.remark)})", colour)
    return _hanging(lead, text, width)


def _verdict(verdict: card.Verdict, width: int) -> list[Text]:
    sign, colour = ("✓", "bold green") if verdict.right else ("✗", "bold red")
    found = _hanging(Text(f"{sign} ", colour), _styled(verdict.title, colour), width)
    for text in (verdict.but, verdict.why):
        if text:
            found += [Text(), *_hanging(Text("  "), _styled(text), width)]
    return found


def _links(label: str, items: Iterable[card.Link], width: int) -> list[Text]:
    found = _wrapped(_styled(label, _QUIET), width)
    for item in items:
        found += _hanging(Text("  · ", _QUIET), _styled(item.title, _QUIET), width)
        if item.url:
            found += _hanging(Text("    "), _styled(item.url, _QUIET), width)
    return found


def _entry(row: card.Entry, width: int) -> list[Text]:
    term = _hanging(Text("  "), Text(harmless(row.term), "bold"), width)
    return [*term, *_hanging(Text("    "), _styled(row.text), width)]


def _key(key: str, label: str) -> Text:
    return Text.assemble((f"[{key}]", "bold"), f" {harmless(label)}")


def _styled(text: str, style: str = "") -> Text:
    """Words as typed and code in its marks, right-to-left words kept to themselves."""
    drawn = Text(style=style)
    for span in spans(harmless(text)):
        if span.fenced:
            code = "\n".join(f"  {line}" for line in span.text.split("\n"))
            drawn.append(f"\n{code}\n" if drawn else f"{code}\n", _CODE)
        elif span.code:
            drawn.append(f"`{span.text}`", _CODE)
        else:
            drawn.append(span.text)
    drawn.rstrip()
    return Text(_ISOLATE) + drawn + Text(_POP) if isolated(drawn.plain) != drawn.plain else drawn


def _wrapped(text: Text, width: int) -> list[Text]:
    found = list(text.wrap(_PLAIN, max(width, 1), overflow="fold"))
    for line in found:
        line.rstrip()
    return _balanced(found)


def _hanging(lead: Text, text: Text, width: int) -> list[Text]:
    """`text` beside `lead`, its further lines set under its first."""
    margin = " " * lead.cell_len
    first, *more = _wrapped(text, width - lead.cell_len)
    return [lead + first, *(Text(margin) + line if line else line for line in more)]


def _balanced(found: list[Text]) -> list[Text]:
    """Lines of which each closes the isolates that it opens: a terminal reads line by line."""
    is_open = False
    balanced = []
    for line in found:
        opens = is_open
        is_open = (is_open or _ISOLATE in line.plain) and _POP not in line.plain
        before, after = Text(_ISOLATE if opens else ""), Text(_POP if is_open else "")
        balanced.append(before + line + after if opens or is_open else line)
    return balanced


def _question_objects(blocks: Sequence[card.Block]) -> list[dict[str, Any]]:
    return [
        {
            "question": asked.number,
            "of": asked.of,
            "id": asked.id,
            "text": asked.stem,
            "options": {line.letter: line.text for line in options.lines},
        }
        for asked, options in pairwise(blocks)
        if isinstance(asked, card.Question) and isinstance(options, card.Options)
    ]


def _answer_object(verdict: card.Verdict) -> dict[str, Any]:
    answer, right, key = verdict.answer, verdict.right, verdict.key
    return {"answer": answer, "right": right, "key": key, "why": verdict.why}


def _score_object(score: card.Score) -> dict[str, Any]:
    return {"score": score.right, "of": score.of}


def _json(value: dict[str, Any], *, ascii_only: bool) -> str:
    """One line, with whatever a terminal might act on written as its escape."""
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
