"""Tokens: what a button sends back. They tell no key and outlive every restart.

`1.r.<run>.<position>.<letter or verb>` belongs to a run, `1.m.<verb>.<argument>` to a menu.
"""

import re
from dataclasses import dataclass

_RUN = re.compile(r"1\.r\.([A-Za-z0-9_-]{16})\.([1-9][0-9]{0,3})\.([A-H]|[a-z][a-z-]{0,19})")
_MENU = re.compile(r"1\.m\.([a-z]{1,16})\.([a-z0-9:_-]{0,64})")


@dataclass(frozen=True, slots=True)
class RunToken:
    """A button on a run's screen; `verb` is an option's letter or a lower-case verb."""

    run: str
    position: int
    verb: str

    @property
    def wire(self) -> str:
        return f"1.r.{self.run}.{self.position}.{self.verb}"


@dataclass(frozen=True, slots=True)
class MenuToken:
    """A button that stands for a command; its privilege is checked when it arrives."""

    verb: str
    argument: str = ""

    @property
    def wire(self) -> str:
        return f"1.m.{self.verb}.{self.argument}"


def parse(token: str) -> RunToken | MenuToken | None:
    """The token's meaning, or None when it is none of ours."""
    if found := _RUN.fullmatch(token):
        return RunToken(found[1], int(found[2]), found[3])
    if found := _MENU.fullmatch(token):
        return MenuToken(found[1], found[2])
    return None
