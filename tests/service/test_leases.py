"""Holding a lease while something runs: one process at a time, and in time the next one.

The test owns the loop's clock and lets leases grow old in the database by as much.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TypeVar

import pytest
import pytest_asyncio
from sqlalchemy import select, update

from bot.engine.lease import LEASE, MARGIN, RENEWAL, Holder, Lease
from bot.service.leases import LeaseLostError, Leases
from bot.store import Store, Work
from bot.store.schema import leases as lease_table
from tests.standins.postgres_proxy import PostgresProxy

pytestmark = pytest.mark.asyncio

NAME = "discord:1:0"
RENEWAL_S, LEASE_S = RENEWAL.total_seconds(), LEASE.total_seconds()
STOP_S = (LEASE - MARGIN).total_seconds()
DEAD = Holder("d" * 16, "host", 6)

T = TypeVar("T")


class Told(Store):
    """A store that tells when a unit has come to its end."""

    def __init__(self, *parts) -> None:
        super().__init__(*parts)
        self._next: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def write(self, unit):
        try:
            return await super().write(unit)
        finally:
            ended, self._next = self._next, asyncio.get_running_loop().create_future()
            ended.set_result(None)

    def next_end(self) -> "asyncio.Future[None]":
        """Done when the next unit has ended."""
        return self._next


class Process:
    """One that does something for as long as it holds the lease, until it may leave."""

    def __init__(self, url: str, number: int, gone: tuple[Holder, ...]) -> None:
        self.store = Told.open(url)
        self.me = Holder(f"{number:016d}", "host", number)
        self.leases = Leases(self.store, self.me, lambda me, other: other in gone)
        self.holds = False
        self.began, self.ended = asyncio.Event(), asyncio.Event()
        self.may_leave, self.may_end = asyncio.Event(), asyncio.Event()
        self.may_end.set()

    def starts(self) -> None:
        self.began.clear()
        self.task = asyncio.create_task(self._runs())

    async def _runs(self) -> None:
        async with self.leases.hold(NAME):
            self.holds = True
            self.began.set()
            try:
                await self.may_leave.wait()
            finally:
                self.holds = False
                self.ended.set()
                await self.may_end.wait()


class Time:
    """Stands nearly still until it is moved."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self._store = store
        self._ahead, real = 0.0, loop.time
        monkeypatch.setattr(loop, "time", lambda: real() + self._ahead)

    async def passes(self, seconds: float) -> None:
        """For all: leases in the database are older, and timers due."""
        await self._store.write(lambda work: _age(work, timedelta(seconds=seconds)))
        await self.passes_here(seconds)

    async def passes_here(self, seconds: float) -> None:
        """For the loop alone, where the database cannot be reached."""
        self._ahead += seconds
        for _ in range(8):  # turns of the loop: who was due has run until its next wait
            await asyncio.sleep(0)


def _age(work: Work, by: timedelta) -> None:
    execute = work._connection.execute
    for name, until in execute(select(lease_table.c.name, lease_table.c.until)).all():
        if until is not None:
            older = update(lease_table).where(lease_table.c.name == name)
            execute(older.values(until=until - by))


@dataclass
class Fragile:
    """A database that processes at `url` get no answer from while it is `down`."""

    url: str
    store: Store
    """The test's own way to it, which nothing blocks on Postgres."""
    down: Callable[[], AbstractContextManager[None]]


@pytest.fixture
def fragile_sqlite(sqlite_url: str) -> Iterator[Fragile]:
    store = Store.open(sqlite_url)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)

    @contextmanager
    def locked() -> Iterator[None]:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("COMMIT")

    yield Fragile(sqlite_url, store, locked)
    other.close()
    store.close()


@pytest.fixture
def fragile_postgres(postgres, postgres_url: str) -> Iterator[Fragile]:
    store = Store.open(postgres_url)
    with PostgresProxy(postgres) as proxy:

        @contextmanager
        def paused() -> Iterator[None]:
            proxy.pause()
            try:
                yield
            finally:
                proxy.resume()

        yield Fragile(proxy.url(postgres_url), store, paused)
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def fragile(request) -> Fragile:
    return request.getfixturevalue(f"fragile_{request.param}")


@pytest_asyncio.fixture
async def time(store, monkeypatch) -> Time:
    return Time(store, monkeypatch)


@pytest_asyncio.fixture
async def process_at() -> AsyncIterator[Callable[..., Process]]:
    """Starts processes, numbered from 1, on the database at an address."""
    made: list[Process] = []

    def start(url: str, *, gone: tuple[Holder, ...] = ()) -> Process:
        made.append(Process(url, len(made) + 1, gone))
        made[-1].starts()
        return made[-1]

    yield start
    for one in made:
        one.may_end.set()
        one.task.cancel()
        with suppress(asyncio.CancelledError, LeaseLostError):
            await one.task
        await asyncio.to_thread(one.store.close)


@pytest.fixture
def process(migrated_url, process_at) -> Callable[..., Process]:
    """Starts processes on the test's database."""
    return partial(process_at, migrated_url)


async def soon(what: Awaitable[T]) -> T:
    """What is awaited, which is a matter of moments unless something is wrong."""
    return await asyncio.wait_for(what, 30)


async def lease(store: Store) -> Lease | None:
    return await store.write(lambda work: work.lease(NAME))


async def give(store: Store, holder: Holder) -> None:
    """Let the lease be somebody's, as if just renewed."""

    def unit(work: Work) -> None:
        work.lease(NAME)
        work.hold(NAME, Lease(holder, work.time() + LEASE))

    await store.write(unit)


async def asks(one: Process, time: Time, seconds: float) -> None:
    """Time passes, and the process asks for its lease."""
    asked = one.store.next_end()
    await time.passes(seconds)
    await soon(asked)


async def waits(one: Process) -> None:
    """The process has asked for the lease and does not have it."""
    await soon(one.store.next_end())
    assert not one.holds


async def test_what_is_done_under_a_lease_is_done_while_it_is_ours(process, store):
    one = process()
    await soon(one.began.wait())
    held = await lease(store)
    assert held is not None
    assert held.holder == one.me

    one.may_leave.set()
    await soon(one.task)

    assert await lease(store) is None


async def test_of_two_that_begin_at_once_one_waits_until_the_other_has_left(process, time):
    both = [process(), process()]
    await soon(asyncio.gather(*(one.store.next_end() for one in both)))
    first, second = sorted(both, key=lambda one: not one.holds)
    assert first.holds
    await asks(second, time, 1)
    assert not second.holds

    first.may_leave.set()
    await soon(first.task)
    await time.passes(1)
    await soon(second.began.wait())


async def test_a_lease_that_is_renewed_is_kept_however_long_it_takes(process, time):
    one = process()
    await soon(one.began.wait())
    other = process()
    await waits(other)

    for _ in range(12):
        await asks(one, time, RENEWAL_S)

    assert one.holds
    await asks(other, time, 1)
    assert not other.holds


async def test_a_dead_leader_is_replaced_within_twenty_seconds(process, store, time):
    await give(store, DEAD)
    one = process()
    await waits(one)

    passed = 0
    while not one.began.is_set():
        passed += 1
        await asks(one, time, 1)

    assert LEASE_S <= passed < 20


async def test_a_dead_leader_whose_process_is_known_to_be_gone_is_replaced_at_once(process, store):
    await give(store, DEAD)

    await soon(process(gone=(DEAD,)).began.wait())


async def test_a_leader_that_dies_while_we_wait_is_replaced_as_soon_as_it_is_known(
    process, store, time
):
    await give(store, DEAD)
    one = process()
    await waits(one)

    one.leases._is_gone = lambda me, other: other == DEAD
    await time.passes(1)

    await soon(one.began.wait())


async def test_a_lease_that_another_has_taken_is_lost_at_the_next_renewal(process, store, time):
    one = process()
    await soon(one.began.wait())
    await give(store, DEAD)

    await asks(one, time, RENEWAL_S)
    await time.passes_here(0)

    assert not one.holds
    with pytest.raises(LeaseLostError):
        await soon(one.task)
    held = await lease(store)
    assert held is not None
    assert held.holder == DEAD


async def test_two_that_take_each_other_for_gone_do_not_take_turns(process, time):
    """As replicas do that were given the same name and the same process number."""
    one = process(gone=(Holder(f"{2:016d}", "host", 2),))
    await soon(one.began.wait())
    two = process(gone=(one.me,))
    await soon(two.began.wait())
    await asks(one, time, RENEWAL_S)
    with pytest.raises(LeaseLostError):
        await soon(one.task)

    one.starts()
    await waits(one)

    for _ in range(3):
        await asks(one, time, 1)
        assert two.holds
        assert not one.holds


async def test_an_outage_shorter_than_the_lease_does_no_harm(fragile, process_at, monkeypatch):
    one = process_at(fragile.url)
    await soon(one.began.wait())
    time = Time(fragile.store, monkeypatch)

    with fragile.down():
        await time.passes_here(RENEWAL_S)  # it asks
        gave_up = one.store.next_end()
        await time.passes_here(RENEWAL_S)  # it gives up
        await soon(gave_up)
        renewed = one.store.next_end()
        await time.passes_here(1)  # it asks again
    await soon(renewed)
    for _ in range(3):
        await asks(one, time, RENEWAL_S)

    assert one.holds


async def test_an_outage_ends_what_is_done_before_the_lease_may_lapse(
    fragile, process_at, monkeypatch
):
    one = process_at(fragile.url)
    await soon(one.began.wait())
    time = Time(fragile.store, monkeypatch)
    await asks(one, time, RENEWAL_S)

    with fragile.down():
        await time.passes_here(STOP_S - 2)
        assert one.holds
        await time.passes_here(2)
        assert not one.holds
        await time.passes_here(1)  # for the farewell, which is waited for no longer
        with pytest.raises(LeaseLostError):
            await soon(one.task)


async def test_a_renewal_that_took_long_counts_from_when_it_was_asked_for(
    fragile, process_at, monkeypatch
):
    one = process_at(fragile.url)
    await soon(one.began.wait())
    time = Time(fragile.store, monkeypatch)
    with fragile.down():
        await time.passes_here(RENEWAL_S)  # it asks
        renewed, took = one.store.next_end(), RENEWAL_S - 1
        await time.passes_here(took)
    await soon(renewed)

    with fragile.down():
        await time.passes_here(STOP_S - took - 1)
        assert one.holds
        await time.passes_here(1)
        assert not one.holds


async def test_the_next_one_begins_when_a_leader_without_a_database_has_stopped(
    fragile_postgres, postgres_url, process_at, monkeypatch
):
    time = Time(fragile_postgres.store, monkeypatch)
    one = process_at(fragile_postgres.url)
    await soon(one.began.wait())
    two = process_at(postgres_url)
    await waits(two)

    passed = 0
    with fragile_postgres.down():
        while not two.began.is_set():
            passed += 1
            await asks(two, time, 1)
            assert one.holds == (passed < STOP_S)

    assert LEASE_S <= passed < 20


async def test_nobody_else_begins_while_what_was_cancelled_still_ends(process, time):
    one = process()
    one.may_end.clear()
    await soon(one.began.wait())
    one.task.cancel()
    await soon(one.ended.wait())

    for _ in range(4):
        await asks(one, time, RENEWAL_S)

    two = process()
    await waits(two)
    one.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await soon(one.task)
    await time.passes(1)
    await soon(two.began.wait())


async def test_what_goes_wrong_under_a_lease_is_told_as_it_is_and_frees_the_lease(store):
    for error in (LookupError("mine"), TimeoutError("mine")):
        with pytest.raises(type(error), match="mine"):
            async with Leases(store, DEAD).hold(NAME):
                raise error
        assert await lease(store) is None


async def test_who_is_told_to_stop_while_waiting_stops(process, store):
    await give(store, DEAD)
    one = process()
    await waits(one)

    one.task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await soon(one.task)
    held = await lease(store)
    assert held is not None
    assert held.holder == DEAD


async def test_a_database_that_is_away_when_a_lease_is_wanted_is_waited_for(
    fragile, process_at, monkeypatch
):
    time = Time(fragile.store, monkeypatch)
    one = process_at(fragile.url)

    with fragile.down():
        await time.passes_here(0)  # it asks
        for _ in range(3):
            gave_up = one.store.next_end()
            await time.passes_here(RENEWAL_S)
            await soon(gave_up)
            await time.passes_here(1)  # it asks again
        assert not one.holds
    await soon(one.began.wait())


async def test_the_log_tells_of_leases_without_naming_whose(process, store, time, caplog):
    caplog.set_level(logging.INFO)
    await give(store, DEAD)
    one = process()
    await waits(one)
    await time.passes(LEASE_S)
    await soon(one.began.wait())

    assert [record.message for record in caplog.records if record.name == "latih.leases"] == [
        "a lease is another process's; waiting for it",
        "a lease is this process's",
    ]
