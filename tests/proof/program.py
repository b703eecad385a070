"""The real program as a process: started, listened to, and killed."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Protocol, Self

ROOT = Path(__file__).parents[2]
_STARTS = 30.0
_STOPS = 15.0
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


class Child(Protocol):
    """A process that runs, with all that it says on one stream."""

    pid: int

    @property
    def stdout(self) -> asyncio.StreamReader | None: ...

    async def wait(self) -> int:
        """Its exit code, or the negative number of the signal that ended it."""
        ...


class Program:
    """`python -m bot …` in a folder of its own, with only the environment that it is given."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder = folder
        self.arguments = arguments
        self.environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self.environment |= {"PYTHONPATH": str(ROOT)} | environment
        self.said: list[str] = []
        self._child: Child | None = None
        self._listening: asyncio.Task[None] | None = None
        self._spoke = asyncio.Event()

    async def start(self, until: str) -> Self:
        """Start it and wait for a line that holds `until`; it is then the last one in `said`."""
        self._child = await self.spawn()
        async with asyncio.timeout(_STARTS):
            while line := await self._line():
                if until in line:
                    self._listening = asyncio.create_task(self._listen())
                    return self
        raise AssertionError("it ended instead of starting:\n" + "\n".join(self.said))

    async def launch(self) -> Self:
        """Start it and wait for nothing."""
        self._child = await self.spawn()
        self._listening = asyncio.create_task(self._listen())
        return self

    async def says(self, words: str) -> str:
        """Wait for a line that holds `words`."""
        async with asyncio.timeout(_STARTS):
            while not (found := [line for line in self.said if words in line]):
                assert self.is_up, f"it ended without {words!r}:\n" + "\n".join(self.said)
                await self._spoke.wait()
        return found[-1]

    async def run(self, stdin: bytes = b"") -> tuple[int, str]:
        """Let it run until it ends by itself: its exit code, and what it said on both streams."""
        process = await self._process()
        out, _ = await asyncio.wait_for(process.communicate(stdin), _STARTS)
        assert process.returncode is not None
        return process.returncode, out.decode()

    async def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        self._signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> int:
        """SIGTERM, as a host does before it stops a machine; the exit code."""
        self._signal(signal.SIGTERM)
        return await asyncio.wait_for(self.ended(), _STOPS)

    async def ended(self) -> int:
        """Wait until it has ended, and all that it said has been heard."""
        assert self._listening is not None
        await asyncio.shield(self._listening)
        assert self._child is not None
        return await self._child.wait()

    @property
    def is_up(self) -> bool:
        return self._listening is not None and not self._listening.done()

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    async def spawn(self) -> Child:
        """Start the process."""
        return await self._process()

    async def _process(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", *self.arguments),
            cwd=self.folder,
            env=self.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def _line(self) -> str:
        """What it says next; nothing when it has ended."""
        assert self._child is not None
        assert self._child.stdout is not None
        line = (await self._child.stdout.readline()).decode(errors="replace")
        if line:
            self.said.append(line.rstrip())
        return line

    async def _listen(self) -> None:
        try:
            while await self._line():
                self._woken()
        finally:
            self._woken()

    def _woken(self) -> None:
        self._spoke.set()
        self._spoke = asyncio.Event()

    def _signal(self, number: signal.Signals) -> None:
        if self.is_up:
            os.kill(self.pid, number)
