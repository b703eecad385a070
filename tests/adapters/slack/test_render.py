"""Cards drawn in Block Kit: every screen and every block, and nothing that Slack would refuse."""

from typing import get_args

import pytest
from syrupy.extensions.json import JSONSnapshotExtension

from adapters.slack.render import escape, payload
from bot.chat import card
from bot.chat.card import Button, Card
from bot.chat.plain import plain
from bot.engine.language import Language
from tests.blocks import BLOCKS, HOSTILE, STANDS
from tests.screens import LARGEST, SCREENS, every_screen_of, reader
from tests.standins.slack_rules import MOST_BLOCKS, MOST_TEXT, breaches
from tests.standins.slack_words import buttons_in, label_of, words_of

DRAWN = {name: it for name, it in SCREENS.items() if not name.endswith(Language.ORIGINAL.value)}
LARGE = {
    f"{name}.{screen}.{language}": it
    for name, quiz in LARGEST.items()
    for language in (Language.EN, Language.ID)
    for screen, it in every_screen_of(quiz, reader(language, "/" + "c" * 31))
}
ALL = SCREENS | LARGE


@pytest.mark.parametrize("name", DRAWN)
def test_a_screen_is_drawn_as_it_was(name, snapshot):
    assert payload(DRAWN[name]) == snapshot(extension_class=JSONSnapshotExtension)


@pytest.mark.parametrize("name", ALL)
def test_slack_has_nothing_against_a_screen(name):
    assert breaches(payload(ALL[name])) == []


def test_every_screen_fits_in_a_message():
    drawn = {name: payload(shown) for name, shown in ALL.items()}
    assert [name for name, it in drawn.items() if len(it["blocks"]) > MOST_BLOCKS] == []
    assert [name for name, it in drawn.items() if len(it["text"]) > MOST_TEXT] == []


@pytest.mark.parametrize("name", ALL)
def test_every_button_is_there_once_and_sends_its_token(name):
    wanted = [(button.label, button.token) for row in ALL[name].buttons for button in row]
    drawn = [button for _, button in buttons_in(payload(ALL[name])["blocks"])]

    assert [(label_of(it), it["value"]) for it in drawn] == wanted
    ids = [it["action_id"] for it in drawn]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ALL)
def test_what_is_read_is_what_the_card_says(name):
    """A screen reader and an eye get the same words, if not the same marks."""
    drawn = payload(ALL[name])
    spoken, seen = (_letters(text) for text in (ALL[name].alt, words_of(drawn["blocks"])))
    missing = spoken - seen - _letters(" ".join(_addresses(ALL[name])))
    assert missing == set()


def _letters(text):
    return {word.strip("():;,.✓✗") for word in text.replace("`", "").split()} - {"", "python"}


def _addresses(shown):
    for block in shown.body:
        if isinstance(block, card.Links):
            yield from (f"({item.url})" for item in block.items if item.url)


def kinds(it):
    """The type of everything in a payload."""
    if isinstance(it, dict):
        return {it.get("type")}.union(*map(kinds, it.values()))
    return set().union(*map(kinds, it)) if isinstance(it, list) else set()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("kind", get_args(card.Block), ids=lambda kind: kind.__name__)
def test_hostile_text_stands_in_every_block_as_typed(kind, text):
    body = (BLOCKS[kind](text), card.Text("end"))
    drawn = payload(Card(alt=plain(body)[:700], body=body))

    assert words_of(drawn["blocks"]).count(text) == STANDS.get(kind, 1)
    assert breaches(drawn) == []
    live = {"mrkdwn", "user", "usergroup", "channel", "broadcast", "emoji", "markdown", "section"}
    assert not kinds(drawn) & live


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_pings_nobody_from_the_text_alternative(text):
    drawn = payload(Card(alt=text, body=(card.Text("x"),)))
    assert breaches(drawn) == []
    assert _unescaped(drawn["text"]) == text


def _unescaped(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def test_exactly_three_characters_are_escaped_and_only_once():
    assert escape("<@U1> & *x* \"y\" 'z' &lt;") == "&lt;@U1&gt; &amp; *x* \"y\" 'z' &amp;lt;"


def pieces(block):
    elements = payload(Card(alt="x", body=(block,)))["blocks"][0]["elements"]
    return [piece for element in elements for piece in element["elements"]]


def test_code_is_drawn_as_code_and_words_beside_it_are_not():
    assert pieces(card.Text("use `x = 1` here")) == [
        {"type": "text", "text": "use "},
        {"type": "text", "text": "x = 1", "style": {"code": True}},
        {"type": "text", "text": " here"},
    ]


def test_a_fence_is_an_element_of_its_own_between_the_words():
    (block,) = payload(Card(alt="x", body=(card.Text("a\n```py\nx = 1\n```\nb"),)))["blocks"]
    assert [element["type"] for element in block["elements"]] == [
        "rich_text_section",
        "rich_text_preformatted",
        "rich_text_section",
    ]
    assert words_of([block]) == "a\nx = 1\nb"


def test_a_right_to_left_option_moves_neither_its_letter_nor_the_next_one():
    drawn = pieces(card.Options((card.OptionLine("A", "شيء"), card.OptionLine("B", "b"))))
    assert [piece["text"] for piece in drawn] == [
        "A.",
        " ",
        "\u2068شيء\u2069",
        "\n",
        "B.",
        " ",
        "b",
    ]


def test_signs_only_repeat_what_the_remark_says():
    lines = [card.OptionLine("A", "a", mark, "said") for mark in card.Mark]
    (block,) = payload(Card(alt="x", body=(card.Options(tuple(lines)),)))["blocks"]
    shown = words_of([block]).splitlines()
    assert shown == ["A. a  (said)", "✓ A. a  (said)", "✗ A. a  (said)", "✓ A. a  (said)"]


@pytest.mark.parametrize("length", [150, 151])
def test_a_heading_too_long_for_a_header_stands_in_full(length):
    block = payload(Card(alt="x", body=(card.Heading("h" * length),)))["blocks"][0]
    assert block["type"] == ("header" if length == 150 else "rich_text")
    assert words_of([block]) == "h" * length


@pytest.mark.parametrize("length", [3_000, 3_001])
def test_a_note_too_long_for_a_context_stands_in_full(length):
    block = payload(Card(alt="x", body=(card.Note("n" * length),)))["blocks"][0]
    assert block["type"] == ("context" if length == 3_000 else "rich_text")
    assert words_of([block]) == "n" * length


def test_a_row_of_many_buttons_goes_on_in_the_next_block():
    row = tuple(Button(str(n), f"1.m.menu.{n}") for n in range(1, 61))
    drawn = payload(Card(alt="x", body=(card.Text("x"),), buttons=(row,)))
    assert [len(block["elements"]) for block in drawn["blocks"][1:]] == [25, 25, 10]
    assert breaches(drawn) == []


def test_one_button_stands_out():
    buttons = (Button("A", "1.m.menu.", main=True), Button("B", "1.m.menu.2"))
    drawn = payload(Card(alt="x", body=(card.Text("x"),), buttons=(buttons,)))
    assert [it.get("style") for _, it in buttons_in(drawn["blocks"])] == ["primary", None]
