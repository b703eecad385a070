"""The budget: what text costs, and that the limits agree with each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import limits
from bot.engine.quiz import LETTERS


@pytest.mark.parametrize(
    ("text", "cost"),
    [("", 0), ("abc", 3), ("&", 5), ("<", 4), (">", 4), ("a && b <c>", 24), ("é🙂", 2), ("\n", 1)],
)
def test_text_costs_what_it_takes_once_it_is_escaped(text, cost):
    assert limits.cost(text) == cost


@given(st.text("ab&<>é"))
def test_the_cost_is_the_length_of_the_escaped_text(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert limits.cost(text) == len(escaped)


def test_there_is_a_letter_for_every_option():
    assert limits.OPTIONS[1] == len(LETTERS)


def test_the_bots_own_words_have_room_beside_the_quizs():
    slack_text = 4_000
    assert slack_text - limits.SCREEN == 500


def test_the_longest_options_leave_room_for_a_question():
    assert limits.OPTIONS[1] * limits.OPTION < limits.SCREEN


def test_a_label_and_a_token_hold_a_quiz_id():
    assert len("1.m.preview.") + limits.QUIZ_ID + len(":9999") <= limits.TOKEN
    assert limits.QUIZ_ID < limits.LABEL
