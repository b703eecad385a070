"""`.env`: only what is set changes, whatever else its owner wrote."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.env_file import merged, write
from bot.engine.fault import UnavailableError

OWN = b"""# my notes
DATABASE_URL=postgresql://db/latih  # keep

export SLACK_BOT_TOKEN = "old"
LATIH_ZONE='Asia/Jakarta'
# SLACK_APP_TOKEN=example
"""


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        (b"", {"A": "1"}, b"A=1\n"),
        (b"B=2", {"A": "1"}, b"B=2\nA=1\n"),
        (b"A=0\nB=2\n", {"A": "1"}, b"A=1\nB=2\n"),
        (b"A=0\nB=2\nA=9\n", {"A": "1"}, b"A=1\nB=2\n"),
        (b"a = 0\n", {"A": "1"}, b"A=1\n"),
        (b"# A=0\n", {"A": "1"}, b"# A=0\nA=1\n"),
        (b"AB=0\n", {"A": "1"}, b"AB=0\nA=1\n"),
        (b"B=2\r\n", {"A": "1"}, b"B=2\r\nA=1\r\n"),
        (b"A=0\n", {"A": ""}, b"A=\n"),
        (b"B=2\n", {"A": ""}, b"B=2\n"),
        (b"\xff\xfe not text\n", {"A": "1"}, b"\xff\xfe not text\nA=1\n"),
        (
            OWN,
            {"SLACK_BOT_TOKEN": "new", "SLACK_APP_TOKEN": "app"},
            OWN.replace(b'export SLACK_BOT_TOKEN = "old"', b"SLACK_BOT_TOKEN=new")
            + b"SLACK_APP_TOKEN=app\n",
        ),
    ],
)
def test_a_value_goes_where_it_was_or_last(
    before: bytes, values: dict[str, str], after: bytes
) -> None:
    assert merged(before, values) == after


@given(st.lists(st.sampled_from([b"A=0", b"B=2", b"# c", b"", b"odd", b"export A=3"])))
def test_every_other_line_stays_and_doing_it_again_changes_nothing(lines: list[bytes]) -> None:
    before = b"\n".join(lines)
    once = merged(before, {"A": "1"})
    others = [line for line in before.splitlines() if b"A=" not in line]
    assert [line for line in once.splitlines() if line != b"A=1"] == others
    assert once.splitlines().count(b"A=1") == 1
    assert merged(once, {"A": "1"}) == once


def test_only_the_owner_can_read_it_afterwards(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("B=2\n")
    file.chmod(0o644)
    write(file, {"A": "1"})
    assert file.read_text() == "B=2\nA=1\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_to_where_secrets_are_kept_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("A=0\n")
    link = tmp_path / ".env"
    link.symlink_to(kept)
    write(link, {"A": "1"})
    assert link.is_symlink()
    assert kept.read_text() == "A=1\n"


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="cannot be written"):
        write(tmp_path / "nowhere" / ".env", {"A": "1"})
