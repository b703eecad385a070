"""A backup outlives the program that wrote it: an older one is brought up to date."""

import io
import shutil
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from bot.store import StoreError, care, migrate
from bot.store.store import address
from tests.store.backups import AT, HEADER, PERSON, holds, written

OURS = migrate.head()
NEXT = f"""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{OURS}"


def upgrade():
    with op.batch_alter_table("persons") as persons:
        persons.add_column(sa.Column("nick", sa.String(20), nullable=False, server_default="none"))


def downgrade():
    with op.batch_alter_table("persons") as persons:
        persons.drop_column("nick")
"""


@pytest.fixture
def newer_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with one more revision than ours."""
    scripts = tmp_path / "migrations"
    shutil.copytree(migrate._SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "9999_nicks.py").write_text(NEXT)
    monkeypatch.setattr(migrate, "_SCRIPTS", scripts)


def nicks(url: str) -> list[str]:
    engine = create_engine(address(url))
    try:
        with engine.connect() as connection:
            return list(connection.execute(text("SELECT nick FROM persons")).scalars())
    finally:
        engine.dispose()


@pytest.mark.usefixtures("newer_program")
@pytest.mark.parametrize("migrated", [False, True])
def test_an_older_backup_is_stored_and_then_brought_up_to_date(
    database_url: str, tmp_path: Path, *, migrated: bool
) -> None:
    if migrated:
        assert care.migrate(database_url) == (None, "9999")
    file = written(tmp_path / "backup", HEADER, PERSON)
    care.restore(database_url, io.BytesIO(file.read_bytes()))
    assert nicks(database_url) == ["none"]
    assert care.migrate(database_url) == ("9999", "9999")


@pytest.mark.usefixtures("newer_program")
def test_an_older_backup_that_is_damaged_leaves_no_trace(database_url: str, tmp_path: Path) -> None:
    file = written(tmp_path / "backup", HEADER, PERSON, PERSON)
    with pytest.raises(StoreError):
        care.restore(database_url, io.BytesIO(file.read_bytes()))
    assert holds(database_url) == {}


def test_a_database_is_backed_up_only_by_the_program_that_knows_it(
    migrated_url: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("newer_program")
    with pytest.raises(StoreError, match=r"run `\./latih migrate` first"):
        care.backup(migrated_url, io.BytesIO(), AT)
    assert care.migrate(migrated_url) == (OURS, "9999")


def test_the_database_of_a_newer_program_is_left_alone(database_url: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as later:
        scripts = tmp_path / "later"
        shutil.copytree(migrate._SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
        (scripts / "versions" / "9999_nicks.py").write_text(NEXT)
        later.setattr(migrate, "_SCRIPTS", scripts)
        care.migrate(database_url)
    file = written(tmp_path / "backup", HEADER, PERSON).read_bytes()
    assert care.look(database_url).is_newer
    for use in (
        lambda: care.migrate(database_url),
        lambda: care.backup(database_url, io.BytesIO(), AT),
        lambda: care.restore(database_url, io.BytesIO(file)),
    ):
        with pytest.raises(StoreError):
            use()
