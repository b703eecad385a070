"""Slack at its worst moment: late, double, forged, unreachable. Nobody sees an error."""

import asyncio
import logging
import sqlite3
import time
from pathlib import Path

import pytest

from bot.store import Store, Work
from tests.adapters.slack.conftest import running
from tests.adapters.slack.people import Bot
from tests.rows import answers
from tests.standins.postgres import Postgres
from tests.standins.postgres_proxy import PostgresProxy
from tests.standins.slack import SlackStandin
from tests.standins.slack_http import timestamp

pytestmark = pytest.mark.asyncio


async def test_the_same_press_delivered_three_times_is_one_answer_and_one_reply(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    first = await ayu.presses("B")
    replies = len(bot.slack.calls)

    again = [await bot.slack.redeliver(first, retry_num=number) for number in (1, 2)]

    assert all(delivery.acked for delivery in again)
    assert len(await answers(bot.store)) == 1
    assert len(bot.slack.calls) == replies


async def test_two_options_150_ms_apart_keep_the_first(bot: Bot):
    ayu = bot.user("Ayu")
    question = await ayu.types("checkpointing")
    first = asyncio.create_task(bot.slack.press(ayu.person, question, button="A"))
    await asyncio.sleep(0.15)
    second = await bot.slack.press(ayu.person, question, button="C", version=0)

    assert (await first).acked
    assert second.acked
    await bot.slack.until(lambda: "Your first answer stands: A." in question.words)
    assert len(await answers(bot.store)) == 1


async def test_a_press_on_an_earlier_question_leaves_all_as_it_is(bot: Bot):
    ayu = bot.user("Ayu")
    message = await ayu.types("checkpointing")
    await ayu.presses("A")
    await ayu.presses("Next")

    await bot.slack.press(ayu.person, message, button="B", version=0)
    await bot.slack.until(lambda: len(ayu.messages) == 2)

    assert "already moved past" in ayu.screen.words
    assert "Question 2 of 8" in message.words
    assert len(await answers(bot.store)) == 1


async def test_another_persons_button_and_a_forged_one_change_nothing(bot: Bot):
    ayu, bima = bot.user("Ayu"), bot.user("Bima")
    question = await ayu.types("checkpointing")
    stolen = question.blocks[-2]["elements"][0]["value"]

    for value, said in (
        (stolen, "belongs to someone else"),
        ("1.r.AAAAAAAAAAAAAAAA.1.A", "not one of mine"),
        ("💥" * 300, "not one of mine"),
        ("", "not one of mine"),
    ):
        delivery = await bot.slack.press_value(bima.person, bima.channel, value=value)
        assert delivery.acked
        await bot.slack.until(lambda said=said: bima.messages and said in bima.screen.words)
        bot.slack.reload(bima.person)

    assert await answers(bot.store) == []
    assert bot.slack.violations == []


async def test_a_press_after_the_end_is_told_so(bot: Bot):
    ayu = bot.user("Ayu")
    question = await ayu.types("checkpointing")
    await ayu.types("stop")

    await bot.slack.press(ayu.person, question, button="A")
    await bot.slack.until(lambda: "This run has ended" in ayu.screen.words)

    assert await answers(bot.store) == []


async def test_a_press_on_a_message_that_is_gone_still_counts(bot: Bot):
    ayu = bot.user("Ayu")
    question = await ayu.types("checkpointing")
    bot.slack.reload(ayu.person)

    delivery = await bot.slack.press(ayu.person, question, button="A", even_if_gone=True)

    assert delivery.acked
    assert len(await answers(bot.store)) == 1
    await ayu.types("resume")
    assert "Next" in ayu.screen.buttons


@pytest.mark.parametrize(
    "broken", [("response_url",), ("response_url", "chat.postEphemeral")], ids=len
)
async def test_a_reply_that_cannot_go_one_way_goes_another(bot: Bot, broken):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    for method in broken:
        bot.slack.fail_next(method, error="expired_url", status=404, times=3)
    direct = bot.slack.direct(ayu.person)
    place = ayu.channel if len(broken) == 1 else direct

    await bot.slack.press(ayu.person, ayu.screen, button="A")
    await bot.slack.until(
        lambda: any("Next" in m.buttons for m in bot.slack.seen_by(ayu.person, place))
    )
    ayu.channel = place
    await ayu.presses("Next")

    assert ayu.sees("Question 2 of 8")
    assert bot.slack.violations == []


async def test_a_rate_limit_is_waited_for(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    bot.slack.fail_next("response_url", error="expired_url", status=404)
    bot.slack.fail_next("chat.postEphemeral", retry_after=0, times=2)

    await bot.slack.press(ayu.person, ayu.screen, button="A")
    await bot.slack.until(lambda: len(ayu.messages) == 2)

    assert "Next" in ayu.screen.buttons


async def test_a_reply_that_reaches_nobody_is_one_log_line_and_resume_shows_it(bot: Bot, log):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    for method in ("response_url", "chat.postEphemeral", "chat.postMessage"):
        bot.slack.fail_next(method, error="internal_error", status=500)

    await bot.slack.press(ayu.person, ayu.screen, button="A")
    await bot.slack.until(
        lambda: any(call.method == "chat.postMessage" for call in bot.slack.calls)
    )
    await ayu.types("resume")

    assert "Next" in ayu.screen.buttons
    ours = [record for record in log.records if record.name == "latih.slack"]
    assert [record.getMessage() for record in ours] == [
        "a reply reached nobody; the next press or resume shows it"
    ]


async def test_whatever_else_slack_sends_is_acknowledged(bot: Bot):
    for kind in ("shortcut", "message_action"):
        payload = {
            "type": kind,
            "callback_id": "somebody-elses",
            "user": {"id": "U1", "team_id": bot.slack.team_id},
            "team": {"id": bot.slack.team_id},
            "trigger_id": f"1.{kind}",
        }
        assert (await bot.slack.send(payload)).acked


BROKEN = {
    "a time in words": ({"headers_override": {"X-Slack-Request-Timestamp": "yesterday"}}, 401),
    "a digit of no number": ({"headers_override": {"X-Slack-Request-Timestamp": "²"}}, 401),
    "no time": ({"headers_override": {"X-Slack-Request-Timestamp": None}}, 401),
    "an old time": ({"headers_override": {"X-Slack-Request-Timestamp": timestamp(age=600)}}, 401),
    "a wrong signature": ({"headers_override": {"X-Slack-Signature": "v0=00"}}, 401),
    "no signature": ({"headers_override": {"X-Slack-Signature": None}}, 401),
    "no text": ({"body": b"\xff\xfe\x00garbage"}, 400),
    "no JSON": ({"body": b"payload=%7Bnot json"}, 400),
    "too much": ({"body": b"x" * 2_000_000}, 413),
    "nothing": ({"body": b""}, 200),
}


@pytest.mark.parametrize("mode", ["http"])
@pytest.mark.parametrize(("request_", "status"), BROKEN.values(), ids=BROKEN)
async def test_a_broken_request_is_refused_without_a_traceback(bot: Bot, log, request_, status):
    answered, text = await bot.slack.send_raw(**request_)

    assert answered == status
    assert "Traceback" not in text
    assert not [record for record in log.records if record.levelno >= logging.ERROR]


async def test_dropped_and_refreshed_sockets_are_opened_again(slack, sqlite_url, monkeypatch):
    async with running(slack, "socket", sqlite_url, monkeypatch) as bot:
        ayu = bot.user("Ayu")
        await ayu.types("checkpointing")
        slack.drop_sockets()
        await slack.connected(timeout=15)
        await ayu.presses("A")
        await slack.refresh_socket()
        await slack.connected(timeout=15)
        await ayu.presses("Next")

        assert ayu.sees("Question 2 of 8")


async def test_a_database_locked_for_four_seconds_loses_nothing(bot: Bot, sqlite_url):
    ayu, bima = bot.user("Ayu"), bot.user("Bima")
    question = await ayu.types("checkpointing")
    other = sqlite3.connect(Path(sqlite_url.removeprefix("sqlite:///")), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    freed = asyncio.get_running_loop().call_later(4, other.execute, "COMMIT")

    press, command = await asyncio.gather(
        bot.slack.press(ayu.person, question, button="A"),
        bot.slack.command(bima.person, bima.channel, "checkpointing"),
    )
    assert freed.when() > asyncio.get_running_loop().time(), "the lock was over before the answer"

    assert press.acked
    assert command.acked
    await bot.slack.until(lambda: "Next" in question.buttons and len(bima.messages) == 1)
    assert "Question 1 of 8" in bima.screen.words
    assert len(await answers(bot.store)) == 1
    assert bot.slack.violations == []
    other.close()


async def test_a_restart_of_postgres_during_a_press_loses_nothing(slack, mode, monkeypatch):
    cluster = Postgres.start()
    try:
        async with running(slack, mode, cluster.database(), monkeypatch) as bot:
            ayu = bot.user("Ayu")
            question = await ayu.types("checkpointing")
            await asyncio.to_thread(cluster.crash)
            press = asyncio.create_task(bot.slack.press(ayu.person, question, button="A"))
            delivery = await press
            await asyncio.to_thread(cluster.restart)

            assert delivery.acked
            await slack.until(lambda: "Next" in question.buttons, timeout=10)
            assert len(await answers(bot.store)) == 1
            assert slack.violations == []
    finally:
        cluster.stop()


async def test_a_commit_whose_reply_is_lost_is_one_answer(
    slack: SlackStandin, mode, postgres, postgres_url, monkeypatch
):
    with PostgresProxy(postgres) as proxy:
        async with running(slack, mode, proxy.url(postgres_url), monkeypatch) as bot:
            ayu = bot.user("Ayu")
            await ayu.types("checkpointing")
            proxy.lose_next_commit_reply()

            delivery = await ayu.presses("A")

            assert proxy.lost.is_set()
            assert delivery.acked
            assert "Next" in ayu.screen.buttons
            assert "first answer stands" not in ayu.screen.words
            assert len(await answers(bot.store)) == 1


async def test_a_failure_is_an_apology_with_the_reference_of_its_log_line(
    bot: Bot, log, monkeypatch
):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    monkeypatch.setattr(Store, "write", _broken)

    await bot.slack.press(ayu.person, ayu.screen, button="A")
    await bot.slack.until(lambda: len(ayu.messages) == 2)

    (record,) = [record for record in log.records if record.levelno >= logging.ERROR]
    assert record.reference in ayu.screen.words
    assert "nothing was lost" in ayu.screen.words
    assert ayu.person.id not in record.getMessage()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_what_a_database_says_is_logged_without_the_values_it_speaks_of(
    slack, mode, kind, request, log
):
    url, monkeypatch = map(request.getfixturevalue, (f"{kind}_url", "monkeypatch"))
    async with running(slack, mode, url, monkeypatch) as bot:
        ayu = bot.user("Ayu")
        question = await ayu.types("checkpointing")
        await bot.store.write(_drop_answers)

        await slack.press(ayu.person, question, button="A")
        await slack.until(lambda: len(ayu.messages) == 2)

        assert "nothing was lost" in ayu.screen.words
        text = logging.Formatter().format(log.records[-1])
        assert "answers" in text
        for secret in (ayu.person.id, ayu.channel, slack.team_id, question.ts):
            assert secret not in text


def _drop_answers(work: Work) -> None:
    work._connection.exec_driver_sql("DROP TABLE answers")


async def _broken(*_: object) -> None:
    raise RuntimeError("out of order")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_two_hundred_people_who_press_at_once_are_all_answered_once(
    slack, mode, kind, request, monkeypatch
):
    url = request.getfixturevalue(f"{kind}_url")
    async with running(slack, mode, url, monkeypatch) as bot:
        place = slack.channel("ml-infra")
        people = [bot.user(f"P{number}", place) for number in range(200)]
        for some in range(0, 200, 20):
            await asyncio.gather(
                *(user.types("checkpointing") for user in people[some : some + 20])
            )
        questions = [user.screen for user in people]

        began = time.monotonic()
        deliveries = await asyncio.gather(
            *(
                slack.press(user.person, question, button="ABCD"[number % 4])
                for number, (user, question) in enumerate(zip(people, questions, strict=True))
            )
        )

        assert all(delivery.acked for delivery in deliveries), time.monotonic() - began
        await slack.until(lambda: all("Next" in q.buttons for q in questions), timeout=30)
        assert len(await answers(bot.store)) == 200
        assert slack.violations == []
