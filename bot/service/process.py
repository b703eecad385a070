"""Processes of this host: what names ours, and whether another one still runs."""

import os
import socket
from pathlib import Path

from bot.engine.lease import Holder

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def this_process(id_: str) -> Holder:
    """The running process; `id_` is random and new at each start, at most 16 characters.

    Many machines share a name such as `localhost`, so on Linux the host is also told by its boot.
    """
    return Holder(id_, f"{socket.gethostname()} {_read(_BOOT)}".strip(), os.getpid())


def is_gone(me: Holder, other: Holder) -> bool:
    """Whether `other` ran on this host and has ended; no, when nobody can tell from here.

    A container that is started again keeps its name and its process number: whoever had our number
    here came before us. Containers of one machine are told apart by their names alone; replicas
    that are given the same name there take each other for gone.
    """
    if other.host != me.host or other == me:
        return False
    return other.pid == me.pid or not _runs(other.pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # A process that was killed keeps its number until its parent has asked how it ended.
    state = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return state[:1] not in (["Z"], ["X"])


def _read(file: Path) -> str:
    """What a file of the kernel says; nothing where there is no such kernel."""
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
