"""What a card looks like in the terminal, and as JSON."""

import json
from dataclasses import replace

import pytest
from rich.console import Console

from adapters.terminal.read import keys
from adapters.terminal.render import harmless, json_lines, legend, lines
from bot.chat import card as show
from bot.chat.card import Card, Link, Mark, OptionLine
from bot.chat.spans import spans
from bot.engine.language import Language
from bot.phrases import Phrasebook
from bot.views import run
from tests.screens import LARGEST, QUIZ, SAVE, SCREENS, every_screen_of, reader, run_of

WIDTHS = (40, 80)
ISOLATE, POP = "\u2068", "\u2069"
BLOCKS = {
    "heading": show.Heading("A heading that is rather longer than forty columns are wide"),
    "text": show.Text("Some `code` in a text\nof two lines"),
    "note": show.Note("A note"),
    "question": show.Question("q-1", 3, 8, "Question 3 of 8", "What does `save` do?"),
    "options": show.Options(
        (
            OptionLine("A", "An option that is so long that it does not fit in forty columns"),
            OptionLine("B", "Another", Mark.KEY, "right answer"),
            OptionLine("C", "A third", Mark.CHOSEN, "your answer"),
            OptionLine("D", "A fourth", Mark.CHOSEN_KEY, "your answer, right"),
        )
    ),
    "verdict": show.Verdict(False, "A", "B", "Not quite.", "Because of `fsync`.", "Why not A: no"),
    "score": show.Score(7, 8, "You got 7 of 8 right."),
    "links": show.Links(
        "Source", (Link("A book"), Link("Docs", "https://example.org/" + "p" * 60))
    ),
    "entries": show.Entries(
        (show.Entry("shards", "About shards"), show.Entry("/quiz stop", "End"))
    ),
    "rule": show.Rule(),
}
HOSTILE = {
    "a colour": "\x1b[31mred\x1b[0m",
    "a title of the window": "\x1b]0;owned\x07",
    "the one-byte introducer": "\x9b31mred",
    "markup of rich": "[bold]not bold[/bold] [link=https://example.org]x[/link] :smile:",
    "a mention": "<!channel> @everyone",
    "right to left": "النقطة (1) حُفِظَت",
    "an override of direction": "abc\u202edcba",
    "isolates of its own": "a\u2069\u2069b\u2066c",
    "ten thousand letters": "x" * 10_000,
    "ten thousand words": "word " * 2_000,
    "nothing": "\x00",
    "movements": "a\bb\rc\vd\fe\x7f",
    "a lone surrogate": "a\udcffb",
    "wide letters": "検査点" * 30,
    "separators of lines": "a\u2028b\u2029c",
    "backticks": "`a``b`\n```\n\x1b[2J\n```",
}


def drawn(body, width=80) -> str:
    return "\n".join(line.plain for line in lines(body, width))


def squeezed(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and char not in ISOLATE + POP + "`")


def said(block: show.Block) -> list[str]:
    """All the texts of a block."""
    match block:
        case show.Options(options):
            return [t for o in options for t in (o.letter, o.text, o.remark) if t]
        case show.Links(label, items):
            return [label, *(text for item in items for text in (item.title, item.url) if text)]
        case show.Entries(rows):
            return [text for row in rows for text in (row.term, row.text)]
        case show.Verdict():
            return [text for text in (block.title, block.why, block.but) if text]
        case show.Question():
            return [block.progress, block.stem]
        case show.Rule():
            return []
        case _:
            return [block.text]


def with_hostile(text: str) -> Card:
    """A card of every block, with this text wherever a text can stand."""
    link = (Link(text, text), Link(text))
    body = (
        *(show.Heading(text), show.Text(text), show.Note(text)),
        show.Question("q", 1, 1, text, text),
        show.Options((OptionLine("A", text), OptionLine("B", text, Mark.CHOSEN, text))),
        show.Verdict(True, "A", "A", text, text, text),
        *(show.Score(1, 1, text), show.Links(text, link), show.Entries((show.Entry(text, text),))),
        show.Rule(),
    )
    return Card(text, body)


def test_every_block_is_in_these_tests():
    assert {type(block) for block in BLOCKS.values()} == set(show.Block.__args__)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_every_block_says_all_of_its_text(block, width):
    text = squeezed(drawn([block], width))
    assert all(squeezed(part) in text for part in said(block))
    assert drawn([block], width).strip()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("card", SCREENS.values(), ids=SCREENS)
def test_every_screen_says_all_of_its_text_within_the_width(card, width):
    text = squeezed(drawn(card.body, width))
    for block in card.body:
        for part in said(block):
            assert squeezed("".join(span.text for span in spans(part))) in text
    assert max(line.cell_len for line in lines(card.body, width)) <= width


@pytest.mark.parametrize("quiz", LARGEST.values(), ids=LARGEST)
def test_the_largest_screens_stay_within_the_width(quiz):
    for _, card in every_screen_of(quiz, reader(Language.EN)):
        assert max(line.cell_len for line in lines(card.body, 40)) <= 40


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_in_a_text_acts_on_the_terminal(text, width):
    shown = drawn(with_hostile(text).body, width)
    assert harmless(shown.replace(ISOLATE, "").replace(POP, "")) == shown.replace(
        ISOLATE, ""
    ).replace(POP, "")
    for line in lines(with_hostile(text).body, width):
        assert line.cell_len <= width
        assert line.plain.count(ISOLATE) == line.plain.count(POP)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_carries_any_text_whole_and_nothing_that_acts(text):
    asked = with_hostile(text)
    asked = replace(asked, body=asked.body[3:5])
    (line,) = json_lines(asked)
    assert line.isprintable()
    assert json.loads(line)["text"] == text
    assert json.loads(line)["options"] == {"A": text, "B": text}


def test_markup_of_the_drawing_library_stands_as_typed():
    console = Console(force_terminal=True, width=80, _environ={})
    with console.capture() as captured:
        for line in lines([show.Text("[bold]x[/bold] :smile:")], 80):
            console.print(line)
    assert captured.get() == "[bold]x[/bold] :smile:\n"


def test_further_lines_of_an_option_stand_under_its_text():
    text = drawn([BLOCKS["options"]], 40).split("\n")
    assert text[:2] == [
        "  A.  An option that is so long that it",
        "      does not fit in forty columns",
    ]


def test_signs_and_words_say_how_options_came_out_without_colour():
    assert drawn([BLOCKS["options"]]).split("\n")[1:] == [
        "✓ B.  Another (right answer)",
        "✗ C.  A third (your answer)",
        "✓ D.  A fourth (your answer, right)",
    ]


def test_code_is_marked_without_colour():
    assert drawn([show.Text("a `b` c\n```\nd  e\n```")]) == "a `b` c\n  d  e"


def test_right_to_left_words_are_kept_to_themselves_on_every_line():
    for line in lines([show.Options((OptionLine("A", "حُفِظَت " * 20),))], 40):
        head, isolate, rest = line.plain.partition(ISOLATE)
        assert isolate
        assert rest.endswith(POP)
        assert not head.strip(" A.")


def test_control_characters_are_shown_by_name_or_code():
    assert harmless("\x1b\x00\x9b\u202e") == "␛␀\\u009b\\u202e"
    assert harmless("a\tb\r\nc") == "a    b\nc"


def test_the_legend_has_a_key_for_each_button_at_any_width():
    words = Phrasebook().words(Language.ID)
    for name in ("question-first.id", "result-some-missed.id", "menu-paged-1.id"):
        known = keys(SCREENS[name])
        for width in (20, *WIDTHS):
            drawn_legend = legend(known, words, width)
            text = " ".join(line.plain for line in drawn_legend)
            assert all(f"[{key or 'Enter'}]" in text for key in [*known.letters, *known.others])
            assert "[Q] Keluar" in text
            assert max(line.cell_len for line in drawn_legend) <= width


def test_a_question_looks_the_same_whichever_option_is_the_key():
    def of(key: str) -> Card:
        asked = replace(SAVE, key=(key,))
        quiz = replace(QUIZ, questions=(asked,))
        return run.question(run_of(quiz), asked, quiz, reader(Language.EN))

    for width in WIDTHS:
        assert len({drawn(of(key).body, width) for key in "abcd"}) == 1
    assert len({tuple(json_lines(of(key))) for key in "abcd"}) == 1


def test_json_lines_are_the_question_the_verdict_and_the_score():
    asked, verdict = BLOCKS["question"], BLOCKS["verdict"]
    options = show.Options((OptionLine("A", "Yes — “x”"), OptionLine("B", "No")))
    (line,) = json_lines(Card("", (show.Heading("h"), asked, options)))
    assert line == (
        '{"question":3,"of":8,"id":"q-1","text":"What does `save` do?",'
        '"options":{"A":"Yes — “x”","B":"No"}}'
    )
    assert json_lines(Card("", (asked, options, verdict, show.Note("n")))) == [
        '{"answer":"A","right":false,"key":"B","why":"Because of `fsync`."}'
    ]
    assert json_lines(Card("", (BLOCKS["score"], asked))) == ['{"score":7,"of":8}']
    assert json_lines(Card("", (show.Text("a note"),))) == []


def test_json_is_plain_ascii_where_the_encoding_asks_for_it():
    (line,) = json_lines(Card("", (replace(BLOCKS["verdict"], why="“x”"),)), ascii_only=True)
    assert line.isascii()
    assert json.loads(line)["why"] == "“x”"
