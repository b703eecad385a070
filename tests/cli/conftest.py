"""What the tests of commands share."""

from pathlib import Path

import pytest

from bot.settings import Settings
from tests.cli.desk import Desk
from tests.world import Clock, CountingDice


@pytest.fixture
def desk(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    clock: Clock,
    dice: CountingDice,
) -> Desk:
    """An operator in an empty folder of their own, with nothing configured."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, monkeypatch, capsys, clock, dice)
