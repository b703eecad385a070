"""What every view is built with: who reads, the card itself, and pages of what may grow."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from bot.chat.card import Block, Button, Card, Link, Tone
from bot.chat.limits import SCREEN, cost
from bot.chat.plain import plain
from bot.chat.token import MenuToken, RunToken
from bot.chat.words import Words
from bot.engine.language import Language
from bot.engine.quiz import Quiz, Source

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who a card is for: their language, the bot's words in it, and the command they type."""

    language: Language
    words: Words
    command: str = "/quiz"

    def say(self, key: str, /, **fields: object) -> str:
        return self.words.say(key, **fields)


def card(
    body: Iterable[Block],
    *rows: Iterable[Button],
    tone: Tone = Tone.PLAIN,
) -> Card:
    """A card whose `alt` says all of its body; empty rows are left out."""
    body = tuple(body)
    buttons = tuple(row for row in map(tuple, rows) if row)
    return Card(alt=plain(body), body=body, buttons=buttons, tone=tone)


def links(sources: Iterable[Source]) -> tuple[Link, ...]:
    return tuple(Link(source.title, source.url) for source in sources)


def other(language: Language) -> Language:
    """The language that the button beside a screen offers."""
    return Language.ID if language is Language.EN else Language.EN


def about(quiz: Quiz, reader: Reader) -> str:
    """Kind, level and length of a quiz in one line."""
    return reader.say(
        "run.about",
        kind=reader.say(f"kind.{quiz.kind}"),
        level=reader.say(f"level.{quiz.level}"),
        count=reader.say("run.count", n=len(quiz.live)),
    )


def pages(
    items: Iterable[_T],
    said: Callable[[_T], str],
    *,
    room: int = SCREEN,
    first: int | None = None,
    most: int = 6,
) -> list[list[_T]]:
    """`items` in pages of at most `most` that cost at most `room`, the first one at most `first`.

    There is at least one page, and at least one item on every other.
    """
    found: list[list[_T]] = [[]]
    left = room if first is None else first
    for item in items:
        price = cost(said(item))
        if found[-1] and (price > left or len(found[-1]) == most):
            found.append([])
            left = room
        found[-1].append(item)
        left -= price
    return found


def turning(
    page: int, of: int, reader: Reader, token: Callable[[int], RunToken | MenuToken]
) -> list[Button]:
    """The buttons to the pages before and after `page`."""
    row = []
    if page > 1:
        row.append(Button(reader.say("page.back"), token(page - 1).wire))
    if page < of:
        row.append(Button(reader.say("page.next"), token(page + 1).wire))
    return row


def start_button(label: str, quiz: str, *, main: bool = False) -> Button:
    return Button(label, MenuToken("start", quiz).wire, main=main)
