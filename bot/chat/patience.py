"""How long a surface is kept waiting: every platform wants its acknowledgement within seconds."""

import asyncio
from typing import TypeVar

PATIENCE = 2.0
"""Seconds an adapter waits for a result before it acknowledges without one."""

_T = TypeVar("_T")


async def within(task: "asyncio.Task[_T]", seconds: float = PATIENCE) -> _T | None:
    """The task's result, or None when it is not there in time; the task goes on either way."""
    done, _ = await asyncio.wait({task}, timeout=seconds)
    return task.result() if done else None


async def until(event: "asyncio.Future[None]", seconds: float = PATIENCE) -> None:
    """Wait for `event`, or for as long as a surface is kept waiting."""
    timer = asyncio.get_running_loop().call_later(seconds, over, event)
    try:
        await event
    finally:
        timer.cancel()


def over(event: "asyncio.Future[None]") -> None:
    """End the waiting for `event`, whoever comes first."""
    if not event.done():
        event.set_result(None)
