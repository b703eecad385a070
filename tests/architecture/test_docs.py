"""The documents hold: what they name exists, what exists is named, and their commands run."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import typer

from bot.cli.app import make
from tests.architecture.documents import (
    AUTHORS,
    BODY,
    DOCS,
    FENCED,
    OPERATORS,
    PRIVACY,
    ROOT,
    SPAN,
    USERS,
    blocks,
    code,
    each_document,
)

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def commands() -> dict[str, set[str]]:
    """Each command that does something, in words, and its options; "" is the program itself."""
    found: dict[str, set[str]] = {}

    def walk(command, path=()):
        options = {name for it in command.params for name in it.opts if name.startswith("--")}
        inner = getattr(command, "commands", {})
        if not inner or not path:
            found[" ".join(path)] = options | {"--help"}
        for name, each in inner.items():
            walk(each, (*path, name))

    walk(typer.main.get_command(make()))
    return found


COMMANDS = commands()
GROUPS = {name.split()[0] for name in COMMANDS if " " in name}


AS_MODULE = ["python", "-m", "bot"]


def called(line: str) -> Iterator[list[str]]:
    """The words after each `latih` or `python -m bot` in a line of code."""
    for part in re.split(r"[|;&]+ ", line):
        words = part.partition(" #")[0].split()
        for i, word in enumerate(words):
            if words[max(i - 1, 0)] in ("-C", "exec"):
                continue  # a folder, a container
            if Path(word).name == "latih" or words[max(i - 2, 0) : i + 1] == AS_MODULE:
                yield words[i + 1 :]


def fault_in(words: list[str]) -> str | None:
    """What in a call of the program does not exist."""
    known = set(COMMANDS[""])
    while words and words[0] in known:
        words = words[1:]
    if not words or not re.fullmatch(r"[a-z]+", words[0]):
        return None
    name = words[0]
    if name in GROUPS and len(words) > 1:
        name = f"{name} {words[1]}"
    if name in GROUPS:
        return None
    if name not in COMMANDS:
        return f"no command `{name}`"
    wrong = [option for option in OPTION.findall(" ".join(words)) if option not in COMMANDS[name]]
    return f"`{name}` has no {wrong[0]}" if wrong else None


@pytest.mark.parametrize("command", [name for name in COMMANDS if name])
def test_every_command_is_in_the_documents_with_all_its_options(command):
    lines = [line for line in BODY.splitlines() if re.search(rf"\blatih {command}\b", line)]
    shown = {option for line in lines for option in OPTION.findall(line)}
    assert lines
    assert COMMANDS[command] - {"--help"} <= shown


def test_the_options_of_the_program_itself_are_in_the_documents():
    assert set(OPTION.findall(BODY)) >= COMMANDS[""]


@each_document
def test_no_document_names_a_command_or_an_option_that_does_not_exist(file):
    calls = [words for line in code(file) for words in called(line)]
    assert [fault for words in calls if (fault := fault_in(words))] == []


def test_an_option_that_is_named_alone_belongs_to_some_command():
    ours = set().union(*COMMANDS.values())
    told = "\n".join(file.read_text() for file in (USERS, AUTHORS, OPERATORS, PRIVACY))
    alone = {span.split()[0] for span in SPAN.findall(told) if OPTION.match(span)}
    assert alone <= ours


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("./latih check --strict quizzes", None),
        ("./latih managers list --json", None),
        ("python -m bot migrate", None),
        ("printf 'D' | ./latih play x --yes", "`play` has no --yes"),
        ("../latih/latih chek", "no command `chek`"),
        ("latih managers burn", "no command `managers burn`"),
    ],
)
def test_a_wrong_call_would_be_found(line, fault):
    assert [fault_in(words) for words in called(line)] == [fault]


# What can be pasted

SAFE = re.compile(r"\./latih (check|list|preview|schema|new|slack manifest)\b")


def pasted(file: Path) -> list[str]:
    """The lines of a document that do no more than read, or write a new file."""
    lines = [line for block in blocks(file, "sh", "console") for line in block.splitlines()]
    return [line for line in lines if SAFE.match(line.removeprefix("$ "))]


def desk(folder: Path) -> dict[str, str]:
    """An empty folder with a launcher in it; the environment in which to run it."""
    (folder / "quizzes").mkdir(parents=True)
    (folder / "home" / "our-quizzes").mkdir(parents=True)
    launcher = folder / "latih"
    launcher.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bot "$@"\n')
    launcher.chmod(0o755)
    return {
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder / "home"),
        "LATIH_QUIZZES": str(folder / "quizzes"),
        "DATABASE_URL": f"sqlite:///{folder / 'none' / 'at-all.db'}",
    }


def failure(line: str, folder: Path, environment: dict[str, str]) -> str | None:
    """What a line said when it failed."""
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return f"{line}\n{done.stdout}{done.stderr}" if done.returncode else None


def test_the_commands_in_the_documents_run_as_they_stand(tmp_path):
    environment = desk(tmp_path)
    lines = {line.removeprefix("$ ") for file in DOCS for line in pasted(file)}
    begin = sorted(line for line in lines if "latih new" in line)
    failed = [failure(line, tmp_path, environment) for line in begin]
    with ThreadPoolExecutor() as pool:
        rest = (pool.submit(failure, line, tmp_path, environment) for line in lines - {*begin})
        failed += [each.result() for each in list(rest)]
    assert [each for each in failed if each] == []
    assert not (tmp_path / "none").exists(), "a safe command opened the database"


def test_some_commands_can_be_pasted_at_all():
    assert sum(len(pasted(file)) for file in DOCS) >= 5


# The documents themselves


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@each_document
def test_every_link_inside_the_repository_leads_somewhere(file):
    text = FENCED.sub("", file.read_text())
    for path, anchor in re.findall(r"\]\(((?!https?:)[^)#\s]*)#?([^)\s]*)\)", text):
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
            assert anchor in map(slug, headings), f"{path}#{anchor}"


@each_document
def test_every_fence_is_closed(file):
    assert len(re.findall(r"^ *```", file.read_text(), re.MULTILINE)) % 2 == 0


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="it is being written")
def test_the_readme_stays_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_the_code_is_under_the_whole_apache_licence():
    text = (ROOT / "LICENSE").read_text()
    assert len(text.encode()) == 11_358
    assert "Version 2.0, January 2004" in text
    assert "APPENDIX: How to apply the Apache License to your work." in text


FORBIDDEN = ["/wo" + "rk/", "sha" + "red/", "hel" + "per", "pythonho" + "sted", "pyp" + "i.org"]
"""Words that would tie the project to one machine or one way of working."""

OUTSIDE = {"var", "__pycache__", "node_modules"}


def test_no_file_speaks_of_the_machine_it_was_made_on():
    found = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [
            name for name in inner if name == ".ci" or not (name[0] == "." or name in OUTSIDE)
        ]
        for file in (Path(folder) / name for name in names):
            text = file.read_text(errors="ignore").lower()
            found += [f"{file.relative_to(ROOT)}: {word}" for word in FORBIDDEN if word in text]
    assert found == []
