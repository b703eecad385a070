"""What a person was shown, on whatever surface: the words, and what each button sends back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from typing_extensions import override

from bot.chat.token import MenuToken, RunToken, parse

_LETTERS = "ABCDEFGH"
_OPTION = re.compile(r"^([A-H])\. (.*)$", re.MULTILINE)
_GIVEN = re.compile(r"Right: ([A-H])\.|You chose ([A-H]);")
_STANDS = re.compile(r"Your first answer stands: ([A-H])\.")
_SCORE = re.compile(r"You got (\d+) of (\d+) right")
_ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))


@dataclass(frozen=True, eq=False)
class Screen:
    """One version of one message, equal to itself alone; `buttons` has each label's token."""

    message: Any
    version: int
    raw: str
    buttons: Mapping[str, str]

    @cached_property
    def words(self) -> str:
        return self.raw.translate(_ISOLATES)

    @cached_property
    def tokens(self) -> list[RunToken]:
        found = (parse(wire) for wire in self.buttons.values())
        return [token for token in found if isinstance(token, RunToken)]

    @property
    def run(self) -> str | None:
        return self.tokens[0].run if self.tokens else None

    @property
    def position(self) -> int:
        return self.tokens[0].position

    @cached_property
    def letters(self) -> list[RunToken]:
        return [token for token in self.tokens if token.verb in _LETTERS]

    @property
    def options(self) -> dict[str, str]:
        return {letter: text.strip() for letter, text in _OPTION.findall(self.words)}

    @property
    def is_question(self) -> bool:
        return bool(self.letters)

    @property
    def is_verdict(self) -> bool:
        return any(token.verb == "next" for token in self.tokens)

    @property
    def is_result(self) -> bool:
        return any(token.verb == "review" or "result" in token.verb for token in self.tokens)

    @property
    def given(self) -> str | None:
        """The letter that a verdict says was answered."""
        found = _GIVEN.search(self.words)
        return (found[1] or found[2]) if found and self.is_verdict else None

    @property
    def stands(self) -> str | None:
        """The letter of the first answer, where the screen says that another one came too late."""
        found = _STANDS.search(self.words)
        return found[1] if found else None

    @property
    def score(self) -> tuple[int, int] | None:
        found = _SCORE.search(self.words)
        return (int(found[1]), int(found[2])) if found else None

    def button(self, verb: str) -> str | None:
        """The token of the button that does this, if there is one."""
        for wire in self.buttons.values():
            match parse(wire):
                case RunToken(verb=found) | MenuToken(verb=found) if found == verb:
                    return wire
        return None

    @override
    def __str__(self) -> str:
        labels = " ".join(f"[{label}]" for label in self.buttons)
        return f"{' / '.join(self.words.splitlines())[:200]} {labels}"
