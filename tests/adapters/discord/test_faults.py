"""Discord at its worst moment: late, double, forged, dropped. Nobody sees an error."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.engine.fault import RefusedError
from bot.engine.lease import Holder
from bot.store import Store, Work
from bot.supervisor import State
from tests.adapters.discord.running import Bot, running
from tests.rows import answers, runs
from tests.standins.discord import Answer, DiscordStandin
from tests.standins.discord_words import buttons_in
from tests.standins.postgres import Postgres
from tests.standins.postgres_proxy import PostgresProxy

pytestmark = pytest.mark.asyncio

CALLBACK = "POST /interactions/*/*/callback"


@pytest_asyncio.fixture
async def bot(
    discord: DiscordStandin, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Bot]:
    async with running(discord, sqlite_url, monkeypatch) as started:
        yield started


async def test_the_same_press_delivered_three_times_is_one_answer_and_one_reply(bot: Bot):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    delivery = await bot.discord.press(ayu.person, message, button="B", copies=3)

    assert delivery.acked
    await bot.discord.until(lambda: "Next" in message.buttons)
    assert len(message.versions) == 1
    assert delivery.refusals == []
    assert len(await answers(bot.store)) == 1
    assert bot.discord.violations == []


async def test_two_options_at_once_keep_the_first(bot: Bot):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.presses_twice("A", "C")

    assert "Next" in message.buttons
    (answer,) = await answers(bot.store)
    await ayu.presses("B", on=message, version=0)
    assert "Your first answer stands:" in message.words
    assert await answers(bot.store) == [answer]


async def test_a_press_on_an_earlier_question_leaves_all_as_it_is(bot: Bot):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.presses("A")
    await ayu.presses("Next")
    await ayu.presses("B", on=message, version=0)

    assert "already moved past" in ayu.screen.words
    assert ayu.screen is not message
    assert "Question 2 of 8" in message.words
    assert len(await answers(bot.store)) == 1


async def test_another_persons_button_and_forged_ones_change_nothing(bot: Bot):
    ayu, bima = bot.user("Ayu"), bot.user("Bima")
    bima.channel = ayu.channel
    message = await ayu.types("/quiz start", quiz="checkpointing")
    own = await bima.types("/quiz menu")
    custom_ids = [button["custom_id"] for button in buttons_in(message.components)]
    stolen = next(it for it in custom_ids if it.endswith(".A"))
    for custom_id, said in (
        (stolen, "belongs to someone else"),
        ("1.r.AAAAAAAAAAAAAAAA.1.A", "not one of mine"),
        ("2.something.else", "not one of mine"),
        ("1.m.managers.", "Only managers can do that"),
        ("x" * 100, "not one of mine"),
        ("baris\nbaru", "not one of mine"),
    ):
        await bima.presses_custom_id(custom_id, on=own)
        assert any(said in seen.words for seen in bima.messages)

    assert await answers(bot.store) == []
    assert bot.discord.violations == []


async def test_a_press_after_the_end_is_told_so(bot: Bot):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.types("/quiz stop")
    await ayu.presses("A", on=message)

    assert ayu.sees("This run has ended")
    assert "Try again" in ayu.screen.buttons
    assert await answers(bot.store) == []


async def test_stop_delivered_twice_ends_one_run(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.types("/quiz start", quiz="checkpointing-tough")
    await ayu.types("/quiz stop")
    await ayu.repeats()

    assert [run["ended_at"] is None for run in await runs(bot.store)].count(True) == 1


async def test_after_a_restart_the_old_button_goes_on(
    discord: DiscordStandin, database_url, monkeypatch
):
    async with running(discord, database_url, monkeypatch) as bot:
        ayu = bot.user("Ayu")
        message = await ayu.types("/quiz start", quiz="checkpointing")
        await ayu.presses("A")
        await ayu.presses("Next")
    async with running(discord, database_url, monkeypatch, process="two") as bot:
        await ayu.presses("C", on=message)
        assert "Question 2 of 8" in message.words
        assert "Next" in message.buttons
        assert len(await answers(bot.store)) == 2
        assert discord.violations == []


@pytest.mark.parametrize(
    "trouble",
    ["op 7", "op 9", "op 9, resumable", "cut", "closed 4000", "closed 1000", "closed 1006"],
)
async def test_a_connection_that_ends_comes_back_and_the_run_goes_on(bot: Bot, trouble):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    before = len(bot.discord.gateway.log)
    match trouble:
        case "op 7":
            bot.discord.ask_to_reconnect()
        case "op 9":
            bot.discord.invalidate_sessions()
        case "op 9, resumable":
            bot.discord.invalidate_sessions(resumable=True)
        case "cut":
            bot.discord.drop_sockets()
        case _:
            bot.discord.drop_sockets(int(trouble.split()[1]))
    await bot.discord.until(lambda: len(bot.discord.gateway.log) > before, timeout=15)
    await bot.discord.connected(timeout=15)
    await ayu.presses("A", on=message)

    assert "Next" in message.buttons
    assert len(await answers(bot.store)) == 1
    assert not bot.task.done()


async def test_a_socket_closed_before_hello_is_tried_again(
    discord: DiscordStandin, sqlite_url, monkeypatch
):
    discord.close_before_hello(times=2)
    async with running(discord, sqlite_url, monkeypatch) as bot:
        ayu = bot.user("Ayu")
        await ayu.types("/quiz start", quiz="checkpointing")
        assert bot.status.restarts == 2
        before = len(discord.gateway.log)
        discord.close_before_hello()
        discord.drop_sockets()
        await discord.until(lambda: len(discord.gateway.log) > before, timeout=15)
        await ayu.presses("A")

        assert ayu.sees("Question 1 of 8")
        assert len(await answers(bot.store)) == 1


@pytest.mark.parametrize(
    "broken",
    [
        '{"op": 0, "t": "INTERACTION_CREATE", "s": 9, "d": {}}',
        '{"op": 0, "t": "INTERACTION_CREATE", "s": 9, "d": {"type": 3, "id": "1"}}',
        '{"op": 0, "t": "GUILD_CREATE", "s": 9, "d": null}',
        '{"op": 10, "d": null}',
        "{",
        "[]",
    ],
)
async def test_a_malformed_frame_ends_no_run_and_no_process(bot: Bot, broken):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    bot.discord.send_garbage(broken)
    await bot.is_up(restarts=1)
    await ayu.presses("A", on=message)

    assert "Next" in message.buttons
    assert len(await answers(bot.store)) == 1


async def test_a_half_open_socket_is_found_and_left(
    discord: DiscordStandin, sqlite_url, monkeypatch
):
    async with running(discord, sqlite_url, monkeypatch, half_open=1.0) as bot:
        ayu = bot.user("Ayu")
        message = await ayu.types("/quiz start", quiz="checkpointing")
        before = len(discord.gateway.log)
        discord.go_silent()
        await discord.until(lambda: len(discord.gateway.log) > before, timeout=10)
        await discord.connected(timeout=10)
        await ayu.presses("A", on=message)

        assert "Next" in message.buttons


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_an_answer_that_discord_fails_to_take_is_sent_again(bot: Bot, status):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    bot.discord.fail_next(CALLBACK, status=status, retry_after=0.2)
    await ayu.presses("A", on=message)

    assert "Next" in message.buttons
    assert len(await answers(bot.store)) == 1
    assert ayu.errors == []


async def test_an_answer_whose_receipt_is_lost_counts_as_sent(bot: Bot, log):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    bot.discord.lose_answer(CALLBACK)
    await ayu.presses("A", on=message)

    assert "Next" in message.buttons
    assert len(await answers(bot.store)) == 1
    assert [record for record in log.records if record.levelno >= logging.ERROR] == []


async def test_an_answer_that_comes_too_late_is_kept_for_the_next_press(bot: Bot, log):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    bot.discord.silence(CALLBACK, 3.2, posted=False)
    late = await bot.discord.press(ayu.person, message, button="A")
    assert not late.acked
    await bot.discord.until(lambda: late.interaction.attempts > 0, timeout=10)
    await ayu.presses("A", on=message)

    assert "Next" in message.buttons
    assert len(await answers(bot.store)) == 1
    assert [record for record in log.records if record.levelno >= logging.ERROR] == []


async def test_a_database_locked_for_four_seconds_loses_nothing(bot: Bot, sqlite_url):
    ayu, bima = bot.user("Ayu"), bot.user("Bima")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    other = sqlite3.connect(Path(sqlite_url.removeprefix("sqlite:///")), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    freed = asyncio.get_running_loop().call_later(4, other.execute, "COMMIT")

    press, command = await asyncio.gather(
        bot.discord.press(ayu.person, message, button="A"),
        bot.discord.command(bima.person, bima.channel, "/quiz start", quiz="checkpointing"),
    )
    assert freed.when() > asyncio.get_running_loop().time(), "the lock was over before the answer"

    assert (press.answer, command.answer) == (Answer.DEFERRED_UPDATE, Answer.DEFERRED_MESSAGE)
    await bot.discord.until(lambda: press.interaction.filled and command.interaction.filled)
    assert "Next" in message.buttons
    assert bima.sees("Question 1 of 8")
    assert len(await answers(bot.store)) == 1
    assert bot.discord.violations == []
    other.close()


async def test_a_whisper_after_the_deferral_leaves_the_question(bot: Bot, sqlite_url):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.presses("A")
    await ayu.presses("Next")
    other = sqlite3.connect(Path(sqlite_url.removeprefix("sqlite:///")), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    asyncio.get_running_loop().call_later(3, other.execute, "COMMIT")
    await ayu.presses("B", on=message, version=0, waits=False)
    await bot.discord.until(lambda: len(ayu.messages) == 2)

    assert ayu.sees("already moved past")
    assert "Question 2 of 8" in message.words
    assert bot.discord.violations == []
    other.close()


async def test_a_restart_of_postgres_during_a_press_loses_nothing(
    discord: DiscordStandin, monkeypatch
):
    cluster = Postgres.start()
    try:
        async with running(discord, cluster.database(), monkeypatch) as bot:
            ayu = bot.user("Ayu")
            message = await ayu.types("/quiz start", quiz="checkpointing")
            await asyncio.to_thread(cluster.crash)
            press = await bot.discord.press(ayu.person, message, button="A")
            await asyncio.to_thread(cluster.restart)

            assert press.acked
            await discord.until(lambda: "Next" in message.buttons, timeout=10)
            assert len(await answers(bot.store)) == 1
            assert discord.violations == []
    finally:
        cluster.stop()


async def test_a_commit_whose_reply_is_lost_is_one_answer(
    discord: DiscordStandin, postgres, postgres_url, monkeypatch
):
    with PostgresProxy(postgres) as proxy:
        async with running(discord, proxy.url(postgres_url), monkeypatch) as bot:
            ayu = bot.user("Ayu")
            await ayu.types("/quiz start", quiz="checkpointing")
            proxy.lose_next_commit_reply()
            await ayu.presses("A")

            assert proxy.lost.is_set()
            assert "Next" in ayu.screen.buttons
            assert len(await answers(bot.store)) == 1


@pytest.mark.parametrize(("locale", "said"), [("en-US", "nothing was lost"), ("id", "tidak ada")])
async def test_a_failure_is_an_apology_with_the_reference_of_its_log_line(
    bot: Bot, log, monkeypatch, locale, said
):
    ayu = bot.user("Ayu", locale=locale)
    message = await ayu.types("/quiz start", quiz="checkpointing")
    monkeypatch.setattr(Store, "write", _broken)
    await ayu.presses("A", on=message)

    (record,) = [record for record in log.records if record.levelno >= logging.ERROR]
    assert ayu.sees(said, record.reference)
    assert len(ayu.messages) == 2
    await ayu.types("/quiz menu")
    assert ayu.sees(said)


async def test_what_a_database_says_is_logged_without_the_values_it_speaks_of(bot: Bot, log):
    ayu = bot.user("Ayu")
    message = await ayu.types("/quiz start", quiz="checkpointing")
    await bot.store.write(_drop_answers)
    await ayu.presses("A", on=message)

    assert ayu.sees("nothing was lost")
    text = logging.Formatter().format(log.records[-1])
    for secret in (ayu.person.id, ayu.channel.id, message.id):
        assert secret not in text


async def test_a_command_that_is_no_longer_ours_is_answered_politely(bot: Bot, log):
    ayu = bot.user("Ayu")
    (ours,) = bot.discord.commands()
    old = {"name": "kuis", "description": "From before", "type": 1, "contexts": [0]}
    bot.discord.registers([ours, old])
    await ayu.types("/kuis")

    assert ayu.sees("Reference")
    assert bot.discord.violations == []


async def test_a_token_that_discord_does_not_know_is_told_in_a_sentence(
    discord: DiscordStandin, sqlite_url, monkeypatch
):
    discord.world.bot_token = "another"
    token = "not.the.token"
    monkeypatch.setattr(type(discord), "bot_token", property(lambda _: token))
    async with running(discord, sqlite_url, monkeypatch, waits=False) as bot:
        await asyncio.wait({bot.task})

        with pytest.raises(RefusedError, match="does not accept DISCORD_TOKEN"):
            bot.task.result()


async def test_a_token_that_is_revoked_is_told_and_all_else_lives(bot: Bot):
    bot.discord.revoke_token()
    async with asyncio.timeout(10):
        await bot.board.until(lambda _: bot.status.state is State.DOWN)

    assert "does not accept DISCORD_TOKEN" in (bot.status.reason or "")
    assert not bot.task.done()


async def test_commands_are_registered_once_and_again_only_when_they_change(
    discord: DiscordStandin, sqlite_url, monkeypatch
):
    def puts() -> int:
        return sum(call.method == "PUT" for call in discord.calls)

    for _ in range(2):
        async with running(discord, sqlite_url, monkeypatch):
            assert puts() == 1
    discord.registers([])
    async with running(discord, sqlite_url, monkeypatch):
        assert puts() == 2
    assert discord.violations == []


async def test_of_two_processes_with_one_token_one_answers_and_the_other_takes_over(
    discord: DiscordStandin, database_url, monkeypatch
):
    async with running(discord, database_url, monkeypatch) as first:
        ayu = first.user("Ayu")
        message = await ayu.types("/quiz start", quiz="checkpointing")
        async with running(
            discord, database_url, monkeypatch, process="two", host="b", waits=False
        ) as second:
            await discord.until(
                lambda: sum(it.path.endswith("/commands") for it in discord.calls) > 2
            )
            assert second.status.state is State.STARTING
            assert len(discord.gateway.live) == 1
            first.task.cancel()
            await second.is_up()
            await ayu.presses("A", on=message)

            assert "Next" in message.buttons
            assert len(await answers(second.store)) == 1
            assert ayu.errors == []


async def test_a_press_that_reaches_two_processes_is_one_answer(
    discord: DiscordStandin, database_url, monkeypatch, log
):
    """As when a lease changes hands and the old holder has not heard of it yet."""
    async with running(discord, database_url, monkeypatch) as first:
        ayu = first.user("Ayu")
        message = await ayu.types("/quiz start", quiz="checkpointing")
        lease = f"discord:{discord.application_id}:0"
        await first.store.write(lambda work: work.let_go(lease, Holder("one", "a", 1)))
        async with running(discord, database_url, monkeypatch, process="two", host="b") as second:
            assert len(discord.gateway.live) == 2
            delivery = await ayu.presses("A", on=message)
            await discord.until(lambda: delivery.interaction.attempts == 2)

            assert delivery.refusals == [40060]
            assert "Next" in message.buttons
            assert "first answer stands" not in message.words
            assert len(await answers(second.store)) == 1
            assert (ayu.errors, discord.violations) == ([], [])
    assert [record for record in log.records if record.levelno >= logging.ERROR] == []


async def test_a_hundred_people_who_press_at_once_are_all_answered_once(
    discord: DiscordStandin, database_url, monkeypatch
):
    async with running(discord, database_url, monkeypatch) as bot:
        people = [bot.user(f"P{number}") for number in range(100)]
        for some in range(0, 100, 20):
            await asyncio.gather(
                *(it.types("/quiz start", quiz="checkpointing") for it in people[some : some + 20])
            )
        questions = [user.screen for user in people]
        deliveries = await asyncio.gather(
            *(
                discord.press(user.person, question, button="ABCD"[number % 4])
                for number, (user, question) in enumerate(zip(people, questions, strict=True))
            )
        )

        assert all(delivery.acked for delivery in deliveries)
        await discord.until(lambda: all("Next" in q.buttons for q in questions), timeout=30)
        assert len(await answers(bot.store)) == 100
        assert discord.violations == []


def _drop_answers(work: Work) -> None:
    work._connection.exec_driver_sql("DROP TABLE answers")


async def _broken(*_: object) -> None:
    raise RuntimeError("out of order")
