"""Components side by side: who fails, who does not notice, and when the program ends."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from bot.cli import stopping
from bot.engine.fault import RefusedError, UnavailableError
from bot.store import StoreError
from bot.supervisor import Component, State, Status, Supervisor
from tests.world import Clock, CountingDice

LONG = 10.0  # seconds that nothing here takes

Run = Callable[[Callable[[], None]], Awaitable[None]]

NO_REFUSAL = UnavailableError("Slack cannot be reached")
REFUSAL = RefusedError("Slack does not accept SLACK_BOT_TOKEN: invalid_auth.")


@dataclass
class Watch:
    """A supervisor whose pauses take no time; it sleeps for good after so many of them."""

    fraction: float = 1.0
    most: int = 1_000
    clock: Clock = field(default_factory=Clock)
    pauses: list[float] = field(default_factory=list)
    asleep: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(
            now=self.clock.now,
            chance=lambda: self.fraction,
            reference=CountingDice().reference,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if len(self.pauses) >= self.most:
            self.asleep.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)

    def status(self, name: str = "one") -> Status:
        return self.supervisor.board.statuses[name]

    @contextlib.asynccontextmanager
    async def over(self, *components: Component):
        task = asyncio.create_task(self.supervisor.run(components))
        try:
            async with asyncio.timeout(LONG):
                yield task
        finally:
            task.cancel()
            await asyncio.wait([task], timeout=LONG)

    async def until(self, name: str, state: State, *, restarts: int = 0) -> None:
        await self.supervisor.board.until(
            lambda statuses: (
                name in statuses
                and statuses[name].state is state
                and statuses[name].restarts >= restarts
            )
        )


def failing(error: BaseException, *, times: int = 1_000, up: bool = False) -> Run:
    """Fails so often, then serves."""
    left = [error] * times

    async def run(serves: Callable[[], None]) -> None:
        if up or not left:
            serves()
        if left:
            raise left.pop()
        await asyncio.Event().wait()

    return run


serving = failing(NO_REFUSAL, times=0)


# What is started again, and when


@pytest.mark.asyncio
async def test_what_fails_is_started_again_and_its_neighbour_does_not_notice():
    watch = Watch()
    one = Component("one", failing(RuntimeError("bug"), times=3))
    async with watch.over(one, Component("two", serving)):
        await watch.until("one", State.UP, restarts=3)

        assert watch.status("two").restarts == 0
        assert watch.status("two").state is State.UP


@pytest.mark.asyncio
async def test_pauses_double_from_one_second_to_a_minute():
    watch = Watch(most=8)
    async with watch.over(Component("one", failing(RuntimeError("bug")))):
        await watch.asleep.wait()

    assert watch.pauses == [1, 2, 4, 8, 16, 32, 60, 60]


@pytest.mark.asyncio
async def test_chance_shortens_a_pause_by_half_at_the_most():
    watch = Watch(most=3, fraction=0.0)
    async with watch.over(Component("one", failing(RuntimeError("bug")))):
        await watch.asleep.wait()

    assert watch.pauses == [0.5, 1, 2]


@pytest.mark.asyncio
@pytest.mark.parametrize(("seconds", "pauses"), [(60, [1, 1, 1]), (59, [1, 2, 4])])
async def test_only_after_a_minute_of_service_do_pauses_begin_anew(seconds, pauses):
    watch = Watch(most=3)

    async def serves_for_a_while(up: Callable[[], None]) -> None:
        up()
        watch.clock.pass_(seconds=seconds)
        raise RuntimeError

    async with watch.over(Component("one", serves_for_a_while)):
        await watch.asleep.wait()

    assert watch.pauses == pauses


@pytest.mark.asyncio
async def test_a_long_start_is_no_service():
    watch = Watch(most=3)

    async def starts_for_long(_: Callable[[], None]) -> None:
        watch.clock.pass_(hours=1)
        raise RuntimeError

    async with watch.over(Component("one", starts_for_long)):
        await watch.asleep.wait()

    assert watch.pauses == [1, 2, 4]


@pytest.mark.asyncio
async def test_what_is_refused_is_tried_again_after_the_longest_pause():
    watch = Watch(most=1)
    one = Component("one", failing(REFUSAL))
    async with watch.over(one, Component("two", serving)):
        await watch.asleep.wait()

        assert watch.pauses == [60]
        assert watch.status().reason == str(REFUSAL).rstrip(".")
        assert watch.status("two").state is State.UP


# What counts as a failure


async def returns(up: Callable[[], None]) -> None:
    up()


async def is_cancelled_from_within(_: Callable[[], None]) -> None:
    inner = asyncio.ensure_future(asyncio.Event().wait())
    inner.cancel()
    await inner


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "run",
    [returns, is_cancelled_from_within, failing(SystemExit(1)), failing(GeneratorExit())],
    ids=["returning", "cancelled-from-within", "SystemExit", "GeneratorExit"],
)
async def test_however_a_component_ends_it_has_failed(run):
    watch = Watch()
    async with watch.over(Component("one", run), Component("two", serving)):
        await watch.until("one", State.DOWN, restarts=3)

        assert watch.status("two").state is State.UP


def test_a_task_of_a_library_that_wants_the_program_to_end_does_not_get_it(caplog):
    said = []

    async def spawns(up: Callable[[], None]) -> None:
        async def exits() -> None:
            raise SystemExit(1)

        library = asyncio.create_task(exits())
        await asyncio.wait([library])
        assert isinstance(library.exception(), SystemExit)
        up()
        await asyncio.Event().wait()

    async def program() -> None:
        watch = Watch()
        async with watch.over(Component("one", spawns), Component("two", serving)):
            await watch.until("one", State.UP)
            said.append(watch.status("two").state)

    stopping.run(program())

    assert said == [State.UP]
    assert "asked the whole program to end" in caplog.text


def test_an_interrupt_from_the_keyboard_ends_the_program():
    async def program() -> None:
        watch = Watch()
        one = Component("one", failing(KeyboardInterrupt()))
        await watch.supervisor.run([one, Component("two", serving)])

    with pytest.raises(KeyboardInterrupt):
        stopping.run(program())


# What is told


@pytest.mark.asyncio
async def test_a_bug_is_logged_with_its_trace_under_the_reference_that_the_status_gives(caplog):
    watch = Watch(most=1)
    async with watch.over(Component("one", failing(KeyError("U0123ABCDEF")))):
        await watch.asleep.wait()

    (record,) = caplog.records
    assert record.message == "one broke; trying again in 1 s"
    assert record.exc_info[1].args == ("U0123ABCDEF",)
    assert watch.status().reason == f"it broke; the log says why under {record.reference}"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("error", "logged", "reason"),
    [
        (NO_REFUSAL, "Slack cannot be reached", "Slack cannot be reached"),
        (
            StoreError("OperationalError: no connection to db.example.org"),
            "the database does not answer (OperationalError: no connection to db.example.org)",
            "the database does not answer",
        ),
    ],
    ids=["a platform", "the database"],
)
async def test_what_cannot_be_had_is_one_line_without_a_trace(caplog, error, logged, reason):
    watch = Watch(most=1)
    async with watch.over(Component("one", failing(error))):
        await watch.asleep.wait()

    (record,) = caplog.records
    assert record.message == f"one is down: {logged}; trying again in 1 s"
    assert record.exc_info is None
    assert watch.status().reason == reason


@pytest.mark.asyncio
async def test_a_component_that_came_back_is_told_once_and_keeps_its_last_reason(caplog):
    caplog.set_level(logging.INFO)
    watch = Watch()
    async with watch.over(Component("one", failing(NO_REFUSAL, times=1))):
        await watch.until("one", State.UP)

    assert [it.message for it in caplog.records if it.levelno == logging.INFO] == [
        "one is up again"
    ]
    assert watch.status() == Status(State.UP, watch.clock.now(), 1, "Slack cannot be reached")


@pytest.mark.asyncio
async def test_saying_up_twice_changes_nothing():
    watch, ups = Watch(), asyncio.Event()

    async def says_it_twice(up: Callable[[], None]) -> None:
        up()
        watch.clock.pass_(seconds=5)
        up()
        ups.set()
        await asyncio.Event().wait()

    began = watch.clock.now()
    async with watch.over(Component("one", says_it_twice)):
        await ups.wait()

        assert watch.status() == Status(State.UP, began)


# When the program ends


@pytest.mark.asyncio
async def test_when_every_surface_is_refused_the_program_ends_and_says_all_reasons():
    components = [
        Component("slack", failing(RefusedError("Slack says no"))),
        Component("discord", failing(RefusedError("Discord says no"))),
        Component("web", serving, is_surface=False),
    ]
    with pytest.raises(RefusedError, match=r"Slack says no\nDiscord says no"):
        await Watch().supervisor.run(components)


@pytest.mark.asyncio
async def test_a_refusal_that_comes_only_once_the_network_is_there_ends_it_too():
    errors: list[Exception] = [REFUSAL, NO_REFUSAL]

    async def is_refused_later(_: Callable[[], None]) -> None:
        raise errors.pop()

    with pytest.raises(RefusedError):
        await Watch().supervisor.run([Component("one", is_refused_later)])


@pytest.mark.asyncio
async def test_one_surface_that_was_up_is_enough_to_go_on():
    watch = Watch(most=4)
    errors: list[Exception | None] = [REFUSAL, None]

    async def is_refused_after_it_served(up: Callable[[], None]) -> None:
        error = errors.pop() if errors else REFUSAL
        if error is None:
            return up()
        raise error

    async with watch.over(Component("one", is_refused_after_it_served)) as running:
        await watch.asleep.wait()

        assert not running.done()


@pytest.mark.asyncio
async def test_what_is_no_surface_may_be_refused_all_the_same():
    watch = Watch(most=6)
    web = Component("web", failing(REFUSAL), is_surface=False)
    async with watch.over(web, Component("one", failing(NO_REFUSAL))) as running:
        await watch.asleep.wait()

        assert not running.done()


@pytest.mark.asyncio
async def test_all_drain_side_by_side_when_the_program_is_stopped():
    watch = Watch()
    last = asyncio.Barrier(2)

    async def drains(up: Callable[[], None]) -> None:
        try:
            up()
            await asyncio.Event().wait()
        finally:
            await last.wait()  # passed only when both are here

    async with watch.over(Component("one", drains), Component("two", drains)) as running:
        await watch.until("two", State.UP)
        running.cancel()
        await asyncio.wait([running])

    assert running.cancelled()
    assert watch.pauses == []


@pytest.mark.asyncio
async def test_a_drain_that_fails_is_logged_and_ends_like_any_other(caplog):
    watch = Watch()

    async def drains_badly(up: Callable[[], None]) -> None:
        try:
            up()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise RuntimeError from None

    async with watch.over(Component("one", drains_badly)):
        await watch.until("one", State.UP)

    assert [it.message for it in caplog.records] == ["one failed while it stopped"]
    assert watch.status().restarts == 0
