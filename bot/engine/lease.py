"""A lease: what one process at a time may do, such as holding the gateway of a Discord shard.

A lease is *ours*, *another's* or *free*. It has *lapsed* when it was not renewed in time, and its
holder is *gone* when the caller knows that the holder's process has ended. All times are those of
one clock, which the caller reads.

| state             | event | becomes       |
|-------------------|-------|---------------|
| free              | take  | ours          |
| free              | renew | refused: LOST |
| ours              | take  | ours          |
| ours              | renew | ours          |
| ours, lapsed      | take  | ours          |
| ours, lapsed      | renew | refused: LOST |
| another's         | take  | refused: HELD |
| another's         | renew | refused: LOST |
| another's, lapsed | take  | ours          |
| another's, lapsed | renew | refused: LOST |
| another's, gone   | take  | ours          |
| another's, gone   | renew | refused: LOST |

Whatever becomes ours is ours for `LEASE` from now. Renewing never takes: a renewal that comes late,
after its holder has let go or given up, must not bring back a lease that nobody would then use.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

LEASE = timedelta(seconds=15)
"""How long a lease lasts that is not renewed."""

RENEWAL = timedelta(seconds=5)
"""How often a holder renews."""

MARGIN = timedelta(seconds=3)
"""How long before the lapse a holder stops, so that it has stopped when another begins."""


class Refused(Enum):
    """Why a lease did not become ours."""

    HELD = auto()
    LOST = auto()


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: `id` is random and new at each start, `pid` is its number on `host`."""

    id: str
    host: str
    pid: int


@dataclass(frozen=True, slots=True)
class Lease:
    """Who holds it, and until when (UTC) if it is not renewed."""

    holder: Holder
    until: datetime


def take(lease: Lease | None, me: Holder, now: datetime, *, gone: bool = False) -> Lease | Refused:
    """The lease as ours, unless another holds it; None is a free one."""
    if lease is None or lease.holder == me or lease.until <= now or gone:
        return Lease(me, now + LEASE)
    return Refused.HELD


def renew(lease: Lease | None, me: Holder, now: datetime) -> Lease | Refused:
    """The lease as ours for longer, if it still is ours."""
    if lease is None or lease.holder != me or lease.until <= now:
        return Refused.LOST
    return Lease(me, now + LEASE)
