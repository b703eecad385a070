"""What `preview` shows of a quiz, and what it keeps to itself."""

import subprocess
import sys

import pytest

from adapters.discord.render import payload as discord_payload
from adapters.slack.render import payload
from bot.chat.card import Card, Entries, Entry, Link, Links, Text
from bot.cli import as_read
from bot.cli.preview import Surface
from bot.cli.tools import OWN_QUIZZES
from bot.engine.language import Language, shown
from bot.quiz_files import load
from tests.adapters.terminal.shell import Shell
from tests.cli.desk import environment

QUIZZES = {quiz.id: quiz for quiz in load([OWN_QUIZZES]).quizzes}
LANGUAGES = tuple(Language)


@pytest.mark.parametrize("surface", Surface)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("quiz", QUIZZES.values(), ids=QUIZZES)
def test_every_question_and_option_is_shown_and_no_answer(shell: Shell, quiz, language, surface):
    done = shell.runs("preview", quiz.id, "--lang", language, "--surface", surface)
    assert (done.code, done.err) == (0, "")
    text, read = "".join(done.out.split()), shown(language, quiz.languages)
    for asked in quiz.live:
        assert "".join(asked.stem.asked(read).split()) in text
        for option in asked.options:
            assert "".join(option.text.asked(read).split()) in text
        told = asked.explanation.told(read)
        assert "".join(told.split())[:40] not in text
    assert "✓" not in text


def test_json_for_the_terminal_is_what_play_gives(shell: Shell):
    done = shell.runs("preview", "checkpointing", "--json")
    assert [value["question"] for value in done.json] == [*range(1, 9)]
    played = shell.begins(*"aaaaaaaa", flags=("--json",))
    assert done.out.splitlines() == [it for it in played.out.splitlines() if '"question"' in it]


def test_json_for_slack_is_the_payloads_of_a_run_in_file_order(shell: Shell):
    done = shell.runs("preview", "checkpointing", "--surface", "slack", "--json", "--lang", "id")
    assert len(done.json) == 8
    first = done.json[0]
    assert first["text"].startswith("Checkpoint yang Di-shard")
    letters = [it["text"]["text"] for it in first["blocks"][-2]["elements"]]
    assert letters == ["A", "B", "C", "D"]
    assert set(first) == set(payload(Card("nothing", ())))


def test_json_for_discord_is_the_payloads_of_a_run_in_file_order(shell: Shell):
    done = shell.runs("preview", "checkpointing", "--surface", "discord", "--json", "--lang", "id")
    assert len(done.json) == 8
    first = done.json[0]
    text, letters, _ = first["components"][0]["components"]
    assert text["content"].startswith("## Checkpoint yang Di-shard")
    assert [it["label"] for it in letters["components"]] == ["A", "B", "C", "D"]
    assert first.keys() == discord_payload(Card("nothing", ())).keys()


def test_discord_shown_in_words_has_its_buttons_in_brackets_and_no_marks(shell: Shell):
    done = shell.runs("preview", "checkpointing", "--surface", "discord")
    assert "[A] [B] [C] [D]\n\n[Bahasa Indonesia]" in done.out
    assert "Question 1 of 8\nWhy are large-model checkpoints" in done.out
    assert not {"**", "##", "-#", "\\"} & set(done.out.split())
    assert "\\" not in done.out


def test_what_discord_is_sent_is_read_back_as_it_was_typed():
    text = "__init__, `*args` and ``a ` b``\n```\n# code\n```\n- see https://example.org/a_b"
    source = Link("A guide", "https://example.org/guide")
    body = (Text(text), Links("Source", (source,)), Entries((Entry("/quiz stop", "ends"),)))
    assert as_read.components(discord_payload(Card("x", body))["components"]) == [
        f"{text}\n\nSource: A guide (https://example.org/guide)\n\n`/quiz stop` ends"
    ]


def test_slack_shown_in_words_has_its_buttons_in_brackets(shell: Shell):
    done = shell.runs("preview", "checkpointing", "--surface", "slack")
    assert "[A] [B] [C] [D]\n\n[Bahasa Indonesia]" in done.out


def test_options_stand_in_the_files_order(shell: Shell):
    for value, asked in zip(
        shell.runs("preview", "checkpointing", "--json").json,
        QUIZZES["checkpointing"].live,
        strict=True,
    ):
        texts = [option.text.asked(Language.EN) for option in asked.options]
        assert list(value["options"].values()) == texts


def test_an_unknown_quiz_or_surface_is_refused(shell: Shell):
    assert shell.runs("preview", "chekpointing").code == 2
    assert shell.runs("preview", "checkpointing", "--surface", "irc").code == 2


def test_no_database_is_opened(shell: Shell):
    shell.environment.setenv("DATABASE_URL", "nonsense")
    assert shell.runs("preview", "checkpointing").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        *(["preview", "checkpointing"], ["preview", "checkpointing", "--surface", "slack"]),
        *(["play", "--help"], ["preview", "--help"]),
    ],
)
def test_nothing_heavy_is_imported(shell: Shell, arguments):
    script = (
        "import sys; from bot.__main__ import SystemDice, now; from bot.cli import main;"
        "from bot.cli.tools import Tools;"
        f"code = main({arguments!r}, Tools(now=now, dice=SystemDice()));"
        "heavy = {'slack_bolt', 'slack_sdk', 'discord', 'sqlalchemy', 'matplotlib', 'aiohttp'};"
        "print(code, sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=60,
    )
    assert done.stderr == "0 []\n"
