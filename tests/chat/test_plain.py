"""A card in plain words: every block says all it has."""

import dataclasses
from typing import get_args

import pytest

from bot.chat import card
from bot.chat.plain import link, plain

LINES = (
    card.OptionLine("A", "one"),
    card.OptionLine("B", "`two`", card.Mark.KEY, "right answer"),
    card.OptionLine("C", "حُفِظَت"),
)
WRONG = card.Verdict(
    right=False, answer="A", key="B", title="Not quite. A; B.", why="So.", but="Why not A: no"
)
SAID = {
    card.Heading: (card.Heading("Title"), "Title"),
    card.Text: (card.Text("some `code` & <b>"), "some `code` & <b>"),
    card.Note: (card.Note("aside"), "aside"),
    card.Question: (
        card.Question("q1", 1, 8, "Question 1 of 8", "Why?"),
        "Question 1 of 8\nWhy?",
    ),
    card.Options: (
        card.Options(LINES),
        "A. one\nB. `two` (right answer)\nC. \u2068حُفِظَت\u2069",
    ),
    card.Verdict: (
        WRONG,
        "Not quite. A; B.\nWhy not A: no\nSo.",
    ),
    card.Score: (card.Score(1, 8, "You got 1 of 8 right."), "You got 1 of 8 right."),
    card.Links: (
        card.Links("Source", (card.Link("Docs", "https://example.org"), card.Link("A book"))),
        "Source: Docs (https://example.org); A book",
    ),
    card.Entries: (
        card.Entries((card.Entry("/quiz", "starts"), card.Entry("stop", "ends"))),
        "/quiz: starts\nstop: ends",
    ),
    card.Rule: (card.Rule(), ""),
}


@pytest.mark.parametrize("kind", get_args(card.Block), ids=lambda kind: kind.__name__)
def test_every_block_is_said_in_words(kind):
    block, words = SAID[kind]
    assert plain([block]) == words


@pytest.mark.parametrize("kind", get_args(card.Block), ids=lambda kind: kind.__name__)
def test_no_text_of_a_block_is_left_out(kind):
    block, words = SAID[kind]
    quiet = {"id", "number", "of", "right", "answer", "key"}
    texts = [
        getattr(block, field.name)
        for field in dataclasses.fields(block)
        if field.name not in quiet and isinstance(getattr(block, field.name), str)
    ]
    assert all(text in words for text in texts)


def test_blocks_stand_apart_and_a_rule_says_nothing():
    body = [card.Heading("Title"), card.Rule(), card.Text("Words")]
    assert plain(body) == "Title\n\nWords"


def test_a_verdict_without_reasons_is_its_title():
    assert plain([card.Verdict(right=True, answer="A", key="A", title="Right: A.")]) == "Right: A."


def test_an_empty_body_is_empty():
    assert plain([]) == ""


def test_a_link_without_an_address_is_its_title():
    assert link(card.Link("A book")) == "A book"
