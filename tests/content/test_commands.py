"""The authors' commands: what they print, where, and with which exit code."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from bot.cli import quizzes
from bot.quiz_files import load, schema
from tests.content.desk import CLEAN, MINIMAL, TODAY, changed, write


@dataclass
class Desk:
    """What the program hands to its commands, as far as these use it."""

    folders: list[Path]
    today: date = TODAY

    def run(self, *arguments: str | Path) -> Result:
        app = typer.Typer()
        quizzes.add(app)
        return CliRunner().invoke(app, [str(argument) for argument in arguments], obj=self)


@pytest.fixture
def desk(tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    write(own, changed("title: Checkpoints", "title: Checkpoints [bold]"), "checks.yaml")
    write(own, changed("id: one", "id: two"), "restarts.yaml")
    return Desk([own])


def test_list_shows_each_quiz_on_a_line(desk):
    result = desk.run("list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "checks    Checkpoints [bold]  medium  1",
        "restarts  Checkpoints         medium  1",
    ]
    assert result.stderr == ""


def test_list_as_json_is_one_object_a_line(desk):
    result = desk.run("list", "--json")
    first, _ = map(json.loads, result.stdout.splitlines())
    assert first == {
        "id": "checks", "title": "Checkpoints [bold]", "level": "medium", "questions": 1,
        "kind": "topic", "languages": ["en"],
    }  # fmt: skip


def test_list_of_nothing_prints_nothing(tmp_path):
    result = Desk([tmp_path]).run("list")
    assert (result.exit_code, result.stdout) == (0, "")


def test_list_says_on_the_side_what_is_missing(desk):
    write(desk.folders[0], "title: [", "broken.yaml")
    result = desk.run("list")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2
    assert result.stderr == "1 file not loaded: `check` says why.\n"


def test_list_on_a_terminal_is_a_table(desk, capsys):
    quizzes.print_table(load(desk.folders).quizzes)
    shown = capsys.readouterr().out
    assert "Checkpoints [bold]" in shown
    assert "questions" in shown


def test_check_of_good_files_says_so_on_the_side(desk):
    result = desk.run("check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "2 files, 2 questions: no faults\n"


def test_check_prints_one_line_a_fault_and_fails(desk):
    file = write(desk.folders[0], changed("key: a", "key: z"), "broken.yaml")
    result = desk.run("check", file)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{file}:12:10: error unknown-option `z`")
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == "1 file, 1 question: 1 error\n"


def test_one_file_is_checked_among_all_quizzes_and_only_its_faults_are_told(desk, tmp_path):
    write(desk.folders[0], changed("key: a", "key: z"), "broken.yaml")
    other = write(tmp_path, CLEAN, "mine.yaml")
    result = desk.run("check", other)
    lines = result.stdout.splitlines()
    assert [line.split(": ", 1)[1].split(" is ")[0] for line in lines] == [
        "error duplicate-question The question `one`"
    ]
    assert lines[0].startswith(f"{other}:")
    mine = CLEAN.replace("id: one", "id: mine").replace("key: a", "key: a\n    enemies: [one]")
    assert desk.run("check", write(tmp_path, mine, "mine.yaml")).exit_code == 0


def test_check_as_json_is_one_object_a_line(desk):
    file = write(desk.folders[0], changed("key: a", "key: z"), "broken.yaml")
    result = desk.run("check", "--json", file)
    fault = json.loads(result.stdout)
    assert fault.pop("message")
    assert fault == {
        "file": str(file), "line": 12, "column": 10, "severity": "error", "rule": "unknown-option",
    }  # fmt: skip


def test_warnings_fail_only_when_strict(desk, tmp_path):
    file = write(tmp_path, MINIMAL.replace("id: one", "id: alone"), "alone.yaml")
    lenient = desk.run("check", file)
    assert (lenient.exit_code, lenient.stderr) == (0, "1 file, 1 question: 5 warnings\n")
    assert desk.run("check", "--strict", file).exit_code == 1
    assert desk.run("check", "--strict").exit_code == 0


def test_check_refuses_names_of_commands(desk, tmp_path):
    write(tmp_path, CLEAN, "menu.yaml")
    assert "reserved-id" in desk.run("check", tmp_path / "menu.yaml").stdout


def test_check_of_what_is_not_there_is_asked_wrongly(desk, tmp_path):
    result = desk.run("check", tmp_path / "absent.yaml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"There is no file or folder {tmp_path / 'absent.yaml'}.\n"


def test_new_writes_a_file_that_checks_clean(desk):
    result = desk.run("new", "gradients")
    file = desk.folders[0] / "gradients.yaml"
    assert (result.exit_code, result.stdout) == (0, f"{file}\n")
    assert desk.run("check", "--strict", file).exit_code == 0


def test_new_writes_into_the_last_folder_or_the_one_that_is_named(desk, tmp_path):
    team, other = tmp_path / "team", tmp_path / "other"
    team.mkdir()
    other.mkdir()
    desk.folders.append(team)
    assert desk.run("new", "gradients.yaml").stdout == f"{team / 'gradients.yaml'}\n"
    assert desk.run("new", "losses", "--to", other).stdout == f"{other / 'losses.yaml'}\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("checks", "is there already"),
        ("Big Quiz", "A quiz is named by"),
        ("../up", "A quiz is named by"),
        ("x" * 41, "at most 40"),
        ("mulai", "is a command of the bot"),
    ],
)
def test_new_refuses_a_name_with_a_sentence(desk, name, said):
    before = (desk.folders[0] / "checks.yaml").read_text()
    result = desk.run("new", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert (desk.folders[0] / "checks.yaml").read_text() == before


def test_new_refuses_a_folder_that_is_not_there(desk, tmp_path):
    result = desk.run("new", "gradients", "--to", tmp_path / "absent")
    assert result.exit_code == 2
    assert "There is no folder" in result.stderr


def test_schema_prints_the_schema(desk):
    assert json.loads(desk.run("schema").stdout) == schema()


def test_unknown_options_are_asked_wrongly(desk):
    assert desk.run("check", "--loud").exit_code == 2


def test_an_indonesian_file_name_survives_a_narrow_terminal(tmp_path):
    file = write(tmp_path, "title: [", "ujian-é.yaml")
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(arguments=["check", str(file)])],
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "ujian-\\xe9.yaml:1:1: error file-name" in result.stdout
    assert "Traceback" not in result.stderr


_PROGRAM = """
import sys, types, datetime, pathlib, typer
from bot.cli import quizzes
app = typer.Typer()
quizzes.add(app)
tools = types.SimpleNamespace(
    folders=[pathlib.Path("quizzes")], today=datetime.date(2026, 12, 1)
)
try:
    app({arguments!r}, obj=tools)
finally:
    heavy = {{"slack_bolt", "discord", "sqlalchemy", "matplotlib", "aiohttp"}} & set(sys.modules)
    assert not heavy, heavy
"""


@pytest.mark.parametrize("command", ["list", "check", "schema"])
def test_authors_need_no_chat_platform_and_no_database(command):
    subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(arguments=[command])],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
    )
