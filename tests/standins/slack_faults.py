"""The bad days that a test can order: refusals, rate limits, silence, lost answers."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What one request meets; `posted` says whether it takes effect all the same."""

    error: str = "internal_error"
    status: int = 200
    retry_after: int = 1
    seconds: float = 0.0
    lost: bool = False
    posted: bool = False


class Faults:
    """Ordered per method, each used once, first come first served."""

    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self._queued: dict[str, deque[Fault]] = {}

    def add(self, method: str, fault: Fault, *, times: int) -> None:
        self._queued.setdefault(method, deque()).extend([fault] * times)

    def take(self, method: str) -> Fault | None:
        queue = self._queued.get(method)
        return queue.popleft() if queue else None

    async def meet(
        self,
        fault: Fault,
        *,
        request: web.Request,
        perform: Callable[[], web.Response],
        refuse: Callable[[Fault], web.Response],
    ) -> web.Response:
        """Play the fault out; silence ends early only when the stand-in stops."""
        real = perform() if fault.posted else None
        if fault.seconds:
            await self._silence(fault.seconds)
        if fault.lost and request.transport is not None:
            request.transport.abort()
        return real if real is not None and (fault.seconds or fault.lost) else refuse(fault)

    async def _silence(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self.closing.wait()
        except TimeoutError:
            return
