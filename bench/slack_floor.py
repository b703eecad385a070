"""What a press costs at the least: Bolt, and one row of raw sqlite3 in a group commit."""

import asyncio
import queue
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any, TypeAlias

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.authorization import AuthorizeResult

from bench.slack_body import SECRET
from bench.world import now

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL, place TEXT NOT NULL, run TEXT NOT NULL,
    position INTEGER NOT NULL, question TEXT NOT NULL, version TEXT NOT NULL, chosen TEXT NOT NULL,
    option_order TEXT NOT NULL, shown_at TEXT NOT NULL, answered_at TEXT NOT NULL,
    local_date TEXT NOT NULL, language TEXT NOT NULL, level TEXT NOT NULL, press TEXT NOT NULL,
    UNIQUE (run, position)
)
"""
_INSERT = """
INSERT INTO answers (identity, place, run, position, question, version, chosen, option_order,
    shown_at, answered_at, local_date, language, level, press)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run, position) DO NOTHING RETURNING id
"""
Row: TypeAlias = tuple[Any, ...]
_Job: TypeAlias = "tuple[Row, asyncio.Future[int]]"


class RawAnswers:
    """Rows inserted by one thread: whatever has queued, in one durable transaction."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    async def insert(self, row: Row) -> int:
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue.put((row, future))
        return await future

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(_TABLE)
        while (job := self._queue.get()) is not None:
            batch = [job]
            while not self._queue.empty() and len(batch) < 128:
                more = self._queue.get()
                if more is None:
                    self._queue.put(None)
                    break
                batch.append(more)
            connection.execute("BEGIN IMMEDIATE")
            rows = [connection.execute(_INSERT, row).fetchone() for row, _ in batch]
            connection.execute("COMMIT")
            ended = [(future, row[0]) for (_, future), row in zip(batch, rows, strict=True)]
            batch[0][1].get_loop().call_soon_threadsafe(_wake, ended)
        connection.close()


def _wake(ended: "list[tuple[asyncio.Future[int], int]]") -> None:
    for future, number in ended:
        future.set_result(number)


def storing(answers: RawAnswers) -> AsyncApp:
    """Bolt whose one listener stores one row, then acknowledges."""
    bolt = _bolt(process_before_response=True)

    async def store(ack: AsyncAck, body: dict[str, Any]) -> None:
        await answers.insert(_row(body))
        await ack()

    bolt.action(re.compile(".*", re.DOTALL))(store)
    return bolt


def idle(*, process_before_response: bool) -> AsyncApp:
    """Bolt whose one listener only acknowledges."""
    bolt = _bolt(process_before_response=process_before_response)

    async def acknowledge(ack: AsyncAck) -> None:
        await ack()

    bolt.action(re.compile(".*", re.DOTALL))(acknowledge)
    return bolt


def _row(body: dict[str, Any]) -> Row:
    action, at = body["actions"][0], now()
    _, _, run, position, letter = action["value"].split(".")
    return (
        body["user"]["id"], body["container"]["channel_id"], run, int(position), "question",
        "8f742231b10e8888abcd99aaabbb85a5", letter, "a,b,c,d", str(at), str(at), str(at.date()),
        "en", "medium", f"{body['trigger_id']}-{action['action_ts']}",
    )  # fmt: skip


def _bolt(*, process_before_response: bool) -> AsyncApp:
    return AsyncApp(
        signing_secret=SECRET,
        authorize=authorize,
        process_before_response=process_before_response,
    )


async def authorize() -> AuthorizeResult:
    return AuthorizeResult(
        enterprise_id=None,
        team_id="T0BENCH0001",
        bot_user_id="U0BENCHBOT1",
        bot_id="B0BENCHBOT1",
        bot_token="xoxb-bench",
    )
