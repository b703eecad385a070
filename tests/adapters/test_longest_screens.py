"""What the loader takes fits on every surface, whatever the text is full of."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapters.discord.limits import message_faults
from adapters.discord.render import payload as discord_payload
from adapters.slack.render import payload as slack_payload
from bot.chat.limits import HEADING, OPTION, SCREEN, cost
from bot.cli.tools import OWN_QUIZZES
from bot.engine.language import Language
from bot.engine.quiz import Option, Question, Quiz, Source
from bot.quiz_files import load
from bot.quiz_files.budget import _screens
from tests.screens import QUIZ, SAVE, every_screen_of, reader, said
from tests.standins.slack_rules import MOST_BLOCKS, MOST_TEXT

SIGNS = [
    *("w", "word ", "_", "*", "~", "|", "<", "&", "@", "#", "\\", "`", ":a", "](", "<@1>", "\n"),
    *("w\n", "- w\n", "# #\n", "> w\n", "1. w\n", "-# w\n", "`x` ", "`a", "``` `", "x`y`z"),
    *("```\nx\n```\n", "```\n```` x\n```\n", "https://a.b ", "://", "א", "א\n", "検", "&\n", "#\n"),
]
QUIZZES = {quiz.id: quiz for quiz in load([OWN_QUIZZES]).quizzes}


def filled(sign: str, room: int, longest: int = 10_000) -> str:
    """As much of the sign as `room` pays for."""
    times = min(room // cost(sign), longest // len(sign))
    return (sign * times).strip() or "x"


@st.composite
def signs(draw) -> str:
    return draw(st.sampled_from(SIGNS) | st.text("ab\n`#-_ :<*", min_size=1, max_size=6))


@st.composite
def lawful(draw) -> Quiz:
    """A quiz at the budget's edge: full of signs, and its explanation takes what is left."""
    option, stem, why, title = (draw(signs()) for _ in range(4))
    line = title.replace("\n", " ")
    number, length = draw(st.integers(2, 8)), draw(st.integers(1, OPTION))
    texts = [filled(option, draw(st.sampled_from([length, 400, 2_000])), length)] * number
    sources = [
        Source(filled(line, 60, 60), draw(ADDRESSES)) for _ in range(draw(st.integers(0, 9)))
    ]
    question = replace(
        SAVE,
        stem=said(*[filled(stem, draw(st.integers(1, 3_400)))] * 2),
        options=tuple(
            Option(letter, said(text, text), said(*[filled(why, draw(st.integers(1, 900)))] * 2))
            for letter, text in zip("abcdefgh", texts, strict=False)
        ),
        key=("a",),
        languages=(Language.EN, Language.ID),
        explanation=None,
        sources=tuple(sources),
    )
    heading = filled(line, draw(st.integers(1, 900)), HEADING)
    quiz = replace(
        QUIZ,
        title=said(heading, heading),
        languages=question.languages,
        reading=tuple(sources) if draw(st.booleans()) else (),
        preview_note=said(*[filled(why, draw(st.integers(1, 900)))] * 2),
    )
    room = _left(question, quiz)
    assume(room >= 0)
    share = draw(st.sampled_from([1, 1, 2, 3, 6]))
    question = replace(question, explanation=said(*[filled(why, room // share)] * 2))
    questions = tuple(replace(question, id=f"q-{n}") for n in range(draw(st.integers(1, 7))))
    return replace(quiz, questions=questions)


ADDRESSES = st.sampled_from([None, "https://a.b/", "https://a.b/_(c)", f"https://a.b/{'p' * 90}"])


def _left(question: Question, quiz: Quiz) -> int:
    return SCREEN - max(spent for _, spent in _screens(question, quiz, Language.EN))


def assert_fits(card, name):
    assert message_faults(discord_payload(card)) == [], name
    on_slack = slack_payload(card)
    assert len(on_slack["text"]) <= MOST_TEXT, name
    assert len(on_slack["blocks"]) <= MOST_BLOCKS, name


@given(lawful(), st.sampled_from([Language.EN, Language.ID]))
def test_a_lawful_quiz_fits_on_every_surface(quiz, language):
    for name, card in every_screen_of(quiz, reader(language)):
        assert_fits(card, name)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("quiz", QUIZZES.values(), ids=QUIZZES)
def test_every_screen_of_our_own_quizzes_fits_on_every_surface(quiz, language):
    for asked in quiz.live:
        alone = replace(quiz, questions=(asked,))
        for name, card in every_screen_of(alone, reader(language)):
            assert_fits(card, f"{asked.id} {name}")
    for name, card in every_screen_of(quiz, reader(language)):
        assert_fits(card, name)
