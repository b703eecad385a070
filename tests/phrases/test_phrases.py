"""The bot's own words: the same keys and fields in every language, all used, none too long."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.core import Locale

from bot.chat.command import SYNONYMS
from bot.chat.limits import HEADING, LABEL, QUIZ_ID
from bot.engine.language import Language
from bot.engine.quiz import Level, QuizKind
from bot.phrases import Phrasebook, catalogue

ROOT = Path(__file__).parents[2]
EN, ID = catalogue(Language.EN), catalogue(Language.ID)
BOTH = {"en": EN, "id": ID}
KEYS = sorted(EN.keys() | ID.keys())

FAMILIES = {
    "level.": {level.value for level in Level},
    "kind.": {kind.value for kind in QuizKind},
    "language.": {language.value for language in Language},
    "menu.": set(SYNONYMS) - {"menu"},
    "verb.": set(SYNONYMS),
}
"""Keys that the source makes of a prefix and a member: of an enumeration, or of the verbs."""

SAME_IN_BOTH = {
    *("language.en", "language.id"),  # a language is called by its own name
    "menu.home",  # "Menu" is Indonesian as well
    "menu.quiz",  # only fields
    *("verb.menu", "verb.managers"),  # as verbs are called
}


def texts(phrases, key):
    """A phrase's one text, or its text for each plural category."""
    raw = phrases.raw(key)
    return {"": raw} if isinstance(raw, str) else dict(raw)


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_keys():
    assert EN.keys() == ID.keys()


@pytest.mark.parametrize("key", KEYS)
def test_a_phrase_has_the_same_fields_in_both_languages(key):
    found = {name: set().union(*map(fields, texts(it, key).values())) for name, it in BOTH.items()}
    assert found["en"] == found["id"]


@pytest.mark.parametrize("key", KEYS)
def test_a_phrase_counts_in_every_language_or_in_none(key):
    counted = {name: set(texts(it, key)) for name, it in BOTH.items()}
    if counted["en"] == {""}:
        assert counted["id"] == {""}
        return
    for name, categories in counted.items():
        assert categories == Locale(name).plural_form.tags | {"other"}
    assert all("n" in fields(text) for text in texts(EN, key).values())


def test_something_is_counted():
    assert [key for key in KEYS if not isinstance(EN.raw(key), str)] == ["run.count"]


@pytest.mark.parametrize("name", BOTH)
def test_no_phrase_is_empty_or_begins_or_ends_with_space(name):
    said = [text for key in KEYS for text in texts(BOTH[name], key).values()]
    assert all(text and text == text.strip() for text in said)


def strings_in(path: Path) -> Iterator[tuple[str, bool]]:
    """String literals in a module, and the prefixes of f-strings, which come with True."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            yield str(node.values[0].value), True


def sources() -> list[Path]:
    return sorted(path for room in ("bot", "adapters") for path in (ROOT / room).rglob("*.py"))


def asked_for() -> set[str]:
    """Every key that the source may ask for."""
    sections = "|".join(sorted({key.partition(".")[0] for key in KEYS}))
    looks_like_a_key = re.compile(rf"(?:{sections})\.[a-z][a-z-]*")
    found: set[str] = set()
    for path in sources():
        for text, is_prefix in strings_in(path):
            if is_prefix and text in FAMILIES:
                found |= {text + member for member in FAMILIES[text]}
            elif not is_prefix and looks_like_a_key.fullmatch(text):
                found.add(text)
    return found


def test_every_phrase_that_is_asked_for_exists():
    assert asked_for() - set(KEYS) == set()


def test_every_phrase_is_asked_for():
    assert set(KEYS) - asked_for() == set()


def test_the_source_asks_for_keys_at_all():
    assert {"run.next", "level.easy", "kind.guide", "language.id-x-original"} <= asked_for()


BUTTONS = {
    "run.next": {},
    "run.result": {},
    "run.open": {},
    "summary.again": {},
    "summary.review": {},
    "summary.next-quiz": {"quiz": "q" * QUIZ_ID},
    "page.next": {},
    "page.back": {},
    "menu.continue": {"quiz": "q" * QUIZ_ID},
    "menu.home": {},
    "preview.take": {},
    **{f"language.{language}": {} for language in Language},
}
WHISPERS = [key for key in KEYS if key.startswith(("note.", "managers."))]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("key", BUTTONS)
def test_a_label_fits_on_a_button(key, name):
    assert len(BOTH[name].say(key, **BUTTONS[key])) <= LABEL


@pytest.mark.parametrize("name", BOTH)
def test_a_heading_fits_in_a_header(name):
    assert len(BOTH[name].say("menu.heading")) <= HEADING


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("key", WHISPERS)
def test_a_note_is_short(key, name):
    assert len(str(BOTH[name].raw(key))) <= 200


LITERAL = ["pos pemeriksaan", "pecahan", "pengoptimal", "kecelakaan", "Anda"]


@pytest.mark.parametrize("word", LITERAL)
def test_the_indonesian_has_no_word_for_word_translations(word):
    said = " ".join(text for key in KEYS for text in texts(ID, key).values())
    assert not re.search(rf"\b{word}\b", said, re.IGNORECASE)


def test_no_english_phrase_was_left_untranslated():
    assert {key for key in KEYS if EN.raw(key) == ID.raw(key)} == SAME_IN_BOTH


@pytest.mark.parametrize(
    ("name", "n", "said"),
    [
        ("en", 0, "0 questions"),
        ("en", 1, "1 question"),
        ("en", 2, "2 questions"),
        ("id", 1, "1 pertanyaan"),
        ("id", 5, "5 pertanyaan"),
    ],
)
def test_a_number_chooses_the_plural(name, n, said):
    assert BOTH[name].say("run.count", n=n) == said


def test_what_stands_in_a_field_stays_as_it_is():
    said = EN.say("note.unknown", typed="{typed} {0} %s")
    assert said == 'I don\'t know "{typed} {0} %s".'


@pytest.mark.parametrize("key", ["no.such", "run", "run.count.one"])
def test_a_phrase_that_does_not_exist_is_a_fault(key):
    with pytest.raises(KeyError):
        EN.say(key, n=1)


def test_a_field_left_empty_is_a_fault():
    with pytest.raises(KeyError):
        EN.say("menu.continue", other="x")


@pytest.mark.parametrize(
    ("reader", "spoken"),
    [(Language.EN, "Next"), (Language.ID, "Lanjut"), (Language.ORIGINAL, "Lanjut")],
)
def test_readers_of_the_original_are_spoken_to_in_plain_indonesian(reader, spoken):
    assert Phrasebook().words(reader).say("run.next") == spoken
