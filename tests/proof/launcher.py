"""Starts the program often and quickly: its packages are imported once, each start is a fork.

A fork has run nothing of the program yet: what then runs in it is `bot.__main__`, as ever, in its
own folder, with its own environment, and with the faults that were ordered. What it is spared is
the second or more that importing takes.
"""

import asyncio
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from typing_extensions import override

from tests.proof.faults import NONE, Faults, arrange
from tests.proof.program import ROOT, Program

_LONGEST_MESSAGE = 65_536


class Launcher:
    """A process that waits with everything imported; `with` starts and ends it."""

    def __init__(self) -> None:
        self._door, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.proof.launcher"],
                cwd=ROOT,
                stdin=theirs.fileno(),
                start_new_session=True,  # Ctrl-C is for the tests
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._door.close()
        self._process.wait()

    def ask(self, order: dict[str, Any], *files: int) -> int:
        socket.send_fds(self._door, [json.dumps(order).encode()], files)
        answer = self._door.recv(_LONGEST_MESSAGE)
        assert answer, "the launcher has ended"
        return int(answer)


@dataclass
class _Fork:
    """A process that was started; how it ended, only the launcher can ask."""

    launcher: Launcher
    pid: int
    stdout: asyncio.StreamReader
    transport: asyncio.BaseTransport
    code: int | None = None

    async def wait(self) -> int:
        self.transport.close()
        if self.code is None:
            self.code = self.launcher.ask({"wait": self.pid})
        return self.code


class Forked(Program):
    """The program as the launcher starts it."""

    def __init__(
        self,
        launcher: Launcher,
        folder: Path,
        *arguments: str,
        faults: Faults = NONE,
        **environment: str,
    ) -> None:
        super().__init__(folder, *arguments, **environment)
        self._launcher = launcher
        self._faults = faults

    @override
    async def spawn(self) -> _Fork:
        ours, theirs = os.pipe()
        order = {
            "folder": str(self.folder),
            "arguments": self.arguments,
            "environment": self.environment,
            "faults": asdict(self._faults),
        }
        pid = self._launcher.ask({"start": order}, theirs)
        os.close(theirs)
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours, "rb", 0)
        )
        return _Fork(self._launcher, pid, reader, transport)


def _serve(door: socket.socket) -> None:
    """Obey until the tests are gone; a fork leaves here as the program."""
    while True:
        said, files, _, _ = socket.recv_fds(door, _LONGEST_MESSAGE, 1)
        if not said:
            return
        order = json.loads(said)
        if "wait" in order:
            _, status = os.waitpid(order["wait"], 0)
            door.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            door.close()
            _become(said=files[0], **order["start"])
        os.close(files[0])
        door.send(str(pid).encode())


def _become(
    *,
    said: int,
    folder: str,
    arguments: list[str],
    environment: dict[str, str],
    faults: dict[str, Any],
) -> None:
    """Be the program from here on, as if started in a shell."""
    for stream in (1, 2):
        os.dup2(said, stream)
    os.close(said)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arrange(Faults(**faults))
    sys.argv = ["bot", *arguments]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


def _import_everything() -> None:
    for root in ("bot", "adapters"):
        package = importlib.import_module(root)
        for module in pkgutil.walk_packages(package.__path__, f"{root}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)


if __name__ == "__main__":
    _import_everything()
    with socket.socket(fileno=0) as door:
        _serve(door)
