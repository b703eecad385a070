"""Files that are written whole or not at all, for their owner's eyes only."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from bot.engine.fault import UnavailableError


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of `file` when the block ends well, and else goes.

    A link stays one: what it leads to is replaced.
    """
    target = file.resolve()
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    except OSError as error:
        raise _cannot_write(file, error) from error
    try:
        with os.fdopen(number, "wb") as written:
            yield written
            written.flush()
            os.fsync(written.fileno())
        Path(name).replace(target)
    except OSError as error:
        raise _cannot_write(file, error) from error
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _cannot_write(file: Path, error: OSError) -> UnavailableError:
    return UnavailableError(f"{file} cannot be written: {error.strerror or error}.")
