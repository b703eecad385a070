"""What holds of every screen, and of those of the largest quizzes that may be loaded."""

import json

import pytest

from bot.chat import card as show
from bot.chat.card import Card
from bot.chat.command import RESERVED
from bot.chat.limits import HEADING, LABEL, SCREEN, TOKEN, cost
from bot.chat.token import RunToken, parse
from bot.engine.language import Language
from bot.engine.quiz import Quiz, Text
from bot.phrases import catalogue
from bot.quiz_files import load
from tests.screens import LARGEST, SCREENS, every_screen_of, keyed, reader, unanswered

EN, ID = Language.EN, Language.ID
BOTS_OWN = 500
"""Characters that are left to the bot's own words on a screen."""

LARGE = {
    f"{name}.{screen}.{language}": card
    for name, quiz in LARGEST.items()
    for language in (EN, ID)
    for screen, card in every_screen_of(quiz, reader(language))
}
ALL = SCREENS | LARGE
QUESTIONS = {name: card for name, card in ALL.items() if "question-" in name.partition(".sc")[0]}


def every(cards):
    return pytest.mark.parametrize("card", cards.values(), ids=cards)


def buttons(card: Card):
    return [button for row in card.buttons for button in row]


def blocks(card, kind):
    return [block for block in card.body if isinstance(block, kind)]


@every({name: card for name, card in SCREENS.items() if name.startswith("question")})
def test_the_text_alternative_of_a_question_has_stem_and_options_in_full(card):
    (stem,), (options,) = blocks(card, show.Question), blocks(card, show.Options)
    assert stem.stem in card.alt
    assert stem.progress in card.alt
    for line in options.lines:
        assert line.text in card.alt
        assert f"{line.letter}. " in card.alt


@every(SCREENS)
def test_the_text_alternative_says_something(card):
    assert card.alt.strip()
    assert card.body


@every(SCREENS)
def test_no_text_of_a_screen_is_empty(card):
    for block in card.body:
        match block:
            case show.Heading(text) | show.Text(text) | show.Note(text):
                assert text.strip()
            case show.Options(rows) | show.Entries(rows) | show.Links(items=rows):
                assert rows


@every(SCREENS)
def test_every_button_sends_a_token_that_has_a_meaning(card):
    for button in buttons(card):
        assert parse(button.token) is not None
        assert len(button.token) <= TOKEN
        assert 0 < len(button.label) <= LABEL


@every(ALL)
def test_no_two_buttons_of_a_screen_are_the_same(card):
    tokens = [button.token for button in buttons(card)]
    assert len(tokens) == len(set(tokens))


@every({name: card for name, card in SCREENS.items() if name.startswith("question")})
def test_the_buttons_of_a_question_are_letters_and_the_language(card):
    (options,) = blocks(card, show.Options)
    letters, language = card.buttons
    assert [button.label for button in letters] == [line.letter for line in options.lines]
    assert all(parse(button.token).verb == button.label for button in letters)
    assert len(language) == 1


@every({name: card for name, card in SCREENS.items() if name.startswith("verdict")})
def test_a_verdict_has_no_letters_left_to_press(card):
    assert not any(
        isinstance(parse(b.token), RunToken) and len(b.label) == 1 for b in buttons(card)
    )
    assert [button.main for button in buttons(card)].count(True) == 1


@pytest.mark.parametrize("language", [EN, ID, Language.ORIGINAL])
@pytest.mark.parametrize(
    ("screen", "key"), [("verdict-right", "right"), ("verdict-wrong", "wrong")]
)
def test_a_verdict_says_in_words_how_it_came_out(screen, key, language):
    spoken = catalogue(EN if language is EN else ID)
    card = SCREENS[f"{screen}.{language}"]
    (verdict,) = blocks(card, show.Verdict)
    said = str(spoken.raw(f"run.{key}")).partition("{")[0].strip()

    assert verdict.right is (key == "right")
    assert said in card.alt
    remarks = {line.remark for line in blocks(card, show.Options)[0].lines if line.remark}
    yours = "run.your-right-answer" if verdict.right else "run.your-answer"
    assert spoken.say(yours) in remarks
    assert verdict.right or spoken.say("run.key") in remarks


@pytest.mark.parametrize("other", "bcd")
def test_nothing_shown_before_an_answer_depends_on_the_key(other):
    assert unanswered(keyed("a")) == unanswered(keyed(other))


def test_the_verdict_depends_on_the_key():
    """So that the comparison above would see a key where one is shown."""
    assert keyed("a").live[0].version != keyed("b").live[0].version


@every(ALL)
def test_a_screen_keeps_its_budget(card):
    assert cost(card.alt) <= SCREEN + BOTS_OWN


def written(text: Text) -> dict[str, str]:
    return {language.value: words for language, words in text.said.items()}


def file_of(quiz: Quiz) -> str:
    """The quiz as a file; JSON is YAML."""
    questions = [
        {
            "id": asked.id,
            "stem": written(asked.stem),
            "options": {it.id: written(it.text) for it in asked.options},
            "key": asked.key[0],
            "explanation": written(asked.explanation),
            "why_wrong": {
                it.id: written(it.why_wrong)
                for it in asked.options
                if it.why_wrong and it.id not in asked.key
            },
            "sources": [{"title": it.title} for it in asked.sources],
        }
        for asked in quiz.questions
    ]
    head = {
        "title": written(quiz.title),
        "level": quiz.level.value,
        "languages": ["en", "id"],
        "description": written(quiz.description),
        "reading": [{"title": it.title, "url": it.url} for it in quiz.reading],
        "questions": questions,
    }
    note = {"preview_note": written(quiz.preview_note)} if quiz.preview_note else {}
    return json.dumps(head | note, ensure_ascii=False)


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_quizzes_are_ones_that_load(name, tmp_path):
    file = tmp_path / "large.yaml"
    file.write_text(file_of(LARGEST[name]), encoding="utf-8")

    loaded = load([file], reserved=RESERVED)

    assert [str(fault) for fault in loaded.faults if fault.breaks] == []
    assert len(loaded.quizzes) == 1


def test_a_title_of_the_full_length_is_not_cut_on_the_last_screen():
    title = LARGEST["eight-options-of-300"].title.told(EN)
    headings = [
        block.text
        for name, card in LARGE.items()
        if name.startswith("eight-options-of-300.finished")
        for block in blocks(card, show.Heading)
    ]
    assert len(title) == HEADING
    assert headings
    assert all(title in heading for heading in headings)
