"""One format for both databases: what goes out comes back, all of it or nothing."""

import asyncio
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert

from bot.engine.people import Identity
from bot.store import Store, StoreError, care
from bot.store.schema import question_versions
from tests.standins.postgres import Postgres
from tests.store.backups import AT, HEADER, PERSON, holds, live_in, written


@pytest.fixture
def target_url(database_url: str) -> str:
    """An empty database of either kind, never the one that was backed up."""
    return database_url.replace("latih.db", "target.db")


@pytest.fixture(params=["sqlite", "postgres"])
def source_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'source.db'}"
        return
    cluster: Postgres = request.getfixturevalue("postgres")
    url = cluster.database()
    yield url
    cluster.drop(url)


@pytest.mark.asyncio
async def test_everything_comes_back_on_either_database(source_url: str, target_url: str) -> None:
    await live_in(source_url)
    file = io.BytesIO()
    stored = care.backup(source_url, file, AT)
    file.seek(0)
    assert care.restore(target_url, file) == stored
    there = holds(source_url)
    assert holds(target_url) == there
    assert {name: len(rows) for name, rows in there.items()} == stored.rows
    assert stored.rows["answers"] == 6
    assert any(run["ended_at"] for run in there["runs"])
    assert any(run["parent_id"] for run in there["runs"])


@pytest.mark.asyncio
async def test_life_goes_on_after_a_restore(source_url: str, target_url: str) -> None:
    await live_in(source_url)
    file = io.BytesIO()
    care.backup(source_url, file, AT)
    file.seek(0)
    care.restore(target_url, file)
    store = Store.open(target_url)
    last = max(row["id"] for row in holds(target_url)["persons"])
    new = await store.write(lambda work: work.meet(Identity("slack", "T1", "new"), AT))
    known = await store.read(lambda work: work.person(Identity("slack", "T1", "U1")))
    store.close()
    assert new.id > last
    assert known is not None


@pytest.mark.asyncio
async def test_a_backup_twice_is_the_same_file_wherever_it_was_restored(
    source_url: str, target_url: str
) -> None:
    await live_in(source_url)
    first, second = io.BytesIO(), io.BytesIO()
    care.backup(source_url, first, AT)
    care.restore(target_url, io.BytesIO(first.getvalue()))
    care.backup(target_url, second, AT)
    assert first.getvalue() == second.getvalue()


class Meanwhile(io.BytesIO):
    """A file whose first write waits until something else has happened."""

    def __init__(self, happen: Any) -> None:
        super().__init__()
        self._happen = happen

    def write(self, data: Any) -> int:
        happen, self._happen = self._happen, None
        if happen is not None:
            happen()
        return super().write(data)


@pytest.mark.asyncio
async def test_who_writes_meanwhile_never_waits_and_is_not_in_the_backup(
    migrated_url: str, tmp_path: Path
) -> None:
    store = Store.open(migrated_url)
    await store.write(lambda work: work.meet(Identity("slack", "T1", "early"), AT))
    loop = asyncio.get_running_loop()

    def one_more() -> None:
        unit = store.write(lambda work: work.meet(Identity("slack", "T1", "late"), AT))
        asyncio.run_coroutine_threadsafe(unit, loop).result(timeout=10)

    file = Meanwhile(one_more)
    stored = await asyncio.to_thread(care.backup, migrated_url, file, AT)
    late = await store.read(lambda work: work.person(Identity("slack", "T1", "late")))
    store.close()
    assert late is not None
    assert stored.rows["persons"] == stored.rows["identities"] == 1
    file.seek(0)
    care.restore(f"sqlite:///{tmp_path / 'target.db'}", file)


@pytest.mark.asyncio
async def test_a_backup_among_many_writers_holds_whole_transactions(
    migrated_url: str, tmp_path: Path
) -> None:
    store = Store.open(migrated_url)
    done = asyncio.Event()

    async def keep_writing(writer: int) -> int:
        number = 0
        while not done.is_set():
            identity = Identity("slack", f"T{writer}", f"U{number}")
            await store.write(lambda work: work.meet(identity, AT))  # noqa: B023 - awaited here
            number += 1
        return number

    writers = [asyncio.create_task(keep_writing(writer)) for writer in range(4)]
    files = [io.BytesIO() for _ in range(3)]
    for file in files:
        stored = await asyncio.to_thread(care.backup, migrated_url, file, AT)
        assert stored.rows["persons"] == stored.rows["identities"]
    done.set()
    assert all(await asyncio.gather(*writers))
    store.close()
    files[-1].seek(0)
    assert care.restore(f"sqlite:///{tmp_path / 'target.db'}", files[-1]) == stored


def refusal(url: str, content: bytes) -> str:
    """Why a file was refused; and nothing of it is stored."""
    before = holds(url)
    with pytest.raises(StoreError) as refused:
        care.restore(url, io.BytesIO(content))
    assert holds(url) == before
    return str(refused.value)


def test_a_database_that_holds_anything_is_left_alone(migrated_url: str, tmp_path: Path) -> None:
    file = written(tmp_path / "backup", HEADER, PERSON)
    care.restore(migrated_url, io.BytesIO(file.read_bytes()))
    assert len(holds(migrated_url)["persons"]) == 1
    assert "already holds data" in refusal(migrated_url, file.read_bytes())


def test_a_file_cut_short_anywhere_is_refused(database_url: str, tmp_path: Path) -> None:
    whole = written(tmp_path / "backup", HEADER, PERSON).read_bytes()
    for length in {0, 1, 10, len(whole) // 2, len(whole) - 8, len(whole) - 1}:
        assert "no backup" in (why := refusal(database_url, whole[:length])) or "damaged" in why


def test_a_changed_byte_is_noticed(database_url: str) -> None:
    whole = gzip.compress(_text(HEADER, PERSON))
    for place in range(10, len(whole), 7):
        changed = bytearray(whole)
        changed[place] ^= 0x40
        refusal(database_url, bytes(changed))


DAMAGED: dict[str, tuple[Any, ...]] = {
    "a row missing": (HEADER,),
    "a row too many": (HEADER, PERSON, PERSON | {"row": PERSON["row"] | {"id": 8}}),
    "a row twice": (HEADER | {"rows": {"persons": 2}}, PERSON, PERSON),
    "another table": (HEADER, {"table": "runs", "row": {}}),
    "no table of ours": (HEADER | {"rows": {"sqlite_master": 1}}, PERSON),
    "a column missing": (HEADER, {"table": "persons", "row": {"id": 7}}),
    "a column too many": (HEADER, PERSON | {"row": PERSON["row"] | {"x": 1}}),
    "a number of words": (HEADER, PERSON | {"row": PERSON["row"] | {"id": "seven"}}),
    "a time of numbers": (HEADER, PERSON | {"row": PERSON["row"] | {"created_at": 5}}),
    "no time": (HEADER, PERSON | {"row": PERSON["row"] | {"created_at": "today"}}),
    "nothing where something must be": (HEADER, PERSON | {"row": PERSON["row"] | {"id": None}}),
    "no row": (HEADER, {"table": "persons", "row": [1]}),
    "no object": (HEADER, [1]),
    "no JSON": (HEADER, b"{\n"),
    "no text": (HEADER, b"\xff\xff\n"),
    "too deep": (HEADER, b"[" * 100_000 + b"\n"),
    "too long": (HEADER, b'"' + b" " * (1 << 20) + b'"\n'),
    "counts that are none": (HEADER | {"rows": {"persons": "one"}}, PERSON),
    "a head without rows": ({k: v for k, v in HEADER.items() if k != "rows"}, PERSON),
    "somebody else's": ({"format": "other", "version": 1}, PERSON),
    "nobody it refers to": (
        HEADER | {"rows": {"identities": 1}},
        {
            "table": "identities",
            "row": {"id": 1, "surface": "s", "workspace": "", "external": "x", "person_id": 99},
        },
    ),
}


@pytest.mark.parametrize("lines", DAMAGED.values(), ids=DAMAGED)
def test_what_no_backup_writes_is_refused_whole(
    database_url: str, tmp_path: Path, lines: tuple[Any, ...]
) -> None:
    refusal(database_url, written(tmp_path / "backup", *lines).read_bytes())


def test_a_newer_latihs_backup_is_refused_with_what_to_do(
    database_url: str, tmp_path: Path
) -> None:
    for newer in (HEADER | {"revision": "9999"}, HEADER | {"version": 2, "rows": None}):
        file = written(tmp_path / "backup", newer, PERSON)
        assert "update Latih" in refusal(database_url, file.read_bytes())


def test_a_backup_can_be_read_without_latih(sqlite_url: str) -> None:
    care.restore(sqlite_url, io.BytesIO(gzip.compress(_text(HEADER, PERSON))))
    file = io.BytesIO()
    care.backup(sqlite_url, file, AT)
    first, second = gzip.decompress(file.getvalue()).splitlines()
    assert json.loads(first)["format"] == "latih-backup"
    assert json.loads(first)["rows"]["persons"] == 1
    assert json.loads(second) == PERSON


@pytest.mark.parametrize(("length", "fits"), [((1 << 20) - 200, True), (1 << 20, False)])
def test_a_row_is_written_only_when_it_could_come_back(
    sqlite_url: str, length: int, *, fits: bool
) -> None:
    _see(sqlite_url, "x" * length)
    file = io.BytesIO()
    if not fits:
        with pytest.raises(StoreError, match="too long for a backup"):
            care.backup(sqlite_url, file, AT)
        return
    care.backup(sqlite_url, file, AT)
    file.seek(0)
    assert care.restore(sqlite_url.replace("latih.db", "target.db"), file).total == 1


def _see(url: str, words: str) -> None:
    engine = create_engine(url)
    row = {"version": "v", "question_id": "q", "seen": words, "first_kept_at": AT}
    with engine.begin() as connection:
        connection.execute(insert(question_versions), row)
    engine.dispose()


def _text(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
