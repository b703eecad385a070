"""Replies: what goes back, privately, to the person who acted."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.chat.card import Card
from bot.chat.event import Event


@dataclass(frozen=True, slots=True)
class Show:
    """A new private message."""

    card: Card


@dataclass(frozen=True, slots=True)
class Redraw:
    """The message whose button was pressed, drawn anew."""

    card: Card


@dataclass(frozen=True, slots=True)
class Whisper:
    """A private note beside the message whose button was pressed, which stays."""

    card: Card


Reply: TypeAlias = Show | Redraw | Whisper
Handle: TypeAlias = Callable[[Event], Awaitable[tuple[Reply, ...]]]
"""What an adapter is given to hand its events to; an empty tuple is a mere acknowledgement."""
