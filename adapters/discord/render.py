"""Cards drawn in Discord's components; pure.

A card is one container: its text, a line where the card has a rule, and its buttons last, so that
on a phone the letters stand right under the options that they mean.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import discord

from adapters.discord.button import PressButton
from adapters.discord.markdown import code, link, marked
from bot.chat import card
from bot.chat.card import Mark, Tone
from bot.chat.spans import isolated

Json: TypeAlias = dict[str, Any]
_Part: TypeAlias = discord.ui.Item[Any]

_HEADING, _STRONG, _SMALL = "## ", "### ", "-# "
_SIGNS = {Mark.KEY: "✓ ", Mark.CHOSEN: "✗ ", Mark.CHOSEN_KEY: "✓ ", Mark.NONE: ""}
_COLOURS = {Tone.PLAIN: 0x4A7EBB, Tone.RIGHT: 0x2E9E5B, Tone.WRONG: 0xD9822B}
_PER_ROW = 5
_PHONE = 40
"""Characters that a phone shows in a line: longer options wrap and need space between them."""


def drawn(shown: card.Card) -> discord.ui.LayoutView:
    """A view without timeout in which every button is a `PressButton`."""
    parts = [*_parts(shown.body), *_rows(shown.buttons)]
    view = discord.ui.LayoutView(timeout=None)
    return view.add_item(discord.ui.Container(*parts, accent_colour=_COLOURS[shown.tone]))


def payload(shown: card.Card) -> Json:
    """The message as it is sent."""
    return {
        "flags": discord.MessageFlags(components_v2=True).value,
        "components": [part.to_component_dict() for part in drawn(shown).children],
        "allowed_mentions": discord.AllowedMentions.none().to_dict(),
    }


def _parts(body: Sequence[card.Block]) -> Iterator[_Part]:
    """Neighbouring blocks as one text; a message holds forty components at most."""
    said = ""
    for before, block in pairwise((None, *body)):
        words = _words(block) if block else None
        if words is not None:
            said += f"{_gap(before, block)}{words}" if said else words
            continue
        if said:
            yield discord.ui.TextDisplay(said)
        said = ""
        yield discord.ui.Separator()
    if said:
        yield discord.ui.TextDisplay(said)


def _gap(before: card.Block | None, block: card.Block | None) -> str:
    """A title, a question and what belongs to it stand close; all else is a paragraph."""
    match before, block:
        case (card.Heading() | card.Question(), _) | (card.Note(), card.Note()):
            return "\n"
        case (card.Text(), card.Entries()):
            return "\n"
        case _:
            return "\n\n"


def _words(block: card.Block) -> str | None:
    """A block's markdown; None for the one that is a line between two texts."""
    match block:
        case card.Heading(text):
            return marked(text, _HEADING)
        case card.Text(text):
            return marked(text)
        case card.Note(text):
            return marked(text, _SMALL)
        case card.Question(progress=progress, stem=stem):
            return f"{marked(progress, _SMALL)}\n{marked(stem, _STRONG)}"
        case card.Options(lines):
            wraps = any(len(line.text) > _PHONE for line in lines)
            return ("\n\n" if wraps else "\n").join(map(_option, lines))
        case card.Verdict():
            return _verdict(block)
        case card.Score(text=text):
            return marked(text, _STRONG)
        case card.Links(label, items):
            return _links(label, items)
        case card.Entries(rows):
            return "\n".join(f"{code(row.term)} {marked(row.text)}" for row in rows)
        case card.Rule():
            return None


def _option(line: card.OptionLine) -> str:
    text = marked(isolated(line.text))
    apart = "\n" if text.startswith("```") else " "
    remark = f"\n{marked(line.remark, _SMALL)}" if line.remark else ""
    return f"{_SIGNS[line.mark]}**{line.letter}.**{apart}{text}{remark}"


def _verdict(verdict: card.Verdict) -> str:
    sign = "✓" if verdict.right else "✗"
    reasons = "\n\n".join(marked(text) for text in (verdict.but, verdict.why) if text)
    return "\n".join(filter(None, (marked(f"{sign} {verdict.title}", _STRONG), reasons)))


def _links(label: str, items: Sequence[card.Link]) -> str:
    """One stands small beside its label; each of several has a line, where a thumb finds it."""
    titles = [link(item.title, item.url) if item.url else marked(item.title) for item in items]
    if len(titles) == 1:
        return f"{marked(label, _SMALL)}: {titles[0]}"
    return "\n".join((f"{marked(label)}:", *(f"- {title}" for title in titles)))


def _rows(rows: Iterable[Sequence[card.Button]]) -> Iterator[_Part]:
    """Rows as full as each other: eight letters are four and four."""
    for row in rows:
        size = -(-len(row) // -(-len(row) // _PER_ROW))
        for start in range(0, len(row), size):
            yield discord.ui.ActionRow(*map(_button, row[start : start + size]))


def _button(button: card.Button) -> PressButton:
    style = discord.ButtonStyle.primary if button.main else discord.ButtonStyle.secondary
    return PressButton(button.token, button.label, style)
