"""The commands for authors: `list`, `check`, `new` and `schema`.

They need nothing but the quiz files: no chat platform, no database.
"""

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TextIO

import typer

from bot.chat.command import RESERVED
from bot.chat.limits import QUIZ_ID
from bot.cli.exits import ASKED_WRONGLY, COULD_NOT, FAULTS
from bot.engine.language import DEFAULT, shown
from bot.engine.quiz import Quiz
from bot.quiz_files import Fault, Loaded, is_quiz_id, load, schema, template

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


def add(app: typer.Typer) -> None:
    """Add these commands to `app`, whose `ctx.obj` has `folders` and `today`."""
    app.command("list")(list_quizzes)
    app.command("check")(check)
    app.command("new")(new)
    app.command("schema")(print_schema)


def list_quizzes(ctx: typer.Context, *, as_json: Json = False) -> None:
    """List the quizzes: id, title, level and number of questions."""
    loaded = _load(ctx, ctx.obj.folders)
    if as_json:
        for quiz in loaded.quizzes:
            _print_json(_described(quiz))
    elif sys.stdout.isatty():
        print_table(loaded.quizzes)
    else:
        _print_aligned(loaded.quizzes)
    broken = {fault.file for fault in loaded.faults if fault.breaks}
    if broken:
        _note(f"{_count(len(broken), 'file')} not loaded: `check` says why.")


def check(
    ctx: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Quiz files or folders; without one, all."),
    ] = None,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail, too.")] = False,
    as_json: Json = False,
) -> None:
    """Check quiz files and say every fault with its line and column."""
    absent = [path for path in paths or () if not _exists(path)]
    if absent:
        _refuse(*(f"There is no file or folder {path}." for path in absent))
    loaded = _checked(ctx, paths) if paths else _load(ctx, ctx.obj.folders)
    for fault in loaded.faults:
        if as_json:
            _print_json(_described_fault(fault))
        else:
            _print(str(fault))
    _note(_summary(loaded))
    failing = any(strict or fault.breaks for fault in loaded.faults)
    if failing:
        raise typer.Exit(FAULTS)


def new(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="The quiz's id: a-z, 0-9 and -.")],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="The folder to write it into.")
    ] = None,
) -> None:
    """Write a new quiz file that teaches the format."""
    name = name.removesuffix(".yaml")
    folders: list[Path] = ctx.obj.folders
    folder = to or folders[-1]
    if not is_quiz_id(name):
        _refuse(f"A quiz is named by a-z, 0-9 and `-`, at most {QUIZ_ID} characters.")
    if name in RESERVED:
        _refuse(f"`{name}` is a command of the bot: choose another name.")
    if not folder.is_dir():
        _refuse(f"There is no folder {folder}: make it first.")
    for taken in (place / f"{name}.yaml" for place in (folder, *folders)):
        if taken.exists():
            _refuse(f"{taken} is there already: choose another name.")
    _write(folder / f"{name}.yaml", template(name))


def print_schema() -> None:
    """Print the JSON Schema of quiz files, for editors."""
    _print(json.dumps(schema(), indent=2))


def _load(ctx: typer.Context, paths: Iterable[Path]) -> Loaded:
    return load(paths, today=ctx.obj.today, reserved=RESERVED)


def _checked(ctx: typer.Context, paths: list[Path]) -> Loaded:
    """What is wrong with the files in `paths`, among the quizzes that there are besides."""
    alone = _load(ctx, paths)
    asked = {os.path.realpath(file): file for file in alone.files}
    among = _load(ctx, [*ctx.obj.folders, *paths]).faults
    named = ((asked.get(os.path.realpath(fault.file)), fault) for fault in among)
    return replace(alone, faults=tuple(replace(fault, file=file) for file, fault in named if file))


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as new_file:
            new_file.write(text)
    except OSError as error:
        _note(f"{file} cannot be written: {error.strerror}.")
        raise typer.Exit(COULD_NOT) from None
    _print(str(file))
    _note(f"Write your questions into it, then: ./latih check {file}")


def _exists(path: Path) -> bool:
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError):
        return False


def _title(quiz: Quiz) -> str:
    return quiz.title.told(shown(DEFAULT, quiz.languages))


def _described(quiz: Quiz) -> dict[str, object]:
    return {
        "id": quiz.id,
        "title": _title(quiz),
        "level": quiz.level.value,
        "questions": len(quiz.live),
        "kind": quiz.kind.value,
        "languages": [language.value for language in quiz.languages],
    }


def _described_fault(fault: Fault) -> dict[str, object]:
    return {
        "file": str(fault.file),
        "line": fault.line,
        "column": fault.column,
        "severity": fault.severity.value,
        "rule": fault.rule,
        "message": fault.message,
    }


def _rows(quizzes: Iterable[Quiz]) -> list[tuple[str, str, str, str]]:
    return [(q.id, _title(q), q.level.value, str(len(q.live))) for q in quizzes]


def print_table(quizzes: Iterable[Quiz]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("quiz", "title", "level")
    table.add_column("questions", justify="right")
    for row in _rows(quizzes):
        table.add_row(*map(Text, row))
    Console().print(table)


def _print_aligned(quizzes: Iterable[Quiz]) -> None:
    from rich.cells import cell_len

    rows = _rows(quizzes)
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        _print("  ".join(cells).rstrip())


def _summary(loaded: Loaded) -> str:
    read = f"{_count(len(loaded.files), 'file')}, {_count(loaded.questions, 'question')}"
    errors = sum(fault.breaks for fault in loaded.faults)
    warnings = len(loaded.faults) - errors
    found = [_count(n, kind) for n, kind in ((errors, "error"), (warnings, "warning")) if n]
    return f"{read}: {' and '.join(found) or 'no faults'}"


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _print_json(value: dict[str, object]) -> None:
    _print(json.dumps(value))


def _print(text: str) -> None:
    typer.echo(_encodable(text, sys.stdout))


def _note(text: str) -> None:
    typer.echo(_encodable(text, sys.stderr), err=True)


def _refuse(*sentences: str) -> None:
    for sentence in sentences:
        _note(sentence)
    raise typer.Exit(ASKED_WRONGLY)


def _encodable(text: str, stream: TextIO) -> str:
    """`text` with what the terminal's encoding lacks written as codes."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
