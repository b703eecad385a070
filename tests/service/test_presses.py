"""Presses that come twice, late, forged or from somebody else: one answer, and a clear word."""

import asyncio

import pytest

from bot.chat.event import Pressed
from bot.chat.reply import Redraw, Whisper
from bot.service import Kit, Service
from bot.store import Store
from tests.conftest import kit_on
from tests.people import Person, labels
from tests.rows import answers
from tests.world import Clock, CountingDice

pytestmark = pytest.mark.asyncio


@pytest.fixture
def ayu(either_service: Service, clock: Clock) -> Person:
    return Person(either_service, clock)


async def test_a_double_press_counts_once_and_redraws_the_verdict(ayu, store):
    await ayu.types("shards")
    question = ayu.screen
    await ayu.presses("A")
    first = ayu.screen
    ayu.messages[-1] = question

    await ayu.presses("A")

    assert ayu.screen == first
    assert len(await answers(store)) == 1


async def test_another_option_keeps_the_first_answer_and_says_so(ayu, store):
    await ayu.types("shards")
    question = ayu.screen
    await ayu.presses("A")
    ayu.messages[-1] = question

    await ayu.presses("C")

    assert ayu.verdict.answer == "A"
    assert ayu.sees("Your first answer stands: A.")
    assert len(await answers(store)) == 1


async def test_two_options_at_the_same_moment_are_one_answer(ayu, store):
    await ayu.types("shards")
    one, other = (ayu.button(letter).token for letter in "AC")

    replies = await asyncio.gather(
        *(
            ayu.service.handle(Pressed(ayu.who, token, f"race-{token}", ayu.clock.now()))
            for token in (one, other)
        )
    )

    stored = await answers(store)
    assert len(stored) == 1
    shown = [reply.draw().alt for both in replies for reply in both if isinstance(reply, Redraw)]
    assert len(shown) == 2
    assert sum("Your first answer stands" in alt for alt in shown) == 1


async def test_the_very_same_press_delivered_again_is_only_acknowledged(ayu, store):
    await ayu.types("shards")
    event = Pressed(ayu.who, ayu.button("B").token, "the-press", ayu.clock.now())

    deliveries = [await ayu.service.handle(event) for _ in range(3)]

    assert [len(replies) for replies in deliveries] == [1, 0, 0]
    assert len(await answers(store)) == 1


async def test_a_redelivery_to_a_process_that_never_saw_it_shows_the_verdict(ayu, store, dice):
    await ayu.types("shards")
    event = Pressed(ayu.who, ayu.button("B").token, "the-press", ayu.clock.now())
    await ayu.service.handle(event)

    again = await Service(kit_on(store, dice)).handle(event)

    assert isinstance(again[0], Redraw)
    assert "first answer stands" not in again[0].draw().alt
    assert len(await answers(store)) == 1


async def test_a_redelivery_after_the_run_moved_on_is_only_acknowledged(ayu, store, dice):
    await ayu.types("shards")
    event = Pressed(ayu.who, ayu.button("B").token, "the-press", ayu.clock.now())
    await ayu.service.handle(event)
    await ayu.types("resume")
    await ayu.presses("Next")

    assert await Service(kit_on(store, dice)).handle(event) == ()


async def test_a_press_on_an_earlier_question_gets_only_a_note_and_a_way_on(ayu, store):
    await ayu.types("shards")
    earlier = ayu.screen
    await ayu.presses("A")
    await ayu.presses("Next")
    now = ayu.screen
    ayu.messages.insert(0, earlier)

    await ayu.presses("B", on=0)

    assert ayu.messages == [earlier, now]
    assert "already moved past" in ayu.notes[-1].alt
    assert labels(ayu.notes[-1]) == ["Show it"]
    assert len(await answers(store)) == 1


async def test_a_second_press_on_next_gets_only_a_note(ayu):
    await ayu.types("shards")
    await ayu.presses("A")
    verdict = ayu.screen
    await ayu.presses("Next")
    ayu.messages.insert(0, verdict)

    await ayu.presses("Next", on=0)

    assert ayu.asked.number == 2
    assert "already moved past" in ayu.notes[-1].alt


async def test_a_press_after_the_end_gets_only_a_note(ayu, store):
    await ayu.types("shards")
    question = ayu.screen
    await ayu.types("stop")

    await ayu.presses_token(question.buttons[0][0].token, on=0)

    assert "This run has ended" in ayu.notes[-1].alt
    assert labels(ayu.notes[-1]) == ["Try again"]
    assert await answers(store) == []


@pytest.mark.parametrize("before", ["menu", "shards", None])
async def test_another_persons_button_gets_only_a_note(ayu, store, clock, before):
    """Whether they were here before, are in the middle of the same quiz, or never came."""
    await ayu.types("shards")
    bima = Person(ayu.service, clock, "Bima")
    if before:
        await bima.types(before)

    await bima.presses_token(ayu.button("A").token)

    assert "belongs to someone else" in bima.notes[-1].alt
    assert "/quiz start shards" in bima.notes[-1].alt
    assert await answers(store) == []


@pytest.mark.parametrize(
    "token",
    [
        "",
        "1",
        "1.r.AAAAAAAAAAAAAAAA.1.A",
        "2.r.0000000000000001.1.A",
        "1.r.0000000000000001.0.A",
        "1.o.0000000000000001.1.A",
        "1.m.start.no-such-quiz",
        "1.m.language.de",
        "1.m.language.de:menu",
        "1.m.drop.tables",
        "1.m.preview.shards:x" * 20,
        "'; DROP TABLE answers; --",
        "1.r.\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661.1.A",
        "x" * 2_000,
    ],
)
async def test_a_forged_token_gets_a_polite_note_and_changes_nothing(ayu, store, token):
    await ayu.types("shards")

    await ayu.presses_token(token)

    assert "not one of mine" in ayu.notes[-1].alt
    assert await answers(store) == []


@pytest.mark.parametrize("verb", ["H", "nonsense", "review", "result", "next"])
async def test_a_button_that_no_screen_offers_now_changes_nothing(ayu, store, verb):
    await ayu.types("shards")
    token = ayu.run_token()
    before = ayu.screen

    await ayu.presses_token(f"1.r.{token.run}.1.{verb}")

    assert ayu.screen == before
    assert await answers(store) == []


async def test_a_letter_that_a_question_does_not_have_is_refused(ayu, store):
    await ayu.types("shards")
    token = ayu.run_token()

    await ayu.presses_token(f"1.r.{token.run}.1.H")

    assert "not one of mine" in ayu.notes[-1].alt
    assert await answers(store) == []


async def test_an_old_button_works_after_a_restart(ayu, store, dice):
    await ayu.types("shards")
    ayu.service = Service(kit_on(store, dice))

    await ayu.answers(right=True)

    assert ayu.verdict.right


async def test_a_run_goes_on_with_the_words_it_began_with_when_the_quiz_is_gone(
    ayu, store, dice, clock
):
    await ayu.types("shards")
    kit = kit_on(store, dice)
    emptied = Kit(
        store=store,
        catalog=type(kit.catalog)(()),
        phrasebook=kit.phrasebook,
        dice=dice,
        language=kit.language,
        zone=kit.zone,
    )
    ayu.service = Service(emptied)

    for _ in range(3):
        await ayu.answers(right=True)
        await ayu.presses("Next" if "Next" in labels(ayu.screen) else "See the result")

    assert ayu.sees("You got 3 of 3 right")


async def test_an_answer_keeps_all_that_cannot_be_added_later(ayu, store, clock):
    clock.pass_(hours=16)
    await ayu.types("shards")
    clock.pass_(seconds=9)
    letter = ayu.letter("shards-1 option c")
    await ayu.presses(letter, as_press="press-x")

    (answer,) = await answers(store)

    assert answer["question_id"] == "shards-1"
    assert answer["chosen"] == ("c",)
    assert sorted(answer["option_order"]) == ["a", "b", "c", "d"]
    assert answer["option_order"]["ABCD".index(letter)] == "c"
    assert (answer["answered_at"] - answer["shown_at"]).total_seconds() == 9
    assert answer["local_date"].isoformat() == "2026-12-02"
    assert (answer["language"], answer["level"]) == ("en", "medium")
    assert answer["press"] == "press-x"
    assert answer["version"] == await _version(store)


async def _version(store: Store) -> str:
    return kit_on(store, CountingDice()).catalog.quizzes[0].questions[0].version


async def test_when_too_many_wait_people_are_asked_to_try_again(ayu, monkeypatch):
    await ayu.types("shards")
    token = ayu.button("A").token
    for module in ("sqlite", "postgres"):
        monkeypatch.setattr(f"bot.store.{module}.MOST_WAITING", 0)

    replies = await ayu.service.handle(Pressed(ayu.who, token, "late", ayu.clock.now()))

    assert isinstance(replies[0], Whisper)
    assert "press again in a moment" in replies[0].draw().alt
