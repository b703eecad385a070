"""Units of work: one transaction each, all of it or nothing, on both databases."""

import asyncio
import threading

import pytest

from bot.engine.people import Address, Identity
from bot.store import Store, StoreError, Work
from tests.world import Clock

pytestmark = pytest.mark.asyncio


def meets(name: str, clock: Clock):
    return lambda work: work.meet(Identity("test", "T1", name), clock.now())


def is_known(name: str):
    return lambda work: work.person(Identity("test", "T1", name)) is not None


async def test_what_a_unit_wrote_is_there_for_the_next(store: Store, clock):
    person = await store.write(meets("Ayu", clock))

    assert await store.read(lambda work: work.person(Identity("test", "T1", "Ayu"))) == person


async def test_a_unit_that_raises_leaves_nothing_behind(store: Store, clock):
    def unit(work: Work) -> None:
        work.meet(Identity("test", "T1", "Ayu"), clock.now())
        raise LookupError("in the middle")

    with pytest.raises(LookupError, match="in the middle"):
        await store.write(unit)

    assert not await store.read(is_known("Ayu"))


async def test_a_unit_that_raises_takes_none_of_its_neighbours_down(store: Store, clock):
    def bad(work: Work) -> None:
        raise LookupError("just me")

    units = [meets("Ayu", clock), bad, meets("Bima", clock), bad, meets("Citra", clock)]
    results = await asyncio.gather(*map(store.write, units), return_exceptions=True)

    assert [isinstance(result, LookupError) for result in results] == [False, True] * 2 + [False]
    for name in ("Ayu", "Bima", "Citra"):
        assert await store.read(is_known(name))


async def test_units_that_queue_while_a_commit_runs_share_the_next_one(sqlite_store: Store, clock):
    """The first unit holds the writer until all others have queued; they are then one batch."""
    commits: list[int] = []
    begun, queued = threading.Event(), threading.Event()

    def first(work: Work) -> None:
        begun.set()
        assert queued.wait(10)

    def transaction(work: Work) -> int:
        return id(work)

    holding = asyncio.create_task(sqlite_store.write(first))
    await asyncio.to_thread(begun.wait, 10)
    others = [asyncio.create_task(sqlite_store.write(transaction)) for _ in range(50)]
    await asyncio.sleep(0)
    queued.set()
    await holding
    commits = await asyncio.gather(*others)

    assert len(set(commits)) == 1


async def test_a_caller_who_gives_up_does_not_stop_the_unit(migrated_url, clock):
    store = Store.open(migrated_url)
    task = asyncio.create_task(store.write(meets("Ayu", clock)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(store.close)

    again = Store.open(migrated_url)
    assert await again.read(is_known("Ayu"))
    again.close()


async def test_two_hundred_people_who_come_at_once_are_all_met_once(store: Store, clock):
    names = [f"P{number % 100}" for number in range(200)]

    people = await asyncio.gather(*(store.write(meets(name, clock)) for name in names))

    assert len({person.id for person in people}) == 100
    for name, person in zip(names, people, strict=True):
        assert people[names.index(name)] == person


async def test_the_same_account_in_two_workspaces_is_two_identities(store: Store, clock):
    one = await store.write(lambda w: w.meet(Identity("slack", "T1", "U1"), clock.now()))
    two = await store.write(lambda w: w.meet(Identity("slack", "T2", "U1"), clock.now()))

    assert one != two


async def test_a_place_is_the_same_place_at_every_visit(store: Store):
    places = [
        await store.write(lambda work: work.visit(Address("slack", "T1", "C1"))) for _ in range(3)
    ]
    other = await store.write(lambda work: work.visit(Address("slack", "T1", "C2")))

    assert len({place.id for place in places}) == 1
    assert other.id != places[0].id
    assert other.workspace == places[0].workspace


async def test_a_time_without_a_zone_is_refused(store: Store, clock):
    naive = clock.now().replace(tzinfo=None)

    with pytest.raises(Exception, match="without a zone"):
        await store.write(lambda work: work.meet(Identity("test", "T1", "Ayu"), naive))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "not a database address"),
        ("mysql://root@localhost/latih", "must begin with sqlite:/// or with postgresql://"),
        ("sqlite://", "must begin with sqlite:///"),
        ("sqlite:////proc/nowhere/latih.db", "cannot write /proc/nowhere/latih.db"),
        ("sqlite:////proc/version", "cannot"),
    ],
)
async def test_an_address_that_cannot_be_used_is_told_in_a_sentence(url, said):
    with pytest.raises(StoreError, match=said.split(" or ")[0]):
        await asyncio.to_thread(Store.open, url)


async def test_a_new_sqlite_file_can_be_read_by_its_owner_alone(tmp_path):
    store = Store.open(f"sqlite:///{tmp_path / 'new' / 'latih.db'}")
    await store.read(lambda work: work.claims())

    modes = {file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    store.close()
    assert modes == {0o600}


async def test_the_short_postgres_scheme_that_hosts_hand_out_works(postgres):
    url = postgres.database()
    store = await asyncio.to_thread(Store.open, url.replace("postgresql://", "postgres://"))
    assert await store.read(lambda work: work.claims()) == 0
    store.close()
