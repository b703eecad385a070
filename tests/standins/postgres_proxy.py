"""A wire between the bot and Postgres that fails on command, in the ways that real ones do.

It reads just enough of the protocol to know where a message ends and which one is a COMMIT.
Threads carry the bytes, so that synchronous and asynchronous tests use it alike.
"""

import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from typing import NamedTuple, Self

from tests.standins.postgres import SOCKET, Postgres, database_name, database_url, short_folder

ENCRYPTION_REQUESTS = (80877103, 80877104)  # SSLRequest, GSSENCRequest
COMMIT = re.compile(rb"\s*(commit|end)\b", re.IGNORECASE)
FAREWELL = 5.0  # seconds that closing waits for a thread that should long be gone


class PostgresProxy:
    """The same databases behind a second socket, whose connections the test can harm."""

    def __init__(self, postgres: Postgres) -> None:
        self._faults = _Faults()
        self.lost = self._faults.lost
        self._server_path = str(postgres.socket_dir / SOCKET)
        self._folder = short_folder("latih-wire-")
        self._path = str(self._folder / SOCKET)
        self._links: list[_Link] = []
        self._closing = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self._path)
        self._listener.listen(128)
        self._door = threading.Thread(target=self._accept, daemon=True)
        self._door.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, database: str) -> str:
        """Address the database of this URL through the proxy."""
        return database_url(database_name(database), self._folder)

    def lose_next_commit_reply(self) -> None:
        """Let the next COMMIT happen, then drop its connection before the client hears of it.

        `lost` is set once the server has answered, before either side notices the cut. A COMMIT is
        a statement of its own, in a simple query or in an Execute, on whichever connection comes
        first; a transaction that only read ends with one too, so arm this right before the write.
        """
        self._faults.arm()

    def cut_all(self) -> None:
        """Drop every open connection now; new ones are welcome."""
        for link in tuple(self._links):
            link.cut()

    def pause(self) -> None:
        """Hold every message from now on, in both directions, also of new connections."""
        self._faults.flowing.clear()

    def resume(self) -> None:
        """Let go of what was held, in its order."""
        self._faults.flowing.set()

    def close(self) -> None:
        """Drop everything and remove the socket; a second time does nothing."""
        if self._closing:
            return
        self._closing = True
        with socket.socket(socket.AF_UNIX) as knock:  # wakes the thread that waits at the door
            knock.connect(self._path)
        self._door.join(FAREWELL)
        self._listener.close()
        self.cut_all()
        self.resume()
        for link in tuple(self._links):
            link.thread.join(FAREWELL)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            if self._closing:
                client.close()
                return
            link = _Link(client, self._server_path, self._faults)
            self._links = [*(old for old in self._links if old.thread.is_alive()), link]
            link.thread.start()


class _Faults:
    """What the test has ordered, shared by all connections."""

    def __init__(self) -> None:
        self.lost = threading.Event()
        self.flowing = threading.Event()
        self.flowing.set()
        self._turn = threading.Lock()
        self._armed = False

    def arm(self) -> None:
        with self._turn:
            self.lost.clear()
            self._armed = True

    def fire(self) -> bool:
        """Answer yes to the first commit that asks after arming, to no other."""
        with self._turn:
            fired, self._armed = self._armed, False
            return fired


class _Message(NamedTuple):
    kind: bytes
    body: bytes
    whole: bytes


class _Link:
    """One client's connection and its twin to the server, with a thread for each direction."""

    def __init__(self, client: socket.socket, server_path: str, faults: _Faults) -> None:
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self._client = client
        self._server = socket.socket(socket.AF_UNIX)
        self._server_path = server_path
        self._faults = faults
        self._doomed = False  # a commit is under way whose reply the client must not see

    def cut(self) -> None:
        for end in (self._client, self._server):
            with suppress(OSError):  # already gone
                end.shutdown(socket.SHUT_RDWR)

    def _carry(self) -> None:
        # Closing waits for both directions: a socket that is shut wakes its reader, a closed one
        # does not, and its number may by then belong to another connection.
        with self._client, self._server, suppress(OSError):
            self._server.connect(self._server_path)
            with self._client.makefile("rb") as asked, self._server.makefile("rb") as answered:
                self._open(asked, answered)
                back = threading.Thread(target=self._answer, args=(answered,), daemon=True)
                back.start()
                self._ask(asked)
                back.join()

    def _open(self, asked: BufferedReader, answered: BufferedReader) -> None:
        """Pass what precedes typed messages: packets without a type, and bare bytes in answer.

        A client may ask for encryption first; a server without it, as ours, answers one `N`.
        """
        while True:
            length = _read(asked, 4)
            packet = _read(asked, int.from_bytes(length) - 4)
            self._send(self._server, length + packet)
            if int.from_bytes(packet[:4]) not in ENCRYPTION_REQUESTS:
                return
            self._send(self._client, _read(answered, 1))

    def _ask(self, asked: BufferedReader) -> None:
        commits = _Commits()
        with suppress(OSError):
            for message in _messages(asked):
                if commits.has(message) and self._faults.fire():
                    self._doomed = True
                self._send(self._server, message.whole)
        self.cut()

    def _answer(self, answered: BufferedReader) -> None:
        failed = False
        with suppress(OSError):
            for message in _messages(answered):
                if not self._doomed:
                    self._send(self._client, message.whole)
                    continue
                failed = failed or message.kind == b"E"
                if _committed(message) or (failed and message.kind == b"Z"):
                    self._faults.lost.set()
                    break
        self.cut()

    def _send(self, end: socket.socket, data: bytes) -> None:
        self._faults.flowing.wait()
        end.sendall(data)


class _Commits:
    """Which prepared statements and portals of a connection carry a COMMIT."""

    def __init__(self) -> None:
        self._statements: dict[bytes, bool] = {}
        self._portals: dict[bytes, bool] = {}

    def has(self, message: _Message) -> bool:
        first, _, rest = message.body.partition(b"\0")
        second = rest.partition(b"\0")[0]
        match message.kind:
            case b"Q":
                return COMMIT.match(first) is not None
            case b"P":  # Parse: a statement's name, its text
                self._statements[first] = COMMIT.match(second) is not None
            case b"B":  # Bind: a portal's name, its statement's
                self._portals[first] = self._statements.get(second, False)
            case b"E":  # Execute: a portal's name
                return self._portals.get(first, False)
            case _:
                pass
        return False


def _committed(message: _Message) -> bool:
    """Tell whether the server is done with a COMMIT; it says ROLLBACK when that is what it did.

    It commits before it says so: from here on others see the row. A COMMIT that fails has no such
    message, but an error and then ReadyForQuery.
    """
    return message.kind == b"C" and message.body.startswith((b"COMMIT", b"ROLLBACK"))


def _messages(stream: BufferedReader) -> Iterator[_Message]:
    while True:
        head = _read(stream, 5)
        body = _read(stream, int.from_bytes(head[1:]) - 4)
        yield _Message(head[:1], body, head + body)


def _read(stream: BufferedReader, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise ConnectionResetError
    return data
