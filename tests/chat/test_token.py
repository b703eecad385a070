"""Tokens: what is sent out comes back with its meaning, and nothing else has any."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.limits import QUIZ_ID, TOKEN
from bot.chat.token import MenuToken, RunToken, parse

URL_SAFE = string.ascii_letters + string.digits + "_-"
LOWER = string.ascii_lowercase
IDS = string.ascii_lowercase + string.digits + "-"
RUN = "AbCdEfGh01234_-x"

run_tokens = st.builds(
    RunToken,
    run=st.text(URL_SAFE, min_size=16, max_size=16),
    position=st.integers(1, 9_999),
    verb=st.one_of(
        st.sampled_from("ABCDEFGH"),
        st.sampled_from(["next", "review", "result", "en", "id", "id-x-original"]),
        st.sampled_from(["result-en", "result-id", "result-id-x-original"]),
    ),
)
menu_tokens = st.builds(
    MenuToken,
    verb=st.text(LOWER, min_size=1, max_size=16),
    argument=st.one_of(
        st.just(""),
        st.text(IDS, max_size=QUIZ_ID),
        st.builds("{}:{}".format, st.text(IDS, max_size=QUIZ_ID), st.integers(1, 10**6)),
    ),
)


@given(st.one_of(run_tokens, menu_tokens))
def test_a_token_comes_back_as_it_was_sent_and_fits_every_surface(token):
    assert parse(token.wire) == token
    assert len(token.wire) <= TOKEN


@given(st.text(f"1rm.:-_{URL_SAFE}٣\n", max_size=TOKEN + 20))
def test_what_has_a_meaning_is_exactly_what_would_be_sent(text):
    token = parse(text)
    assert token is None or token.wire == text


HOSTILE = {
    "nothing": "",
    "another version": f"2.r.{RUN}.1.A",
    "no version": f"r.{RUN}.1.A",
    "an unknown kind": f"1.x.{RUN}.1.A",
    "a round's": f"1.o.{RUN}.1.A",
    "a short random part": f"1.r.{RUN[1:]}.1.A",
    "a long random part": f"1.r.{RUN}x.1.A",
    "a random part of other letters": f"1.r.{RUN[:-1]}é.1.A",
    "position 0": f"1.r.{RUN}.0.A",
    "a position with a leading 0": f"1.r.{RUN}.01.A",
    "a negative position": f"1.r.{RUN}.-1.A",
    "position 10,000": f"1.r.{RUN}.10000.A",
    "a position in Arabic digits": f"1.r.{RUN}.1٣.A",
    "a position in words": f"1.r.{RUN}.one.A",
    "letter I": f"1.r.{RUN}.1.I",
    "two letters": f"1.r.{RUN}.1.AB",
    "no verb": f"1.r.{RUN}.1.",
    "a verb with a capital": f"1.r.{RUN}.1.Next",
    "a verb that begins with a dash": f"1.r.{RUN}.1.-next",
    "a long verb": f"1.r.{RUN}.1.{'n' * 21}",
    "a line break after it": f"1.r.{RUN}.1.A\n",
    "a line break before it": f"\n1.r.{RUN}.1.A",
    "space around it": f" 1.r.{RUN}.1.A ",
    "one part more": f"1.r.{RUN}.1.A.B",
    "a menu without an argument's place": "1.m.menu",
    "a menu with a capital": "1.m.Menu.",
    "a menu with a path": "1.m.start.../../etc/passwd",
    "a menu with SQL": "1.m.start.x'; drop table runs;--",
    "a menu with markup": "1.m.start.<!channel>",
    "a long argument": f"1.m.start.{'q' * 65}",
    "a NUL": "1.m.menu.\0",
    "very much": "1.m.start." + "q" * 100_000,
    "something else": "hello",
}


@pytest.mark.parametrize("token", HOSTILE.values(), ids=HOSTILE)
def test_what_was_never_sent_has_no_meaning(token):
    assert parse(token) is None


def test_a_run_token_names_its_place_and_no_option():
    token = parse(f"1.r.{RUN}.12.C")
    assert token == RunToken(RUN, 12, "C")


def test_a_menu_token_names_a_command():
    assert parse("1.m.preview.a-quiz:2") == MenuToken("preview", "a-quiz:2")
