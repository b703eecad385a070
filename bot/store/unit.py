"""Units on their way: how a result gets back to the loop that awaits it, and what may go wrong."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError

from bot.engine.fault import UnavailableError
from bot.store.work import Work

T = TypeVar("T")

MOST_WAITING = 2_048
"""Units that may wait at once; beyond it people are asked to try again."""

PERSISTENCE = 60.0
"""Seconds for which a unit is tried again after a fault that may pass."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class StoreError(UnavailableError):
    """The database could not do what was asked of it; nothing was stored."""


class BusyError(StoreError):
    """Too many units wait already."""


@dataclass(slots=True)
class Job:
    """A unit and the future that awaits it."""

    unit: Callable[[Work], Any]
    future: "asyncio.Future[Any]"
    began: float = field(default_factory=time.monotonic)

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.began > PERSISTENCE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a unit came to: its result, or the exception that ended it."""

    job: Job
    result: Any = None
    error: BaseException | None = None


def settle(outcomes: Iterable[Outcome]) -> None:
    """Wake the callers of units that ended on another thread, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
    for outcome in outcomes:
        by_loop.setdefault(outcome.job.future.get_loop(), []).append(outcome)
    for loop, ended in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_wake, ended)


def _wake(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        if outcome.job.future.done():
            continue
        if outcome.error is not None:
            outcome.job.future.set_exception(outcome.error)
        else:
            outcome.job.future.set_result(outcome.result)


def told(error: Exception) -> Exception:
    """The error as callers see it and logs show it.

    A database's own errors do not leave the store: what they say beyond their first sentence may
    hold the values of a row.
    """
    driver = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(driver, sqlite3.Error):
        said = str(driver)
    elif (diagnosis := getattr(driver, "diag", None)) is not None:
        said = diagnosis.message_primary or str(driver)  # psycopg's, which SQLite never imports
    else:
        return error
    return StoreError(f"{type(driver).__name__}: {said}").with_traceback(error.__traceback__)


def is_locked(error: Exception) -> bool:
    """Whether SQLite could not get a lock that another process holds."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(driver, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def pause(tries: int) -> float:
    """Seconds to wait before try number `tries` + 1."""
    return min(_FIRST_PAUSE * 2.0 ** min(tries, 10), _LONGEST_PAUSE)
