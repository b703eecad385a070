"""Answers at the least: rows of raw sqlite3, whatever has queued in one durable transaction."""

import asyncio
import queue
import sqlite3
import threading
from pathlib import Path
from typing import Any, TypeAlias

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


def row(user: str, channel: str, token: str, press: str) -> Row:
    """The answer that a pressed button's token tells of."""
    _, _, run, position, letter = token.split(".")
    at = now()
    return (
        user, channel, run, int(position), "question", "8f742231b10e8888abcd99aaabbb85a5", letter,
        "a,b,c,d", str(at), str(at), str(at.date()), "en", "medium", press,
    )  # fmt: skip


def _wake(ended: "list[tuple[asyncio.Future[int], int]]") -> None:
    for future, number in ended:
        future.set_result(number)
