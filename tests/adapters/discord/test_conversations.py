"""The checkpointing quiz in Discord: the real discord.py, a strict server."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.adapters.discord.people import DiscordUser
from tests.adapters.discord.running import Bot, running
from tests.rows import answers
from tests.standins.discord import DiscordStandin

pytestmark = pytest.mark.asyncio

LOCALES = {"en": "en-US", "id": "id"}
LAST = {"en": "See the result", "id": "Lihat hasil"}
NEXT = {"en": "Next", "id": "Lanjut"}
PROGRESS = {"en": "Question {} of 8", "id": "Pertanyaan {} dari 8"}
SCORE = {"en": "You got {} of 8 right.", "id": "Kamu menjawab benar {} dari 8."}


@pytest_asyncio.fixture
async def bot(
    discord: DiscordStandin, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Bot]:
    """The bot in the server, configured by its environment alone."""
    async with running(discord, sqlite_url, monkeypatch) as started:
        yield started


async def takes(user: DiscordUser, language: str, rights: list[bool]) -> None:
    for number, right in enumerate(rights, start=1):
        assert user.sees(PROGRESS[language].format(number))
        await user.answers(right=right)
        await user.presses(LAST[language] if number == len(rights) else NEXT[language])


@pytest.mark.parametrize("language", ["en", "id"])
async def test_the_quiz_is_taken_to_eight_of_eight(bot: Bot, language):
    ayu = bot.user("Ayu", locale=LOCALES[language])
    await ayu.types("/quiz start", quiz="checkpointing")

    await takes(ayu, language, [True] * 8)

    assert ayu.sees(SCORE[language].format(8))
    assert len(ayu.messages) == 1
    assert {row["language"] for row in await answers(bot.store)} == {language}
    assert len(await answers(bot.store)) == 8
    assert (bot.discord.violations, ayu.errors) == ([], [])


@pytest.mark.parametrize("language", ["en", "id"])
async def test_the_quiz_is_taken_to_a_mixed_result(bot: Bot, language):
    ayu = bot.user("Ayu", locale=LOCALES[language])
    await ayu.types("/quiz start", quiz="checkpointing")

    await takes(ayu, language, [True, False] * 4)

    assert ayu.sees(SCORE[language].format(4))
    assert len(await answers(bot.store)) == 8
    assert (bot.discord.violations, ayu.errors) == ([], [])


async def test_the_original_words_of_the_page_are_shown_unchanged(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("/quiz language", language="id-x-original")
    await ayu.types("/quiz start", quiz="checkpointing")

    assert ayu.sees(
        "Pembagian Pos Pemeriksaan dan Kuis Pelatihan yang Dapat Dilanjutkan",
        "Mengapa pos pemeriksaan model besar dipecah menjadi beberapa bagian?",
    )


async def test_only_its_taker_sees_a_run_and_two_people_are_apart(bot: Bot):
    ayu, bima = bot.user("Ayu", "ml-infra"), bot.user("Bima", "ml-infra")
    bima.channel = ayu.channel
    await ayu.types("/quiz start", quiz="checkpointing")
    await bima.types("/quiz start", quiz="checkpointing")
    await ayu.answers(right=True)
    await ayu.presses("Next")

    assert ayu.sees("Question 2 of 8")
    assert bima.sees("Question 1 of 8")
    assert all(message.ephemeral_to for message in bot.discord.messages(ayu.channel))
    assert (len(ayu.messages), len(bima.messages)) == (1, 1)


async def test_the_locale_of_their_discord_is_the_language_until_one_is_chosen(bot: Bot):
    ayu, hans = bot.user("Ayu", locale="id"), bot.user("Hans", locale="de")
    await ayu.types("/quiz start", quiz="checkpointing")
    await hans.types("/quiz start", quiz="checkpointing")
    assert (ayu.sees("Pertanyaan 1 dari 8"), hans.sees("Question 1 of 8")) == (True, True)

    await ayu.presses("English")
    assert ayu.sees("Question 1 of 8")
    await ayu.types("/quiz menu")
    assert ayu.sees("You have begun:")


async def test_the_misses_are_reviewed_and_the_quiz_tried_again(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("/quiz start", quiz="checkpointing")
    await takes(ayu, "en", [True] * 6 + [False] * 2)
    await ayu.presses("Review the misses")
    assert ayu.sees("Question 1 of 2")
    for last in (False, True):
        await ayu.answers(right=True)
        await ayu.presses("See the result" if last else "Next")
    assert ayu.sees("You got 2 of 2 right.")
    await ayu.presses("Try again")

    assert ayu.sees("Question 1 of 8")
    assert bot.discord.violations == []


async def test_a_run_goes_on_in_another_channel(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("/quiz start", quiz="checkpointing")
    await ayu.answers(right=True)
    await ayu.presses("Next")
    ayu.channel = bot.discord.channel("training-oncall")
    await ayu.types("/quiz resume")

    assert ayu.sees("Question 2 of 8")


@pytest.mark.parametrize(
    ("typed", "options", "seen"),
    [
        ("/quiz menu", {}, "checkpointing-tough"),
        ("/quiz preview", {"quiz": "checkpointing"}, "Question 3 of 8"),
        ("/quiz language", {}, "Your language is English"),
        ("/quiz language", {"language": "en"}, "Your language is English."),
        ("/quiz resume", {}, "You have no quiz open"),
        ("/quiz stop", {}, "You have no quiz open"),
        ("/quiz managers list", {}, "Only managers can do that"),
        ("/quiz managers claim", {"code": "WRONG"}, "not valid"),
        ("/quiz start", {"quiz": "“Checkpointing” "}, "Question 1 of 8"),
        ("/quiz start", {"quiz": "chekpointing"}, "Did you mean"),
        ("/quiz start", {"quiz": "@everyone <@1> **x**"}, "I don't know"),
        ("/quiz preview", {"quiz": "nothing"}, "I don't know"),
    ],
)
async def test_whatever_is_typed_is_answered_privately_and_in_words(bot: Bot, typed, options, seen):
    ayu = bot.user("Ayu")
    await ayu.types(typed, **options)

    assert ayu.sees(seen)
    assert ayu.screen.ephemeral_to is ayu.person
    assert bot.discord.violations == []


async def test_who_may_manage_the_server_manages_and_appoints(bot: Bot):
    boss, bima = bot.user("Rini", manager=True), bot.user("Bima")
    await boss.types("/quiz managers add", person=bima)
    assert boss.sees("manages Latih here now")
    await bima.types("/quiz managers list")
    assert bima.sees("Managers here:", bima.person.id)
    await boss.types("/quiz managers remove", person=bima)
    await bima.types("/quiz managers list")

    assert bima.sees("Only managers can do that")
    assert bot.discord.violations == []


async def test_quizzes_are_offered_by_name_and_by_title_while_they_are_typed(bot: Bot):
    ayu, sari = bot.user("Ayu"), bot.user("Sari", locale="id")

    assert list((await ayu.completes("/quiz start", quiz="")).values()) == [
        "checkpointing",
        "checkpointing-tough",
    ]
    assert list((await ayu.completes("/quiz start", quiz="TOUGH version")).values()) == [
        "checkpointing-tough"
    ]
    alike = await ayu.completes("/quiz preview", quiz="chekpointing")
    assert "checkpointing" in alike.values()
    assert await ayu.completes("/quiz start", quiz="zzz") == {}
    assert any(
        "Sharded checkpoints" in name for name in await ayu.completes("/quiz start", quiz="")
    )
    assert any("Checkpoint" in name for name in await sari.completes("/quiz start", quiz=""))


async def test_the_key_is_in_no_payload_before_an_answer_is_given(bot: Bot):
    ayu = bot.user("Ayu")
    await ayu.types("/quiz start", quiz="checkpointing")
    for _ in range(8):
        question = ayu.asked
        for text in (question.explanation, *(option.why_wrong for option in question.options)):
            if text is not None:
                assert not any(words in ayu.screen.words for words in text.said.values())
        await ayu.answers(right=True)
        await ayu.presses("See the result" if "See the result" in ayu.screen.buttons else "Next")
