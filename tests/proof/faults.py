"""Faults of a process, ordered by the tests and unknown to the program.

At the named points the process kills itself, so that a test can say exactly how far an event had
come. A point is passed by events of people alone: what the program stores for itself, such as its
leases and the words of its quizzes, does not count.

| point             | what has been done                | what has not                           |
|-------------------|-----------------------------------|----------------------------------------|
| after read        | the platform's payload is read    | the service has not seen it            |
| inside the unit   | the unit has asked the database   | it has not done all that it has to do  |
| before commit     | the unit has done all of it       | nothing is committed                   |
| after commit      | it is committed                   | nobody in the process has been told    |
| before the answer | the event is handled              | the platform has no answer             |
| before the redraw | it is handled and acknowledged    | the person sees nothing of it          |

What the store does, it does in threads of its own. There the process lingers for a moment before it
dies, so that whoever did not wait for the store has the time to say what is not so.
"""

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
from slack_bolt.context.ack.async_ack import AsyncAck
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from adapters.slack.deliver import Delivery
from bot.service import Service
from bot.store import Store, Work

POINTS = (
    "after read",
    "inside the unit",
    "before commit",
    "after commit",
    "before the answer",
    "before the redraw",
)

_ANSWERS: tuple[tuple[Any, str], ...] = (
    (AsyncAck, "__call__"),
    (discord.InteractionResponse, "send_message"),
    (discord.InteractionResponse, "edit_message"),
    (discord.InteractionResponse, "defer"),
)
_REDRAWS: tuple[tuple[Any, str], ...] = (
    (Delivery, "send"),
    (discord.Interaction, "edit_original_response"),
    (discord.Webhook, "send"),
)

_LINGERS = 0.05  # seconds
_IN_THE_STORE = {"inside the unit", "before commit", "after commit"}

_persons: ContextVar[bool] = ContextVar("a person's event", default=False)
_thread = threading.local()


@dataclass(frozen=True)
class Faults:
    """What a process meets.

    It dies at the `count`-th passage of `point`. At each point in the store it dawdles for up to so
    many seconds, which makes a slow disk of a fast one. What the file `pragmas` holds is run before
    each transaction on SQLite, on the program's own connections.
    """

    point: str | None = None
    count: int = 1
    dawdles: float = 0.0
    pragmas: str | None = None


NONE = Faults()


class _Points:
    """What happens where the process passes."""

    def __init__(self, faults: Faults) -> None:
        assert faults.point is None or faults.point in POINTS, faults.point
        self._faults = faults
        self._left = faults.count
        self._lock = threading.Lock()

    def passed(self, point: str) -> None:
        if point in _IN_THE_STORE and self._faults.dawdles:
            time.sleep(random.uniform(0, self._faults.dawdles))
        if point == self._faults.point:
            with self._lock:
                self._left -= 1
                if self._left == 0:
                    _die(point)


def _die(point: str) -> None:
    if point in _IN_THE_STORE:
        time.sleep(_LINGERS)
    os.write(sys.stderr.fileno(), f"killed {point}\n".encode())
    os.kill(os.getpid(), signal.SIGKILL)


def arrange(faults: Faults) -> None:
    """Let this process meet these faults."""
    if faults.point is not None or faults.dawdles:
        _watch(_Points(faults).passed)
    if faults.pragmas is not None:
        _obey(Path(faults.pragmas))


def _watch(passed: Callable[[str], None]) -> None:
    _watch_events(passed)
    _watch_units(passed)
    _watch_commits(passed)
    for owner, name in _ANSWERS:
        _before(owner, name, lambda: passed("before the answer"))
    for owner, name in _REDRAWS:
        _before(owner, name, lambda: passed("before the redraw"))


def _obey(file: Path) -> None:
    @event.listens_for(Engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.dialect.name == "sqlite":
            driver: Any = connection.connection.driver_connection
            driver.executescript(file.read_text())


def _watch_events(passed: Callable[[str], None]) -> None:
    handle = Service.handle

    async def handled(self: Service, event: Any) -> Any:
        passed("after read")
        _persons.set(True)
        return await handle(self, event)

    Service.handle = handled  # type: ignore[method-assign]


def _watch_units(passed: Callable[[str], None]) -> None:
    write = Store.write

    async def written(self: Store, unit: Callable[[Work], Any]) -> Any:
        if not _persons.get():
            return await write(self, unit)

        def watched(work: Work) -> Any:
            _thread.persons = True
            return unit(_Watched(work, lambda: passed("inside the unit")))  # type: ignore[arg-type]

        return await write(self, watched)

    Store.write = written  # type: ignore[method-assign]


class _Watched:
    """A unit's work whose first answer from the database is noticed."""

    def __init__(self, work: Work, noticed: Callable[[], None]) -> None:
        self._work = work
        self._noticed: Callable[[], None] | None = noticed

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._work, name)

        def done(*given: Any, **named: Any) -> Any:
            result = verb(*given, **named)
            noticed, self._noticed = self._noticed, None
            if noticed is not None:
                noticed()
            return result

        return done


def _watch_commits(passed: Callable[[str], None]) -> None:
    commit, rollback = DefaultDialect.do_commit, DefaultDialect.do_rollback

    def committed(self: DefaultDialect, connection: Any) -> None:
        persons, _thread.persons = getattr(_thread, "persons", False), False
        if persons:
            passed("before commit")
        commit(self, connection)
        if persons:
            passed("after commit")

    def rolled_back(self: DefaultDialect, connection: Any) -> None:
        _thread.persons = False
        rollback(self, connection)

    DefaultDialect.do_commit = committed  # type: ignore[method-assign]
    DefaultDialect.do_rollback = rolled_back  # type: ignore[method-assign]


def _before(owner: Any, name: str, noticed: Callable[[], None]) -> None:
    does = getattr(owner, name)

    async def noticing(*given: Any, **named: Any) -> Any:
        noticed()
        return await does(*given, **named)

    setattr(owner, name, noticing)
