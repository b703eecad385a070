"""Lease rows: one holder whatever comes together, dated by the database, and in no backup."""

import asyncio
import io
import threading
from datetime import UTC, datetime, timedelta

import pytest

from bot.chat.patience import within
from bot.engine.lease import LEASE, Holder, Lease, Refused, take
from bot.store import Store, Work, care
from tests.standins.postgres_proxy import PostgresProxy
from tests.store.backups import AT

pytestmark = pytest.mark.asyncio

NAME = "discord:1:0"
SOON = timedelta(seconds=60)


def process(number: int) -> Holder:
    return Holder(f"{number:016d}", f"host-{number % 2}", number)


def takes(me: Holder, name: str = NAME):
    """A unit that takes a lease if it may: what became of it."""

    def unit(work: Work) -> Lease | Refused:
        outcome = take(work.lease(name), me, work.time())
        if isinstance(outcome, Lease):
            work.hold(name, outcome)
        return outcome

    return unit


async def lease(store: Store, name: str = NAME) -> Lease | None:
    return await store.write(lambda work: work.lease(name))


async def test_a_lease_that_nobody_ever_held_is_free(store):
    assert await lease(store) is None


async def test_a_lease_is_stored_with_its_holder_and_its_lapse(store):
    held = Lease(Holder("m" * 16, "host " * 40, 2**22), AT)

    await store.write(lambda work: (work.lease(NAME), work.hold(NAME, held)))

    assert await lease(store) == held


async def test_leases_of_other_names_are_other_leases(store):
    await store.write(takes(process(1)))

    assert await lease(store, "another") is None


async def test_a_lease_let_go_is_free(store):
    await store.write(takes(process(1)))

    await store.write(lambda work: work.let_go(NAME, process(1)))

    assert await lease(store) is None


async def test_nobody_can_let_go_what_another_holds(store):
    taken = await store.write(takes(process(1)))

    await store.write(lambda work: work.let_go(NAME, process(2)))

    assert await lease(store) == taken


async def test_letting_go_what_was_never_held_does_nothing(store):
    await store.write(lambda work: work.let_go(NAME, process(1)))

    assert await lease(store) is None


async def test_time_is_utc_and_goes_on(store):
    before = await store.read(lambda work: work.time())
    after = await store.read(lambda work: work.time())

    assert before.tzinfo is UTC
    assert before <= after
    assert abs(datetime.now(UTC) - after) < SOON


async def test_time_is_that_of_the_moment_when_the_lock_was_had(postgres_url):
    """Who waited for the lock would else date its lease before the one that it then sees."""
    stores = [Store.open(postgres_url) for _ in range(3)]
    locked, go_on = threading.Event(), threading.Event()

    def first(work: Work) -> None:
        work.lease(NAME)
        locked.set()
        assert go_on.wait(10)

    def second(work: Work) -> datetime:
        work.lease(NAME)
        return work.time()

    holding = asyncio.create_task(stores[0].write(first))
    await asyncio.to_thread(locked.wait, 10)
    waiting = asyncio.create_task(stores[1].write(second))
    assert await within(waiting, 0.3) is None
    still_locked = await stores[2].read(lambda work: work.time())
    go_on.set()
    await holding

    assert still_locked < await waiting
    for store in stores:
        store.close()


@pytest.mark.parametrize("seen", [False, True], ids=["a new lease", "a lease let go"])
async def test_of_many_processes_that_take_at_once_one_holds(migrated_url, seen):
    stores = [Store.open(migrated_url) for _ in range(4)]
    if seen:
        await stores[0].write(takes(process(99)))
        await stores[0].write(lambda work: work.let_go(NAME, process(99)))

    outcomes = await asyncio.gather(
        *(
            store.write(takes(process(4 * n + i)))
            for n in range(4)
            for i, store in enumerate(stores)
        )
    )

    held = [outcome for outcome in outcomes if isinstance(outcome, Lease)]
    assert held == [await lease(stores[0])]
    assert outcomes.count(Refused.HELD) == 15
    for store in stores:
        store.close()


async def test_of_two_that_wait_while_the_holder_lets_go_one_holds(postgres_url):
    stores = [Store.open(postgres_url) for _ in range(3)]
    await stores[0].write(takes(process(1)))
    gone, commit = threading.Event(), threading.Event()

    def leaves(work: Work) -> None:
        work.let_go(NAME, process(1))
        gone.set()
        assert commit.wait(10)

    leaving = asyncio.create_task(stores[0].write(leaves))
    await asyncio.to_thread(gone.wait, 10)
    waiting = [
        asyncio.create_task(store.write(takes(process(n)))) for n, store in enumerate(stores, 2)
    ]
    assert await within(waiting[0], 0.3) is None
    commit.set()
    await leaving
    outcomes = await asyncio.gather(*waiting)

    assert sorted(isinstance(outcome, Lease) for outcome in outcomes) == [False, False, True]
    for store in stores:
        store.close()


async def test_a_lost_commit_reply_leaves_the_lease_with_who_took_it(postgres, postgres_url):
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        proxy.lose_next_commit_reply()

        taken = await store.write(takes(process(1)))

        assert proxy.lost.is_set()
        assert taken == await lease(store)
        store.close()


async def test_a_lease_lapses_by_the_databases_clock(store):
    taken = await store.write(takes(process(1)))
    assert isinstance(taken, Lease)
    assert timedelta(0) < taken.until - await store.read(lambda work: work.time()) <= LEASE

    lapsed = Lease(taken.holder, taken.until - LEASE)
    await store.write(lambda work: work.hold(NAME, lapsed))
    outcome = await store.write(takes(process(2)))

    assert isinstance(outcome, Lease)
    assert await lease(store) == outcome


async def test_a_lease_goes_into_no_backup_and_is_nothing_that_a_restore_would_spoil(
    migrated_url, tmp_path
):
    """Where it is restored, its holder runs no more and would only be waited for."""
    store = Store.open(migrated_url)
    await store.write(takes(process(1)))
    file = io.BytesIO()

    copied = await asyncio.to_thread(care.backup, migrated_url, file, AT)

    store.close()
    assert "leases" not in copied.rows
    assert copied.total == 0
    file.seek(0)
    assert care.restore(migrated_url, file) == copied
