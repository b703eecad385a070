"""Metrics: few, and true. What the program knows anyway is read when somebody asks for it.

No label holds an id; the values of each are a handful that never grow.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import product

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from bot.chat.event import Event, Pressed
from bot.chat.reply import Handle, Reply
from bot.store import BusyError
from bot.supervisor import Board, State

_KINDS = ("command", "press")
_OUTCOMES = ("answered", "failed", "busy")
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds; a platform waits three, and an adapter acknowledges without a result after two."""


class Metrics:
    """What one process has done, for `surfaces`; `waiting` is the length of the store's queue."""

    def __init__(
        self,
        *,
        surfaces: Iterable[str],
        board: Board,
        waiting: Callable[[], int],
        now: Callable[[], datetime],
    ) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self._now = now
        events = Counter(
            "latih_events",
            "Commands and presses, by how the service dealt with them.",
            ["surface", "kind", "outcome"],
            registry=self.registry,
        )
        seconds = Histogram(
            "latih_answer_seconds",
            "Seconds from the receipt of an event until its answer was stored.",
            ["surface"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        # Looking a child up costs the library more than counting with it.
        self._events = cache(events.labels)
        self._seconds = cache(seconds.labels)
        for surface, kind, outcome in product(surfaces, _KINDS, _OUTCOMES):
            self._events(surface, kind, outcome)
        Gauge(
            "latih_units_waiting",
            "Units that wait for the database.",
            registry=self.registry,
        ).set_function(waiting)
        self.registry.register(_Components(board))
        ProcessCollector(registry=self.registry)

    def counted(self, handle: Handle) -> Handle:
        """`handle`, with each of its events counted and timed."""

        async def counting(event: Event) -> tuple[Reply, ...]:
            outcome = "failed"
            try:
                replies = await handle(event)
                outcome = "answered"
            except BusyError:
                outcome = "busy"
                raise
            finally:
                self._count(event, outcome)
            return replies

        return counting

    def _count(self, event: Event, outcome: str) -> None:
        surface = event.who.identity.surface
        kind = "press" if isinstance(event, Pressed) else "command"
        self._events(surface, kind, outcome).inc()
        seconds = (self._now() - event.at).total_seconds()
        self._seconds(surface).observe(max(seconds, 0.0))


class _Components(Collector):
    """The components as the board has them at the moment of asking."""

    def __init__(self, board: Board) -> None:
        self._board = board

    @override
    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily(
            "latih_component_up", "Whether a component serves.", labels=["component"]
        )
        restarts = CounterMetricFamily(
            "latih_component_restarts", "Starts after a failure.", labels=["component"]
        )
        for name, status in self._board.statuses.items():
            up.add_metric([name], float(status.state is State.UP))
            restarts.add_metric([name], status.restarts)
        yield up
        yield restarts
