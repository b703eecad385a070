"""What the tests of the terminal share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.adapters.terminal.shell import Shell
from tests.adapters.terminal.window import Window
from tests.world import Clock, CountingDice


@pytest.fixture
def shell(
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    clock: Clock,
    dice: CountingDice,
) -> Shell:
    """A person at a shell in an empty folder, with a database and nothing else set."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    monkeypatch.chdir(Path(sqlite_url.removeprefix("sqlite:///")).parent)
    return Shell(monkeypatch, capsys, clock, dice)


@pytest.fixture
def window(shell: Shell, tmp_path: Path) -> Iterator[Window]:
    """A terminal window on which a quiz is played with real keys."""
    opened = Window(tmp_path)
    yield opened
    opened.close()
