"""Leases, and the clock that they are dated by.

That clock is the database's own, the same for all processes that share the database: no two hosts'
clocks are ever compared, so it does not matter by how much they differ. It is the one time that a
unit reads for itself. A unit that runs twice dates its lease later, which harms nobody: a holder
counts from before it asked (`bot.service.leases`).
"""

from datetime import datetime

from sqlalchemy import bindparam, func, select, update

from bot.engine.lease import Holder, Lease
from bot.store.rows import Rows, per_dialect
from bot.store.schema import UtcTime, leases

_TIME = {
    "sqlite": select(func.strftime("%Y-%m-%d %H:%M:%f", "now", type_=UtcTime)),
    # Not now(), the start of the transaction, since when others may have held the lock.
    "postgresql": select(func.clock_timestamp(type_=UtcTime)),
}
_MENTION = per_dialect(
    leases, lambda row: row.on_conflict_do_nothing(index_elements=[leases.c.name])
)
_LOCKED = (
    select(leases.c.holder, leases.c.host, leases.c.pid, leases.c.until)
    .where(leases.c.name == bindparam("lease"))
    .with_for_update()
)
_HOLD = update(leases).where(leases.c.name == bindparam("lease"))
_LET_GO = (
    update(leases)
    .where(leases.c.name == bindparam("lease"), leases.c.holder == bindparam("by"))
    .values(holder=None, host=None, pid=None, until=None)
)


class LeaseRows(Rows):
    """The verbs of who may do what only one process may."""

    def time(self) -> datetime:
        """The moment by the database's clock; to judge a lease by it, lock the lease first."""
        return self._connection.execute(_TIME[self._dialect]).scalar_one()

    def lease(self, name: str) -> Lease | None:
        """A lease, locked until the end of this transaction; None when it is free.

        Its row is made first and never removed, so that there is something to lock at any time.
        """
        self._connection.execute(_MENTION[self._dialect], {"name": name})
        row = self._connection.execute(_LOCKED, {"lease": name}).one()
        return None if row.holder is None else Lease(Holder(*row[:3]), row.until)

    def hold(self, name: str, lease: Lease) -> None:
        """Store who holds a lease that this unit has locked."""
        holder = lease.holder
        self._connection.execute(
            _HOLD,
            {
                "lease": name,
                "holder": holder.id,
                "host": holder.host,
                "pid": holder.pid,
                "until": lease.until,
            },
        )

    def let_go(self, name: str, holder: Holder) -> None:
        """Free a lease, if it is this holder's."""
        self._connection.execute(_LET_GO, {"lease": name, "by": holder.id})
