"""What a start costs until the platform is first called, against the bare imports of the same.

Of both sides the processor's time is taken from a fresh process until it first connects, when it
is killed. The product is `serve` on a SQLite database whose tables are there: settings, logs,
quizzes, texts, database and web server are ready by then. The bare imports are the libraries that
do this work, each by the one import that its own documentation begins with, and nothing that Latih
needs for another platform, another database or another command.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench.held import held
from bench.measure import Claim, Plan, rotated
from bench.world import ROOT
from bot.store import Store

_BAR = 1.25
_SERVE = ("-m", "bot", "serve")
_DATABASE = "latih.db"
_PATIENCE = 60  # seconds for a start

_COMMON = (
    "typer", "pydantic_settings", "structlog", "yaml", "markdown_it", "babel",
    "sqlalchemy.dialects.sqlite", "alembic", "prometheus_client", "aiohttp.web",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform by what it needs: a library, settings, and none of the others' libraries."""

    name: str
    library: str
    settings: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]

    @property
    def bare(self) -> str:
        """A program that imports the libraries, then calls as `serve` does."""
        return (
            f"import {', '.join((*_COMMON, self.library))}\n"
            "import os, socket, time\n"
            'socket.create_connection(("127.0.0.1", int(os.environ["CALLEE"])))\n'
            f"time.sleep({_PATIENCE})"
        )

    def environment(self, port: int, folder: Path) -> dict[str, str]:
        url = f"http://127.0.0.1:{port}"
        return {
            "PYTHONPATH": str(ROOT),
            "CALLEE": str(port),
            "DATABASE_URL": f"sqlite:///{folder / _DATABASE}",
            "PORT": "0",
            **{name: value.format(url=url) for name, value in self.settings},
        }


_PLATFORMS = (
    Platform(
        "Slack",
        "slack_bolt.async_app",
        (
            ("SLACK_BOT_TOKEN", "xoxb-bench"),
            ("SLACK_SIGNING_SECRET", "bench"),
            ("SLACK_API_URL", "{url}/api/"),
        ),
        ("discord",),
    ),
    Platform(
        "Discord",
        "discord",
        (("DISCORD_TOKEN", "bench"), ("DISCORD_API_URL", "{url}/api/v10")),
        ("slack_bolt", "slack_sdk"),
    ),
)


@dataclass(frozen=True, slots=True)
class Start:
    """A process up to its call: the processor's seconds, bytes at its largest, and what it said."""

    cpu: float
    memory: int | None
    said: str


async def measure(plan: Plan, folder: Path) -> list[Claim]:
    Store.open(f"sqlite:///{folder / _DATABASE}").close()
    return [claim for platform in _PLATFORMS for claim in _compare(platform, plan, folder)]


def _compare(platform: Platform, plan: Plan, folder: Path) -> list[Claim]:
    sides = {"product": _SERVE, "bare": ("-c", platform.bare)}
    starts: dict[str, list[Start]] = {name: [] for name in sides}
    for turn in range(plan.rounds + 1):
        for name in rotated(tuple(sides), turn):
            start = _started(sides[name], platform, folder)
            if turn:
                starts[name].append(start)
    pairs = list(zip(starts["product"], starts["bare"], strict=True))
    memory = tuple(its.memory / bare.memory for its, bare in pairs if its.memory and bare.memory)
    found = [
        Claim(
            f"{platform.name}, processor", tuple(its.cpu / bare.cpu for its, bare in pairs), _BAR
        ),
        Claim(f"{platform.name}, modules of others' libraries", (_strangers(platform, folder),), 0),
    ]
    return [*found, Claim(f"{platform.name}, memory", memory, _BAR)] if memory else found


def _strangers(platform: Platform, folder: Path) -> int:
    """How many modules of other platforms' libraries a start imports."""
    said = _started(("-X", "importtime", *_SERVE), platform, folder).said
    imported = [line.rpartition("|")[2].strip() for line in said.splitlines()]
    assert platform.library in imported, said
    return sum(name.partition(".")[0] in platform.strangers for name in imported)


def _started(arguments: Sequence[str], platform: Platform, folder: Path) -> Start:
    """Start Python with these arguments, and kill it when it calls."""
    said = folder / "said"
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as door,
        said.open("wb") as errors,
        subprocess.Popen(
            (sys.executable, *arguments),
            cwd=folder,
            env=platform.environment(door.getsockname()[1], folder),
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as process,
    ):
        memory = _called(door, process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Start(usage.ru_utime + usage.ru_stime, memory, said.read_text())


def _called(door: socket.socket, caller: int) -> int | None:
    """Wait for the call and end the caller; what it held at most."""
    door.settimeout(_PATIENCE)
    try:
        with door.accept()[0]:
            memory = held(caller, "VmHWM")
            os.kill(caller, signal.SIGKILL)
    except TimeoutError:
        os.kill(caller, signal.SIGKILL)
        raise
    return memory
