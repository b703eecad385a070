"""Cards: what a person is shown, as meaning; each adapter renders every block its own way.

Texts may mark code with backticks and fences (see `bot.chat.spans`); all else stands as typed.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias


class Tone(Enum):
    """The mood of a card; it repeats what the words say and never carries meaning alone."""

    PLAIN = auto()
    RIGHT = auto()
    WRONG = auto()


class Mark(Enum):
    """How an option came out, repeated by its `remark` in words."""

    NONE = auto()
    KEY = auto()
    CHOSEN = auto()
    CHOSEN_KEY = auto()


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A side remark, set smaller where the surface can."""

    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A stem with its place in the quiz; `progress` says "Question 1 of 8" in words."""

    id: str
    number: int
    of: int
    progress: str
    stem: str


@dataclass(frozen=True, slots=True)
class OptionLine:
    letter: str
    text: str
    mark: Mark = Mark.NONE
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    lines: tuple[OptionLine, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an answer came out; `answer` and `key` are the letters shown, `but` why it is wrong."""

    right: bool
    answer: str
    key: str
    title: str
    why: str | None = None
    but: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A run's result; `text` says it in words."""

    right: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    title: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Sources or reading under one label."""

    label: str
    items: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A term with what it means: a quiz and its title, a command and what it does."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Entries:
    rows: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line between two parts."""


Block: TypeAlias = (
    Heading | Text | Note | Question | Options | Verdict | Score | Links | Entries | Rule
)


@dataclass(frozen=True, slots=True)
class Button:
    """A button by its short label; pressing it sends `token` back."""

    label: str
    token: str
    main: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What to show; `alt` says all of `body` in plain words, `buttons` come in rows."""

    alt: str
    body: tuple[Block, ...]
    buttons: tuple[tuple[Button, ...], ...] = ()
    tone: Tone = Tone.PLAIN
