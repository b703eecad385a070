"""Components side by side in one process: one that fails is started again, no other notices.

| a component …           | is then  | and is started again after                        |
|-------------------------|----------|---------------------------------------------------|
| is run                  | starting |                                                   |
| calls `up`              | up       |                                                   |
| returns or raises       | down     | 1 s, then 2, 4 … 60; 1 again once up for a minute |
| raises `RefusedError`   | down     | 60 s: it does not come right by itself            |

By chance a pause is only between half and all of that, so that what failed together does not
come back together.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from bot.engine.fault import RefusedError, UnavailableError
from bot.store import StoreError

DRAINING = 8.0
"""Seconds that a cancelled component may take to finish what it has acknowledged."""

_FIRST_PAUSE, _LONGEST_PAUSE, _DOUBLINGS = 1.0, 60.0, 6
_GRACE = 0.5  # seconds beyond it, to leave in order
_STEADY = timedelta(minutes=1)

Run: TypeAlias = Callable[[Callable[[], None]], Awaitable[None]]
"""Runs until it is cancelled, and calls what it is given as soon as it serves."""

log = logging.getLogger("latih.supervisor")


@dataclass(frozen=True, slots=True)
class Component:
    """What is kept running; without any `is_surface` there is nobody to serve."""

    name: str
    run: Run
    is_surface: bool = True


class State(StrEnum):
    STARTING = "starting"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Status:
    """How a component is since when (UTC), and why it was last down: a sentence without ids."""

    state: State
    since: datetime
    restarts: int = 0
    reason: str | None = None


class Board:
    """How each component is; who waits for a change is woken by it."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._statuses: dict[str, Status] = {}
        self._changed = asyncio.Event()

    @property
    def statuses(self) -> Mapping[str, Status]:
        return MappingProxyType(self._statuses)

    async def until(self, holds: Callable[[Mapping[str, Status]], bool]) -> None:
        """Wait until `holds` is true of the statuses."""
        while not holds(self.statuses):
            await self._changed.wait()

    def put(self, name: str, state: State, reason: str | None = None) -> None:
        """Note a component's new state, and if it is down, the reason."""
        status = Status(state, self._now(), reason=reason)
        if before := self._statuses.get(name):
            again = before.restarts + (state is State.STARTING)
            status = replace(status, restarts=again, reason=reason or before.reason)
        self._statuses[name] = status
        self._changed.set()
        self._changed = asyncio.Event()

    def is_steady(self, name: str) -> bool:
        """Whether a component has been up for a minute."""
        status = self._statuses[name]
        return status.state is State.UP and self._now() - status.since >= _STEADY


class Supervisor:
    """Keeps components running; `chance` gives fractions below 1, `reference` names a log line."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        chance: Callable[[], float],
        reference: Callable[[], str],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.board = Board(now)
        self._chance = chance
        self._reference = reference
        self._sleep = sleep
        self._surfaces = 0
        self._refusals: dict[str, RefusedError] = {}
        self._has_served = False
        self._is_stopping = False

    async def run(self, components: Sequence[Component]) -> None:
        """Keep `components` running until cancelled; then they drain side by side.

        Raises `RefusedError` when every surface was refused before any was up.
        """
        self._surfaces = sum(component.is_surface for component in components)
        tasks = [asyncio.create_task(self._keep(it), name=it.name) for it in components]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._is_stopping = True
            await _stop(tasks)

    async def _keep(self, component: Component) -> None:
        name, failures = component.name, 0
        while True:
            self.board.put(name, State.STARTING)
            error = await self._run(component)
            failures = 1 if self.board.is_steady(name) else failures + 1
            if isinstance(error, RefusedError) and component.is_surface:
                self._refused(name, error)
            pause = self._pause(failures, error)
            self.board.put(name, State.DOWN, self._told(name, error, pause))
            await self._sleep(pause)

    async def _run(self, component: Component) -> BaseException | None:
        """Run a component once: what ended it, or None when it returned."""
        error: BaseException | None = None
        try:
            await component.run(lambda: self._up(component))
        except KeyboardInterrupt:
            raise
        except BaseException as raised:  # noqa: BLE001 - the end of one is not the end of others
            error = raised
        if self._is_stopping:
            if isinstance(error, Exception):
                log.error("%s failed while it stopped", component.name, exc_info=error)
            raise asyncio.CancelledError
        return error

    def _up(self, component: Component) -> None:
        status = self.board.statuses[component.name]
        if status.state is not State.STARTING:
            return
        self._has_served |= component.is_surface
        self.board.put(component.name, State.UP)
        if status.restarts:
            log.info("%s is up again", component.name)

    def _refused(self, name: str, error: RefusedError) -> None:
        """End all of it when nobody can be served, for reasons that do not pass by themselves."""
        self._refusals[name] = error
        if len(self._refusals) == self._surfaces and not self._has_served:
            raise RefusedError("\n".join(map(str, self._refusals.values()))) from error

    def _pause(self, failures: int, error: BaseException | None) -> float:
        """Seconds until the next start after so many failures in a row."""
        longest = isinstance(error, RefusedError) or failures > _DOUBLINGS
        pause = _LONGEST_PAUSE if longest else _FIRST_PAUSE * 2.0 ** (failures - 1)
        return pause * (1 + self._chance()) / 2

    def _told(self, name: str, error: BaseException | None, pause: float) -> str:
        """Log why a component is down; the reason as anybody may read it."""
        match error:
            case None:
                reason = said = "it ended by itself"
            case StoreError():
                reason = "the database does not answer"
                said = f"{reason} ({error})"
            case UnavailableError():
                reason = said = str(error).rstrip(".")
            case _:
                told = {"reference": self._reference()}
                log.error(
                    "%s broke; trying again in %.0f s", name, pause, exc_info=error, extra=told
                )
                return f"it broke; the log says why under {told['reference']}"
        log.warning("%s is down: %s; trying again in %.0f s", name, said, pause)
        return reason


async def _stop(tasks: Sequence["asyncio.Task[None]"]) -> None:
    """Cancel all and let them drain; what does not end in time is left to the process's end."""
    for task in tasks:
        task.cancel()
    _, left = await asyncio.wait(tasks, timeout=DRAINING + _GRACE)
    for task in left:
        log.warning("%s did not stop in time", task.get_name())
