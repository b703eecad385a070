"""The menu, the preview, languages, and words that mean nothing."""

import pytest

from bot.chat.card import Card
from bot.engine.language import Language
from bot.service import Service
from tests.people import Person, labels
from tests.world import Clock

pytestmark = pytest.mark.asyncio


@pytest.fixture
def ayu(service: Service, clock: Clock) -> Person:
    return Person(service, clock)


@pytest.mark.parametrize("typed", ["", "menu", "help", "list", "bantuan", "  HELP  ", "“daftar”"])
async def test_the_menu_lists_quizzes_and_what_can_be_typed(ayu, typed):
    await ayu.types(typed)

    assert ayu.sees("shards: About shards · medium · 3 questions", "/quiz resume")
    assert labels(ayu.screen)[:2] == ["shards", "resume-well"]


async def test_the_help_uses_the_command_name_that_was_typed(ayu):
    ayu.typed = "/kuis"
    await ayu.types("help")

    assert ayu.sees("/kuis preview QUIZ")
    assert "/quiz" not in ayu.screen.alt


async def test_the_menu_offers_to_continue_what_was_begun(ayu):
    await ayu.types("shards")
    await ayu.types("menu")

    assert ayu.sees("You have begun:", "About shards, question 1 of 3")
    await ayu.presses("Continue shards")
    assert ayu.asked.id == "shards-1"


async def test_a_quiz_button_of_the_menu_becomes_its_first_question(ayu):
    await ayu.types("menu")
    await ayu.presses("shards")
    await ayu.presses_token("1.m.start.shards")

    assert len(ayu.messages) == 1
    assert ayu.asked.number == 1


async def test_a_preview_shows_every_question_and_option_and_no_answer(ayu):
    await ayu.types("preview shards")

    for number, letters in ((1, "abcd"), (2, "abcd"), (3, "abcd")):
        assert ayu.sees(f"Stem of shards-{number}?")
        assert ayu.sees(*(f"shards-{number} option {letter}" for letter in letters))
    assert ayu.sees("What shards are", "Level: medium", "Reading: The guide", "3 questions")
    assert ayu.sees("Answers and explanations appear while you take the quiz.")
    for hidden in ("explained", "wrong", "right", "source"):
        assert hidden not in ayu.screen.alt


async def test_a_preview_leads_into_the_quiz(ayu):
    await ayu.types("pratinjau shards")
    await ayu.presses("Take this quiz")

    assert ayu.asked.number == 1


@pytest.mark.parametrize("typed", ["shard", "preview shard", "start shrads", "sha rds"])
async def test_an_unknown_quiz_gets_the_nearest_names_and_the_help(ayu, typed):
    await ayu.types(typed)

    assert ayu.sees("I don't know", "Did you mean", "/quiz start QUIZ")
    await ayu.presses("shards")
    assert ayu.asked.id == "shards-1"


@pytest.mark.parametrize("typed", ["--lang=id shards", "—lang id shards", "-v"])
async def test_an_unknown_flag_gets_the_help(ayu, typed):
    await ayu.types(typed)

    assert ayu.sees("I don't know", "/quiz start QUIZ")


async def test_a_very_long_word_is_not_repeated_back(ayu):
    await ayu.types("x" * 3_000)

    assert ayu.sees("I don't know that.")
    assert "xxx" not in ayu.screen.alt


async def test_the_language_button_redraws_the_question_and_the_choice_is_kept(ayu):
    await ayu.types("shards")
    await ayu.presses("Bahasa Indonesia")

    assert ayu.sees("Pertanyaan 1 dari 3", "Soal shards-1?", "shards-1 pilihan a")
    assert labels(ayu.screen)[-1] == "English"

    await ayu.types("menu")
    assert ayu.sees("Yang bisa kamu ketik")


async def test_the_language_button_works_on_a_verdict_and_on_the_last_screen(ayu):
    await ayu.types("resume-well")
    await ayu.answers(right=False)
    await ayu.presses("Bahasa Indonesia")
    assert ayu.sees("Belum tepat.", "resume-well-1 dijelaskan")

    await ayu.presses("Lanjut")
    await ayu.answers(right=True)
    await ayu.presses("Lihat hasil")
    await ayu.presses("English")
    assert ayu.sees("You got 1 of 2 right")


async def test_the_language_button_of_an_earlier_question_keeps_the_choice_and_says_so(ayu):
    await ayu.types("shards")
    earlier = ayu.screen
    await ayu.presses("A")
    await ayu.presses("Next")
    ayu.messages.insert(0, earlier)

    await ayu.presses("Bahasa Indonesia", on=0)

    assert ayu.messages[0] == earlier
    assert "Bahasa kamu sekarang Bahasa Indonesia." in ayu.notes[-1].alt


async def test_the_language_verb_takes_all_three_and_refuses_others(ayu):
    for tag, said in (
        ("id", "Bahasa kamu sekarang Bahasa Indonesia."),
        ("id-x-original", "Bahasa kamu sekarang Bahasa Indonesia (asli)."),
        ("EN", "Your language is English."),
    ):
        await ayu.types(f"language {tag}")
        assert ayu.sees(said)

    await ayu.types("bahasa klingon")
    assert ayu.sees("I don't know")


async def test_language_alone_asks_for_the_choice(ayu):
    await ayu.types("language")
    assert labels(ayu.screen) == ["Bahasa Indonesia"]

    await ayu.presses("Bahasa Indonesia")
    assert ayu.sees("Bahasa kamu sekarang Bahasa Indonesia.")


async def test_the_menus_language_button_redraws_the_menu(ayu):
    await ayu.types("menu")
    await ayu.presses("Bahasa Indonesia")

    assert ayu.sees("Kuis:", "Yang bisa kamu ketik")


async def test_the_surfaces_locale_counts_until_a_person_chooses(service, clock):
    citra = Person(service, clock, "Citra", locale=Language.ID)
    await citra.types("menu")
    assert citra.sees("Kuis:")

    await citra.types("language en")
    await citra.types("menu")
    assert citra.sees("Quizzes:")


async def test_two_people_read_the_same_quiz_in_two_languages(ayu, service, clock):
    bima = Person(service, clock, "Bima", locale=Language.ID)
    await ayu.types("shards")
    await bima.types("shards")

    assert ayu.sees("Question 1 of 3")
    assert bima.sees("Pertanyaan 1 dari 3")


async def test_every_button_of_every_screen_does_something(ayu):
    """Presses whatever is offered, again and again: nothing is dead, nothing raises."""
    await ayu.types("menu")
    seen: set[str] = set()
    while fresh := _not_yet(ayu.screen, seen):
        seen.add(fresh)
        before = len(ayu.notes)
        await ayu.presses_token(fresh)
        assert len(ayu.notes) == before, ayu.notes[-1].alt

    assert len(seen) > 20


def _not_yet(card: Card, seen: set[str]) -> str | None:
    tokens = [button.token for row in card.buttons for button in row]
    return next((token for token in tokens if token not in seen), None)
