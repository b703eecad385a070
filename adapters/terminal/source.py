"""Where answers come from: a terminal's keys, or lines."""

import asyncio
import codecs
import contextlib
import os
import re
import select
import signal
import threading
from types import TracebackType
from typing import Any, Protocol, Self

try:
    import termios
    import tty
except ImportError:  # Windows: a terminal there is read by lines
    HAS_KEYS = False
else:
    HAS_KEYS = True

_BYTES = 4096
_LONGEST_LINE = 200  # no answer is longer; the rest of such a line is dropped

# A key that sends several characters (an arrow, a function key) is none of ours.
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b\[O])?|(.)", re.DOTALL)


class Source(Protocol):
    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    async def read(self) -> str | None:
        """What was typed next; None at the end of input."""
        ...


class KeySource:
    """Single keys from a terminal, whose state is restored whatever happens."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Self:
        self._before: list[Any] = termios.tcgetattr(self._descriptor)
        self._loop = asyncio.get_running_loop()
        self._catch()
        self._loop.add_reader(self._descriptor, self._receive)
        self._loop.add_signal_handler(signal.SIGCONT, self._catch)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.remove_signal_handler(signal.SIGCONT)
        self._loop.remove_reader(self._descriptor)
        with contextlib.suppress(termios.error):  # a terminal that is gone has no state
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    async def read(self) -> str | None:
        return await self._typed.get()

    def _catch(self) -> None:
        """Have keys come singly and unseen; again after a pause in the background."""
        tty.setcbreak(self._descriptor, termios.TCSADRAIN)

    def _receive(self) -> None:
        try:
            raw = os.read(self._descriptor, _BYTES)
        except OSError:
            raw = b""
        if not raw:
            self._loop.remove_reader(self._descriptor)
            self._typed.put_nowait(None)
        for found in _KEY.finditer(self._decoder.decode(raw)):
            if key := found[1]:
                self._typed.put_nowait(key)


class LineSource:
    """Lines from a pipe, a file, or a terminal that gives no keys.

    They are read on threads that end with the process: nothing can wake a thread that reads.
    """

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        self._begun = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is held."""

    async def read(self) -> str | None:
        line: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        threading.Thread(target=self._serve, args=(line,), daemon=True).start()
        return await line

    def _serve(self, line: "asyncio.Future[str | None]") -> None:
        found = self._next()
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            line.get_loop().call_soon_threadsafe(_settle, line, found)

    def _next(self) -> str | None:
        while b"\n" not in self._begun:
            more = self._more()
            if not more:
                rest, self._begun = self._begun, b""
                return _decoded(rest) if rest else None
            line, newline, after = (self._begun + more).partition(b"\n")
            self._begun = line[:_LONGEST_LINE] + newline + after
        line, _, self._begun = self._begun.partition(b"\n")
        return _decoded(line)

    def _more(self) -> bytes:
        if self._descriptor is None:
            return b""
        while True:
            try:
                return os.read(self._descriptor, _BYTES)
            except BlockingIOError:
                select.select([self._descriptor], [], [])
            except OSError:
                return b""


def _settle(line: "asyncio.Future[str | None]", found: str | None) -> None:
    if not line.done():
        line.set_result(found)


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace").removeprefix("\ufeff")
