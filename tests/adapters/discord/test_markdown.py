"""Text on Discord: it stands as it was typed, and nothing in it comes alive."""

from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.discord.markdown import code, escape, fence, link, marked
from bot.chat.limits import cost
from bot.chat.spans import spans
from tests.adapters.discord.reading import UNSEEN, read
from tests.blocks import HOSTILE

ESCAPED = {
    "plain words, 1 < 2": r"plain words, 1 \< 2",
    "__init__": r"\_\_init\_\_",
    "snake_case": r"snake\_case",
    "*args": r"\*args",
    "~5 GB, ~~no~~": r"~5 GB, \~~no\~~",
    "a | b || c": r"a | b \|| c",
    "one ` tick": r"one \` tick",
    "> quoted": r"\> quoted",
    "a > b": "a > b",
    "# title\n  ## sub": "\\# title\n  \\## sub",
    "issue #12": "issue #12",
    "-# small": r"\-# small",
    "- one\n+ two\n1. three\n 12. four": "\\- one\n\\+ two\n1\\. three\n 12\\. four",
    "-1 and 1.5\n-1\n1.5\n-f": "-1 and 1.5\n-1\n1.5\n-f",
    "[x](y)": r"[x]\(y)",
    "x[0] (y)": "x[0] (y)",
    "<@1> <@&1> <#1>": r"\<\@1> \<\@&1> \<#1>",
    "<t:1> </cmd:1> <id:home>": r"\<t:1> \</cmd:1> \<id:home>",
    "<:emoji:1>": r"\<\:emoji:1>",
    ":smile: 10:30": r"\:smile: 10:30",
    "@everyone": r"\@everyone",
    "C:\\new": r"C:\\new",
    "see https://example.org/a_b.": "see <https://example.org/a_b>.",
    "(https://example.org/a_(b))": "(<https://example.org/a_(b)>)",
    "<https://example.org>": r"\<<https://example.org>>",
    "http://": r"http\://",
    "": "",
}


@pytest.mark.parametrize(("text", "escaped"), ESCAPED.items(), ids=map(ascii, ESCAPED))
def test_what_would_mark_something_is_escaped_and_nothing_else(text, escaped):
    assert escape(text) == escaped


TYPED = st.text("ab1 \n\t*_~`|#>-+.[]()<>@&:/\\éن🙂", max_size=40)
PIECES = st.lists(
    st.sampled_from(
        [
            *("*", "**", "_", "__", "~~", "||", "`", "``", "```", "\n", " ", "# ", "### ", "-# "),
            *("> ", ">>> ", "- ", "1. ", "](", "[", ")", "(", "<", ">", ":", "\\", "@everyone"),
            *("<@1>", "<#1>", "<t:1>", "</a b:1>", "<:a:1>", "<id:home>", ":smile:", "a", "b c"),
            *("https://", "https://example.org/a_b", "steam://", "<https://a.b>", "#", "C#"),
        ]
    ),
    max_size=12,
).map("".join)


@given(TYPED | PIECES)
@example("\\\\_")
@example(":a::b:")
@example("](](")
@example("https://a.b/*x*")
def test_a_person_reads_what_was_typed_and_nothing_is_alive(text):
    reading = read(escape(text))
    assert reading.text == text
    assert reading.alive <= {"address"}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_read_as_typed(text):
    reading = read(escape(text))
    assert reading.text == text
    assert reading.alive <= {"address"}


def seen(text):
    """What a quiz text shows: words and code without their marks, fences on lines of their own."""
    runs = groupby(spans(text), lambda span: span.fenced)
    joined = [("\n" if fenced else "").join(it.text for it in run) for fenced, run in runs]
    return "\n".join(joined)


def lines(text):
    """What can be seen of lines: a fence drops empty ones around its code, a heading spaces."""
    return [line.strip() for line in text.split("\n") if line.strip()]


@given(TYPED | PIECES)
@example("`a`` ` ``b`")
@example("```\n`` ```` `\n```")
@example("a\n```\n```python\n```\nb")
@example("`` `a` ``")
def test_quiz_text_is_read_as_typed_with_code_as_code(text):
    reading = read(marked(text))
    assert lines(reading.text) == lines(seen(text))
    assert reading.alive <= {"address", "code", "fence"}


@given(TYPED | PIECES, st.sampled_from(["## ", "### ", "-# "]))
@example("C#", "## ")
@example("#", "### ")
@example("a # ", "## ")
@example("# #\n-# -#", "-# ")
def test_lines_that_are_set_apart_are_read_as_typed(text, opening):
    reading = read(marked(text, opening))
    assert lines(reading.text) == lines(seen(text))
    assert reading.alive <= {"address", "code", "fence", "heading", "small"}


def test_every_line_of_words_is_set_apart_and_code_is_not():
    assert marked("a\n\nb\n```\nc\n```", "### ") == "### a\n\n### b\n```\nc\n```"


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("x = 1", "`x = 1`"),
        ("__init__", "`__init__`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("a``b", f"``a`{UNSEEN}`b``"),
    ],
)
def test_code_holds_backticks(text, drawn):
    assert code(text) == drawn
    assert read(drawn).text == text
    assert read(drawn).alive == {"code"}


def test_a_fence_holds_a_fence():
    drawn = fence("```\nx\n```")
    assert read(drawn).text == "```\nx\n```"
    assert read(drawn).alive == {"fence"}


URL = "https://example.org/a_b?c=1&d=2"
LABELS = ["The guide", "save_only_model (docs)", "Saving & loading", "torch.load", "p. 7 - 9"]
NO_LABELS = ["__init__", "a[0]", "`torch.save`", "*args", "https://example.org", ":fire:", "# 1"]


@pytest.mark.parametrize("title", LABELS)
def test_a_title_can_be_pressed(title):
    assert link(title, URL) == f"[{title}](<{URL}>)"
    assert read(link(title, URL)).text == title


@pytest.mark.parametrize("title", NO_LABELS)
def test_a_title_that_needs_escapes_stands_before_its_address(title):
    """Discord reads no escapes in a label: they would be seen."""
    reading = read(link(title, URL))
    assert reading.text == f"{seen(title)} {URL}"
    assert "link" not in reading.alive


@pytest.mark.parametrize("url", ["https://example.org/a_(b)", "https://example.org/a)b"])
def test_an_address_that_would_end_a_link_early_stands_beside_the_title(url):
    assert read(link("Title", url)).text == f"Title {url}"


@given(TYPED | PIECES)
def test_a_link_is_read_as_its_title(title):
    reading = read(link(title, URL))
    assert lines(reading.text.removesuffix(f" {URL}")) == lines(seen(title))
    assert reading.alive <= {"address", "code", "fence", "link"}


@given(TYPED | PIECES)
def test_what_is_sent_costs_no_more_than_was_reckoned(text):
    at_its_start = 1
    for opening in ("", "-# ", "### "):
        assert len(marked(text, opening)) <= cost(text) + len(opening) + at_its_start
