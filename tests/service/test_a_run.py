"""A run from its first question to its last screen, on both databases."""

import pytest

from bot.service import Service
from tests.people import Person, labels
from tests.world import Clock

pytestmark = pytest.mark.asyncio


@pytest.fixture
def ayu(either_service: Service, clock: Clock) -> Person:
    return Person(either_service, clock)


@pytest.fixture
def bima(either_service: Service, clock: Clock) -> Person:
    return Person(either_service, clock, "Bima")


async def takes(person: Person, *rights: bool) -> None:
    """Answer the questions of an open run one after the other, up to its last screen."""
    for right in rights:
        await person.answers(right=right)
        await person.presses("Next" if "Next" in labels(person.screen) else "See the result")


async def test_the_first_question_comes_at_once_under_title_level_and_reading(ayu):
    await ayu.types("shards")

    assert ayu.sees("About shards", "Level: medium", "3 questions", "Reading: The guide")
    assert ayu.sees("Question 1 of 3", "Stem of shards-1?", "shards-1 option a")
    assert labels(ayu.screen) == ["A", "B", "C", "D", "Bahasa Indonesia"]


async def test_all_right_answers_end_in_a_full_score(ayu):
    await ayu.types("shards")
    await takes(ayu, True, True, True)

    assert (ayu.score.right, ayu.score.of) == (3, 3)
    assert ayu.sees("Nothing missed")
    assert "Review the misses" not in labels(ayu.screen)


async def test_a_mixed_result_tells_what_was_missed_with_its_explanation_and_reading(ayu):
    await ayu.types("shards")
    await takes(ayu, True, False, True)

    assert (ayu.score.right, ayu.score.of) == (2, 3)
    assert ayu.sees("Stem of shards-2?", "shards-2 explained", "Reading: The guide")
    assert "shards-1 explained" not in ayu.screen.alt
    assert labels(ayu.screen) == [
        "Review the misses",
        "Try again",
        "Next quiz: resume-well",
        "Bahasa Indonesia",
    ]


async def test_a_wrong_answer_is_told_why_it_is_wrong_and_which_was_right(ayu):
    await ayu.types("shards")
    await ayu.answers(right=False)

    chosen, key = ayu.verdict.answer, ayu.verdict.key
    assert not ayu.verdict.right
    assert ayu.sees(f"Not quite. You chose {chosen}; the answer is {key}.", f"Why not {chosen}:")
    assert ayu.sees("is wrong", "shards-1 explained", "Source: shards-1 source")


async def test_options_stand_in_the_same_order_in_question_and_verdict(ayu):
    await ayu.types("shards")
    asked = [line for line in ayu.screen.alt.splitlines() if "option" in line]
    await ayu.answers(right=True)
    judged = [line for line in ayu.screen.alt.splitlines() if "option" in line]

    assert [line[:20] for line in asked] == [line[:20] for line in judged]


async def test_starting_again_goes_on_where_the_run_stopped(ayu):
    await ayu.types("shards")
    await takes(ayu, True)
    before = ayu.screen

    await ayu.types("shards")

    assert len(ayu.messages) == 2
    assert ayu.screen == before


async def test_starting_again_after_an_answer_shows_its_verdict_with_next(ayu):
    await ayu.types("shards")
    await ayu.answers(right=True)

    await ayu.types("shards")

    assert ayu.verdict.right
    assert "Next" in labels(ayu.screen)


async def test_two_people_at_once_do_not_see_each_others_runs(ayu, bima):
    await ayu.types("shards")
    await bima.types("shards")
    await takes(ayu, True, True)

    assert ayu.asked.number == 3
    assert bima.asked.number == 1
    assert ayu.run_token().run != bima.run_token().run


async def test_resume_brings_the_run_pressed_last_as_a_new_message(ayu, clock):
    await ayu.types("shards")
    clock.pass_(minutes=1)
    await ayu.types("resume-well")
    clock.pass_(minutes=1)
    await ayu.presses(ayu.messages[0].buttons[0][0].label, on=0)
    clock.pass_(minutes=1)

    await ayu.types("resume")

    assert len(ayu.messages) == 3
    assert ayu.asked.id == "shards-1"


async def test_resume_and_stop_without_an_open_run_say_what_to_type(ayu):
    for word in ("resume", "stop", "lanjut", "berhenti"):
        await ayu.types(word)
        assert ayu.sees("You have no quiz open", "/quiz")


async def test_stop_ends_the_run_and_keeps_what_was_answered(ayu):
    await ayu.types("shards")
    await takes(ayu, True, False)
    await ayu.types("stop")

    assert ayu.sees("About shards: stopped", "You answered 2 of 3, 1 right")

    await ayu.types("shards")
    assert ayu.asked.number == 1


async def test_stop_after_the_last_answer_counts_as_finished(ayu):
    await ayu.types("shards")
    await takes(ayu, True, True)
    await ayu.answers(right=True)
    await ayu.types("stop")

    assert ayu.sees("About shards: done", "You got 3 of 3 right")


async def test_review_of_the_misses_asks_only_those_and_ends_in_its_own_score(ayu):
    await ayu.types("shards")
    await takes(ayu, False, True, False)
    await ayu.presses("Review the misses")

    assert ayu.asked.id == "shards-1"
    assert ayu.asked.of == 2
    await takes(ayu, True, True)
    assert (ayu.score.right, ayu.score.of) == (2, 2)


async def test_review_goes_on_with_a_run_of_that_quiz_that_is_open(ayu):
    await ayu.types("shards")
    await takes(ayu, False, True, True)
    await ayu.types("shards")
    opened = ayu.run_token().run

    await ayu.presses("Review the misses", on=0)

    assert ayu.run_token(on=0).run == opened


async def test_try_again_is_a_new_run_in_another_order(ayu):
    await ayu.types("shards")
    first = ayu.run_token().run
    await takes(ayu, True, True, True)
    await ayu.presses("Try again")

    assert ayu.asked.number == 1
    assert ayu.run_token().run != first


async def test_the_next_quiz_is_one_that_was_not_finished(ayu):
    await ayu.types("shards")
    await takes(ayu, True, True, True)
    await ayu.presses("Next quiz: resume-well")
    await takes(ayu, True, True)

    assert not [label for label in labels(ayu.screen) if label.startswith("Next quiz")]


async def test_a_run_answered_over_days_is_one_run(ayu, clock):
    await ayu.types("shards")
    await takes(ayu, True)
    clock.pass_(days=40)
    await takes(ayu, True, True)

    assert ayu.sees("You got 3 of 3 right")
