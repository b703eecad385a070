"""An operator at a shell: types commands, and sees what they print and how they end."""

import asyncio
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.cli.tools import Tools
from bot.settings import Settings
from tests.world import Clock, CountingDice

ROOT = Path(__file__).parents[2]


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
class Desk:
    folder: Path
    environment: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]
    clock: Clock
    dice: CountingDice

    def sets(self, **settings: str) -> None:
        for name, value in settings.items():
            self.environment.setenv(name, value)

    def types(self, *arguments: str, answers: str = "") -> Done:
        """Run a command in this process; `answers` come through a pipe."""
        self.environment.setattr(sys, "stdin", io.StringIO(answers))
        self.capture.readouterr()
        code = main(list(arguments), Tools(now=self.clock.now, dice=self.dice))
        said = self.capture.readouterr()
        assert "Traceback" not in said.err
        return Done(code, said.out, said.err)

    async def types_beside(self, *arguments: str, answers: str = "") -> Done:
        """The same while a stand-in in this loop answers."""
        return await asyncio.to_thread(self.types, *arguments, answers=answers)

    def runs(self, *arguments: str, **settings: str) -> Done:
        """Run a command as a program of its own."""
        done = subprocess.run(
            command(*arguments),
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=environment(**settings),
            timeout=60,
        )
        return Done(done.returncode, done.stdout, done.stderr)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", *arguments]


def environment(**settings: str) -> dict[str, str]:
    """Ours without any setting of the bot, and with these."""
    ours = {name.upper() for name in Settings.model_fields}
    plain = {name: value for name, value in os.environ.items() if name not in ours}
    return plain | {"PYTHONPATH": str(ROOT)} | settings
