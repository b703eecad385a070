"""Replies: what goes back, privately, to the person who acted.

A reply says how its card is drawn rather than holding it: a surface that acknowledges first draws
afterwards, and what was stored waits for no picture.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.chat.card import Card
from bot.chat.event import Event

Draw: TypeAlias = Callable[[], Card]


@dataclass(frozen=True, slots=True)
class Show:
    """A new private message."""

    draw: Draw


@dataclass(frozen=True, slots=True)
class Redraw:
    """The message whose button was pressed, drawn anew."""

    draw: Draw


@dataclass(frozen=True, slots=True)
class Whisper:
    """A private note beside the message whose button was pressed, which stays."""

    draw: Draw


Reply: TypeAlias = Show | Redraw | Whisper
Handle: TypeAlias = Callable[[Event], Awaitable[tuple[Reply, ...]]]
"""What an adapter is given to hand its events to; an empty tuple is a mere acknowledgement."""
