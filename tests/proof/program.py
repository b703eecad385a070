"""The real program as a process, and how it is killed."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
_STARTS = 30.0
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


class Program:
    """`python -m bot …` in a folder of its own, with only the environment that it is given."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self._folder = folder
        self._arguments = arguments
        self._environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._environment |= {"PYTHONPATH": str(ROOT)} | environment
        self._process: asyncio.subprocess.Process | None = None
        self.said: list[str] = []

    async def start(self, until: str) -> Self:
        """Start it and wait for a line on standard error that holds `until`."""
        self._process = process = await self._spawn()
        assert process.stderr is not None
        async with asyncio.timeout(_STARTS):
            while line := (await process.stderr.readline()).decode():
                self.said.append(line.rstrip())
                if until in line:
                    return self
        raise AssertionError("it ended instead of starting:\n" + "\n".join(self.said))

    async def run(self, stdin: bytes = b"") -> tuple[int, str]:
        """Let it run until it ends by itself: its exit code, and what it said on both streams."""
        process = await self._spawn()
        out, error = await asyncio.wait_for(process.communicate(stdin), _STARTS)
        assert process.returncode is not None
        return process.returncode, (out + error).decode()

    async def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> int:
        """SIGTERM, as a host does before it stops a machine; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        _, error = await asyncio.wait_for(self._process.communicate(), 15)
        self.said += error.decode().splitlines()
        assert self._process.returncode is not None
        return self._process.returncode

    async def _spawn(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", *self._arguments),
            cwd=self._folder,
            env=self._environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
