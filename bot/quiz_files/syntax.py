"""What YAML's own parser refuses, said so that an author knows what to do."""

import re

import yaml

from bot.quiz_files.faults import START, Mark, echo

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_TABS = "Indent with spaces: YAML does not read tabs there."
_UNCLOSED = "What opens here is never closed: add the closing quote or bracket."
_INDENT = "This line does not fit the lines above it: check its indentation and its quotes."
_HINTS = (
    ("found a tab", _TABS),
    ("mapping values are not allowed", "A text with a colon in it needs quotes: 'like: this'."),
    ("nesting depth", "This is nested too deep: a quiz needs about six levels."),
    ("flow_level", "This is nested too deep: a quiz needs about six levels."),
    ("escape", "In double quotes a backslash begins an escape: use single quotes."),
    ("could not find expected ':'", "A colon is missing: write `name: text`."),
    ("unexpected end of stream", _UNCLOSED),
    ("',' or", _UNCLOSED),
    ("node content", _UNCLOSED),
    ("expected '-' indicator", _INDENT),
    ("expected <block end>", _INDENT),
    ("did not find expected key", _INDENT),
    ("<document start>", "Text stands after the end of the quiz: one file holds one quiz."),
)


def forbidden(text: str) -> tuple[Mark, str, str] | None:
    """The first character that no YAML file may hold."""
    found = _FORBIDDEN.search(text)
    if not found:
        return None
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - text.rfind("\n", 0, found.start())
    words = f"The character U+{ord(found[0]):04X} cannot stand in a quiz file: delete it."
    return (line, column), "control-character", words


def say(error: Exception, text: str) -> tuple[Mark, str, str]:
    """Where the parser stopped, the rule, and what to do."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return START, "yaml", "This is not YAML: compare it with a new quiz file."
    problem = error.problem or "it cannot be read"
    words = _words(problem, _char(error.problem_mark, text))
    mark = error.context_mark if words is _UNCLOSED else error.problem_mark
    mark = mark or error.problem_mark
    at = (mark.line + 1, mark.column + 1) if mark else START
    return at, "yaml", words


def _words(problem: str, char: str) -> str:
    if "cannot start any token" in problem:
        if char == "\t":
            return _TABS
        return f"A text that begins with `{echo(char)}` needs quotes."
    known = (words for part, words in _HINTS if part in problem)
    return next(known, f"This is not YAML: {echo(problem)}.")


def _char(mark: yaml.Mark | None, text: str) -> str:
    if mark is None:
        return ""
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return line[mark.column : mark.column + 1]
