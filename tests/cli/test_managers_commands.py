"""`managers list|add|remove|code` from the operator's side."""

import pytest

from bot.engine.people import Identity
from bot.service.managers import code_hash
from bot.store import Store, Work
from tests.cli.desk import Desk


def test_nobody_manages_at_first_and_the_way_in_is_told(desk: Desk) -> None:
    done = desk.types("managers", "list")
    assert (done.code, done.out) == (0, "")
    assert "latih managers code" in done.err


def test_somebody_added_is_listed_until_removed(desk: Desk, database_url: str) -> None:
    desk.sets(DATABASE_URL=database_url)
    assert desk.types("managers", "add", "slack:T1:U1").out == "slack:T1:U1 is a manager now\n"
    again = desk.types("managers", "add", "slack:T1:U1")
    assert (again.code, again.out) == (0, "slack:T1:U1 was a manager already\n")
    assert desk.types("managers", "list").out == "slack:T1:U1\n"
    assert desk.types("managers", "remove", "slack:T1:U1").code == 0
    assert desk.types("managers", "list").out == ""


def test_a_discord_account_manages_the_server_that_is_named(desk: Desk) -> None:
    desk.types("managers", "add", "discord:111:222")
    desk.types("managers", "add", "discord:333:222")
    assert desk.types("managers", "list").out == "discord:111:222\ndiscord:333:222\n"
    desk.types("managers", "remove", "discord:111:222")
    assert desk.types("managers", "list").out == "discord:333:222\n"


async def _is_manager(url: str, identity: Identity, server: str) -> bool:
    store = Store.open(url)
    try:
        return await store.read(
            lambda work: work.is_manager(
                work.person(identity).id,  # type: ignore[union-attr]
                work.workspace("discord", server),
            )
        )
    finally:
        store.close()


@pytest.mark.asyncio
async def test_the_account_of_a_discord_manager_belongs_to_no_server(
    desk: Desk, sqlite_url: str
) -> None:
    desk.sets(DATABASE_URL=sqlite_url)
    await desk.types_beside("managers", "add", "discord:111:222")
    assert await _is_manager(sqlite_url, Identity("discord", "", "222"), "111")


def test_the_list_can_be_read_by_a_program(desk: Desk) -> None:
    desk.sets(LATIH_MANAGERS="slack:T9:U9")
    desk.types("managers", "add", "slack:T1:U1")
    assert desk.types("managers", "list", "--json").json == [
        {"id": "slack:T1:U1", "name": None, "by_setting": False},
        {"id": "slack:T9:U9", "name": None, "by_setting": True},
    ]
    assert "slack:T9:U9  LATIH_MANAGERS" in desk.types("managers", "list").out


def test_case_and_spaces_of_an_id_are_forgiven(desk: Desk) -> None:
    assert desk.types("managers", "add", " Slack:t1:u1 ").out == "slack:T1:U1 is a manager now\n"


@pytest.mark.parametrize(
    "written",
    ["U1", "slack:U1", "slack:T1:", "slack:T1:U1:x", "discord:222", "discord:a:b", "irc:a:b", ""],
)
def test_what_is_no_id_is_refused_with_the_forms_there_are(desk: Desk, written: str) -> None:
    for verb in ("add", "remove"):
        done = desk.types("managers", verb, written)
        assert done.code == 2
        assert "slack:TEAM:USER" in done.err
        assert "discord:SERVER:USER" in done.err
    assert desk.types("managers", "list").out == ""


def test_removing_who_is_no_manager_is_refused(desk: Desk) -> None:
    done = desk.types("managers", "remove", "slack:T1:U1")
    assert done.code == 2
    assert "is no manager" in done.err


def test_who_is_named_in_the_settings_can_only_be_removed_there(desk: Desk) -> None:
    desk.sets(LATIH_MANAGERS="slack:T1:U1")
    done = desk.types("managers", "remove", "slack:T1:U1")
    assert done.code == 2
    assert "LATIH_MANAGERS" in done.err


@pytest.mark.asyncio
async def test_a_code_is_printed_once_and_kept_as_a_hash(desk: Desk, sqlite_url: str) -> None:
    desk.sets(DATABASE_URL=sqlite_url)
    done = await desk.types_beside("managers", "code")
    made = done.out.strip()
    assert done.code == 0
    assert f"/quiz managers claim {made}" in done.err
    assert made not in (await desk.types_beside("managers", "list")).out

    def claims(work: Work) -> bool:
        person = work.meet(Identity("slack", "T1", "U1"), desk.clock.now())
        workspace = work.workspace("slack", "T1")
        return work.claim(code_hash(made), person.id, workspace, desk.clock.now())

    store = Store.open(sqlite_url)
    try:
        assert await store.write(claims)
    finally:
        store.close()


@pytest.mark.asyncio
async def test_a_name_cannot_move_the_operators_cursor(desk: Desk, sqlite_url: str) -> None:
    desk.sets(DATABASE_URL=sqlite_url)

    def unit(work: Work) -> None:
        person = work.meet(Identity("slack", "T1", "U1"), desk.clock.now()).id
        work.call(person, work.workspace("slack", "T1"), "Ana\x1b[2J\nMallory")
        work.appoint(person, work.workspace("slack", "T1"))

    store = Store.open(sqlite_url)
    await store.write(unit)
    store.close()
    done = await desk.types_beside("managers", "list")
    assert done.out == "slack:T1:U1  Ana[2JMallory\n"
