"""The house's rules: who may import whom, where clock and dice are, how large a module may be."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from statistics import median

import pytest

from bot import __version__

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "adapters")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = {
    str(path.relative_to(ROOT)): path
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [tool, "--no-cache", "--no-logo", "pyproject.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


CONTRACTS = [contract["name"] for contract in PROJECT["tool"]["importlinter"]["contracts"]]
LAYERS, PURE, STORE, FILES, SETTINGS, ADAPTERS, SIBLINGS, WIRING = CONTRACTS


def test_rooms_import_only_what_they_may():
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in done.stdout


VIOLATIONS = {
    "the engine uses the port": ("bot/engine/run.py", "bot.chat.card", LAYERS),
    "the engine reads a clock": ("bot/engine/run.py", "time", PURE),
    "the engine throws dice": ("bot/engine/quiz.py", "random", PURE),
    "a view waits": ("bot/views/menu.py", "asyncio", PURE),
    "a view writes logs": ("bot/views/notes.py", "logging", PURE),
    "a view knows a platform": ("bot/views/run.py", "slack_sdk", PURE),
    "a view speaks SQL": ("bot/views/run.py", "sqlalchemy", PURE),
    "a view asks the store": ("bot/views/menu.py", "bot.store", LAYERS),
    "the port uses a view": ("bot/chat/plain.py", "bot.views.build", LAYERS),
    "phrases use a view": ("bot/phrases/__init__.py", "bot.views.build", LAYERS),
    "the store draws cards": ("bot/store/unit.py", "bot.chat.card", STORE),
    "the store uses the service": ("bot/store/unit.py", "bot.service.kit", LAYERS),
    "quiz files draw cards": ("bot/quiz_files/loading.py", "bot.chat.card", FILES),
    "the service loads files": ("bot/service/service.py", "bot.quiz_files", LAYERS),
    "the service reads settings": ("bot/service/kit.py", "bot.settings", LAYERS),
    "settings know a type of ours": ("bot/settings.py", "bot.engine.language", SETTINGS),
    "somebody imports the main module": ("bot/cli/tools.py", "bot.__main__", LAYERS),
    "an adapter asks the service": ("adapters/slack/app.py", "bot.service", ADAPTERS),
    "an adapter reads settings": ("adapters/slack/app.py", "bot.settings", ADAPTERS),
    "an adapter knows quiz rules": ("adapters/slack/render.py", "bot.engine.run", ADAPTERS),
    "an adapter draws screens": ("adapters/slack/app.py", "bot.views.run", ADAPTERS),
    "an adapter uses another": ("adapters/other/app.py", "adapters.slack.read", SIBLINGS),
    "the service knows an adapter": ("bot/service/kit.py", "adapters.slack.app", WIRING),
}


def copied_to(folder: Path) -> Path:
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> dict[str, str]:
    """What the tool says of each contract in a copy of the house with all those imports in it."""
    folder = copied_to(tmp_path_factory.mktemp("house"))
    (folder / "adapters/other").mkdir()
    (folder / "adapters/other/__init__.py").touch()
    for module, imported, _ in VIOLATIONS.values():
        with (folder / module).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    done = lint_imports(folder)
    assert done.returncode == 1, done.stderr
    said = done.stdout.partition("Broken contracts")[2]
    parts = re.split(rf"^({'|'.join(map(re.escape, CONTRACTS))})\n-+\n", said, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("module", "imported", "contract"), VIOLATIONS.values(), ids=VIOLATIONS)
def test_an_import_that_is_not_allowed_breaks_its_contract(broken, module, imported, contract):
    importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert re.search(rf"\b{importer} -> {imported}\b", broken[contract])


def test_a_room_that_has_no_place_in_the_house_is_refused(tmp_path):
    (copied_to(tmp_path) / "bot/shed.py").touch()

    done = lint_imports(tmp_path)

    assert done.returncode == 1
    assert "shed" in done.stdout + done.stderr


def imported_by(name: str) -> Iterator[str]:
    """The top-level packages that a module imports, wherever in it."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_the_engine_needs_the_standard_library_and_fsrs_alone():
    needed = {it for name in TREES if name.startswith("bot/engine/") for it in imported_by(name)}
    assert needed - sys.stdlib_module_names - {"fsrs", "bot"} == set()


DICE_AND_CLOCK = ("bot/__main__.py",)
ENVIRONMENT = ("bot/settings.py",)
CLOCK = {
    *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
    *("time.time", "time.time_ns", "time.localtime", "time.gmtime"),
}


def uses(tree: ast.Module) -> Iterator[str]:
    """What a module uses that only one place may: by its dotted name's last two parts."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attr):
                yield f"{owner}.{attr}"
            case ast.Attribute(value=ast.Attribute(attr=owner), attr=attr):
                yield f"{owner}.{attr}"
            case ast.Import(names=names):
                yield from (f"import {alias.name.partition('.')[0]}" for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield f"import {module.partition('.')[0]}"
                yield from (f"{module}.{alias.name}" for alias in names)


def offenders(banned: set[str], allowed: tuple[str, ...]) -> list[str]:
    return [
        f"{name}: {use}"
        for name, tree in TREES.items()
        if name not in allowed
        for use in sorted(set(uses(tree)) & banned)
    ]


def test_only_the_main_module_reads_the_clock():
    assert offenders(CLOCK, DICE_AND_CLOCK) == []


def test_only_the_main_module_throws_dice():
    dice = {"import random", "import secrets", "uuid.uuid4", "os.urandom"}
    assert offenders(dice, DICE_AND_CLOCK) == []


def test_only_the_settings_read_the_environment():
    environment = {"os.environ", "os.environb", "os.getenv", "os.putenv"}
    assert offenders(environment, ENVIRONMENT) == []


@pytest.mark.parametrize(
    ("source", "use"),
    [
        ("from datetime import datetime\ndatetime.now()", "datetime.now"),
        ("import datetime\ndatetime.datetime.now()", "datetime.now"),
        ("import datetime as dt\ndt.date.today()", "date.today"),
        ("import time\ntime.time()", "time.time"),
        ("from time import time", "time.time"),
        ("from random import choice", "import random"),
        ("def f():\n    import secrets", "import secrets"),
        ("from os import environ", "os.environ"),
        ("import os\nos.environ['X']", "os.environ"),
    ],
)
def test_a_clock_dice_or_the_environment_are_seen_however_they_are_reached(source, use):
    assert use in set(uses(ast.parse(source)))


def lengths() -> dict[str, int]:
    return {
        name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()
    }


def test_no_module_is_longer_than_300_lines():
    assert {name: lines for name, lines in lengths().items() if lines > 300} == {}


def test_half_of_all_modules_have_at_most_100_lines():
    assert median(lengths().values()) <= 100


def test_the_version_is_the_same_wherever_it_stands():
    assert __version__ == PROJECT["project"]["version"]


def test_there_is_one_place_for_what_is_still_to_be_done_and_it_is_not_a_file():
    words = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    found = [name for name, text in project_files() if words.search(text)]
    assert found == []


def project_files() -> Iterator[tuple[str, str]]:
    """Every text file of the project; what tools leave behind stands in hidden folders."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part != ".github" for part in parts[:-1])
        if hidden or "__pycache__" in parts or not path.is_file() or path.name == ".env":
            continue
        try:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


NOT_IMPORTED_BY_NAME = {
    "psycopg": "SQLAlchemy finds the driver by the database's address",
    "tzdata": "zoneinfo reads it where the machine has no zones",
}
COMES_WITH = {"slack-sdk": "slack-bolt", "pydantic-core": "pydantic", "yarl": "aiohttp"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_imported_is_what_is_declared():
    declared = {
        canonical(re.split(r"[\[<>=;~! ]", requirement)[0])
        for requirement in PROJECT["project"]["dependencies"]
    }
    known = packages_distributions()
    tops = {it for name in TREES for it in imported_by(name)} - sys.stdlib_module_names
    used = {canonical(known[top][0]) for top in tops - {*ROOMS}}

    assert used - declared == set(COMES_WITH) & used
    assert set(COMES_WITH.values()) <= declared
    assert declared - used <= set(NOT_IMPORTED_BY_NAME)
