"""Quiz text: only code is marked; everything else stands as typed."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat.spans import Span, isolated, spans

CODE, FENCED = {"code": True}, {"code": True, "fenced": True}
AS_TYPED = [
    "plain",
    "__init__ and *args and **kwargs",
    "<!channel> <@U1> <b> & a && b",
    "[looks safe](https://example.org) <https://example.org|safe>",
    "# no heading\n> no quote\n- no list\n1. no list",
    "a  b",
    "two\nlines",
    "two\n\nparagraphs",
    "three\n\n\nbreaks",
    "one `tick",
    "&amp; &#x41; \\` \\*",
    "~~not struck~~",
    "~~~ no fence",
    "~~~\nno fence\n~~~\nafter",
    "```",
    "```\nnever closed",
    "```python",
    "before\n```python\nnever closed",
    "``` what is this\n```",
    "``` what is this\ncode\n```",
    "```\n```",
    "x\n    indented\n\ty",
    "résumé, résumé, 検証済み, บันทึกแล้ว ✅",
    "w" * 3_000,
]


@pytest.mark.parametrize("text", AS_TYPED, ids=lambda text: ascii(text)[:40])
def test_text_without_code_stands_as_typed(text):
    found = spans(text)
    assert "".join(span.text for span in found) == text
    assert not any(span.code for span in found)


MARKED = {
    "use `x = 1` here": [Span("use "), Span("x = 1", **CODE), Span(" here")],
    "`all`": [Span("all", **CODE)],
    "`__init__` `*args`": [Span("__init__", **CODE), Span(" "), Span("*args", **CODE)],
    "``a ` b``": [Span("a ` b", **CODE)],
    "`<!here>`": [Span("<!here>", **CODE)],
    "`a` and `b": [Span("a", **CODE), Span(" and `b")],
    "```\nx = 1\n```": [Span("x = 1", **FENCED)],
    "```python\nx = 1\n\ny = 2\n```": [Span("x = 1\n\ny = 2", **FENCED)],
    "before\n```\n`x`\n```\nafter": [Span("before"), Span("`x`", **FENCED), Span("after")],
    "before\n\n```\nx\n```\n\nafter": [Span("before"), Span("x", **FENCED), Span("after")],
    "```\na\n```\n```\nb\n```": [Span("a", **FENCED), Span("b", **FENCED)],
    "```\n  kept\n```": [Span("  kept", **FENCED)],
    "`one`\n`two`": [Span("one", **CODE), Span("\n"), Span("two", **CODE)],
    "a\r\n```\r\nx\r\n```\r\nb": [Span("a"), Span("x", **FENCED), Span("b")],
}


@pytest.mark.parametrize(("text", "found"), MARKED.items(), ids=map(ascii, MARKED))
def test_code_in_backticks_and_fences_is_found(text, found):
    assert list(spans(text)) == found


def visible(text):
    """What can be seen of a text besides the marks of code."""
    text = re.sub(r"^ *`{3,} *[^\s`]* *$", "", text.replace("\r", "\n"), flags=re.MULTILINE)
    return re.sub(r"[\s`]", "", text)


@given(st.text("ab<&>*_~` \n#-[]().|\\éن🙂\r\t\xa0", max_size=60))
@example("a\n\n\xa0")
@example("~~~a\nb")
@example("```a b\nc\n```")
def test_no_visible_character_is_ever_lost(text):
    joined = "".join(span.text for span in spans(text))
    assert visible(joined) == visible(text)


@given(st.text("ab` \n~", max_size=40))
def test_no_code_is_empty(text):
    assert all(span.text for span in spans(text))


@pytest.mark.parametrize("text", ["", "abc", "検証済み", "Điểm ✅", "résumé"])
def test_words_that_run_left_to_right_are_not_wrapped(text):
    assert isolated(text) == text


@pytest.mark.parametrize("text", ["النقطة (1)", "see שלום", "ﷺ", "x ܐ"])
def test_right_to_left_words_are_wrapped_so_that_they_move_nothing(text):
    assert isolated(text) == f"\u2068{text}\u2069"
