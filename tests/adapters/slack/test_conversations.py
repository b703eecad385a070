"""The checkpointing quiz in Slack: real slack-bolt, HTTP and Socket Mode, a strict workspace."""

import pytest

from tests.adapters.slack.people import Bot, SlackUser
from tests.rows import answers

pytestmark = pytest.mark.asyncio

LAST = {"en": "See the result", "id": "Lihat hasil", "id-x-original": "Lihat hasil"}
NEXT = {"en": "Next", "id": "Lanjut", "id-x-original": "Lanjut"}
PROGRESS = {"en": "Question {} of 8", "id": "Pertanyaan {} dari 8"}
SCORE = {"en": "You got {} of 8 right.", "id": "Kamu menjawab benar {} dari 8."}


async def takes(user: SlackUser, language: str, rights: list[bool]) -> None:
    spoken = "en" if language == "en" else "id"
    for number, right in enumerate(rights, start=1):
        assert user.sees(PROGRESS[spoken].format(number))
        await user.answers(right=right)
        await user.presses(LAST[language] if number == len(rights) else NEXT[language])


@pytest.mark.parametrize("language", ["en", "id", "id-x-original"])
async def test_the_quiz_is_taken_to_eight_of_eight(bot: Bot, language):
    ayu = bot.user("Ayu")
    await ayu.types(f"language {language}")
    await ayu.types("checkpointing")

    await takes(ayu, language, [True] * 8)

    assert ayu.sees(SCORE["en" if language == "en" else "id"].format(8))
    assert len(await answers(bot.store)) == 8
    assert bot.slack.violations == []
    assert bot.slack.errors_seen_by(ayu.person) == []


@pytest.mark.parametrize("language", ["en", "id", "id-x-original"])
async def test_the_quiz_is_taken_to_a_mixed_result(bot: Bot, language):
    ayu = bot.user("Ayu")
    await ayu.types(f"language {language}")
    await ayu.types("checkpointing")

    await takes(ayu, language, [True, False] * 4)

    assert ayu.sees(SCORE["en" if language == "en" else "id"].format(4))
    assert {row["language"] for row in await answers(bot.store)} == {language}
    assert bot.slack.violations == []


async def test_the_original_words_of_the_page_are_shown_unchanged(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("language id-x-original")
    await ayu.types("checkpointing")

    assert ayu.sees(
        "Pembagian Pos Pemeriksaan dan Kuis Pelatihan yang Dapat Dilanjutkan",
        "Mengapa pos pemeriksaan model besar dipecah menjadi beberapa bagian?",
        "Karena satu pos pemeriksaan bisa jadi terlalu besar untuk ditangani secara efisien oleh "
        "satu file atau mesin",
    )


async def test_only_its_taker_sees_a_run_and_two_people_are_apart(bot: Bot):
    place = bot.slack.channel("ml-infra")
    ayu, bima = bot.user("Ayu", place), bot.user("Bima", place)
    await ayu.types("checkpointing")
    await bima.types("checkpointing")
    await ayu.answers(right=True)
    await ayu.presses("Next")

    assert ayu.sees("Question 2 of 8")
    assert bima.sees("Question 1 of 8")
    assert all(message.ephemeral_to for message in bot.slack.messages(place))
    assert len(bima.messages) == 1


async def test_the_language_button_redraws_the_same_message(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    await ayu.presses("Bahasa Indonesia")

    assert len(ayu.messages) == 1
    assert ayu.sees("Pertanyaan 1 dari 8", "Mengapa checkpoint model besar dipecah")


async def test_the_last_screen_offers_the_tough_version(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    await takes(ayu, "en", [True] * 8)
    await ayu.presses("Next quiz: checkpointing-tough")

    assert ayu.sees("Question 1 of 8", "tough")


async def test_the_misses_are_reviewed_and_the_quiz_tried_again(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("checkpointing")
    await takes(ayu, "en", [True] * 6 + [False] * 2)
    await ayu.presses("Review the misses")
    assert ayu.sees("Question 1 of 2")
    for last in (False, True):
        await ayu.answers(right=True)
        await ayu.presses("See the result" if last else "Next")
    assert ayu.sees("You got 2 of 2 right.")
    await ayu.presses("Try again")

    assert ayu.sees("Question 1 of 8")
    assert bot.slack.violations == []


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("“Checkpointing”", "Question 1 of 8"),
        ("menu", "checkpointing-tough"),
        ("list", "Quizzes:"),
        ("help", "You can type:"),
        ("preview checkpointing", "Question 3 of 8"),
        ("language", "Your language is English"),
        ("resume", "You have no quiz open"),
        ("stop", "You have no quiz open"),
        ("managers", "Only managers can do that"),
        ("chekpointing", "Did you mean"),
        ("<@U0000|someone>", "I don't know"),
        ("--verbose", "I don't know"),
        ("&lt;!channel&gt; hello", "I don't know"),
    ],
)
async def test_whatever_is_typed_is_answered_privately_and_in_words(bot: Bot, typed, seen):
    ayu = bot.user("Ayu")
    await ayu.types(typed)

    assert ayu.sees(seen)
    assert ayu.screen.ephemeral_to == ayu.person.id
    assert bot.slack.violations == []


async def test_help_uses_the_name_that_the_workspace_gave_the_command(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("help", command="/kuis")

    assert ayu.sees("/kuis preview QUIZ")
    await ayu.presses("Bahasa Indonesia")
    assert ayu.sees("/kuis pratinjau KUIS")


async def test_an_administrator_manages_and_appoints_by_mention(bot: Bot):
    boss, bima = bot.user("Rini", admin=True), bot.user("Bima")
    await boss.types(f"managers add <@{bima.person.id}|bima>")
    assert boss.sees("manages Latih here now")

    await bima.types("managers")
    assert bima.sees("Managers here:", bima.person.id)
    assert bot.slack.violations == []


async def test_an_administrator_who_mistypes_the_verb_gets_there_by_its_button(bot: Bot):
    boss = bot.user("Rini", admin=True)
    await boss.types("mangers")
    await boss.presses("managers")

    assert boss.sees("Nobody is listed as a manager here yet")


async def test_when_slack_does_not_tell_who_is_an_administrator_the_refusal_says_what_helps(
    bot: Bot,
):
    boss = bot.user("Rini", admin=True)
    bot.slack.fail_next("users.info", error="internal_error", status=500)
    await boss.types("managers")

    assert boss.sees("Only managers can do that", "managers claim CODE")


async def test_the_key_is_in_no_payload_before_an_answer_is_given(bot: Bot):
    """Two people get the same question in the same order but for their tokens."""
    ayu, question = bot.user("Ayu"), None
    await ayu.types("checkpointing")
    for _ in range(8):
        question = ayu.asked
        for text in (question.explanation, *(option.why_wrong for option in question.options)):
            if text is not None:
                assert not any(words in ayu.screen.text for words in text.said.values())
        assert question.key[0] not in {
            value.rpartition(".")[2] for value in _values(ayu.screen.blocks)
        }
        await ayu.answers(right=True)
        last = "See the result" in ayu.screen.buttons
        await ayu.presses("See the result" if last else "Next")


def _values(blocks: list[dict[str, object]]) -> list[str]:
    return [
        element["value"]
        for block in blocks
        if block["type"] == "actions"
        for element in block["elements"]
    ]
