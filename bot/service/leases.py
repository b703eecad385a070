"""Doing what only one process at a time may do, for as long as its lease is ours.

No two hosts' clocks are compared: the database dates leases by its own, and a holder counts the
seconds from before it asked, which is earlier than whatever the database then wrote down. So a
holder has stopped before anybody can find its lease lapsed, wherever either of them runs.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TypeAlias

from bot.engine import lease as rules
from bot.engine.fault import UnavailableError
from bot.engine.lease import LEASE, MARGIN, RENEWAL, Holder, Lease, Refused
from bot.service.process import is_gone as is_process_gone
from bot.store import Store, StoreError, Work

Rule: TypeAlias = Callable[[Lease | None, datetime], Lease | Refused]

_SURE = (LEASE - MARGIN).total_seconds()
_RENEWAL = RENEWAL.total_seconds()
_AGAIN = 1.0  # seconds after which a lease that is another's, or a silent database, is asked again
_FAREWELL = 1.0  # seconds for which leaving waits for the database

log = logging.getLogger("latih.leases")


class LeaseLostError(UnavailableError):
    """A lease is another's, or may be before long."""


class Leases:
    """The leases of this process, `me`, in a database that it may share with others.

    `is_gone(me, other)` says that `other`'s process has ended; where it cannot know, it says no.
    """

    def __init__(
        self,
        store: Store,
        me: Holder,
        is_gone: Callable[[Holder, Holder], bool] = is_process_gone,
    ) -> None:
        self._store = store
        self._me = me
        self._is_gone = is_gone

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        """Wait until the lease `name` is ours, keep it, and free it for others on leaving.

        When it is lost, or may be, the body is cancelled and has `MARGIN` to end; what then leaves
        here is `LeaseLostError`. `name` has at most 128 characters.
        """
        try:
            limit = asyncio.timeout_at(await self._taken(name))
            try:
                async with limit, self._renewing(name, limit):
                    yield
            except TimeoutError:
                if not limit.expired():
                    raise
                raise LeaseLostError("another process may take over, so this one stopped") from None
        finally:
            await self._let_go(name)

    @asynccontextmanager
    async def _renewing(self, name: str, limit: asyncio.Timeout) -> AsyncIterator[None]:
        renewing = asyncio.create_task(self._keep(name, limit))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])
            if not renewing.cancelled():
                renewing.result()

    async def _taken(self, name: str) -> float:
        """Wait until the lease is ours; the moment of the loop until which it surely is."""
        waiting = False
        while True:
            asked = _now()
            match await self._ask(name, self._take):
                case Lease():
                    log.info("a lease is this process's")
                    return asked + _SURE
                case Refused() if not waiting:
                    log.info("a lease is another process's; waiting for it")
                    waiting = True
            await asyncio.sleep(_AGAIN)

    async def _keep(self, name: str, limit: asyncio.Timeout) -> None:
        """Move `limit` on with each renewal; it is over at once when the lease is another's.

        Also after the limit, for as long as the body takes to end: so nobody else may begin yet.
        """
        pause = _RENEWAL
        while True:
            await asyncio.sleep(pause)
            asked = _now()
            match await self._ask(name, self._renew):
                case Lease():
                    pause = _RENEWAL
                    _move(limit, asked + _SURE)
                case Refused():
                    # Whoever took ours did not see us run: from here on, time alone tells.
                    self._is_gone = _nobody_knows
                    return _move(limit, _now())
                case None:
                    pause = _AGAIN

    def _take(self, lease: Lease | None, now: datetime) -> Lease | Refused:
        gone = lease is not None and self._is_gone(self._me, lease.holder)
        return rules.take(lease, self._me, now, gone=gone)

    def _renew(self, lease: Lease | None, now: datetime) -> Lease | Refused:
        return rules.renew(lease, self._me, now)

    async def _ask(self, name: str, rule: Rule) -> Lease | Refused | None:
        """What becomes of a lease by `rule`; None when the database does not say so in time."""

        def unit(work: Work) -> Lease | Refused:
            outcome = rule(work.lease(name), work.time())
            if isinstance(outcome, Lease):
                work.hold(name, outcome)
            return outcome

        try:
            async with asyncio.timeout(_RENEWAL):
                return await self._store.write(unit)
        except (StoreError, TimeoutError) as error:
            log.warning("a lease could not be asked for: %s", str(error) or "no answer in time")
            return None

    async def _let_go(self, name: str) -> None:
        letting = self._store.write(lambda work: work.let_go(name, self._me))
        try:
            # `asyncio.timeout` does not work while a task is cancelled on Python 3.11.2.
            await asyncio.wait_for(letting, _FAREWELL)
        except (StoreError, TimeoutError):
            log.warning("a lease could not be let go; it lapses by itself")


def _now() -> float:
    return asyncio.get_running_loop().time()


def _move(limit: asyncio.Timeout, to: float) -> None:
    if not limit.expired():
        limit.reschedule(to)


def _nobody_knows(me: Holder, other: Holder) -> bool:
    del me, other
    return False
