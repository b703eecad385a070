"""Managers: by claim code, by another manager, by settings, or by being an administrator."""

from dataclasses import replace

import pytest

from bot.engine.people import Identity
from bot.service import Kit, Service
from bot.service.managers import offer
from tests.people import Person
from tests.world import Clock

pytestmark = pytest.mark.asyncio


@pytest.fixture
def ayu(service: Service, clock: Clock) -> Person:
    return Person(service, clock)


@pytest.fixture
def bima(service: Service, clock: Clock) -> Person:
    return Person(service, clock, "Bima")


async def test_a_claim_code_makes_its_user_a_manager_once(ayu, bima, kit, clock):
    code = await offer(kit, clock.now())
    await ayu.types(f"managers claim {code}")
    assert ayu.sees("You now manage Latih")

    await bima.types(f"managers claim {code}")
    assert bima.sees("not valid, or it was used already")

    await ayu.types("managers")
    assert ayu.sees("Managers here:", "Ayu")
    assert "Bima" not in ayu.screen.alt


async def test_a_claim_code_is_read_without_its_dashes_and_case(ayu, kit, clock):
    code = await offer(kit, clock.now())

    await ayu.types(f"managers claim {code[:3].lower()}-{code[3:]}")

    assert ayu.sees("You now manage Latih")


async def test_a_claim_holds_for_the_workspace_where_it_was_used(ayu, service, kit, clock):
    await ayu.types(f"managers claim {await offer(kit, clock.now())}")
    elsewhere = Person(service, clock, "Ayu", workspace="T2")

    await elsewhere.types("managers")

    assert elsewhere.sees("Only managers can do that")


async def test_a_code_is_printed_at_the_first_serve_only(kit, clock):
    assert await offer(kit, clock.now(), first=True)
    assert await offer(kit, clock.now(), first=True) is None


async def test_a_code_is_stored_as_a_hash_only(kit, clock, sqlite_store, tmp_path):
    code = await offer(kit, clock.now())
    sqlite_store.close()

    files = b"".join(file.read_bytes() for file in tmp_path.glob("latih.db*"))
    assert code.encode() not in files


@pytest.mark.parametrize("typed", ["managers", "managers add @Citra", "managers remove @Citra"])
async def test_who_manages_nothing_is_told_who_can(ayu, typed):
    await ayu.types(typed)

    assert ayu.sees("Only managers can do that", "/quiz managers claim CODE")


async def test_an_administrator_is_a_manager(ayu):
    ayu.admin = True
    await ayu.types("managers")

    assert ayu.sees("Nobody is listed as a manager here yet")


async def test_who_the_settings_name_is_a_manager(kit: Kit, clock: Clock):
    named = replace(kit, managers=frozenset({Identity("test", "T1", "Ayu")}))
    ayu = Person(Service(named), clock)
    await ayu.types("managers")

    assert ayu.sees("Nobody is listed")


async def test_a_manager_adds_and_removes_another(ayu, bima):
    ayu.admin = True
    await bima.types("menu")
    await ayu.types("managers add @Bima")
    assert ayu.sees("Bima manages Latih here now.")

    await bima.types("managers")
    assert bima.sees("Managers here:", "Bima")

    await ayu.types("managers remove Bima")
    assert ayu.sees("Bima does not manage Latih here now.")
    await bima.types("managers")
    assert bima.sees("Only managers can do that")


async def test_adding_somebody_unknown_or_removing_a_stranger_says_so(ayu):
    ayu.admin = True
    await ayu.types("managers add @Nobody")
    assert ayu.sees("I don't know Nobody here")

    await ayu.types("managers remove @Nobody")
    assert ayu.sees("Nobody does not manage Latih here now.")


async def test_a_managers_verb_that_makes_no_sense_gets_the_help(ayu):
    await ayu.types("managers promote everyone")

    assert ayu.sees("I don't know", "/quiz managers")
