"""Faults of the database: a lock, a restart, a lost reply. Nothing lost, nothing twice."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.chat.event import Pressed
from bot.chat.patience import within
from bot.chat.reply import Redraw
from bot.service import Service
from bot.service.managers import offer
from bot.store import Store, StoreError, Work
from tests.conftest import kit_on
from tests.people import Person
from tests.rows import answers, runs
from tests.standins.postgres import Postgres
from tests.standins.postgres_proxy import PostgresProxy
from tests.world import Clock

pytestmark = pytest.mark.asyncio


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


async def begins(store: Store, dice, clock: Clock) -> Person:
    """A person with the first question before them."""
    service = Service(kit_on(store, dice))
    await service.open(clock.now())
    ayu = Person(service, clock)
    await ayu.types("shards")
    return ayu


def press(person: Person, letter: str = "A") -> "asyncio.Task[tuple[object, ...]]":
    event = Pressed(person.who, person.button(letter).token, "the-press", person.clock.now())
    return asyncio.create_task(person.service.handle(event))


async def test_a_press_while_another_process_holds_the_lock_is_answered_when_it_is_free(
    sqlite_store, sqlite_url, dice, clock
):
    ayu = await begins(sqlite_store, dice, clock)
    other = sqlite3.connect(file_of(sqlite_url), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    task = press(ayu)
    waited = await within(task, 2.2)
    other.execute("COMMIT")
    other.close()

    assert waited is None
    assert isinstance((await task)[0], Redraw)
    assert len(await answers(sqlite_store)) == 1


async def test_a_store_that_closes_while_the_database_is_locked_does_not_wait_for_it(
    sqlite_url, clock
):
    store = Store.open(sqlite_url)
    other = sqlite3.connect(file_of(sqlite_url), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    task = asyncio.create_task(store.write(lambda work: work.claims()))
    await asyncio.sleep(0)

    await asyncio.wait_for(asyncio.to_thread(store.close), 5)
    other.close()

    with pytest.raises(StoreError, match="locked"):
        await task


async def test_a_lost_commit_reply_is_answered_from_the_row_that_stands(
    postgres, postgres_url, dice, clock
):
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        ayu = await begins(store, dice, clock)
        proxy.lose_next_commit_reply()

        replies = await press(ayu)

        assert proxy.lost.is_set()
        assert isinstance(replies[0], Redraw)
        assert "first answer stands" not in replies[0].draw().alt
        assert len(await answers(store)) == 1
        store.close()


async def test_a_lost_commit_reply_of_a_start_opens_one_run(postgres, postgres_url, dice, clock):
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        service = Service(kit_on(store, dice))
        await service.open(clock.now())
        proxy.lose_next_commit_reply()

        ayu = Person(service, clock)
        await ayu.types("shards")

        assert proxy.lost.is_set()
        assert ayu.asked.number == 1
        assert len(await runs(store)) == 1
        store.close()


async def test_lost_commit_replies_move_a_run_on_once(postgres, postgres_url, dice, clock):
    """Whichever unit it is, its second run finds what the first one stored and shows just that."""
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        ayu = await begins(store, dice, clock)
        for press_, seen in (
            ("A", "Why"),
            ("Next", "Question 2 of 3"),
            ("Bahasa Indonesia", "Pertanyaan 2 dari 3"),
            ("English", "Question 2 of 3"),
        ):
            proxy.lose_next_commit_reply()
            await ayu.presses(press_)
            assert proxy.lost.is_set()
            assert ayu.sees(seen) or press_ == "A"
            assert ayu.notes == []
        proxy.lose_next_commit_reply()
        await ayu.types("stop")

        assert ayu.sees("stopped")
        assert [row["end_reason"] for row in await runs(store)] == ["stopped"]
        store.close()


async def test_a_lost_commit_reply_of_a_first_claim_code_still_prints_it(
    postgres, postgres_url, dice, clock
):
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        proxy.lose_next_commit_reply()

        assert await offer(kit_on(store, dice), clock.now(), first=True)
        assert proxy.lost.is_set()
        store.close()


async def test_a_press_during_a_restart_of_postgres_is_answered_after_it(dice, clock):
    cluster = Postgres.start()
    try:
        store = Store.open(cluster.database())
        ayu = await begins(store, dice, clock)
        await asyncio.to_thread(cluster.crash)

        task = press(ayu)
        assert await within(task, 0.5) is None
        await asyncio.to_thread(cluster.restart)

        assert isinstance((await task)[0], Redraw)
        assert len(await answers(store)) == 1
        store.close()
    finally:
        cluster.stop()


async def test_connections_that_broke_while_idle_are_made_anew(postgres, postgres_url, dice, clock):
    with PostgresProxy(postgres) as proxy:
        store = Store.open(proxy.url(postgres_url))
        ayu = await begins(store, dice, clock)
        proxy.cut_all()

        await ayu.answers(right=True)

        assert ayu.verdict.right
        store.close()


async def test_two_processes_on_one_postgres_open_one_run_for_a_double_command(
    postgres_url, dice, clock
):
    stores = [Store.open(postgres_url) for _ in range(2)]
    services = [Service(kit_on(store, dice)) for store in stores]
    await services[0].open(clock.now())
    people = [Person(service, clock) for service in services]

    await asyncio.gather(*(person.types("shards") for person in people for _ in range(8)))

    assert len(await runs(stores[0])) == 1
    for store in stores:
        store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_two_processes_that_get_the_same_press_store_one_answer(kind, request, dice, clock):
    url = request.getfixturevalue(f"{kind}_url")
    stores = [Store.open(url) for _ in range(2)]
    ayu = await begins(stores[0], dice, clock)
    events = [
        Pressed(ayu.who, ayu.button(letter).token, f"press-{letter}", clock.now())
        for letter in "ABCD"
    ]
    services = [Service(kit_on(store, dice)) for store in stores]

    shown = await asyncio.gather(
        *(service.handle(event) for event in events for service in services)
    )

    stored = await answers(stores[0])
    assert len(stored) == 1
    assert all(len(replies) == 1 for replies in shown)
    for store in stores:
        store.close()


async def test_who_waited_for_another_press_to_commit_sees_its_answer(postgres_url, dice, clock):
    """The second press reads the run while the first one's answer is not yet committed."""
    store = Store.open(postgres_url)
    ayu = await begins(store, dice, clock)
    stored, commit = threading.Event(), threading.Event()

    class Slow(Store):
        async def write(self, unit):
            def slowly(work: Work):
                result = unit(work)
                stored.set()
                assert commit.wait(10)
                return result

            return await super().write(slowly)

    slow = Service(kit_on(Slow(store._lane), dice))
    event = Pressed(ayu.who, ayu.button("A").token, "first", clock.now())
    first = asyncio.create_task(slow.handle(event))
    await asyncio.to_thread(stored.wait, 10)
    second = press(ayu, "C")
    assert await within(second, 0.3) is None
    commit.set()

    assert "first answer stands" not in (await first)[0].draw().alt
    assert "Your first answer stands: A." in (await second)[0].draw().alt
    assert len(await answers(store)) == 1
    store.close()


async def test_a_unit_that_deadlocks_runs_again(postgres_url, clock):
    """Two units take two rows in opposite order, each holding one while it wants the other."""
    store = Store.open(postgres_url)
    both = threading.Barrier(2, timeout=10)
    codes = ["one", "two"]
    for code in codes:
        await store.write(lambda work, code=code: work.offer_claim(code, clock.now()))
    tries: list[int] = []

    def unit(first: str, second: str, number: int) -> Callable[[Work], None]:
        def work_on(work: Work) -> None:
            tries.append(number)
            run = work._connection.exec_driver_sql
            lock = "SELECT 1 FROM claim_codes WHERE hash = %s FOR UPDATE"
            run(lock, (first,))
            if tries.count(number) == 1:
                both.wait()
            run(lock, (second,))

        return work_on

    await asyncio.gather(store.write(unit("one", "two", 1)), store.write(unit("two", "one", 2)))

    assert len(tries) == 3
    store.close()
