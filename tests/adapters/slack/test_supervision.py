"""Slack under the supervisor: its sockets break, its neighbours fail, and people go on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import pytest_asyncio
from typing_extensions import override

from bot.chat.event import Event, Pressed
from bot.chat.reference import event_reference
from bot.chat.reply import Reply
from bot.cli.slack_server import SlackServer
from bot.cli.tools import Tools
from bot.cli.web import WebServer
from bot.engine.fault import RefusedError, UnavailableError
from bot.service import Service
from bot.store import Store
from bot.supervisor import Component, State, Status, Supervisor
from tests.adapters.slack.conftest import running, settings_of
from tests.adapters.slack.people import Bot
from tests.rows import answers
from tests.standins.slack import SlackStandin
from tests.world import Clock, CountingDice

pytestmark = pytest.mark.asyncio

SOON = 0.05  # seconds between signs of life, of five in production


@dataclass
class House:
    """The bot as `serve` puts it together, with whatever else is to run beside Slack."""

    slack: SlackServer
    web: WebServer
    supervisor: Supervisor
    bot: Bot

    async def until_slack_is(self, state: State, *, restarts: int = 0) -> Status:
        def holds(statuses: Mapping[str, Status]) -> bool:
            status = statuses.get("slack")
            return bool(status and status.state is state and status.restarts >= restarts)

        await asyncio.wait_for(self.supervisor.board.until(holds), 10)
        return self.supervisor.board.statuses["slack"]


async def no_pause(_: float) -> None:
    await asyncio.sleep(0.01)


@pytest_asyncio.fixture
async def house(
    slack: SlackStandin, mode: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[House]:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    for name, value in settings_of(slack, mode).items():
        monkeypatch.setenv(name, value)
    clock = Clock()
    tools = Tools(now=clock.now, dice=CountingDice())
    store = Store.open(sqlite_url)
    kit = tools.kit(store)
    service = Service(kit)
    await service.open(clock.now())
    web = WebServer("127.0.0.1", 0)
    server = SlackServer(tools, kit, service.handle, web, ping=SOON)
    await web.bind()
    if mode == "http":
        slack.speak_http_to(server.address)
    supervisor = Supervisor(
        now=clock.now, chance=tools.dice.fraction, reference=tools.dice.reference, sleep=no_pause
    )
    yield House(server, web, supervisor, Bot(slack, store, kit, clock))
    await web.close()
    store.close()


@asynccontextmanager
async def supervised(house: House, *beside: Component) -> AsyncIterator[None]:
    components = [Component("slack", house.slack.run), *beside]
    task = asyncio.create_task(house.supervisor.run(components))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def breaks_always(up) -> None:
    up()
    await asyncio.sleep(0)
    raise RuntimeError("once more")


async def leaves_always(up) -> None:
    up()
    await asyncio.sleep(0)


async def exits_always(up) -> None:
    await asyncio.sleep(0)
    raise SystemExit(1)


async def test_a_quiz_is_taken_to_its_end_while_its_neighbours_fail_again_and_again(house: House):
    neighbours = [
        Component(run.__name__, run) for run in (breaks_always, leaves_always, exits_always)
    ]
    async with supervised(house, *neighbours):
        await house.until_slack_is(State.UP)
        ayu = house.bot.user("Ayu")
        await ayu.types("checkpointing")
        for number in range(1, 9):
            assert ayu.sees(f"Question {number} of 8")
            await ayu.answers(right=True)
            await ayu.presses("See the result" if number == 8 else "Next")

        assert ayu.sees("You got 8 of 8 right")
        assert house.supervisor.board.statuses["slack"].restarts == 0
        for neighbour in neighbours:
            assert house.supervisor.board.statuses[neighbour.name].restarts > 8


@pytest.mark.parametrize("mode", ["socket"])
async def test_a_socket_that_goes_silent_is_replaced_and_the_next_press_counts(
    slack, mode, sqlite_url, monkeypatch
):
    async with running(slack, mode, sqlite_url, monkeypatch, ping=SOON) as bot:
        ayu = bot.user("Ayu")
        await ayu.types("checkpointing")

        slack.silence_sockets()
        await slack.connected()
        await ayu.presses("A")

        assert "Next" in ayu.screen.buttons
        assert len(await answers(bot.store)) == 1
    assert slack.violations == []


@pytest.mark.parametrize("mode", ["socket"])
async def test_slack_is_down_while_no_socket_is_to_be_had_and_up_again_after(house: House, slack):
    async with supervised(house):
        await house.until_slack_is(State.UP)

        slack.refuse_connections(True)
        slack.drop_sockets()
        status = await house.until_slack_is(State.DOWN)
        assert status.reason == "Slack cannot be reached any more"

        slack.refuse_connections(False)
        await house.until_slack_is(State.UP, restarts=1)
        ayu = house.bot.user("Ayu")
        await ayu.types("checkpointing")
        assert ayu.sees("Question 1 of 8")


@pytest.mark.parametrize("mode", ["socket"])
async def test_it_leaves_a_silent_slack_without_waiting_for_a_goodbye(house: House, slack):
    async with asyncio.timeout(5), supervised(house):
        await house.until_slack_is(State.UP)
        slack.silence_sockets()


@pytest.mark.parametrize("mode", ["socket"])
async def test_an_app_token_that_slack_refuses_is_said_and_not_tried_again_and_again(
    house: House, slack
):
    slack.fail_next("apps.connections.open", error="invalid_auth", status=200)

    async with asyncio.timeout(10):
        with pytest.raises(RefusedError, match="does not accept SLACK_APP_TOKEN: invalid_auth"):
            await house.supervisor.run([Component("slack", house.slack.run)])


@pytest.mark.parametrize(
    ("error", "status"), [("ratelimited", 429), ("internal_error", 200), ("fatal_error", 503)]
)
async def test_a_slack_in_trouble_is_no_refusal(house: House, slack, error, status):
    slack.fail_next("auth.test", error=error, status=status, retry_after=0, times=5)

    with pytest.raises(UnavailableError, match="Slack cannot be reached") as raised:
        await house.slack.run(lambda: None)
    assert not isinstance(raised.value, RefusedError)


async def test_a_press_that_came_before_the_end_is_acknowledged_and_answered(house: House, slack):
    arrived, goes_on = asyncio.Event(), asyncio.Event()
    handle = house.slack._handle

    async def held_up(event: Event) -> tuple[Reply, ...]:
        if isinstance(event, Pressed):
            arrived.set()
            await goes_on.wait()
        return await handle(event)

    house.slack._handle = held_up
    async with supervised(house):
        await house.until_slack_is(State.UP)
        ayu = house.bot.user("Ayu")
        question = await ayu.types("checkpointing")
        pressing = asyncio.create_task(slack.press(ayu.person, question, button="A"))
        await arrived.wait()
        asyncio.get_running_loop().call_soon(goes_on.set)

    assert (await pressing).acked
    assert "Next" in question.buttons


async def test_every_line_about_an_event_has_the_reference_of_its_apology(house: House, slack):
    told: list[tuple[str, str]] = []

    class Teller(logging.Handler):
        @override
        def emit(self, record: logging.LogRecord) -> None:
            told.append((record.getMessage(), event_reference.get()))

    async def breaks(_: Event) -> tuple[Reply, ...]:
        logging.getLogger("latih.test").warning("on the way to the failure")
        raise ZeroDivisionError

    house.slack._handle = breaks
    teller = Teller(logging.WARNING)
    logging.getLogger().addHandler(teller)
    try:
        async with supervised(house):
            await house.until_slack_is(State.UP)
            told.clear()
            ayu, bima = house.bot.user("Ayu"), house.bot.user("Bima")
            await ayu.types("checkpointing")
            await bima.types("checkpointing")
    finally:
        logging.getLogger().removeHandler(teller)

    words = [line for line, _ in told]
    assert words == ["on the way to the failure", "an event could not be answered"] * 2
    for person, (way, end) in zip((ayu, bima), (told[:2], told[2:]), strict=True):
        assert way[1] == end[1]
        assert person.sees(way[1])
    assert told[0][1] != told[2][1]


@pytest.mark.parametrize("mode", ["http"])
async def test_a_request_that_is_not_answered_yet_is_waited_for(house: House):
    up = asyncio.Event()
    running = asyncio.create_task(house.slack.run(up.set))
    await up.wait()
    with house.slack._app.request():
        running.cancel()
        _, still = await asyncio.wait([running], timeout=0.1)
        assert still
    await asyncio.wait_for(asyncio.wait([running]), 5)


@pytest.mark.parametrize("mode", ["http"])
async def test_a_request_before_the_bot_is_signed_in_is_asked_to_come_again(house: House, slack):
    ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
    assert (await slack.command(ayu, place, "checkpointing")).status == 503

    async with supervised(house):
        await house.until_slack_is(State.UP)
        assert (await slack.command(ayu, place, "checkpointing")).acked
