"""A person at a shell, whose answers go through a pipe."""

import json
import os
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from bot.cli import main
from bot.cli.tools import Tools
from tests.world import Clock, CountingDice

KEYS = "dbcabcad"
"""The keys of the first quiz, in the file's order."""


@dataclass(frozen=True)
class Done:
    """How a command ended; `out` is its result, `err` all that it said beside."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Shell:
    environment: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]
    clock: Clock
    dice: CountingDice

    def runs(self, *arguments: str, answers: bytes | str = b"") -> Done:
        """Run a command; `answers` wait in a pipe that is then closed."""
        reading, writing = os.pipe()
        os.write(writing, answers.encode() if isinstance(answers, str) else answers)
        os.close(writing)
        self.capture.readouterr()
        with os.fdopen(reading) as stdin:
            self.environment.setattr(sys, "stdin", stdin)
            code = main(list(arguments), Tools(now=self.clock.now, dice=self.dice))
        said = self.capture.readouterr()
        assert "Traceback" not in said.err
        return Done(code, said.out, said.err)

    def plays(self, *lines: str, flags: tuple[str, ...] = ()) -> Done:
        """Answer the first quiz by these lines, its options in the file's order."""
        return self.runs(
            "play", "checkpointing", *flags, answers="".join(f"{it}\n" for it in lines)
        )

    def begins(self, *lines: str, flags: tuple[str, ...] = ()) -> Done:
        return self.plays(*lines, flags=("--no-shuffle", *flags))
