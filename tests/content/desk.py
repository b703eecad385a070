"""An author's desk: quiz files written for one test, and what loading says of them."""

from collections.abc import Collection
from datetime import date
from pathlib import Path

from bot.quiz_files import Fault, Loaded, load

TODAY = date(2026, 12, 1)

HEAD = """\
title: Checkpoints
level: medium
authors: [Sari]
licence: CC-BY-4.0
questions:
"""

QUESTION = """\
  - id: one
    stem: What is stored?
    options:
      a: Weights
      b: Nothing
      c: Colours
    key: a
    explanation: Because they are needed.
    why_wrong: {b: No., c: Never.}
    sources: [{title: Docs, url: https://example.org}]
"""

CLEAN = HEAD + QUESTION

MINIMAL = """\
title: Checkpoints
level: easy
questions:
  - id: one
    stem: What is stored?
    options:
      a: Weights
      b: Nothing
      c: Colours
      d: Sounds
    key: a
"""


def write(folder: Path, text: str | bytes, name: str = "checks.yaml") -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def read(
    folder: Path,
    text: str | bytes,
    name: str = "checks.yaml",
    *,
    today: date | None = TODAY,
    reserved: Collection[str] = (),
) -> Loaded:
    """What loading the one file gives."""
    return load([write(folder, text, name)], today=today, reserved=reserved)


def places(loaded: Loaded) -> list[str]:
    """Each fault as `line:column severity rule`."""
    return [f"{f.line}:{f.column} {f.severity} {f.rule}" for f in loaded.faults]


def errors(loaded: Loaded) -> list[Fault]:
    return [fault for fault in loaded.faults if fault.breaks]


def changed(old: str, new: str, text: str = CLEAN) -> str:
    """`text` with one thing in it changed."""
    assert old in text
    return text.replace(old, new, 1)
