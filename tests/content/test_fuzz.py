"""Whatever a file holds, loading it gives faults and never an exception."""

import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.quiz_files import load, reader
from tests.content.desk import CLEAN, read, write

_KEPT = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
_PIECES = st.sampled_from(
    ["a: ", "- ", "[", "]", "{", "}", "? ", ": ", "\n", "\n  ", "&a ", "*a", "!t ", "<<: ", "'",
     '"', "|\n", ">-\n", "#", "---\n", "...\n", "%YAML 1.2\n", "title: x\n", "questions:\n",
     "\t", "\\u", "~", "null", "\x00", "\x85", "\u2028", "\ufeff", "\u202e", "key", "en: ",
     "level", "1e3"]
)  # fmt: skip


def _same_as_whole(folder: Path, text: str | bytes) -> None:
    loaded = read(folder, text)
    assert loaded.quizzes or loaded.faults
    for fault in loaded.faults:
        assert fault.line >= 1
        assert fault.column >= 1
        assert "\n" not in str(fault)
        str(fault).encode()


@_KEPT
@given(st.binary(max_size=300))
def test_no_bytes_raise(tmp_path, raw):
    _same_as_whole(tmp_path, raw)


@_KEPT
@given(st.text(max_size=300))
def test_no_text_raises(tmp_path, text):
    _same_as_whole(tmp_path, text)


@_KEPT
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_no_piece_of_yaml_raises(tmp_path, text):
    _same_as_whole(tmp_path, text)


@_KEPT
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_no_piece_of_yaml_raises_without_the_c_loader(tmp_path, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_LOADER", yaml.SafeLoader)
        _same_as_whole(tmp_path, text)


@_KEPT
@given(st.integers(0, len(CLEAN) - 1), st.integers(0, 20), _PIECES)
def test_no_slip_of_the_pen_raises(tmp_path, at, length, piece):
    read(tmp_path, CLEAN[:at] + piece + CLEAN[at + length :])


@pytest.mark.parametrize(
    "text",
    ["[" * 500_000, "- " * 400_000, "{a: " * 200_000, "? " * 400_000, "[a,\n" * 200_000,
     "&a " * 300_000, "'" * 999_999, "a" * 1_000_000, "\n" * 1_000_000, ": " * 400_000],
    ids=lambda text: repr(text[:4]),
)  # fmt: skip
def test_no_depth_or_length_harms(tmp_path, text):
    limit = sys.getrecursionlimit()
    assert 1 <= len(read(tmp_path, text).faults) <= 20
    assert sys.getrecursionlimit() == limit


def test_both_loaders_give_the_same_quiz(tmp_path, monkeypatch):
    file = write(tmp_path, CLEAN)
    quick = load([file])
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    assert load([file]) == quick
