"""The documents as tests read them: which there are, and the code in them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USERS, AUTHORS, OPERATORS, PRIVACY = (
    ROOT / "docs" / f"{name}.md" for name in ("use", "write-a-quiz", "run-it", "privacy")
)
DOCS = [
    *(file for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md") if file.exists()),
    *sorted((ROOT / "docs").rglob("*.md")),
]
BODY = "\n".join(file.read_text() for file in DOCS)

each_document = pytest.mark.parametrize("file", DOCS, ids=lambda file: str(file.relative_to(ROOT)))

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def blocks(file: Path, *languages: str) -> list[str]:
    """What stands in a document's fences of these languages."""
    return [block for language, block in FENCED.findall(file.read_text()) if language in languages]


def code(file: Path) -> Iterator[str]:
    """The lines of code in a document, in fences and between backticks."""
    for block in blocks(file, "sh", "console", "yaml"):
        yield from block.splitlines()
    yield from SPAN.findall(FENCED.sub("", file.read_text()))
