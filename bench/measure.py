"""How anything is measured: callers at once, rounds in rotated order, ratios round by round."""

import asyncio
import gc
import statistics
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured; one more round comes first and is thrown away."""

    rounds: int
    share: float

    def many(self, usual: int, at_least: int = 1) -> int:
        return max(at_least, round(usual * self.share))


FULL, QUICK = Plan(rounds=7, share=1.0), Plan(rounds=3, share=0.4)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds an operation took: on the clock, and of the processor."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Claim:
    """A ratio with its value in every round; without a bar it is only told."""

    what: str
    ratios: tuple[float, ...]
    bar: float | None = None

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def missed(self) -> bool:
        return self.bar is not None and self.ratio > self.bar

    @property
    def verdict(self) -> str:
        if self.bar is None:
            return "-"
        return "FAIL" if self.missed else "pass"


def claim(
    what: str,
    costs: Sequence[Cost],
    floor: Sequence[Cost],
    bar: float | None = None,
    *,
    cpu: bool = False,
) -> Claim:
    """`costs` over `floor`, round by round."""
    name = "cpu" if cpu else "wall"
    pairs = zip(costs, floor, strict=True)
    return Claim(what, tuple(getattr(c, name) / getattr(f, name) for c, f in pairs), bar)


def rotated(names: Sequence[_T], turn: int) -> list[_T]:
    """`names`, beginning with another one at every turn."""
    at = turn % len(names)
    return [*names[at:], *names[:at]]


def settle() -> None:
    """Take what lives already out of the collector's sight, alike for every variant."""
    gc.collect()
    gc.freeze()


async def at_once(callers: int, work: Iterable[_T], do: Callable[[_T], Awaitable[object]]) -> None:
    """Do all of `work` with `callers` that each wait for one piece before the next."""
    left = iter(work)

    async def caller() -> None:
        for piece in left:
            await do(piece)

    await asyncio.gather(*(caller() for _ in range(callers)))
