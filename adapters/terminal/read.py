"""Keys and lines, read into the buttons and events that they mean; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.chat.card import Button, Card
from bot.chat.command import Command
from bot.chat.event import Commanded, Pressed, Who
from bot.chat.token import MenuToken, RunToken, parse
from bot.engine.language import Language
from bot.engine.people import Address, Identity

SURFACE = "terminal"
WORKSPACE = "local"
TYPED = "./latih play"

LANGUAGE_KEY = "L"
LEAVE_KEY = "Q"
ENTER = ""
"""The key without a letter: Enter, or the space bar."""

_ENDS = ("\x04", "\x1a")  # Ctrl-D, and Ctrl-Z as Windows has it
_POOL = "1234567890ABCDEFGHIJKMNOPRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a screen: `letters` answer, `others` come in the order shown.

    `main` is what leads on by itself when the input is a pipe of answers alone.
    """

    letters: Mapping[str, Button]
    others: Mapping[str, Button]
    main: Button | None

    @property
    def wanted(self) -> tuple[str, ...]:
        """What may be typed, the answers alone where an answer is wanted."""
        if self.letters:
            return tuple(self.letters)
        return (*(key or "Enter" for key in self.others), LEAVE_KEY)


def keys(card: Card) -> Keys:
    """A key for each button: its own letter, L for the language, Enter or numbers for the rest."""
    buttons = [button for row in card.buttons for button in row]
    letters = {button.label: button for button in buttons if _is_letter(button)}
    spoken = next((button for button in buttons if language_of(button.token)), None)
    rest = [button for button in buttons if button not in letters.values() and button != spoken]
    main = next((button for button in rest if button.main), None)
    if main and len(rest) == 1:
        others = {ENTER: main}
    else:
        others = dict(zip((key for key in _POOL if key not in letters), rest, strict=False))
    if spoken:
        others[LANGUAGE_KEY] = spoken
    return Keys(letters, others, main)


def meant(typed: str, known: Keys) -> Button | None:
    """The button that a key or a line means; None when it means none."""
    key = typed.strip().rstrip(".)").upper()
    if key == ENTER and typed.strip():
        return None
    return known.letters.get(key) or known.others.get(key)


def leaves(typed: str) -> bool:
    """Whether a key or a line asks to leave."""
    return typed in _ENDS or typed.strip().upper() == LEAVE_KEY


def language_of(token: str) -> Language | None:
    """The language that a button chooses; None for a button about something else."""
    match parse(token):
        case RunToken(verb=verb):
            tag = verb.removeprefix("result-")
        case MenuToken("language", argument):
            tag = argument.partition(":")[0]
        case _:
            return None
    return Language(tag) if tag in set(Language) else None


def leads_on(card: Card) -> bool:
    """Whether a card has a button that does more than choose the language."""
    return any(language_of(button.token) is None for row in card.buttons for button in row)


def quiz_of(token: str) -> str | None:
    """The quiz that a button starts; None for a button about something else."""
    match parse(token):
        case MenuToken("start", quiz):
            return quiz
        case _:
            return None


def identity(name: str) -> Identity:
    return Identity(SURFACE, WORKSPACE, name)


def commanded(name: str, command: Command, *, at: datetime) -> Commanded:
    return Commanded(_who(name), command, at, TYPED)


def pressed(name: str, button: Button, *, press: str, at: datetime) -> Pressed:
    return Pressed(_who(name), button.token, press, at, TYPED)


def _who(name: str) -> Who:
    return Who(identity(name), Address(SURFACE, WORKSPACE, SURFACE), name)


def _is_letter(button: Button) -> bool:
    token = parse(button.token)
    return isinstance(token, RunToken) and token.verb == button.label
