"""Processes of this host: real ones, running, ended, and ended without anybody having noticed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.engine.lease import Holder
from bot.service.process import is_gone, this_process

ME = this_process("m" * 16)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """Another process, which runs until its input ends."""
    program = "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def holder(pid: int) -> Holder:
    return Holder("o" * 16, ME.host, pid)


def test_this_process_has_its_own_number_and_always_the_same_host():
    assert Holder("m" * 16, this_process("other").host, os.getpid()) == ME


def test_a_process_that_runs_is_not_gone(child):
    assert not is_gone(ME, holder(child.pid))


def test_a_process_of_somebody_else_that_runs_is_not_gone():
    assert not is_gone(ME, holder(1))


def test_a_process_that_ended_is_gone(child):
    child.kill()
    child.wait()

    assert is_gone(ME, holder(child.pid))


def test_a_killed_process_is_gone_before_its_parent_has_noticed(child):
    child.kill()
    if sys.platform == "linux":  # elsewhere it is alive until its parent has asked
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert is_gone(ME, holder(child.pid))


def test_whoever_had_our_number_here_came_before_us():
    assert is_gone(ME, holder(ME.pid))
    assert not is_gone(ME, ME)


def test_nobody_can_tell_what_runs_on_another_host(child):
    child.kill()
    child.wait()
    elsewhere = replace(holder(child.pid), host="elsewhere")

    assert not is_gone(ME, elsewhere)
    assert not is_gone(ME, replace(elsewhere, pid=ME.pid))
