"""A process that is told to stop: in order, at the latest, and at once."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from tests.cli.desk import ROOT, environment

HELD_UP = """
    print("up", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("leaving", flush=True)
        await asyncio.to_thread(threading.Event().wait)
"""
IN_ORDER = """
    print("up", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)
        print("left", flush=True)
"""
ENDS = """
    print("up", flush=True)
"""
WANTS_OUT = """
    raise SystemExit(5)
"""


def process(body: str, longest: float = 60.0) -> "subprocess.Popen[str]":
    """A program that serves by `body`."""
    program = (
        "import asyncio, threading\n"
        "from bot.cli import stopping\n"
        f"stopping._LONGEST = {longest}\n"
        f"async def serve():{textwrap.indent(body, '')}\n"
        "stopping.run(serve())\n"
        "print('over', flush=True)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
    )


def says(running: "subprocess.Popen[str]", word: str) -> None:
    assert running.stdout is not None
    assert running.stdout.readline() == f"{word}\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_it_leave_in_order(number):
    with process(IN_ORDER) as running:
        says(running, "up")
        os.kill(running.pid, number)
        out, err = running.communicate(timeout=10)

    assert (running.returncode, out, err) == (0, "left\nover\n", "")


def test_without_any_signal_it_ends_by_itself():
    with process(ENDS) as running:
        out, err = running.communicate(timeout=10)

    assert (running.returncode, out, err) == (0, "up\nover\n", "")


def test_what_does_not_end_is_ended():
    with process(HELD_UP, longest=0.1) as running:
        says(running, "up")
        os.kill(running.pid, signal.SIGTERM)
        out, err = running.communicate(timeout=10)

    assert (running.returncode, out) == (3, "leaving\n")
    assert "not everything ended in 0.1 s" in err


def test_a_second_signal_ends_it_at_once():
    with process(HELD_UP) as running:
        says(running, "up")
        os.kill(running.pid, signal.SIGTERM)
        says(running, "leaving")
        os.kill(running.pid, signal.SIGTERM)
        out, err = running.communicate(timeout=10)

    assert (running.returncode, out, err) == (128 + signal.SIGTERM, "", "")


def test_the_program_itself_may_end_with_a_code_of_its_own():
    with process(WANTS_OUT) as running:
        running.communicate(timeout=10)

    assert running.returncode == 5
