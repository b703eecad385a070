"""The bad days that a test can order: refusals, rate limits, silence, lost answers."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What one request meets; `posted` says whether it takes effect all the same."""

    status: int = 503
    code: int = 0
    message: str = "An error that was ordered."
    retry_after: float = 1.0
    everywhere: bool = False
    via: bool = True
    seconds: float = 0.0
    lost: bool = False
    posted: bool = False

    @property
    def body(self) -> dict[str, Any] | None:
        """A gateway's page has no JSON; a rate limit says how long it lasts."""
        if self.status == 429:
            limited = {"message": "You are being rate limited.", "global": self.everywhere}
            return limited | {"retry_after": self.retry_after}
        return {"code": self.code, "message": self.message} if self.status < 500 else None

    @property
    def headers(self) -> dict[str, str]:
        if self.status != 429:
            return {}
        headers = {"Retry-After": str(self.retry_after)}
        headers["X-RateLimit-Scope"] = "global" if self.everywhere else "user"
        if self.everywhere:
            headers["X-RateLimit-Global"] = "true"
        return headers


@dataclass
class Faults:
    """Ordered per request, each used once, first come first served.

    A request is named as `POST /channels/*/messages`, with stars for what may be anything.
    """

    closing: asyncio.Event = field(default_factory=asyncio.Event)
    _queued: dict[str, deque[Fault]] = field(default_factory=dict)

    def add(self, request: str, fault: Fault, *, times: int) -> None:
        self._queued.setdefault(request, deque()).extend([fault] * times)

    def take(self, method: str, path: str) -> Fault | None:
        for request, queue in self._queued.items():
            if queue and fnmatchcase(f"{method} {path}", request):
                return queue.popleft()
        return None

    async def silence(self, seconds: float) -> None:
        """Ends early only when the stand-in stops."""
        try:
            async with asyncio.timeout(seconds):
                await self.closing.wait()
        except TimeoutError:
            return
