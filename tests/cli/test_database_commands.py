"""`migrate`, `backup` and `restore` as an operator types them."""

import stat
from pathlib import Path

import pytest

from tests.cli.desk import Desk


def test_migrate_says_from_where_to_where(desk: Desk, database_url: str) -> None:
    desk.sets(DATABASE_URL=database_url)
    assert desk.types("migrate").out == "migrated from nothing to 0002\n"
    assert desk.types("migrate").out == "already at 0002\n"


def test_a_database_that_cannot_be_reached_is_told_in_a_sentence(desk: Desk) -> None:
    desk.sets(DATABASE_URL="postgresql://127.0.0.1:1/latih")
    for line in (("migrate",), ("backup", "data.gz"), ("managers", "list")):
        done = desk.types(*line)
        assert done.code == 3
        assert "the database cannot be used" in done.err
    assert not (desk.folder / "data.gz").exists()


def test_what_is_backed_up_is_there_again_after_a_restore(desk: Desk, database_url: str) -> None:
    desk.types("managers", "add", "slack:T1:U1")
    done = desk.types("backup", "data.jsonl.gz")
    assert (done.code, done.out) == (0, "data.jsonl.gz: 4 rows at revision 0002\n")

    desk.sets(DATABASE_URL=database_url)
    done = desk.types("restore", "data.jsonl.gz")
    assert done.code == 0
    assert done.out == "restored 4 rows from data.jsonl.gz, taken 2026-12-01T02:00:00Z\n"
    assert desk.types("managers", "list").out == "slack:T1:U1\n"


def test_a_backup_is_for_its_owners_eyes_only(desk: Desk) -> None:
    desk.types("migrate")
    desk.types("backup", "data.gz")
    assert stat.S_IMODE((desk.folder / "data.gz").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_overwritten_only_by_force(desk: Desk) -> None:
    file = desk.folder / "data.gz"
    file.write_text("dear")
    desk.types("migrate")
    done = desk.types("backup", "data.gz")
    assert done.code == 2
    assert "--force" in done.err
    assert file.read_text() == "dear"
    assert desk.types("backup", "data.gz", "--force").code == 0
    assert file.read_bytes().startswith(b"\x1f\x8b")


@pytest.mark.parametrize("target", [".", "/dev/null"])
def test_what_is_no_plain_file_is_never_overwritten(desk: Desk, target: str) -> None:
    desk.types("migrate")
    assert desk.types("backup", target, "--force").code == 2
    assert Path(target).exists()


def test_a_backup_that_fails_leaves_the_file_before_it_and_nothing_else(desk: Desk) -> None:
    (desk.folder / "data.gz").write_text("dear")
    done = desk.types("backup", "data.gz", "--force")
    assert done.code == 3
    assert "there is no database at var/latih.db yet" in done.err
    assert [file.name for file in desk.folder.iterdir()] == ["data.gz"]
    assert (desk.folder / "data.gz").read_text() == "dear"


def test_a_folder_that_is_not_there_is_told(desk: Desk) -> None:
    desk.types("migrate")
    done = desk.types("backup", "nowhere/data.gz")
    assert done.code == 3
    assert "nowhere/data.gz cannot be written: No such file or directory." in done.err


def test_restore_says_what_it_was_given_instead_of_a_backup(desk: Desk) -> None:
    assert desk.types("restore", "nothing.gz").code == 2
    (desk.folder / "notes.txt").write_text("no backup")
    done = desk.types("restore", "notes.txt")
    assert done.code == 3
    assert "the backup is damaged" in done.err
    done = desk.types("restore", ".")
    assert done.code == 3
    assert "cannot be read" in done.err


def test_restore_leaves_a_database_with_data_alone(desk: Desk) -> None:
    desk.types("managers", "add", "slack:T1:U1")
    desk.types("backup", "data.gz")
    done = desk.types("restore", "data.gz")
    assert done.code == 3
    assert "already holds data" in done.err
    assert desk.types("managers", "list").out == "slack:T1:U1\n"


def test_the_program_itself_moves_a_database_to_another(desk: Desk) -> None:
    assert desk.runs("managers", "add", "slack:T1:U1").code == 0
    assert desk.runs("backup", "data.gz").code == 0
    done = desk.runs("restore", "data.gz", DATABASE_URL="sqlite:///elsewhere/new.db")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("restored 4 rows from data.gz, taken ")
    listed = desk.runs("managers", "list", DATABASE_URL="sqlite:///elsewhere/new.db")
    assert listed.out == "slack:T1:U1\n"
