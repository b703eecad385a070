"""Faults: what is wrong with a quiz file, where, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from typing_extensions import override

Mark: TypeAlias = tuple[int, int]
"""A line and a column, both counted from 1 as editors do."""

START: Mark = (1, 1)
_ECHO = 40


class Severity(StrEnum):
    """An error keeps a quiz from loading; a warning only asks for better."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong; `rule` is a short kebab-case name, `message` says what to do."""

    file: Path
    line: int
    column: int
    severity: Severity
    rule: str
    message: str

    @property
    def breaks(self) -> bool:
        """Whether it keeps its quiz from loading."""
        return self.severity is Severity.ERROR

    @override
    def __str__(self) -> str:
        """As compilers write it, so that editors and terminals can jump to the place."""
        where = f"{printable(str(self.file))}:{self.line}:{self.column}"
        return f"{where}: {self.severity} {self.rule} {self.message}"


@dataclass(slots=True)
class Report:
    """The faults of one file as they are found."""

    file: Path
    faults: list[Fault] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return any(fault.breaks for fault in self.faults)

    def error(self, at: Mark, rule: str, message: str) -> None:
        self.faults.append(Fault(self.file, *at, Severity.ERROR, rule, message))

    def warn(self, at: Mark, rule: str, message: str) -> None:
        self.faults.append(Fault(self.file, *at, Severity.WARNING, rule, message))


def echo(value: object) -> str:
    """What stands in the file, short and safe to print on one line."""
    text = printable(str(value))
    return text if len(text) <= _ECHO else text[: _ECHO - 1] + "…"


def printable(text: str) -> str:
    """`text` with all that would move a cursor, or cannot be encoded, shown as its code."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def one_of(names: Iterable[str]) -> str:
    """Names as a sentence lists them: `a`, `b` or `c`."""
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} or {last}" if most else last
