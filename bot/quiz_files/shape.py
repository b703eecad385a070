"""From the tree to a form, with every misfit said at its place and in our words.

What does not fit is reported and left out, and the rest is looked at again: so one run names all
that is wrong, and not only the first of it.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.quiz_files.faults import Mark, Report, echo, one_of
from bot.quiz_files.forms import Form, SourceForm, VerifiedForm
from bot.quiz_files.reader import Node, Path

_F = TypeVar("_F", bound=Form)
_INNER: dict[str, type[Form]] = {
    "reading": SourceForm,
    "sources": SourceForm,
    "verified": VerifiedForm,
}
_LONGEST_NAME = 40


def fill(
    form: type[_F],
    node: Node,
    report: Report,
    *,
    without: str | None = None,
    stand_ins: Mapping[str, str] | None = None,
) -> _F | None:
    """`form` filled from `node`; None when what it needs is missing or wrong.

    `stand_ins` take the place of needed values that are, so that the rest can still be checked.
    """
    data = node.plain(without)
    filled = _validated(form, data)
    if isinstance(filled, list):
        for error in filled:
            report.error(*_said(error, node, form))
    while isinstance(filled, list):
        rest = _rest(data, filled, stand_ins or {})
        if rest is None:
            return None
        data, filled = rest, _validated(form, rest)
    return filled


def _validated(form: type[_F], data: Any) -> _F | list[ErrorDetails]:
    try:
        return form.model_validate(data)
    except ValidationError as wrong:
        return wrong.errors(include_url=False)


def _rest(
    data: Any, errors: list[ErrorDetails], stand_ins: Mapping[str, str]
) -> dict[str, Any] | None:
    """What fits of `data`, with the stand-ins; None when that is no more than there was."""
    left_out = [_leave_out(data, error["loc"]) for error in errors]
    if not isinstance(data, dict):
        return None
    rest = {**stand_ins, **data}
    return rest if any(left_out) or rest != data else None


def nearest(name: str, known: list[str]) -> str | None:
    """The one of `known` that `name` was probably meant to be."""
    close = get_close_matches(name.lower(), known, n=1) if len(name) <= _LONGEST_NAME else []
    return close[0] if close else None


def _said(error: ErrorDetails, node: Node, form: type[Form]) -> tuple[Mark, str, str]:
    path, kind = error["loc"], error["type"]
    if kind == "extra_forbidden":
        return _unknown(path, node, form)
    if kind == "missing":
        return _missing(path, node)
    at = node.at(*path).mark
    if kind in _SENTENCES:
        rule, say = _SENTENCES[kind]
        return at, rule, say(error)
    if "_" in kind:  # pydantic's own names have underscores, our rules have hyphens
        return at, "misfit", "This value does not fit here: compare it with a new quiz file."
    return at, kind, error["msg"]


def _unknown(path: Path, node: Node, form: type[Form]) -> tuple[Mark, str, str]:
    name = str(path[-1])
    known = _form_at(path[:-1], form).names()
    found = node.at(*path)
    near = nearest(name, known)
    hint = f"did you mean `{near}`?" if near else f"what can stand here is {one_of(known)}."
    return found.key or found.mark, "unknown-key", f"`{echo(name)}` is not known here: {hint}"


def _missing(path: Path, node: Node) -> tuple[Mark, str, str]:
    name = str(path[-1])
    around = node.at(*path[:-1])
    if isinstance(around.value, dict) and name in around.value:
        at = around.value[name].key or around.mark
        return at, "missing-key", f"`{name}` is empty: write it, or quote it if it is a word."
    return around.mark, "missing-key", f"`{name}` is missing: add a line `{name}: …`."


def _form_at(path: Path, form: type[Form]) -> type[Form]:
    names = [_INNER[step] for step in path if isinstance(step, str) and step in _INNER]
    return names[-1] if names else form


def _leave_out(data: Any, path: Path) -> bool:
    """Take the innermost named thing on `path` out of `data`, if there is one."""
    holder: dict[str, Any] | None = None
    name = ""
    for step in path:
        if isinstance(data, dict) and step in data:
            holder, name = data, str(step)
            data = data[name]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            break
    if holder is None:
        return False
    holder.pop(name)
    return True


def _choice(error: ErrorDetails) -> str:
    known = [
        part.strip("' ") for part in _context(error, "expected").replace(" or ", ", ").split(",")
    ]
    value = error["input"]
    if value is None:
        return f"Nothing is written here: write {one_of(known)}."
    near = nearest(str(value), known) if isinstance(value, str) else None
    hint = f"did you mean `{near}`?" if near else f"write {one_of(known)}."
    shown = f"`{echo(value)}`" if isinstance(value, str) else "This"
    return f"{shown} does not fit here: {hint}"


def _list(error: ErrorDetails) -> str:
    value = error["input"]
    if isinstance(value, str):
        return f"A list belongs here: write `[{echo(value)}]`."
    return "A list belongs here: begin each line with `- `."


def _map(error: ErrorDetails) -> str:
    inside = error["loc"][-1] if error["loc"] else ""
    if inside in ("options", "why_wrong"):
        return "Give each option its letter, one a line: `a: …`."
    if any(step in ("reading", "sources") for step in error["loc"]):
        return "A source is written as `title: …` and `url: …`."
    return "Lines of `name: value` belong here."


def _text(error: ErrorDetails) -> str:
    if error["input"] is None:
        return "Nothing is written here: write it, or quote it."
    return "Text belongs here, not a list or a map."


def _context(error: ErrorDetails, name: str) -> str:
    return str(error.get("ctx", {}).get(name, ""))


_SENTENCES: dict[str, tuple[str, Callable[[ErrorDetails], str]]] = {
    "enum": ("unknown-value", _choice),
    "string_type": ("not-text", _text),
    "list_type": ("not-a-list", _list),
    "dict_type": ("not-a-map", _map),
    "model_type": ("not-a-map", _map),
    "too_short": ("empty-list", lambda _: "This list is empty: write at least one entry."),
}
