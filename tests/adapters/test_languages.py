"""Both languages get the same screens: the same parts and buttons, in their own words."""

import re

import pytest

from adapters.discord.render import payload as discord_payload
from adapters.slack.render import payload as slack_payload
from bot.engine.language import Language
from bot.phrases import catalogue
from tests.adapters.discord.reading import buttons_in, every, read_payload
from tests.phrases.test_phrases import SAME_IN_BOTH, texts
from tests.screens import SCREENS
from tests.standins import slack_words

EN, ID = Language.EN, Language.ID
NAMES = sorted({name.rpartition(".")[0] for name in SCREENS})
OFFERED = re.compile(r"(?<=[.-])(en|id)(?=$|:)")


def neutral(token):
    """A token without the language that it offers: the other one, in either."""
    return OFFERED.sub("~", token)


def slack_shape(payload):
    blocks = [(it["type"], len(it.get("elements", []))) for it in payload["blocks"]]
    buttons = [it for _, it in slack_words.buttons_in(payload["blocks"])]
    return blocks, [(neutral(it["value"]), it.get("style")) for it in buttons]


def discord_shape(payload):
    parts = [(it["type"], len(it.get("components", []))) for it in every(payload["components"])]
    return parts, [(neutral(it["custom_id"]), it["style"]) for it in buttons_in(payload)]


def slack_text(payload):
    labels = [slack_words.label_of(it) for _, it in slack_words.buttons_in(payload["blocks"])]
    return "\n".join((payload["text"], slack_words.words_of(payload["blocks"]), *labels))


def discord_text(payload):
    labels = [it["label"] for it in buttons_in(payload)]
    return "\n".join((read_payload(payload).text, *labels))


SURFACES = {
    "slack": (slack_payload, slack_shape, slack_text),
    "discord": (discord_payload, discord_shape, discord_text),
}
each_surface = pytest.mark.parametrize("surface", SURFACES)
each_screen = pytest.mark.parametrize("name", NAMES)


@each_surface
@each_screen
def test_a_screen_has_the_same_parts_and_buttons_in_both_languages(name, surface):
    payload, shape, _ = SURFACES[surface]
    english, indonesian = (shape(payload(SCREENS[f"{name}.{tag}"])) for tag in (EN, ID))
    assert english == indonesian


@each_screen
def test_a_card_has_the_same_blocks_in_both_languages(name):
    english, indonesian = (SCREENS[f"{name}.{tag}"] for tag in (EN, ID))
    assert list(map(type, english.body)) == list(map(type, indonesian.body))
    assert english.tone is indonesian.tone


def said_in(language):
    """The literal parts of a language's phrases; single words in small letters are in both."""
    phrases = catalogue(language)
    found = {
        part.strip(' .,:;·"`()')
        for key in phrases.keys() - SAME_IN_BOTH
        for text in texts(phrases, key).values()
        for part in re.split(r"\{\w+\}|`[^`]*`", text)
    }
    return {part for part in found if len(part) >= 4 and (" " in part or part[0].isupper())}


SAID = {language: said_in(language) for language in (EN, ID)}


@each_surface
@each_screen
@pytest.mark.parametrize(("language", "other"), [(EN, ID), (ID, EN)])
def test_no_phrase_is_left_in_the_other_language(name, language, other, surface):
    payload, _, text_of = SURFACES[surface]
    text = text_of(payload(SCREENS[f"{name}.{language}"]))
    names = {catalogue(language).say(f"language.{it}") for it in Language}
    left = [it for it in SAID[other] if re.search(rf"\b{re.escape(it)}\b", text)]
    assert [it for it in left if not any(it in name for name in names)] == []


@each_surface
@each_screen
def test_a_screen_says_something_of_its_own_in_each_language(name, surface):
    payload, _, text_of = SURFACES[surface]
    english, indonesian = (text_of(payload(SCREENS[f"{name}.{tag}"])) for tag in (EN, ID))
    assert english != indonesian
