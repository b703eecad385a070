"""Cards drawn in Discord's components: every screen, every block, and nothing it would refuse."""

from typing import get_args

import discord
import pytest
from syrupy.extensions.json import JSONSnapshotExtension

from adapters.discord.button import PressButton
from adapters.discord.limits import ROW, TEXT, message_faults
from adapters.discord.render import drawn, payload
from bot.chat import card
from bot.chat.card import Button, Card
from bot.chat.plain import plain
from bot.engine.language import Language
from tests.adapters.discord.reading import buttons_in, every, read_payload
from tests.blocks import BLOCKS, HOSTILE, STANDS
from tests.screens import LARGEST, SCREENS, every_screen_of, keyed, reader, unanswered
from tests.standins.discord_rules import message_breaches

DRAWN = {name: it for name, it in SCREENS.items() if not name.endswith(Language.ORIGINAL.value)}
OURS = {"address", "bold", "code", "fence", "heading", "link", "list", "small"}
"""What we mark ourselves; all else would have come alive from a text."""


@pytest.mark.parametrize("name", DRAWN)
def test_a_screen_is_drawn_as_it_was(name, snapshot):
    assert payload(DRAWN[name]) == snapshot(extension_class=JSONSnapshotExtension)


@pytest.mark.parametrize("name", SCREENS)
def test_discord_has_nothing_against_a_screen(name):
    assert message_faults(payload(SCREENS[name])) == []
    assert message_breaches(payload(SCREENS[name])) == []


@pytest.mark.parametrize("language", [Language.EN, Language.ID])
@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_screens_are_taken_and_read_in_full(name, language):
    for screen, shown in every_screen_of(LARGEST[name], reader(language)):
        sent = payload(shown)
        assert message_faults(sent) == [], screen
        assert message_breaches(sent) == [], screen
        assert not _unread(shown, sent), screen


@pytest.mark.parametrize("name", SCREENS)
def test_every_button_is_there_once_and_sends_its_token(name):
    wanted = [(button.label, button.token) for row in SCREENS[name].buttons for button in row]
    buttons = buttons_in(payload(SCREENS[name]))

    assert [(it["label"], it["custom_id"]) for it in buttons] == wanted
    assert not any(it["disabled"] for it in buttons)


@pytest.mark.parametrize("name", SCREENS)
def test_every_button_outlives_a_restart(name):
    view = drawn(SCREENS[name])
    held = [it for it in view.walk_children() if it.type is discord.ComponentType.button]

    assert view.timeout is None
    assert all(isinstance(it, PressButton) for it in held)


@pytest.mark.parametrize("name", SCREENS)
def test_what_is_read_is_what_the_card_says(name):
    """A text alternative and an eye get the same words, if not the same marks."""
    assert _unread(SCREENS[name], payload(SCREENS[name])) == set()


def _unread(shown, sent):
    spoken, seen = (_words(text) for text in (shown.alt, read_payload(sent).text))
    return spoken - seen - _words(" ".join(_addresses(shown)))


def _words(text):
    return {word.strip("():;,.✓✗") for word in text.replace("`", "").split()} - {"", "python"}


def _addresses(shown):
    for block in shown.body:
        if isinstance(block, card.Links):
            yield from (f"({item.url})" for item in block.items if item.url)


@pytest.mark.parametrize("name", [it for it in SCREENS if it.startswith("question-")])
def test_all_options_stand_in_the_body_in_full_and_letters_alone_on_buttons(name):
    shown = payload(SCREENS[name])
    (options,) = [block for block in SCREENS[name].body if isinstance(block, card.Options)]
    text = "".join(read_payload(shown).text.split())

    for line in options.lines:
        assert f"{line.letter}." in text
        assert "".join(line.text.replace("`", "").split()) in text.replace("`", "")
    labels = [it["label"] for it in buttons_in(shown)]
    assert labels[: len(options.lines)] == [line.letter for line in options.lines]


@pytest.mark.parametrize("name", SCREENS)
def test_a_message_has_few_parts(name):
    """A phone shows one card, not a heap: texts that follow each other are one."""
    container, *others = payload(SCREENS[name])["components"]
    kinds = [it["type"] for it in container["components"]]
    lines = sum(isinstance(block, card.Rule) for block in SCREENS[name].body)

    assert not others
    assert kinds.count(10) <= lines + 1
    assert kinds == sorted(kinds, key=lambda kind: kind == 1)


@pytest.mark.parametrize("other", "bcd")
def test_nothing_that_is_sent_before_an_answer_depends_on_the_key(other):
    cards, others = (list(map(payload, unanswered(keyed(key)))) for key in ("a", other))
    assert cards == others


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", get_args(card.Block), ids=lambda kind: kind.__name__)
def test_hostile_text_stands_in_every_block_as_typed(kind, text):
    body = (BLOCKS[kind](text), card.Text("end"))
    shown = payload(Card(alt=plain(body)[:700], body=body))
    reading = read_payload(shown)

    assert reading.text.count(text) == STANDS.get(kind, 1)
    assert reading.alive <= OURS
    long = sum(len(it.get("content", "")) for it in every(shown["components"])) > TEXT
    assert long or message_faults(shown) == []


@pytest.mark.parametrize("kind", get_args(card.Block), ids=lambda kind: kind.__name__)
def test_nobody_is_pinged_by_a_block(kind):
    shown = payload(Card("x", (BLOCKS[kind]("@everyone <@1>"),)))
    assert shown["allowed_mentions"] == {"parse": []}


def text_of(*blocks):
    parts = every(payload(Card(alt="x", body=blocks))["components"])
    return [it["content"] for it in parts if it["type"] == 10]


def test_a_question_reads_from_its_place_to_its_options():
    asked = card.Question("q1", 1, 8, "Question 1 of 8", "What does `save` do?")
    options = card.Options((card.OptionLine("A", "One"), card.OptionLine("B", "Two")))
    head = (card.Heading("Saving"), card.Note("Quiz"), card.Note("Reading: x"))
    (text,) = text_of(*head, asked, options)
    assert text.splitlines() == [
        "## Saving",
        "-# Quiz",
        "-# Reading: x",
        "",
        "-# Question 1 of 8",
        "### What does `save` do?",
        "**A.** One",
        "**B.** Two",
    ]


def test_options_that_wrap_on_a_phone_stand_apart():
    options = card.Options((card.OptionLine("A", "w" * 41), card.OptionLine("B", "Two")))
    assert text_of(options) == [f"**A.** {'w' * 41}\n\n**B.** Two"]


def test_a_verdict_has_its_reasons_in_paragraphs():
    verdict = card.Verdict(
        right=False, answer="A", key="B", title="Not quite.", why="So.", but="Not A: no"
    )
    assert text_of(verdict) == ["### ✗ Not quite.\nNot A: no\n\nSo."]
    bare = card.Verdict(right=True, answer="A", key="A", title="Right: A.")
    assert text_of(bare) == ["### ✓ Right: A."]


def test_signs_only_repeat_what_the_remark_says():
    lines = [card.OptionLine("A", "a", mark, "said") for mark in card.Mark]
    (text,) = text_of(card.Options(tuple(lines)))
    assert text.splitlines()[::2] == ["**A.** a", "✓ **A.** a", "✗ **A.** a", "✓ **A.** a"]
    assert set(text.splitlines()[1::2]) == {"-# said"}


def test_one_source_stands_small_and_several_have_a_line_each():
    book, docs = card.Link("A book"), card.Link("Docs", "https://example.org/?a=1&b=2")
    assert text_of(card.Links("Source", (docs,))) == [
        "-# Source: [Docs](<https://example.org/?a=1&b=2>)"
    ]
    assert text_of(card.Links("Reading", (docs, book))) == [
        "Reading:\n- [Docs](<https://example.org/?a=1&b=2>)\n- A book"
    ]


def test_a_rule_is_a_line_between_two_texts():
    shown = payload(Card("x", (card.Text("a"), card.Text("b"), card.Rule(), card.Text("c"))))
    (container,) = shown["components"]
    assert [(it["type"], it.get("content")) for it in container["components"]] == [
        (10, "a\n\nb"),
        (14, None),
        (10, "c"),
    ]


def test_an_option_of_fenced_code_begins_below_its_letter():
    option = card.OptionLine("A", "```\nx = 1\n```", card.Mark.KEY, "right answer")
    assert text_of(card.Options((option,))) == ["✓ **A.**\n```\nx = 1\n```\n-# right answer"]


def test_a_right_to_left_option_moves_neither_its_letter_nor_the_next_one():
    options = card.Options((card.OptionLine("A", "شيء"), card.OptionLine("B", "b")))
    assert text_of(options) == ["**A.** \u2068شيء\u2069\n**B.** b"]


def rows_of(*labels):
    row = tuple(Button(label, f"1.m.menu.{n}") for n, label in enumerate(labels))
    shown = payload(Card(alt="x", body=(card.Text("x"),), buttons=(row,)))
    rows = [it["components"] for it in every(shown["components"]) if it["type"] == 1]
    return ["".join(button["label"] for button in row) for row in rows]


@pytest.mark.parametrize(
    ("labels", "rows"),
    [
        ("A", ["A"]),
        ("ABCDE", ["ABCDE"]),
        ("ABCDEF", ["ABC", "DEF"]),
        ("ABCDEFG", ["ABCD", "EFG"]),
        ("ABCDEFGH", ["ABCD", "EFGH"]),
        ("ABCDEFGHIJK", ["ABCD", "EFGH", "IJK"]),
    ],
)
def test_more_than_five_buttons_go_into_even_rows(labels, rows):
    assert rows_of(*labels) == rows
    assert max(map(len, rows)) <= ROW


def test_one_button_stands_out():
    buttons = (Button("A", "1.m.menu.", main=True), Button("B", "1.m.menu.2"))
    shown = payload(Card(alt="x", body=(card.Text("x"),), buttons=(buttons,)))
    assert [it["style"] for it in buttons_in(shown)] == [1, 2]


def test_every_tone_has_a_colour_of_its_own():
    colours = [
        payload(Card("x", (card.Text("x"),), tone=tone))["components"][0]["accent_color"]
        for tone in card.Tone
    ]
    assert len(set(colours)) == len(card.Tone)
