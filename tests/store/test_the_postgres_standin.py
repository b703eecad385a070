"""What the store's tests may rely on: a Postgres of their own, and a wire that fails on command."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from tests.standins import postgres as launcher
from tests.standins.postgres import Postgres
from tests.standins.postgres_proxy import PostgresProxy

PATIENCE = 10.0
HELD = 0.2  # long enough for a reply to arrive that was not held


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    cluster = Postgres.start()
    yield cluster
    cluster.stop()


@pytest.fixture
def database(cluster: Postgres) -> str:
    url = cluster.database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE answer (letter text PRIMARY KEY)")
    return url


@pytest.fixture
def proxy(cluster: Postgres) -> Iterator[PostgresProxy]:
    with PostgresProxy(cluster) as proxy:
        yield proxy


def test_stopping_leaves_no_process_and_no_folder():
    cluster = Postgres.start()
    pids = processes(cluster)

    cluster.stop()
    cluster.stop()

    assert not cluster.socket_dir.exists()
    assert eventually(lambda: not any(map(is_running, pids)))


@pytest.mark.proof
def test_a_crash_and_a_stop_leave_no_process_and_no_folder():
    cluster = Postgres.start()
    pids = processes(cluster)

    cluster.crash()
    cluster.stop()

    assert not cluster.socket_dir.exists()
    assert eventually(lambda: not any(map(is_running, pids)))


@pytest.mark.proof
def test_killed_tests_leave_no_process_and_no_folder():
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert owner.stdout
    folder, *pids = owner.stdout.readline().split()

    owner.send_signal(signal.SIGKILL)
    owner.communicate()

    assert pids
    assert eventually(lambda: not any(is_running(int(pid)) for pid in pids))
    assert eventually(lambda: not Path(folder).exists())


def test_without_any_postgres_the_tests_fail_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(launcher, "WHEEL", "no_such_wheel")
    monkeypatch.setattr(launcher, "SYSTEM", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(RuntimeError, match="No Postgres was found"):
        Postgres.start()


def test_every_database_is_empty_and_separate(cluster, database):
    write(database, "A")

    other = cluster.database()

    with psycopg.connect(other) as connection, pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("SELECT letter FROM answer")


def test_a_database_from_a_template_starts_as_its_copy_and_goes_its_own_way(cluster, database):
    write(database, "A")

    copy = cluster.database(template=database)
    write(copy, "B")

    assert letters(copy) == ["A", "B"]
    assert letters(database) == ["A"]


def test_a_dropped_database_is_gone_even_while_somebody_is_connected(cluster):
    url = cluster.database()
    with psycopg.connect(url) as connection:
        cluster.drop(url)

        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)


def test_sqlalchemy_reads_the_url_and_speaks_through_psycopg(cluster, database, proxy):
    for url in (database, proxy.url(database)):
        engine = sa.create_engine(url)
        with engine.connect() as connection:
            version = connection.scalar(sa.text("SHOW server_version"))
        engine.dispose()

        assert engine.driver == "psycopg"
        assert version.startswith(cluster.version)


def test_a_crash_keeps_what_was_committed_and_nothing_else(cluster, database):
    write(database, "A")
    with psycopg.connect(database) as undecided:
        undecided.execute("INSERT INTO answer VALUES ('B')")

        cluster.crash()

        with pytest.raises(psycopg.OperationalError):
            undecided.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(database)

    cluster.restart()

    assert letters(database) == ["A"]


def test_the_proxy_carries_everything_unchanged(database, proxy):
    big = "x" * 3_000_000
    with psycopg.connect(proxy.url(database)) as connection:
        row = connection.execute("SELECT %s, 7", (big,)).fetchone()
        many = connection.execute("SELECT generate_series(1, 5000)").fetchall()
        with connection.cursor().copy("COPY answer FROM STDIN") as copy:
            copy.write_row(("A",))
        with connection.pipeline():
            connection.execute("INSERT INTO answer VALUES ('B')")
            connection.execute("INSERT INTO answer VALUES ('C')")

    assert row == (big, 7)
    assert len(many) == 5000
    assert letters(database) == ["A", "B", "C"]


def test_a_client_that_asks_for_encryption_first_is_let_through(proxy):
    ssl_request = (8).to_bytes(4) + (80877103).to_bytes(4)
    startup = (196608).to_bytes(4) + b"user\0postgres\0\0"
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(proxy._path)
        client.sendall(ssl_request)
        refused = client.recv(1)
        client.sendall((len(startup) + 4).to_bytes(4) + startup)
        first = client.recv(1)

    assert refused == b"N"
    assert first == b"R"  # the server trusts us, and typed messages follow


def test_a_lost_commit_reply_is_an_error_for_the_client_and_a_row_in_the_database(database, proxy):
    with psycopg.connect(proxy.url(database)) as connection:
        connection.execute("INSERT INTO answer VALUES ('A')")
        proxy.lose_next_commit_reply()

        with pytest.raises(psycopg.OperationalError):
            connection.commit()

        assert proxy.lost.is_set()
        assert letters(database) == ["A"]


def test_a_commit_sent_through_the_extended_protocol_loses_its_reply_too(database, proxy):
    with psycopg.connect(proxy.url(database), autocommit=True) as connection:
        connection.pgconn.exec_params(b"BEGIN", [])
        connection.pgconn.exec_params(b"INSERT INTO answer VALUES ('A')", [])
        proxy.lose_next_commit_reply()

        connection.pgconn.exec_params(b"commit;", [])

        assert connection.pgconn.status == psycopg.pq.ConnStatus.BAD
        assert proxy.lost.is_set()
        assert letters(database) == ["A"]


def test_a_commit_in_a_pipeline_loses_its_reply_too(database, proxy):
    def write_in_a_pipeline() -> None:
        with psycopg.connect(proxy.url(database)) as connection, connection.pipeline():
            connection.execute("INSERT INTO answer VALUES ('A')")
            proxy.lose_next_commit_reply()
            connection.commit()

    with pytest.raises(psycopg.OperationalError):
        write_in_a_pipeline()

    assert proxy.lost.is_set()
    assert letters(database) == ["A"]


def test_a_refused_commit_whose_reply_is_lost_leaves_no_row(database, proxy):
    with psycopg.connect(proxy.url(database)) as connection:
        connection.execute("CREATE TABLE late (letter text UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        connection.commit()
        connection.execute("INSERT INTO late VALUES ('A'), ('A')")
        proxy.lose_next_commit_reply()

        with pytest.raises(psycopg.OperationalError, match="closed the connection"):
            connection.commit()

    assert proxy.lost.is_set()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM late").fetchone() == (0,)


def test_only_one_of_many_commits_loses_its_reply(database, proxy):
    proxy.lose_next_commit_reply()

    def outcome(letter: str) -> bool:
        try:
            write(proxy.url(database), letter)
        except psycopg.OperationalError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(outcome, "ABCDEFGH"))

    assert outcomes.count(False) == 1
    assert letters(database) == list("ABCDEFGH")


def test_a_paused_wire_holds_everything_until_it_is_resumed(database, proxy):
    with psycopg.connect(proxy.url(database), autocommit=True) as connection:
        proxy.pause()
        writing = threading.Thread(
            target=connection.execute, args=("INSERT INTO answer VALUES ('A')",)
        )
        writing.start()
        writing.join(HELD)
        assert writing.is_alive()
        assert letters(database) == []

        proxy.resume()
        writing.join(PATIENCE)

    assert letters(database) == ["A"]


def test_cut_all_drops_what_is_open_and_welcomes_what_is_new(database, proxy):
    with (
        psycopg.connect(proxy.url(database)) as one,
        psycopg.connect(proxy.url(database)) as other,
    ):
        one.execute("INSERT INTO answer VALUES ('A')")
        proxy.cut_all()

        for connection in (one, other):
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")

    write(proxy.url(database), "B")
    assert letters(database) == ["B"]


def test_a_paused_wire_can_be_cut_and_closed(cluster, database):
    with PostgresProxy(cluster) as proxy, psycopg.connect(proxy.url(database)) as connection:
        proxy.pause()
        proxy.cut_all()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
        folder = proxy._folder

    assert not folder.exists()
    assert not [one for one in threading.enumerate() if "_carry" in one.name]


@pytest.mark.asyncio
async def test_an_async_client_loses_its_reply_while_the_loop_runs_on(database, proxy):
    connection = await psycopg.AsyncConnection.connect(proxy.url(database))
    await connection.execute("INSERT INTO answer VALUES ('A')")
    proxy.lose_next_commit_reply()

    with pytest.raises(psycopg.OperationalError):
        await asyncio.wait_for(connection.commit(), PATIENCE)

    await connection.close()
    assert letters(database) == ["A"]


OWNER = """
from tests.standins.postgres import Postgres
from tests.store.test_the_postgres_standin import processes

cluster = Postgres.start()
print(cluster.socket_dir, *processes(cluster), flush=True)
input()
"""


def processes(cluster: Postgres) -> list[int]:
    """Every process of the server: the one that listens, and those that work for it."""
    listener = (cluster.socket_dir / "data" / "postmaster.pid").read_text().split()[0]
    with psycopg.connect(cluster.database()) as connection:
        workers = connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
    return [int(listener), *(pid for (pid,) in workers)]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def write(url: str, letter: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO answer VALUES (%s)", (letter,))


def letters(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT letter FROM answer ORDER BY letter").fetchall()
    return [letter for (letter,) in rows]
