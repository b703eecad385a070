"""The store: the only package that speaks SQL. `Store` runs units of `Work`, one transaction each.

A unit is a plain function of a `Work`. It may run more than once, so it is idempotent by a key in
its own rows, draws no time, dice or ids, and has no effect outside its transaction.
"""

from bot.store.run_rows import PressedRun
from bot.store.store import Store
from bot.store.unit import BusyError, StoreError
from bot.store.work import Work

__all__ = ["BusyError", "PressedRun", "Store", "StoreError", "Work"]
