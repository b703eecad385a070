"""Settings into `.env`: a few lines change, every other one stays as its owner wrote it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from bot.cli.files import replacing
from bot.engine.fault import UnavailableError


def refuse_unwritable(file: Path) -> None:
    """Raise `UnavailableError` before anybody types what could not be kept."""
    folder = file.resolve().parent
    if file.exists() and not file.is_file():
        message = f"{file} is no plain file, so settings cannot be written into it."
        raise UnavailableError(message)
    if not os.access(folder, os.W_OK | os.X_OK):
        message = f"{file} cannot be written: you may not write in {folder}."
        raise UnavailableError(message)


def write(file: Path, values: Mapping[str, str]) -> None:
    """Set `values` in `file`, which only its owner can read from then on.

    An empty value unsets what was set; where nothing was, nothing is added.
    """
    try:
        before = file.read_bytes() if file.exists() else b""
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}."
        raise UnavailableError(message) from error
    with replacing(file) as written:
        written.write(merged(before, values))


def merged(before: bytes, values: Mapping[str, str]) -> bytes:
    """The text of a settings file with `values` in it, each on the line where it was, or last."""
    end = b"\r\n" if b"\r\n" in before else b"\n"
    rest = dict(values)
    done: set[str] = set()
    lines = []
    for line in before.splitlines(keepends=True):
        key = _key(line)
        if key is None or key not in values:
            lines.append(line)
        elif key not in done:
            done.add(key)
            lines.append(f"{key}={rest.pop(key)}".encode() + end)
    if lines and not lines[-1].endswith(b"\n"):
        lines[-1] += end
    lines += [f"{key}={value}".encode() + end for key, value in rest.items() if value]
    return b"".join(lines)


def _key(line: bytes) -> str | None:
    found = re.match(rb"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=", line)
    return found[1].decode().upper() if found else None
