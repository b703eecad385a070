"""The tables of the documents: settings, rules, fields and stored rows, against the code."""

import ast
import re
import sqlite3
from contextlib import closing

import psycopg

from bot.chat.command import SYNONYMS
from bot.quiz_files import load
from bot.quiz_files.forms import QuestionForm, QuizForm
from bot.settings import Settings
from bot.store.schema import metadata
from tests.architecture.documents import (
    AUTHORS,
    OPERATORS,
    PRIVACY,
    ROOT,
    SPAN,
    USERS,
    blocks,
    each_document,
)

# Settings


def default(name: str) -> str:
    value = Settings.model_fields[name].default
    return "" if value in (None, ()) else str(value)


SETTINGS = {name.upper(): default(name) for name in Settings.model_fields}


def test_the_example_has_every_setting_with_its_default_and_nothing_else():
    text = (ROOT / ".env.example").read_text()
    assert dict(re.findall(r"^#([A-Z_]+)=(.*)$", text, re.MULTILINE)) == SETTINGS


def test_copying_the_example_sets_nothing():
    lines = (ROOT / ".env.example").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == []


def test_the_examples_values_are_read_as_the_defaults(tmp_path, monkeypatch):
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    example = (ROOT / ".env.example").read_text()
    monkeypatch.chdir(tmp_path)
    plain = Settings.read()
    (tmp_path / ".env").write_text(re.sub(r"^#([A-Z_]+=)", r"\1", example, flags=re.MULTILINE))
    assert Settings.read() == plain


def test_the_operators_table_has_every_setting_with_its_default():
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]*)\|", OPERATORS.read_text(), re.MULTILINE)
    assert {name: value.strip("` ") for name, value in rows} == SETTINGS


@each_document
def test_no_document_names_a_setting_that_does_not_exist(file):
    told = re.findall(r"\b(?:(?:LATIH|SLACK|DISCORD)_[A-Z_]+|DATABASE_URL)\b", file.read_text())
    assert set(told) <= SETTINGS.keys()


# What check says


def rules() -> set[str]:
    """The rules in the source of `bot.quiz_files`, wherever a fault is made."""
    found = set()
    for file in (ROOT / "bot" / "quiz_files").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="error" | "warn") | ast.Name(id="_refused"),
                    args=[_, ast.Constant(rule), *_],
                ):
                    found.add(rule)
                case ast.Call(func=ast.Name(id="refuse"), args=[ast.Constant(rule), *_]):
                    found.add(rule)
                case ast.Tuple(elts=[_, ast.Constant(str(rule)), _]) if file.stem in TELLERS:
                    found.add(rule)
                case ast.Dict(values=values) if file.stem == "shape":
                    pairs = (it.elts for it in values if isinstance(it, ast.Tuple))
                    found |= {first.value for first, _ in pairs}
    return found


TELLERS = ("shape", "syntax")
"""Modules that hand on a place, a rule and a message together."""


def told_rules() -> set[str]:
    text = AUTHORS.read_text().partition("## What check says")[2]
    rows = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    return {rule for row in rows for rule in SPAN.findall(row)}


def test_every_rule_of_check_is_explained_and_no_other():
    assert told_rules() == rules()


def test_every_field_of_a_quiz_file_is_explained_and_no_other():
    text = AUTHORS.read_text().partition("## Every field")[2].partition("\n## ")[0]
    tables = [re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for part in text.split("Of a ")]
    assert sorted(tables[1]) == sorted(QuizForm.names())
    assert sorted(tables[2]) == sorted(QuestionForm.names())


def test_the_quizzes_that_authors_are_shown_load(tmp_path):
    shown = blocks(AUTHORS, "yaml")
    short, full = (block for block in shown if "sources:" in block or block.startswith("title:"))
    head = "title: T\nlevel: easy\nauthors: [x]\nlicence: x\nquestions:\n"
    (tmp_path / "short.yaml").write_text(short)
    (tmp_path / "full.yaml").write_text(head + full.replace("codes-01", "codes-02"))
    loaded = load([tmp_path])
    assert len(loaded.quizzes) == 2
    assert {fault.file.name for fault in loaded.faults} == {"short.yaml"}
    assert len(loaded.faults) == 5


# What can be typed in chat


def test_every_word_of_the_chat_is_explained():
    told = USERS.read_text()
    words = [word for synonyms in SYNONYMS.values() for word in synonyms]
    assert [word for word in words if not re.search(rf"`(/quiz )?{word}\b", told)] == []


# Privacy


def test_every_table_is_told_of_in_privacy():
    tables = {"identities", "persons", "workspaces"}  # the account, in one row
    tables |= {"memberships", "places", "runs", "answers", "claim_codes", "question_versions"}
    tables |= {"leases"}
    assert set(metadata.tables) == tables


def test_forgetting_by_hand_leaves_nothing_of_a_person(migrated_url):
    forget = blocks(PRIVACY, "sql")[0]
    tables = ("persons", "identities", "memberships", "runs", "answers")
    counts = [f"SELECT count(*) FROM {table}" for table in tables]
    counts.append("SELECT count(*) FROM claim_codes WHERE person_id IS NOT NULL")
    if migrated_url.startswith("sqlite"):
        with closing(sqlite3.connect(migrated_url.removeprefix("sqlite:///"))) as database:
            database.execute("PRAGMA foreign_keys=ON")
            database.executescript(TWO_PEOPLE + forget)
            left = [database.execute(count).fetchone()[0] for count in counts]
    else:
        with closing(psycopg.connect(migrated_url, autocommit=True)) as database:
            database.execute(TWO_PEOPLE + forget)
            left = [database.execute(count).fetchone()[0] for count in counts]
    assert left == [1, 1, 1, 1, 1, 0]


TWO_PEOPLE = """
INSERT INTO workspaces VALUES (1, 'slack', 'T012AB3CD');
INSERT INTO places VALUES (1, 1, 'C1', NULL, NULL);
INSERT INTO question_versions VALUES ('v', 'q', '{}', '2026-12-01 00:00:00');
INSERT INTO persons VALUES (1, NULL, '2026-12-01 00:00:00'), (2, NULL, '2026-12-01 00:00:00');
INSERT INTO identities VALUES
  (1, 'slack', 'T012AB3CD', 'U045EF6GH', 1), (2, 'slack', 'T012AB3CD', 'U2', 2);
INSERT INTO memberships VALUES (1, 1, 'sari', TRUE), (2, 1, 'budi', FALSE);
INSERT INTO claim_codes VALUES (1, 'h', '2026-12-01 00:00:00', '2026-12-01 00:00:00', 1, 1);
INSERT INTO runs (id, token, person_id, place_id, quiz_id, versions, position, started_at,
                  shown_at, ended_at, parent_id) VALUES
  (1, 'a', 1, 1, 'x', 'v', 1, '2026-12-01 00:00:00', '2026-12-01 00:00:00',
   '2026-12-01 00:00:00', NULL),
  (2, 'b', 1, 1, 'x', 'v', 1, '2026-12-01 00:00:00', '2026-12-01 00:00:00', NULL, 1),
  (3, 'c', 2, 1, 'x', 'v', 1, '2026-12-01 00:00:00', '2026-12-01 00:00:00', NULL, NULL);
INSERT INTO answers SELECT id, person_id, 1, id, 1, 'q', 'v', 'a', 'a,b', started_at, started_at,
  '2026-12-01', 'en', 'easy', 'p' FROM runs WHERE id > 1;
"""
