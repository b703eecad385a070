"""The tables. Every constraint is named, every time is UTC, and nothing derived is stored twice."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeEngine
from typing_extensions import override

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC; a naive one is refused, since nobody could say when it was."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "sqlite":
            return _AsText()  # type: ignore[no-untyped-call]
        return self.impl_instance

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            message = f"a time without a zone: {value}"
            raise ValueError(message)
        utc = value if value.tzinfo is UTC else value.astimezone(UTC)
        return utc.isoformat(" ", "microseconds")[:-6] if dialect.name == "sqlite" else utc

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if dialect.name == "sqlite":
            return datetime.fromisoformat(f"{value}+00:00")
        moment: datetime = value.astimezone(UTC)
        return moment


class _AsText(sqlite.DATETIME):
    """SQLite's text of a moment as it is: a press reads several, and two conversions cost most."""

    @override
    def bind_processor(self, dialect: Dialect) -> None:
        return None

    @override
    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        return None


class Names(TypeDecorator[tuple[str, ...]]):
    """A few ids in order, as one text joined by commas; no id of ours holds one."""

    impl = Text
    cache_ok = True

    @override
    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> Any:
        del dialect
        return None if value is None else ",".join(value)

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[str, ...] | None:
        del dialect
        return None if value is None else tuple(value.split(","))


# SQLite numbers rows by itself only for a column that it knows as INTEGER.
Key = BigInteger().with_variant(Integer, "sqlite")


def _key() -> Column[int]:
    return Column("id", Key, primary_key=True)


def _refers(name: str, to: str, **options: Any) -> Column[int]:
    return Column(name, Key, ForeignKey(to), **options)


workspaces = Table(
    "workspaces",
    metadata,
    _key(),
    Column("surface", String(20), nullable=False),
    Column("external", String(64), nullable=False),
    UniqueConstraint("surface", "external"),
)

places = Table(
    "places",
    metadata,
    _key(),
    _refers("workspace_id", "workspaces.id", nullable=False),
    Column("external", String(128), nullable=False),
    Column("language", String(20)),
    Column("zone", String(64)),
    UniqueConstraint("workspace_id", "external"),
)

persons = Table(
    "persons",
    metadata,
    _key(),
    Column("language", String(20)),
    Column("created_at", UtcTime, nullable=False),
)

identities = Table(
    "identities",
    metadata,
    _key(),
    Column("surface", String(20), nullable=False),
    Column("workspace", String(64), nullable=False),
    Column("external", String(128), nullable=False),
    _refers("person_id", "persons.id", nullable=False, index=True),
    UniqueConstraint("surface", "workspace", "external"),
)

memberships = Table(
    "memberships",
    metadata,
    _refers("person_id", "persons.id", primary_key=True),
    _refers("workspace_id", "workspaces.id", primary_key=True),
    Column("name", String(200)),
    Column("is_manager", Boolean, nullable=False, server_default=false()),
)

claim_codes = Table(
    "claim_codes",
    metadata,
    _key(),
    Column("hash", String(64), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
    _refers("person_id", "persons.id"),
    _refers("workspace_id", "workspaces.id"),
    UniqueConstraint("hash"),
)

question_versions = Table(
    "question_versions",
    metadata,
    Column("version", String(32), primary_key=True),
    Column("question_id", String(40), nullable=False),
    Column("seen", Text, nullable=False),
    Column("first_kept_at", UtcTime, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    _key(),
    Column("token", String(16), nullable=False),
    _refers("person_id", "persons.id", nullable=False),
    _refers("place_id", "places.id", nullable=False),
    Column("quiz_id", String(40), nullable=False),
    Column("seed", BigInteger),
    Column("versions", Names, nullable=False),
    Column("position", Integer, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("shown_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("end_reason", String(20)),
    _refers("parent_id", "runs.id"),
    Column("moved_by", String(64)),
    UniqueConstraint("token"),
)

Index(
    "uq_runs_open",
    runs.c.person_id,
    runs.c.quiz_id,
    unique=True,
    sqlite_where=runs.c.ended_at.is_(None),
    postgresql_where=runs.c.ended_at.is_(None),
)
Index("ix_runs_person_id_quiz_id", runs.c.person_id, runs.c.quiz_id)

answers = Table(
    "answers",
    metadata,
    _key(),
    _refers("identity_id", "identities.id", nullable=False),
    _refers("place_id", "places.id", nullable=False),
    _refers("run_id", "runs.id", nullable=False),
    Column("position", Integer, nullable=False),
    Column("question_id", String(40), nullable=False),
    Column("version", String(32), ForeignKey("question_versions.version"), nullable=False),
    Column("chosen", Names, nullable=False),
    Column("option_order", Names, nullable=False),
    Column("shown_at", UtcTime, nullable=False),
    Column("answered_at", UtcTime, nullable=False),
    Column("local_date", Date, nullable=False),
    Column("language", String(20), nullable=False),
    Column("level", String(10), nullable=False),
    Column("press", String(64), nullable=False),
    UniqueConstraint("run_id", "position"),
)

leases = Table(
    "leases",
    metadata,
    Column("name", String(128), primary_key=True),
    Column("holder", String(16)),
    Column("host", Text),
    Column("pid", Integer),
    Column("until", UtcTime),
)
