"""What Prometheus is told, against what has happened."""

import asyncio
import re

import pytest

from bot.chat.event import Event
from bot.chat.reply import Reply
from bot.service import Service
from bot.store.unit import MOST_WAITING
from bot.supervisor import State
from tests.health.conftest import Probe, locked
from tests.people import Person

pytestmark = pytest.mark.asyncio

TOTAL = "latih_events_total"


def watched(probe: Probe, kit) -> Service:
    return Service(kit, probe.metrics.counted)


async def test_the_page_is_in_the_exposition_format(probe: Probe):
    answer = await probe.asks("/metrics")

    assert answer.status == 200
    assert answer.kind.startswith("text/plain; version=")
    assert "# TYPE latih_events_total counter" in answer.text
    assert "process_resident_memory_bytes" in answer.text
    assert "_created" not in answer.text


async def test_what_never_happened_is_told_as_nought(probe: Probe):
    for kind in ("command", "press"):
        for outcome in ("answered", "failed", "busy"):
            labels = {"surface": "test", "kind": kind, "outcome": outcome}
            assert await probe.sample(TOTAL, **labels) == 0


async def test_a_quiz_that_was_taken_is_counted_event_by_event(probe: Probe, kit, clock):
    service = watched(probe, kit)
    await service.open(clock.now())
    ayu = Person(service, clock)
    await ayu.types("shards")
    presses = 0
    while not ayu.sees("of 3 right"):
        await ayu.answers(right=True)
        await ayu.presses("Next" if presses < 4 else "See the result")
        presses += 2

    told = {"surface": "test", "outcome": "answered"}
    assert await probe.sample(TOTAL, kind="command", **told) == 1
    assert await probe.sample(TOTAL, kind="press", **told) == presses
    assert await probe.sample("latih_answer_seconds_count", surface="test") == 1 + presses
    text = (await probe.asks("/metrics")).text
    assert not re.search(r"Ayu|T1|C1|shards|\d{16}", text)


async def test_an_answer_is_timed_from_the_receipt_of_its_event(probe: Probe, clock, kit):
    async def slow(_: Event) -> tuple[Reply, ...]:
        clock.pass_(seconds=0.2)
        return ()

    ayu = Person(Service(kit, lambda _: probe.metrics.counted(slow)), clock)
    with pytest.raises(IndexError):  # nothing is shown
        await ayu.types("menu")

    bucket = "latih_answer_seconds_bucket"
    assert await probe.sample(bucket, surface="test", le="0.1") == 0
    assert await probe.sample(bucket, surface="test", le="0.25") == 1


async def test_a_failure_is_counted_and_goes_on_its_way(probe: Probe, clock, kit):
    async def breaks(_: Event) -> tuple[Reply, ...]:
        raise ZeroDivisionError

    ayu = Person(Service(kit, lambda _: probe.metrics.counted(breaks)), clock)
    with pytest.raises(ZeroDivisionError):
        await ayu.types("menu")

    labels = {"surface": "test", "kind": "command", "outcome": "failed"}
    assert await probe.sample(TOTAL, **labels) == 1


async def test_who_is_asked_to_try_again_is_counted_as_busy_and_the_queue_is_told(
    probe: Probe, clock, kit, sqlite_url
):
    ayu = Person(watched(probe, kit), clock)
    with locked(sqlite_url):
        crowd = [
            asyncio.create_task(probe.store.write(lambda _: None))
            for _ in range(MOST_WAITING + 128)
        ]
        await asyncio.sleep(0)
        while probe.store.waiting < MOST_WAITING:
            await asyncio.sleep(0)
            crowd.append(asyncio.create_task(probe.store.write(lambda _: None)))
        await ayu.types("menu")

        assert ayu.sees("Many people are answering right now")
        assert await probe.sample("latih_units_waiting") == MOST_WAITING
    await asyncio.gather(*crowd, return_exceptions=True)

    labels = {"surface": "test", "kind": "command", "outcome": "busy"}
    assert await probe.sample(TOTAL, **labels) == 1
    assert await probe.sample("latih_units_waiting") == 0


async def test_components_are_told_as_they_are_at_that_moment(probe: Probe):
    up = "latih_component_up"
    assert await probe.sample(up, component="slack") is None

    probe.board.put("slack", State.STARTING)
    assert await probe.sample(up, component="slack") == 0
    probe.board.put("slack", State.UP)
    assert await probe.sample(up, component="slack") == 1
    probe.board.put("slack", State.DOWN, "why")
    probe.board.put("slack", State.STARTING)

    assert await probe.sample(up, component="slack") == 0
    assert await probe.sample("latih_component_restarts_total", component="slack") == 1
