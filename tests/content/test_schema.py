"""The JSON Schema that editors use, the template, and the quizzes that are shipped."""

import json
import re
from datetime import date
from pathlib import Path
from typing import ClassVar

import jsonschema
import pytest
import yaml

from bot.chat.command import RESERVED
from bot.engine.language import Language
from bot.quiz_files import load, schema, template
from tests.content.desk import CLEAN, MINIMAL, changed, read

QUIZZES = Path(__file__).parents[2] / "quizzes"
SHIPPED = sorted(QUIZZES.glob("*.yaml"))


class _EditorLoader(yaml.SafeLoader):
    """Reads as editors do, by YAML 1.2: `no` and `2026-12-01` are text there."""

    yaml_implicit_resolvers: ClassVar = {
        char: [
            (tag, regex) for tag, regex in resolvers if tag.endswith((":null", ":int", ":float"))
        ]
        for char, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_EditorLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf")
)


def complaints(text: str) -> list[str]:
    """What an editor underlines."""
    data = yaml.load(text, Loader=_EditorLoader)
    validator = jsonschema.Draft202012Validator(schema())
    return sorted(error.json_path for error in validator.iter_errors(data))


def test_the_schema_is_valid():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_shipped_schema_is_the_one_that_is_made():
    file = QUIZZES / "quiz.schema.json"
    assert json.loads(file.read_text()) == schema(), "run: latih schema > quizzes/quiz.schema.json"


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_a_shipped_quiz_satisfies_the_schema(file):
    assert complaints(file.read_text()) == []


def test_the_shipped_quizzes_load_without_an_error():
    loaded = load([QUIZZES], today=date(2026, 12, 1), reserved=RESERVED)
    assert [str(fault) for fault in loaded.faults if fault.breaks] == []
    assert {"checkpointing", "checkpointing-tough"} <= {quiz.id for quiz in loaded.quizzes}


@pytest.mark.parametrize("text", [CLEAN, MINIMAL, template("x")], ids=["clean", "minimal", "new"])
def test_what_loads_satisfies_the_schema(text):
    assert complaints(text) == []


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("level: medium", "level: mid", "$.level"),
        ("licence:", "license:", "$"),
        ("key: a", "key: z", "$.questions[0].key"),
        ("      c: C", "      third: C", "$.questions[0].options"),
        ("stem: What is stored?", "stem: {fr: x}", "$.questions[0].stem"),
        ("https://example.org", "ftp://example.org", "$.questions[0].sources[0].url"),
        ("key: a", "key: a\n    keep_order: maybe", "$.questions[0].keep_order"),
    ],
)
def test_an_editor_underlines_what_would_not_load(tmp_path, old, new, path):
    text = changed(old, new)
    assert complaints(text) == [path]
    assert read(tmp_path, text).quizzes == ()


def test_every_name_is_described_for_editors():
    made = schema()
    forms = [made, *(part for name, part in made["$defs"].items() if name.endswith("Form"))]
    for form in forms:
        for name, field in form["properties"].items():
            assert field.get("description"), name
    assert "null" not in json.dumps(made)


@pytest.mark.parametrize("name", ["drill-1", "a", "x" * 40, "a-" * 18 + "abcd"])
def test_a_new_file_loads_without_a_fault(tmp_path, name):
    loaded = read(tmp_path, template(name), f"{name}.yaml", reserved=RESERVED)
    assert loaded.faults == ()
    (quiz,) = loaded.quizzes
    assert quiz.id == name
    assert quiz.languages == (Language.EN, Language.ID)
    assert len(quiz.live) == 2


def test_the_examples_in_a_new_files_comments_load_too(tmp_path):
    lines = []
    for line in template("drill").splitlines():
        indent, _, rest = line.partition("# ")
        is_example = not indent.strip() and rest.partition(":")[0] in (
            "reading", "  - {title", "next", "enemies", "applies_to", "verified", "review_by"
        )  # fmt: skip
        lines.append(indent + rest if is_example else line)
    loaded = read(tmp_path, "\n".join(lines), "drill.yaml")
    assert [fault.rule for fault in loaded.faults] == ["unknown-next"]
    (quiz,) = loaded.quizzes
    assert quiz.reading
    assert quiz.next == "another-quiz"
    upkeep = quiz.questions[1].upkeep
    assert upkeep.enemies
    assert upkeep.applies_to
    assert upkeep.verified
    assert upkeep.review_by
