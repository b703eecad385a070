"""The first quiz on a real terminal, with real keys."""

import os
import signal
import termios

import pytest

from tests.adapters.terminal.shell import KEYS, Shell
from tests.adapters.terminal.window import Window

PLAY = ("play", "checkpointing", "--no-shuffle")
LEGEND = "Your answer: [A] [B] [C] [D]   [L] Bahasa Indonesia   [Q] Leave"
NEXT = "[Enter] Next"
KEPT = "Your progress is kept. Go on with: ./latih play checkpointing"


def answers_all(window: Window, *, wrong_at: int = 0) -> None:
    for position, key in enumerate(KEYS, start=1):
        window.waits_for(f"Question {position} of 8")
        window.types("abcd"["abcd".index(key) - 1] if position == wrong_at else key)
        window.waits_for(NEXT if position < 8 else "[Enter] See the result")
        window.types("\r" if position % 2 else " ")


def test_a_letter_is_an_answer_and_the_verdict_takes_the_questions_place(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.types("a")
    window.waits_for(NEXT)
    assert window.screen.startswith("Question 1 of 8\n")
    assert "✗ A.  To make the model train faster on small inputs (your answer)" in window.screen
    assert window.screen.count("To make the model train faster") == 1
    assert "Your answer:" not in window.screen


def test_a_whole_quiz_can_be_taken_by_keys(window: Window):
    window.opens(*PLAY)
    answers_all(window, wrong_at=3)
    window.waits_for("[1] Review the misses   [2] Try again   [3] Next quiz: checkpointing-tough")
    assert "You got 7 of 8 right." in window.screen
    assert "✓ Right: B." in window.screen, "what was answered stays to be read"
    window.types("1")
    window.waits_for("Question 1 of 1")
    window.types("q")
    assert window.ends() == 0
    assert window.screen.rstrip().endswith(KEPT)


def test_trying_again_is_a_new_run(window: Window):
    window.opens(*PLAY)
    answers_all(window)
    window.waits_for("[1] Try again")
    window.types("1")
    window.waits_for("[Q] Leave")
    window.waits_for(LEGEND)
    assert window.screen.count("Question 1 of 8") == 2


def test_leaving_the_result_only_leaves(window: Window):
    window.opens(*PLAY)
    answers_all(window)
    window.waits_for("[1] Try again")
    window.types("Q")
    assert window.ends() == 0
    assert KEPT not in window.screen


@pytest.mark.parametrize("key", ["q", "\x04", "\x03"], ids=["q", "Ctrl-D", "Ctrl-C"])
def test_leaving_restores_the_terminal_and_keeps_the_progress(window: Window, key, shell: Shell):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    assert window.state != window.first_state
    window.types("d")
    window.waits_for(NEXT)
    window.types(key)
    assert window.ends() == 0
    assert window.state == window.first_state
    assert window.screen.rstrip().endswith(KEPT)
    assert "Traceback" not in window.screen
    assert "✓ Right: D." in window.screen
    assert shell.plays().out.startswith("Question 1 of 8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_being_told_to_end_restores_the_terminal(window: Window, number):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.program.send_signal(number)
    assert window.ends() == 0
    assert window.state == window.first_state
    assert KEPT in window.screen


def test_a_terminal_that_hangs_up_ends_the_program(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.program.send_signal(signal.SIGHUP)
    assert window.ends() == -signal.SIGHUP


def test_coming_back_from_the_background_reads_keys_again(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    keys_singly = window.state
    termios.tcsetattr(window._theirs, termios.TCSANOW, window.first_state)
    window.program.send_signal(signal.SIGCONT)
    window.types("z")
    window.waits_for("Please type one of A, B, C, D.")
    assert window.state == keys_singly


def test_a_key_that_means_nothing_gets_a_hint_that_goes_away(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.types("zz")
    window.waits_for("Please type one of A, B, C, D.")
    assert window.screen.count("Please type one of") == 1
    window.types("d")
    window.waits_for(NEXT)
    assert "Please type one of" not in window.screen


def test_arrows_and_function_keys_are_no_letters(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.types("\x1b[A\x1b[B\x1bOC\x1b[1;5D\x1b[15~\x1bd")
    window.types("l")
    window.waits_for("[L] English")
    assert "Pertanyaan 1 dari 8" in window.screen
    assert "✓" not in window.screen


def test_the_language_key_draws_the_question_anew_in_its_place(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.types("l")
    window.waits_for("Jawaban kamu: [A] [B] [C] [D]   [L] English   [Q] Keluar")
    assert "Question 1 of 8" not in window.screen
    window.types("q")
    assert window.ends() == 0
    assert "Progres kamu tersimpan." in window.screen


def test_a_narrow_terminal_is_kept_to(window: Window):
    window.resize(40, 60)
    window.opens(*PLAY, "--lang", "id")
    window.waits_for("[Q] Keluar")
    window.types("d")
    window.waits_for("[Enter] Lanjut")
    slow = "Masih menunggu database; tidak ada yang hilang."  # on a busy machine, before a screen
    assert max(len(line) for line in window.screen.split("\n") if line != slow) < 40


def test_after_a_resize_nothing_is_drawn_over(window: Window):
    window.opens(*PLAY)
    window.waits_for(LEGEND)
    window.resize(60, 60)
    window.types("d")
    window.waits_for(NEXT)
    assert "\x1b[A" not in window.raw
    assert window.screen.count("Why are large-model checkpoints") == 1


def test_what_scrolled_out_of_a_low_terminal_is_said_again_at_its_foot(window: Window):
    window.resize(40, 20)
    window.opens(*PLAY)
    window.waits_for("[Q] Leave")
    window.types("d")
    window.waits_for(NEXT)
    assert window.screen.rstrip().split("\n")[-4:-2] == ["✓ Right: D.", ""]


def test_colour_is_left_out_when_it_is_not_wanted(window: Window):
    window.opens(*PLAY, NO_COLOR="1")
    window.waits_for(LEGEND)
    window.types("a")
    window.waits_for(NEXT)
    assert "\x1b[31m" not in window.raw
    assert "\x1b[32m" not in window.raw


def test_json_on_a_terminal_reads_lines_and_asks_nothing(window: Window):
    window.opens(*PLAY, "--json")
    window.waits_for('"question":1')
    window.types("d\n")
    window.waits_for('"answer":"D","right":true')
    window.waits_for('"question":2')
    window.types("\x04")
    assert window.ends() == 0
    assert "Leave" not in window.screen


@pytest.mark.proof
def test_a_killed_program_loses_no_answer_whose_verdict_was_shown(window: Window, shell: Shell):
    for position, key in enumerate(KEYS, start=1):
        window.opens(*(PLAY if position == 1 else PLAY[:2]))
        window.waits_for(f"Question {position} of 8")
        window.types(key)
        window.waits_for(f"✓ Right: {key.upper()}.")
        os.kill(window.program.pid, signal.SIGKILL)
        assert window.ends() == -signal.SIGKILL
        window._raw = b""
        window.opens(*PLAY[:2])
        window.waits_for(f"✓ Right: {key.upper()}.")
        window.types("\n")
        window.waits_for(f"Question {position + 1} of 8" if position < 8 else "You got 8 of 8")
        os.kill(window.program.pid, signal.SIGKILL)
        window.ends()
        window._raw = b""
    assert "Question 1 of 8" in shell.begins().out
