"""What `play` says when it was asked wrongly, or when something is missing."""

import os
import subprocess

import pytest

from bot.cli.play import COULD_NOT
from tests.adapters.terminal.shell import Shell
from tests.cli.desk import ROOT, command

BROKEN = "title: {en: Broken}\nlevel: medium\nlanguages: [en]\nquestions: []\n"


def test_an_unknown_quiz_gets_the_nearest_names(shell: Shell):
    done = shell.runs("play", "chekpointing")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "There is no quiz called chekpointing. Did you mean checkpointing, checkpointing-tough?\n"
    )


def test_an_unknown_quiz_is_told_in_the_language_asked_for(shell: Shell):
    done = shell.runs("play", "zzz", "--lang", "id")
    assert (done.code, done.err) == (2, "Tidak ada kuis bernama zzz.\n")


@pytest.mark.parametrize("typed", ["", "resume", "--", "\x1b[31m", "x" * 5_000, "managers list"])
def test_words_that_name_no_quiz_are_refused_harmlessly(shell: Shell, typed):
    done = shell.runs("play", "--", typed)
    assert done.code == 2
    assert "\x1b" not in done.err
    assert len(done.err) < 300


@pytest.mark.parametrize("typed", ["CHECKPOINTING", " “checkpointing” ", "start checkpointing"])
def test_a_quiz_is_found_however_it_is_typed(shell: Shell, typed):
    assert shell.runs("play", typed).out.startswith("Sharded checkpoints")


def test_a_quiz_that_could_not_be_loaded_has_its_faults_told(shell: Shell, tmp_path):
    (tmp_path / "broken.yaml").write_text(BROKEN)
    shell.environment.setenv("LATIH_QUIZZES", str(tmp_path))
    for asked in (("play", "Broken"), ("preview", "broken")):
        done = shell.runs(*asked)
        assert (done.code, done.out) == (1, "")
        assert "broken.yaml:4:12: error" in done.err
    other = shell.runs("play", "checkpointing")
    assert other.code == 0
    assert "broken" not in other.err


@pytest.mark.parametrize("flags", [("--seed", "3"), ("--no-shuffle",)])
def test_an_order_cannot_be_chosen_for_a_run_that_is_open(shell: Shell, flags):
    shell.plays("q")
    done = shell.plays(flags=(*flags, "--lang", "id"))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Kamu sudah mulai checkpointing, jadi --seed dan --no-shuffle")
    assert "Question 1 of 8" in shell.plays().out, "a refusal changes nothing"


@pytest.mark.parametrize(
    "flags",
    [
        *(("--seed", "x"), ("--seed", "-1"), ("--seed", str(2**63)), ("--lang", "fr")),
        *(("--seed", "1", "--no-shuffle"), ("--as", ""), ("--as", "x" * 65), ("--as", "a\x1bb")),
    ],
)
def test_flags_that_make_no_sense_are_refused(shell: Shell, flags):
    done = shell.plays(flags=flags)
    assert (done.code, done.out) == (2, "")
    assert "\x1b" not in done.err


def test_a_database_that_cannot_be_written_is_one_sentence(shell: Shell):
    shell.environment.setenv("DATABASE_URL", "sqlite:////proc/latih/latih.db")
    done = shell.plays("d")
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1


def test_a_failure_in_the_middle_is_one_sentence_and_keeps_what_there_is(shell: Shell):
    shell.begins("d")
    shell.environment.setattr("bot.service.presses.screen", None)
    done = shell.plays("b")
    assert done.code == 3
    failed, kept = done.err.splitlines()
    assert "Reference: " in failed
    assert kept == "Your progress is kept. Go on with: ./latih play checkpointing"


def test_the_default_database_is_made_where_one_is(shell: Shell, tmp_path):
    shell.environment.delenv("DATABASE_URL")
    assert shell.begins("d").code == 0
    assert (tmp_path / "var" / "latih.db").exists()
    assert shell.plays().out.startswith("Question 2 of 8")


def program(shell: Shell, redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a program, with what a shell does to its streams."""
    words = subprocess.list2cmdline(command(*arguments))
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {words} {redirection}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
    )


def test_closed_input_is_the_end_of_input(shell: Shell):
    done = program(shell, "<&-", "play", "checkpointing")
    assert done.returncode == 0
    assert "Question 1 of 8" in done.stdout
    assert done.stderr.splitlines()[-1].startswith("Your progress is kept.")


@pytest.mark.parametrize("arguments", [("play",), ("play", "--json"), ("preview",)])
@pytest.mark.parametrize("closed", ["< /dev/null | head -1", "< /dev/null | true", "<&- >&-"])
def test_output_that_nobody_reads_is_no_traceback(shell: Shell, closed, arguments):
    done = program(shell, closed, *arguments, "checkpointing")
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_an_answer_is_not_taken_when_nobody_can_see_its_verdict(shell: Shell):
    done = program(shell, "< <(printf 'd\\nb\\nc\\n') | true", "play", "checkpointing")
    assert done.returncode == COULD_NOT
    assert shell.plays().out.count("Question 1 of 8") == 1


def test_an_encoding_without_our_signs_is_no_failure(shell: Shell):
    shell.environment.setenv("PYTHONIOENCODING", "ascii")
    done = program(shell, "< <(echo d)", "play", "checkpointing", "--no-shuffle")
    assert done.returncode == 0
    assert "? Right: D." in done.stdout
    as_json = program(shell, "< /dev/null", "play", "checkpointing", "--json")
    assert as_json.stdout.isascii()
