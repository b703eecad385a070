"""A database that takes no writes: people are told politely, and once it does, all goes on.

What is real and what is simulated:

- *a disk that fails*: real. The running process may let no file grow (RLIMIT_FSIZE), so the kernel
  refuses its writes, and SQLite reports the error of a disk that cannot be written.
- *a full disk*: SQLite's own limit on pages gives the very error, SQLITE_FULL. The kernel's limit
  gives another one, and filling a disk needs rights that tests do not have.
- *a read-only SQLite*: a pragma on the program's own connections. Rights on files bind neither root
  nor who has them open.
- *a read-only Postgres*: real, the two ways in which hosted ones do it when they run out of room:
  for the whole server at once, or for one database, whose connections are then ended.
"""

import re
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.proof import stored
from tests.proof.checker import APOLOGY
from tests.proof.faults import Faults
from tests.proof.people import QUIZZES, Player
from tests.proof.program import Program
from tests.proof.screens import Screen
from tests.proof.stage import Stage
from tests.standins.postgres import Postgres, database_name, database_url

pytestmark = [pytest.mark.asyncio, pytest.mark.proof]

_READ_ONLY = "default_transaction_read_only"


@pytest.fixture
def on() -> str:
    return "slack-socket+discord"


@pytest.fixture
def pragmas(tmp_path: Path) -> Path:
    """Run on SQLite before each transaction of the program."""
    file = tmp_path / "pragmas"
    file.touch()
    return file


@contextmanager
def a_disk_that_fails(program: Program) -> Iterator[None]:
    before = resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    yield
    resource.prlimit(program.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def a_full_disk(pragmas: Path) -> Iterator[None]:
    pragmas.write_text("PRAGMA max_page_count = 1")
    yield
    pragmas.write_text("PRAGMA max_page_count = 4294967294")


@contextmanager
def a_read_only_sqlite(pragmas: Path) -> Iterator[None]:
    pragmas.write_text("PRAGMA query_only = ON")
    yield
    pragmas.write_text("PRAGMA query_only = OFF")


@contextmanager
def a_read_only_server(postgres: Postgres) -> Iterator[None]:
    with psycopg.connect(database_url("postgres", postgres.socket_dir), autocommit=True) as admin:
        admin.execute(f"ALTER SYSTEM SET {_READ_ONLY} = on")
        reload(admin, "on")
        try:
            yield
        finally:
            admin.execute(f"ALTER SYSTEM RESET {_READ_ONLY}")
            reload(admin, "off")


@contextmanager
def a_read_only_database(postgres: Postgres, name: str) -> Iterator[None]:
    """Connections made meanwhile stay read-only, and are not ended when it is over."""
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(database_url("postgres", postgres.socket_dir), autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} SET {_READ_ONLY} = on")
        admin.execute(end, (name,))
        yield
        admin.execute(f"ALTER DATABASE {name} RESET {_READ_ONLY}")


def reload(admin: psycopg.Connection, until: str) -> None:
    admin.execute("SELECT pg_reload_conf()")
    while admin.execute(f"SHOW {_READ_ONLY}").fetchone() != (until,):
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("sqlite", "a disk that fails"),
        ("sqlite", "a read-only SQLite"),
        ("postgres", "a read-only server"),
        ("postgres", "a read-only database"),
    ],
)
async def test_who_meets_a_broken_database_is_told_and_goes_on_when_it_is_mended(
    stage: Stage, kind, how, pragmas, postgres
):
    program = await stage.serve(Faults(pragmas=str(pragmas)))
    broken: dict[str, Callable[[], AbstractContextManager[None]]] = {
        "a disk that fails": lambda: a_disk_that_fails(program),
        "a read-only SQLite": lambda: a_read_only_sqlite(pragmas),
        "a read-only server": lambda: a_read_only_server(postgres),
        "a read-only database": lambda: a_read_only_database(postgres, database_name(stage.url)),
    }
    players = [stage.newcomer("Ayu", surface) for surface in stage.surfaces]
    for player in players:
        await player.starts(QUIZZES[0])
        await player.acts()
    late = [stage.newcomer("Bima", surface) for surface in stage.surfaces]
    before = stored.rows(stage.url)

    with broken[how]():
        for player in players:
            verdict = player.screen
            await told(program, await player.acts())
            player.screen = verdict
        for newcomer in late:
            await told(program, await newcomer.starts(QUIZZES[0]))
            newcomer.screen = None
        assert stored.rows(stage.url) == before
        assert program.is_up

    for player in [*players, *late]:
        await finishes(player)
    assert await program.stop() == 0
    await stage.compare(apologies=True)


async def test_on_a_full_disk_whoever_does_not_fit_is_told_and_goes_on_when_there_is_room(
    stage: Stage, pragmas
):
    program = await stage.serve(Faults(pragmas=str(pragmas)))
    ayu = stage.newcomer("Ayu")
    await ayu.starts(QUIZZES[0])

    with a_full_disk(pragmas):
        while True:
            before = stored.rows(stage.url)
            newcomer = stage.newcomer(f"P{len(stage.players)}")
            if APOLOGY in (await newcomer.starts(QUIZZES[0])).words:
                break
        assert newcomer.screen is not None
        await told(program, newcomer.screen)
        assert any("full" in line for line in program.said)
        assert stored.rows(stage.url) == before

    newcomer.screen = None
    for player in stage.players:
        await finishes(player)
    assert await program.stop() == 0
    await stage.compare(apologies=True)


async def test_broken_for_longer_than_a_lease_discord_leaves_and_comes_back_by_itself(
    stage: Stage,
):
    """Who cannot renew the lease may not stay on the gateway; Slack needs none, and apologises."""
    program = await stage.serve()
    in_slack, in_discord = (stage.newcomer("Ayu", surface) for surface in stage.surfaces)
    for player in (in_slack, in_discord):
        await player.starts(QUIZZES[0])
    question = in_slack.screen

    with a_disk_that_fails(program):
        await program.says("discord is down")
        await told(program, await in_slack.acts())
        in_slack.screen = question

    await program.says("discord is up again")
    for player in (in_slack, in_discord):
        await finishes(player)
    assert await program.stop() == 0
    await stage.compare(apologies=True)


async def told(program: Program, screen: Screen) -> None:
    """It is the apology, and its reference is in the log."""
    assert APOLOGY in screen.words
    reference = re.search(r"Reference: (\w+)", screen.words)
    assert reference is not None
    await program.says(reference[1])


async def finishes(player: Player) -> None:
    while player.screen is None or not player.screen.is_result:
        await player.acts()
