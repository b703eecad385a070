"""Questions: the order of options, the version of the words, and what is right."""

import json
from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest

from bot.engine.language import Language, Text
from bot.engine.quiz import Kind, Level, Option, Question, Source, Status, Upkeep, Verified, order
from tests.quizzes import both, question, quiz

FILE_ORDER = ("a", "b", "c", "d")
SEEDS = range(2_000)


@pytest.mark.parametrize("seed", [0, 1, 12_345, 2**63 - 1])
def test_the_same_seed_gives_the_same_order(seed):
    assert order(question(), seed) == order(question(), seed)


def test_the_order_of_a_stored_seed_never_changes():
    assert [order(question(), seed) for seed in (1, 2, 3)] == [
        ("b", "a", "d", "c"),
        ("d", "c", "a", "b"),
        ("d", "b", "a", "c"),
    ]


def test_without_a_seed_options_stand_as_in_the_file():
    assert order(question(), None) == FILE_ORDER


def test_a_question_that_keeps_its_order_is_never_shuffled():
    kept = replace(question(), keep_order=True)
    assert {order(kept, seed) for seed in SEEDS} == {FILE_ORDER}


def test_every_order_can_happen():
    assert {order(question(), seed) for seed in SEEDS} == set(permutations(FILE_ORDER))


@pytest.mark.parametrize("letters", ["ab", "abcd", "abcdefgh"])
def test_the_key_stands_at_each_letter_about_equally_often(letters):
    asked = question(options=letters)
    found = Counter(order(asked, seed).index("b") for seed in SEEDS)
    fair = len(SEEDS) / len(letters)

    assert set(found) == set(range(len(letters)))
    assert all(0.75 * fair < times < 1.25 * fair for times in found.values())


def test_the_key_is_in_another_place_in_another_question_of_the_same_run():
    places = {order(question(f"q{n}"), 1).index("b") for n in range(20)}
    assert places == {0, 1, 2, 3}


def test_neither_the_key_nor_the_words_move_an_option():
    changed = replace(question(key="d"), stem=both("Other?", "Lain?"))
    assert [order(question(), s) for s in SEEDS] == [order(changed, s) for s in SEEDS]


def with_option(**changes):
    first, *rest = question().options
    return replace(question(), options=(replace(first, **changes), *rest))


NEW_WORDS = both("Changed", "Diubah")
SEEN = {
    "the key": replace(question(), key=("a",)),
    "a second key": replace(question(), key=("b", "c")),
    "the id": replace(question(), id="q2"),
    "the stem in English": replace(question(), stem=both("Other?", "Soal q1?")),
    "the stem in Indonesian": replace(question(), stem=both("Stem of q1?", "Lain?")),
    "an option's text": with_option(text=NEW_WORDS),
    "an option's id": with_option(id="e"),
    "one option fewer": replace(question(), options=question().options[:3]),
    "the options' order in the file": replace(question(), options=question().options[::-1]),
    "why an option is wrong": with_option(why_wrong=NEW_WORDS),
    "no word why it is wrong": with_option(why_wrong=None),
    "the explanation": replace(question(), explanation=NEW_WORDS),
    "no explanation": replace(question(), explanation=None),
    "the order kept": replace(question(), keep_order=True),
    "the source": replace(question(), sources=(Source("Another"),)),
    "a language more": replace(question(), languages=(*question().languages, Language.ORIGINAL)),
}
UNSEEN = {
    "the level": replace(question(), level=Level.HARD),
    "the tags": replace(question(), tags=("other",)),
    "the upkeep": replace(
        question(),
        upkeep=Upkeep(
            status=Status.REVIEW,
            enemies=("q9",),
            applies_to=("torch>=2",),
            verified=Verified(date(2026, 1, 2), "document"),
            review_by=date(2027, 1, 2),
        ),
    ),
}


@pytest.mark.parametrize("changed", SEEN.values(), ids=SEEN)
def test_what_a_person_sees_makes_another_version(changed):
    assert changed.version != question().version


def test_no_two_changes_share_a_version():
    assert len({changed.version for changed in SEEN.values()}) == len(SEEN)


def test_the_kind_is_part_of_the_version():
    assert Question(**vars(question())).version == question().version
    assert question().seen()["kind"] == Kind.SINGLE
    assert list(Kind) == [Kind.SINGLE], "a second kind: change it in SEEN above"


@pytest.mark.parametrize("changed", UNSEEN.values(), ids=UNSEEN)
def test_what_nobody_sees_keeps_the_version(changed):
    assert changed.version == question().version


def test_a_version_is_the_same_tomorrow():
    assert question().version == "6d8e4403e0afcaaa73aaacca20cbb5e9"


ROUND_TRIPS = {
    "a full one": question(),
    "the key alone": Question(
        id="bare",
        level=Level.EASY,
        stem=Text({Language.EN: "Why?"}),
        options=(Option("a", Text({Language.EN: "x"})), Option("b", Text({Language.EN: "y"}))),
        key=("a",),
        languages=(Language.EN,),
    ),
    "a kept order, three languages": replace(
        question(),
        keep_order=True,
        languages=tuple(Language),
        stem=Text({Language.EN: "q", Language.ID: "s", Language.ORIGINAL: "résumé ﷺ 🙂"}),
        sources=(Source("A book"), Source("A page", "https://example.org/?a=1&b=2")),
    ),
}


@pytest.mark.parametrize("asked", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_a_question_as_seen_comes_back_from_json_whole(asked):
    stored = json.loads(json.dumps(asked.seen()))
    again = Question.from_seen(stored)

    assert again == replace(asked, tags=())
    assert again.version == asked.version
    assert again.seen() == stored


@pytest.mark.parametrize(
    ("key", "chosen", "right"),
    [
        (("b",), ("b",), True),
        (("b",), ("a",), False),
        (("b",), (), False),
        (("b",), ("a", "b"), False),
        (("b", "c"), ("c", "b"), True),
        (("b", "c"), ("b",), False),
        (("b", "c"), ("b", "c", "d"), False),
    ],
)
def test_an_answer_is_right_when_it_is_exactly_the_key(key, chosen, right):
    assert replace(question(), key=key).is_right(chosen) is right


def test_an_option_is_found_by_its_id():
    assert question().option("c").text.asked(Language.EN) == "q1 option c"
    with pytest.raises(StopIteration):
        question().option("z")


def test_only_live_questions_are_asked():
    made = quiz(questions=4)
    parts = [
        replace(asked, upkeep=Upkeep(status=status))
        for asked, status in zip(made.questions, Status, strict=True)
    ]

    live = replace(made, questions=tuple(parts)).live

    assert [asked.upkeep.status for asked in live] == [Status.LIVE]
