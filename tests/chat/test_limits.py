"""The budget: what text costs, and that the limits agree with each other."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.discord.limits import CUSTOM_ID, TEXT
from adapters.discord.limits import LABEL as DISCORD_LABEL
from adapters.discord.markdown import escape as discord_escape
from adapters.discord.markdown import marked
from adapters.slack.render import escape as slack_escape
from bot.chat import limits
from bot.engine.quiz import LETTERS
from tests.standins.slack_rules import MOST_TEXT

TEXTS = st.text("ab1 \n&<>é*_~`|@#:/[](-.\\", max_size=60)


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        *(("", 0), ("abc", 3), ("é🙂", 2), ("&", 5), ("<", 4), (">", 4), ("a && b <c>", 24)),
        *(("_", 2), ("__init__", 12), ("*args", 6), ("x[0](y)", 8), ("`a`", 5), ("\\", 2)),
        *(("a\nb", 8), ("10:30", 6), ("https://a.b", 13)),
    ],
)
def test_text_costs_what_it_takes_where_it_is_dearest(text, cost):
    assert limits.cost(text) == cost


@given(TEXTS)
def test_text_costs_at_least_what_slack_needs_for_it(text):
    assert limits.cost(text) >= len(slack_escape(text))


@given(TEXTS, st.sampled_from(["", "-# ", "### "]))
@example("# a #\n# #\n1. a\n- a", "### ")
@example("`a``b` ```` `c`", "")
@example("https://a.b and http:// and x](y)", "")
@example("```\n```` `````\n```", "")
def test_text_costs_at_least_what_discord_needs_for_it(text, opening):
    first_line = len(opening) + 1
    assert limits.cost(text) + first_line >= len(marked(text, opening))
    assert limits.cost(text) + 1 >= len(discord_escape(text))


def test_there_is_a_letter_for_every_option():
    assert limits.OPTIONS[1] == len(LETTERS)


@pytest.mark.parametrize("most", [MOST_TEXT, TEXT], ids=["slack", "discord"])
def test_the_bots_own_words_have_room_beside_the_quizs(most):
    assert most - limits.SCREEN == 500


def test_the_longest_options_leave_room_for_a_question():
    assert limits.OPTIONS[1] * limits.OPTION < limits.SCREEN


def test_a_label_and_a_token_hold_a_quiz_id():
    assert len("1.m.preview.") + limits.QUIZ_ID + len(":9999") <= limits.TOKEN
    assert limits.QUIZ_ID < limits.LABEL


def test_labels_and_tokens_fit_on_discords_buttons():
    assert limits.LABEL <= DISCORD_LABEL
    assert limits.TOKEN <= CUSTOM_ID
