"""Which files hold quizzes, and their text."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.quiz_files.faults import START, Report

SIZE = 1_000_000
"""Bytes of one file; a thousand questions in two languages take about that."""

ENDING = ".yaml"


def found(paths: Iterable[Path]) -> list[Report]:
    """A report for each quiz file under `paths`, every file once, in the order given."""
    seen: dict[tuple[str, str], Report] = {}
    for path in paths:
        for report in _under(Path(path)):
            seen.setdefault(_place(report.file), report)
    return list(seen.values())


def text(report: Report) -> str | None:
    """What stands in the file; None, with the reason reported, when it is not read."""
    if report.faults:
        return None
    try:
        raw = _bytes(report)
    except (OSError, ValueError) as error:
        report.error(START, "unreadable", f"The file cannot be read: {_reason(error)}.")
        return None
    return None if raw is None else _decoded(raw, report)


def _under(path: Path) -> Iterator[Report]:
    try:
        names = sorted(file.name for file in path.iterdir()) if path.is_dir() else None
    except (OSError, ValueError) as error:
        yield _refused(path, "unreadable", f"The folder cannot be read: {_reason(error)}.")
        return
    if names is None:
        yield Report(path)
        return
    quizzes = [name for name in names if name.endswith(ENDING) and not name.startswith(".")]
    quizzes.sort(key=lambda name: name.removesuffix(ENDING))
    yield from (Report(path / name) for name in quizzes)
    for name in names:
        if name.endswith(".yml") and not name.startswith("."):
            yield _ignored(path / name)


def _ignored(path: Path) -> Report:
    report = Report(path)
    report.warn(START, "file-name", "Files ending in .yml are not read: rename it to .yaml.")
    return report


def _refused(path: Path, rule: str, message: str) -> Report:
    report = Report(path)
    report.error(START, rule, message)
    return report


def _bytes(report: Report) -> bytes | None:
    # Looked at before it is opened: opening a named pipe would wait for ever.
    if not stat.S_ISREG(report.file.stat().st_mode):
        report.error(START, "unreadable", "This is no file: give a quiz file or a folder.")
        return None
    with report.file.open("rb") as file:
        raw = file.read(SIZE + 1)
    if len(raw) > SIZE:
        words = f"The file is larger than {SIZE:,} bytes: split it into several quizzes."
        report.error(START, "too-large", words)
        return None
    return raw


def _decoded(raw: bytes, report: Report) -> str | None:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = error.start + (3 if raw.startswith(b"\xef\xbb\xbf") else 0)
        line = raw.count(b"\n", 0, start) + 1
        begin = raw.rfind(b"\n", 0, start) + 1
        column = len(raw[begin:start].decode("utf-8-sig", "replace")) + 1
        words = f"Byte {start + 1} (0x{raw[start]:02x}) is not UTF-8: save the file as UTF-8."
        report.error((line, column), "not-utf-8", words)
        return None


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return (reason or "unknown reason").lower()


def _place(path: Path) -> tuple[str, str]:
    try:
        return os.path.realpath(path.parent), path.name
    except (OSError, ValueError):
        return str(path.parent), path.name
