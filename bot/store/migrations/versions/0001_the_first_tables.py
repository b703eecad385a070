"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "persons",
        sa.Column("id", KEY, nullable=False),
        sa.Column("language", sa.String(length=20), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
    )
    op.create_table(
        "question_versions",
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("question_id", sa.String(length=40), nullable=False),
        sa.Column("seen", sa.Text(), nullable=False),
        sa.Column("first_kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_question_versions")),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", KEY, nullable=False),
        sa.Column("surface", sa.String(length=20), nullable=False),
        sa.Column("external", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
        sa.UniqueConstraint("surface", "external", name=op.f("uq_workspaces_surface_external")),
    )
    op.create_table(
        "claim_codes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("person_id", KEY, nullable=True),
        sa.Column("workspace_id", KEY, nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name=op.f("fk_claim_codes_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_claim_codes_workspace_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim_codes")),
        sa.UniqueConstraint("hash", name=op.f("uq_claim_codes_hash")),
    )
    op.create_table(
        "identities",
        sa.Column("id", KEY, nullable=False),
        sa.Column("surface", sa.String(length=20), nullable=False),
        sa.Column("workspace", sa.String(length=64), nullable=False),
        sa.Column("external", sa.String(length=128), nullable=False),
        sa.Column("person_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name=op.f("fk_identities_person_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint(
            "surface",
            "workspace",
            "external",
            name=op.f("uq_identities_surface_workspace_external"),
        ),
    )
    op.create_index("ix_identities_person_id", "identities", ["person_id"], unique=False)

    op.create_table(
        "memberships",
        sa.Column("person_id", KEY, nullable=False),
        sa.Column("workspace_id", KEY, nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("is_manager", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["persons.id"], name=op.f("fk_memberships_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_memberships_workspace_id")
        ),
        sa.PrimaryKeyConstraint("person_id", "workspace_id", name=op.f("pk_memberships")),
    )
    op.create_table(
        "places",
        sa.Column("id", KEY, nullable=False),
        sa.Column("workspace_id", KEY, nullable=False),
        sa.Column("external", sa.String(length=128), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_places_workspace_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_places")),
        sa.UniqueConstraint(
            "workspace_id", "external", name=op.f("uq_places_workspace_id_external")
        ),
    )
    op.create_table(
        "runs",
        sa.Column("id", KEY, nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("person_id", KEY, nullable=False),
        sa.Column("place_id", KEY, nullable=False),
        sa.Column("quiz_id", sa.String(length=40), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("versions", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.String(length=20), nullable=True),
        sa.Column("parent_id", KEY, nullable=True),
        sa.Column("moved_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["parent_id"], ["runs.id"], name=op.f("fk_runs_parent_id")),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name=op.f("fk_runs_person_id")),
        sa.ForeignKeyConstraint(["place_id"], ["places.id"], name=op.f("fk_runs_place_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("token", name=op.f("uq_runs_token")),
    )
    op.create_index("ix_runs_person_id_quiz_id", "runs", ["person_id", "quiz_id"], unique=False)
    op.create_index(
        "uq_runs_open",
        "runs",
        ["person_id", "quiz_id"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )

    op.create_table(
        "answers",
        sa.Column("id", KEY, nullable=False),
        sa.Column("identity_id", KEY, nullable=False),
        sa.Column("place_id", KEY, nullable=False),
        sa.Column("run_id", KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.String(length=40), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.Column("option_order", sa.Text(), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("local_date", sa.Date(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("level", sa.String(length=10), nullable=False),
        sa.Column("press", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["identity_id"], ["identities.id"], name=op.f("fk_answers_identity_id")
        ),
        sa.ForeignKeyConstraint(["place_id"], ["places.id"], name=op.f("fk_answers_place_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_answers_run_id")),
        sa.ForeignKeyConstraint(
            ["version"], ["question_versions.version"], name=op.f("fk_answers_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_answers_run_id_position")),
    )


def downgrade() -> None:
    op.drop_table("answers")
    op.drop_table("runs")
    op.drop_table("places")
    op.drop_table("memberships")
    op.drop_table("identities")
    op.drop_table("claim_codes")
    op.drop_table("workspaces")
    op.drop_table("question_versions")
    op.drop_table("persons")
