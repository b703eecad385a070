"""From a key or a line to the button that it means."""

import pytest

from adapters.terminal import read
from adapters.terminal.read import keys, leaves, meant
from bot.chat.command import Start
from bot.engine.language import Language
from bot.engine.people import Address, Identity
from tests.screens import LARGEST, SCREENS, every_screen_of, reader
from tests.world import Clock

ALL = SCREENS | {
    f"{name}.{screen}": card
    for name, quiz in LARGEST.items()
    for screen, card in every_screen_of(quiz, reader(Language.EN))
}
QUESTION = SCREENS["question-first.en"]
VERDICT = SCREENS["verdict-wrong.en"]
RESULT = SCREENS["result-some-missed.en"]


def token(typed: str, card) -> str | None:
    button = meant(typed, keys(card))
    return button.token if button else None


@pytest.mark.parametrize("typed", ["b", "B", " b ", "B.", "b)", "b\r", "B\t"])
def test_a_letter_means_its_option_however_it_is_typed(typed):
    assert token(typed, QUESTION) == "1.r.abcdefghijklmnop.1.B"


@pytest.mark.parametrize(
    "typed", ["E", "A,C", "42", "", " ", "AB", ".", "\x00", "é", "1", "b" * 99]
)
def test_what_is_no_option_means_nothing(typed):
    assert token(typed, QUESTION) is None


@pytest.mark.parametrize("typed", ["", " ", "\n", "\r"])
def test_enter_and_space_lead_on_and_start_nothing_by_accident(typed):
    assert token(typed, VERDICT) == "1.r.abcdefghijklmnop.1.next"
    assert token(typed, RESULT) is None


def test_l_means_the_language_button():
    assert token("l", QUESTION) == "1.r.abcdefghijklmnop.1.id"
    assert token("L", SCREENS["menu-of-one.id"]) == "1.m.language.en:menu"


def test_the_buttons_of_the_last_screen_have_numbers():
    assert [*keys(RESULT).others] == ["1", "2", "3", "L"]
    assert token("3", RESULT) == "1.m.start.quiz-01"


@pytest.mark.parametrize("card", ALL.values(), ids=ALL)
def test_every_button_of_every_screen_has_a_key_of_its_own(card):
    known = keys(card)
    buttons = [button for row in card.buttons for button in row]
    typed = [*known.letters, *known.others]
    assert sorted(typed) == sorted(set(typed))
    assert {meant(key, known) for key in typed} == set(buttons)
    assert not any(leaves(key) for key in typed)


@pytest.mark.parametrize("typed", ["q", "Q", " q\r", "\x04"])
def test_q_and_the_end_of_input_leave(typed):
    assert leaves(typed)


def test_a_button_tells_the_language_it_chooses():
    assert read.language_of("1.r.abcdefghijklmnop.3.result-id") is Language.ID
    assert read.language_of("1.m.language.en:menu") is Language.EN
    for other in ("1.r.abcdefghijklmnop.1.A", "1.m.menu.", "1.m.language.", "nonsense"):
        assert read.language_of(other) is None


def test_events_say_who_it_is_and_where():
    event = read.commanded("siti", Start("shards"), at=Clock().now())
    assert event.who.identity == Identity("terminal", "local", "siti")
    assert event.who.address == Address("terminal", "local", "terminal")
    assert event.who.name == "siti"
    press = read.pressed("siti", QUESTION.buttons[0][0], press="p1", at=Clock().now())
    assert (press.who, press.press, press.token) == (event.who, "p1", "1.r.abcdefghijklmnop.1.A")
