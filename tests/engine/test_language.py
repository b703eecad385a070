"""Which words a reader gets where not every text exists in every language."""

import pytest

from bot.engine.language import Language, Text, shown

EN, ID, ORIGINAL = Language.EN, Language.ID, Language.ORIGINAL


def text(*languages):
    return Text({language: f"in {language.value}" for language in languages})


ASKED = [
    (EN, (EN, ID, ORIGINAL), EN),
    (EN, (ID, ORIGINAL), ID),
    (ID, (EN, ID, ORIGINAL), ID),
    (ID, (EN, ORIGINAL), EN),
    (ORIGINAL, (EN, ID, ORIGINAL), ORIGINAL),
    (ORIGINAL, (EN, ID), EN),
    (ORIGINAL, (ID,), ID),
]
TOLD = [
    (EN, (EN, ID, ORIGINAL), EN),
    (EN, (ID, ORIGINAL), ID),
    (ID, (EN, ID, ORIGINAL), ID),
    (ID, (EN,), EN),
    (ORIGINAL, (EN, ID, ORIGINAL), ORIGINAL),
    (ORIGINAL, (EN, ID), ID),
    (ORIGINAL, (EN,), EN),
]
SHOWN = [
    (EN, (EN, ID), EN),
    (ID, (EN, ID), ID),
    (ID, (EN,), EN),
    (EN, (ID,), ID),
    (EN, (ID, ORIGINAL), ID),
    (ORIGINAL, (EN, ID, ORIGINAL), ORIGINAL),
    (ORIGINAL, (EN, ORIGINAL), ORIGINAL),
    (ORIGINAL, (EN, ID), ID),
    (ORIGINAL, (EN,), EN),
    (EN, (ORIGINAL,), ORIGINAL),
]


@pytest.mark.parametrize(("reader", "written", "got"), ASKED)
def test_a_question_missing_in_the_readers_language_is_asked_in_the_next_best(reader, written, got):
    assert text(*written).asked(reader) == f"in {got.value}"


@pytest.mark.parametrize(("reader", "written", "got"), TOLD)
def test_an_explanation_missing_in_the_readers_language_is_told_in_the_next_best(
    reader, written, got
):
    assert text(*written).told(reader) == f"in {got.value}"


@pytest.mark.parametrize(("reader", "declared", "got"), SHOWN)
def test_a_quiz_is_shown_in_the_readers_language_or_the_nearest_declared(reader, declared, got):
    assert shown(reader, declared) is got


def test_the_declared_languages_may_be_read_only_once():
    assert shown(ORIGINAL, iter([EN, ID])) is ID


@pytest.mark.parametrize(
    ("declared", "stem", "explanation"),
    [
        ((EN, ID, ORIGINAL), "in en", "in id"),
        ((EN, ID), "in id", "in id"),
        ((EN,), "in en", "in en"),
    ],
    ids=["declared", "undeclared", "only English"],
)
def test_the_original_asks_in_english_and_tells_in_indonesian_only_where_it_is_declared(
    declared, stem, explanation
):
    """The page asked half its questions in English; a quiz without it is all Indonesian."""
    language = shown(ORIGINAL, declared)
    written = text(*(tag for tag in declared if tag is not ORIGINAL))

    assert written.asked(language) == stem
    assert written.told(language) == explanation
