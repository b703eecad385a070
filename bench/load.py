"""A process under load, as the one that measures it sees it."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from bench.measure import Claim, Cost, Plan, at_once, claim, settle
from bench.wire import Connection
from bench.world import ROOT

PRESSES = {1: 120, 16: 320, 64: 512}
"""How many presses a round has, for each number of callers."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Process:
    """What it said when it was there, and the door by which it is directed."""

    said: Any
    direct: Connection

    async def cost(
        self, callers: int, presses: Sequence[_T], press: Callable[[_T], Awaitable[object]]
    ) -> Cost:
        """What a press costs, on the clock here and of the processor there."""
        settle()
        before = (await self.direct.get("/ready"))["from"]
        began = time.perf_counter()
        await at_once(callers, presses, press)
        wall = time.perf_counter() - began
        spent = (await self.direct.get("/ready"))["spent"] - before
        return Cost(wall / len(presses), spent / len(presses))


@asynccontextmanager
async def running(
    module: str, *arguments: str, options: Sequence[str] = ()
) -> AsyncIterator[Process]:
    """A process that runs one of our modules, with options of the interpreter."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *options, "-m", module, *arguments),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        line = await process.stdout.readline()
        assert line, f"{module} has not started"
        said = json.loads(line)
        direct = await Connection.open(said["direct"])
        yield Process(said, direct)
        direct.close()
    finally:
        process.stdin.close()
        await process.wait()


def presses(plan: Plan, callers: int) -> int:
    return plan.many(PRESSES[callers], at_least=2 * callers)


def both(what: str, costs: Sequence[Cost], floor: Sequence[Cost], bar: float | None) -> list[Claim]:
    """On the clock, and of the processor."""
    return [
        claim(what, costs, floor, bar),
        claim(f"{what}, processor", costs, floor, bar, cpu=True),
    ]
