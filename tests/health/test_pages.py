"""What a load balancer is told: alive, ready, and what is not."""

import asyncio
import logging
import sqlite3

import pytest

from bot.store import Store
from bot.supervisor import State
from tests.health.conftest import Probe, locked, probing
from tests.standins.postgres import Postgres
from tests.standins.postgres_proxy import PostgresProxy

pytestmark = pytest.mark.asyncio


async def until_ready(probe: Probe, status: int) -> None:
    async with asyncio.timeout(20):
        while (await probe.asks("/readyz")).status != status:
            continue


async def test_a_process_that_answers_is_alive(probe: Probe):
    answer = await probe.asks("/healthz")

    assert (answer.status, answer.text) == (200, "ok\n")
    assert (await probe.asks("/healthz", "HEAD")).status == 200
    assert (await probe.asks("/healthz", "POST")).status == 405


async def test_nothing_else_is_there(probe: Probe):
    assert (await probe.asks("/")).status == 404


async def test_it_is_ready_when_its_database_can_be_written(store, clock):
    async with probing(store, clock) as probe:
        answer = await probe.asks("/readyz")

        assert answer.status == 200
        assert answer.json == {"database": "up", "components": {}}


async def test_a_platform_that_is_down_is_told_and_changes_nothing(probe: Probe, clock):
    probe.board.put("slack", State.STARTING)
    probe.board.put("slack", State.UP)
    probe.board.put("discord", State.STARTING)
    probe.board.put("discord", State.DOWN, "Discord does not accept DISCORD_TOKEN")

    answer = await probe.asks("/readyz")

    assert answer.status == 200
    since = clock.now().isoformat()
    assert answer.json["components"] == {
        "slack": {"state": "up", "since": since, "restarts": 0, "reason": None},
        "discord": {
            "state": "down",
            "since": since,
            "restarts": 0,
            "reason": "Discord does not accept DISCORD_TOKEN",
        },
    }


async def test_a_locked_database_is_not_ready_until_it_is_free(probe: Probe, sqlite_url, caplog):
    caplog.set_level(logging.INFO)
    caplog.clear()
    with locked(sqlite_url):
        answer = await probe.asks("/readyz")
        assert (answer.status, answer.json["database"]) == (503, "down")
        assert (await probe.asks("/healthz")).status == 200

    await until_ready(probe, 200)
    assert [record.message for record in caplog.records] == [
        "the database does not answer: silent for 2 s",
        "the database answers again",
    ]


async def test_however_many_ask_the_database_is_asked_once(probe: Probe, sqlite_url):
    with locked(sqlite_url):
        await probe.asks("/readyz")  # the writer has it, and whatever comes now would wait
        answers = await asyncio.gather(*(probe.asks("/readyz") for _ in range(20)))

        assert {answer.status for answer in answers} == {503}
        assert probe.store.waiting == 0


async def test_a_database_that_cannot_be_written_is_not_ready_though_it_can_be_read(
    probe: Probe, sqlite_url
):
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as other:
        other.execute("ALTER TABLE workspaces RENAME TO elsewhere")

    answer = await probe.asks("/readyz")

    assert answer.status == 503
    assert "workspaces" not in answer.text


async def test_a_server_that_is_gone_is_not_ready_until_it_is_back(
    postgres: Postgres, postgres_url, clock
):
    store = await asyncio.to_thread(Store.open, postgres_url)
    async with probing(store, clock) as probe:
        await until_ready(probe, 200)
        await asyncio.to_thread(postgres.crash)
        try:
            assert (await probe.asks("/readyz")).status == 503
        finally:
            await asyncio.to_thread(postgres.restart)
        await until_ready(probe, 200)
    await asyncio.to_thread(store.close)


async def test_a_server_that_says_nothing_is_not_ready_until_it_speaks(
    postgres: Postgres, postgres_url, clock
):
    with PostgresProxy(postgres) as proxy:
        store = await asyncio.to_thread(Store.open, proxy.url(postgres_url))
        async with probing(store, clock) as probe:
            await until_ready(probe, 200)
            proxy.pause()
            answer = await probe.asks("/readyz")
            proxy.resume()

            assert answer.status == 503
            await until_ready(probe, 200)
        await asyncio.to_thread(store.close)
