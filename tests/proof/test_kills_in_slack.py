"""Killed in the middle of a run in Slack, started again: old buttons work, nothing is lost."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store
from tests.proof.program import Program
from tests.rows import answers
from tests.standins.slack import Message, SlackStandin

pytestmark = [pytest.mark.asyncio, pytest.mark.proof]


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[SlackStandin]:
    async with SlackStandin(patience=1.0, deadline=3.0) as workspace:
        yield workspace


@pytest.fixture(params=["http", "socket"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def serve(slack: SlackStandin, mode: str, folder: Path, url: str) -> Program:
    secret = (
        {"SLACK_SIGNING_SECRET": slack.signing_secret}
        if mode == "http"
        else {"SLACK_APP_TOKEN": slack.app_token}
    )
    program = Program(
        folder,
        "serve",
        DATABASE_URL=url,
        SLACK_API_URL=slack.api_url,
        SLACK_BOT_TOKEN=slack.bot_token,
        PORT="0",
        **secret,
    )
    await program.start("Latih listens" if mode == "http" else "Latih is in Slack")
    if mode == "http":
        slack.speak_http_to(re.search(r"http://\S+", program.said[-1])[0])
    else:
        await slack.connected()
    return program


async def press(slack: SlackStandin, ayu, message: Message, button: str) -> None:
    before = len(message.versions)
    delivery = await slack.press(ayu, message, button=button)
    assert delivery.acked
    await slack.until(lambda: len(message.versions) > before)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_run_goes_on_where_it_was_after_every_kill(slack, mode, kind, request, tmp_path):
    url = request.getfixturevalue(f"{kind}_url")
    ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
    program = await serve(slack, mode, tmp_path, url)
    await slack.command(ayu, place, "checkpointing")
    message = slack.seen_by(ayu, place)[-1]

    for number in range(1, 9):
        assert f"Question {number} of 8" in message.words
        await program.kill()
        program = await serve(slack, mode, tmp_path, url)
        await press(slack, ayu, message, "A")
        await program.kill()
        program = await serve(slack, mode, tmp_path, url)
        await press(slack, ayu, message, "See the result" if number == 8 else "Next")

    assert re.search(r"You got \d of 8 right", message.words)
    assert slack.violations == []
    assert await program.stop() == 0
    assert len(await stored(url)) == 8


async def test_a_kill_at_any_moment_of_a_press_keeps_what_was_shown(
    slack, mode, sqlite_url, tmp_path
):
    """Killed 0 to 27 ms after a press is sent; whoever was shown a verdict has their answer."""
    ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
    shown: set[int] = set()
    program = await serve(slack, mode, tmp_path, sqlite_url)
    await slack.command(ayu, place, "checkpointing")
    message = slack.seen_by(ayu, place)[-1]

    for number in range(1, 9):
        sending = asyncio.create_task(slack.press(ayu, message, button="A"))
        await asyncio.sleep(0.004 * (number - 1))
        await program.kill()
        await sending
        if "Next" in message.buttons or "See the result" in message.buttons:
            shown.add(number)
        before = {row["position"] for row in await stored(sqlite_url)}
        assert shown <= before
        program = await serve(slack, mode, tmp_path, sqlite_url)
        if number not in shown:
            await press(slack, ayu, message, "A")
        await press(slack, ayu, message, "See the result" if number == 8 else "Next")

    assert await program.stop() == 0
    assert [row["position"] for row in await stored(sqlite_url)] == list(range(1, 9))


async def test_sigterm_answers_what_is_under_way_and_ends_cleanly(
    slack, mode, sqlite_url, tmp_path
):
    ayu, place = slack.person("Ayu"), slack.channel("ml-infra")
    program = await serve(slack, mode, tmp_path, sqlite_url)
    await slack.command(ayu, place, "checkpointing")
    message = slack.seen_by(ayu, place)[-1]
    delivery = await slack.press(ayu, message, button="A")

    assert await program.stop() == 0
    assert delivery.acked
    assert "Next" in message.buttons
    assert not [line for line in program.said if "Traceback" in line]


async def stored(url: str) -> list[dict[str, object]]:
    store = await asyncio.to_thread(Store.open, url)
    found = await answers(store)
    await asyncio.to_thread(store.close)
    return found
