"""YAML as quizzes need it: a tree in which every scalar is the text that was typed.

YAML turns `no`, `3.10` and `09:30` into a boolean, a number and 570; here they are answers. What
makes a file harder to read than to write (anchors, aliases, tags, merge keys) or loses words
without a sound (duplicate keys) is refused. The tree is built from parser events, without
recursion, so that no nesting can exhaust the stack.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import yaml

from bot.quiz_files.faults import START, Mark, Report, echo
from bot.quiz_files.syntax import forbidden, say

DEPTH = 20
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MISSING = ("", "~", "null")

Path: TypeAlias = tuple[str | int, ...]


@dataclass(slots=True)
class Node:
    """A value with its place; `key` is where the name before it stands."""

    mark: Mark
    value: "str | list[Node] | dict[str, Node] | None"
    key: Mark | None = None
    is_cut: bool = False
    """Whether a comment follows plain text on its line, which may have been meant as text."""

    def at(self, *path: str | int) -> "Node":
        """The node at `path`, or the nearest one around it."""
        node = self
        for step in path:
            inner = node._step(step)
            if inner is None:
                break
            node = inner
        return node

    def has(self, name: str) -> bool:
        """Whether something is written under `name`."""
        return isinstance(self.value, dict) and (
            name in self.value and self.value[name].value is not None
        )

    def plain(self, without: str | None = None) -> Any:
        """The same as plain dictionaries, lists and text; of a map all but `without`."""
        value = self.value
        if isinstance(value, dict):
            return {name: node.plain() for name, node in value.items() if name != without}
        return [node.plain() for node in value] if isinstance(value, list) else value

    def _step(self, step: str | int) -> "Node | None":
        if isinstance(self.value, dict):
            return self.value.get(str(step))
        if isinstance(self.value, list) and isinstance(step, int):
            return self.value[step] if step < len(self.value) else None
        return None


def read(text: str, report: Report) -> Node | None:
    """The tree in `text`, or None when there is none that could be looked at further."""
    if at := forbidden(text):
        report.error(*at)
        return None
    tree = _Tree(report, text.split("\n"))
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            tree.take(event)
    except _StopError:
        return None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        report.error(*say(error, text))
        return None
    if tree.root is None:
        report.error(START, "empty-file", "Nothing is written here: begin with `title:`.")
    return tree.root


class _StopError(Exception):
    """What follows cannot be read with profit; the fault is reported."""


@dataclass(slots=True)
class _Open:
    """A list or a map that is being read; a map waits for a name, then for its value."""

    node: Node
    name: str | None = None
    named_at: Mark | None = None


class _Tree:
    """Builds the tree, event by event."""

    def __init__(self, report: Report, lines: list[str]) -> None:
        self.root: Node | None = None
        self._lines: Final = lines
        self._report: Final = report
        self._open: list[_Open] = []

    def take(self, event: yaml.Event) -> None:
        match event:
            case yaml.ScalarEvent():
                self._refuse_marks(event)
                self._put(Node(_mark(event), _text(event), is_cut=self._is_cut(event)))
            case yaml.CollectionStartEvent():
                self._refuse_marks(event)
                self._begin(event)
            case yaml.CollectionEndEvent():
                self._open.pop()
            case yaml.AliasEvent():
                words = f"`*{echo(event.anchor)}` is an alias: write the text out, or quote it."
                self._report.error(_mark(event), "alias", words)
                self._put(Node(_mark(event), f"*{event.anchor}"))
            case yaml.DocumentStartEvent() if self.root is not None:
                words = "A second document begins here: one file holds one quiz."
                self._report.error(_mark(event), "several-documents", words)
                raise _StopError
            case _:
                pass

    def _is_cut(self, event: yaml.ScalarEvent) -> bool:
        end = event.end_mark
        if event.style or not event.value or end is None or end.line >= len(self._lines):
            return False
        return self._lines[end.line][end.column :].lstrip().startswith("#")

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if len(self._open) >= DEPTH:
            words = f"This is nested more than {DEPTH} levels deep: a quiz needs about six."
            self._report.error(_mark(event), "too-deep", words)
            raise _StopError
        node = Node(_mark(event), {} if isinstance(event, yaml.MappingStartEvent) else [])
        self._put(node)
        self._open.append(_Open(node))

    def _put(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        around = self._open[-1]
        if isinstance(around.node.value, list):
            around.node.value.append(node)
        elif around.named_at is None:
            around.name, around.named_at = self._name(node, around), node.mark
        else:
            if around.name is not None:
                node.key = around.named_at
                cast("dict[str, Node]", around.node.value)[around.name] = node
            around.named_at = None

    def _name(self, node: Node, around: _Open) -> str | None:
        """The name that `node` gives to what follows; None when it may not be one."""
        name, known = node.value, cast("dict[str, Node]", around.node.value)
        if not isinstance(name, str):
            words = "A name must stand before the colon: plain text, not a list or nothing."
            self._report.error(node.mark, "odd-key", words)
            return None
        if name == "<<":
            words = "Merge keys (`<<`) are not read: write the lines out."
            self._report.error(node.mark, "merge-key", words)
            return None
        if name in known:
            first = known[name].key or known[name].mark
            words = f"`{echo(name)}` is already on line {first[0]}: keep one of the two."
            self._report.error(node.mark, "duplicate-key", words)
            return None
        return name

    def _refuse_marks(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor is not None:
            words = f"`&{echo(event.anchor)}` is an anchor: leave it out, or quote the text."
            self._report.error(_mark(event), "anchor", words)
        if event.tag is not None:
            words = f"`{echo(event.tag)}` is a tag: leave it out, or put the text in quotes."
            self._report.error(_mark(event), "tag", words)


def _text(event: yaml.ScalarEvent) -> str | None:
    if event.tag is not None:
        return str(event.value or event.tag)
    # The C loader calls the plain style "", the Python one None.
    missing = not event.style and event.value in _MISSING
    return None if missing else str(event.value)


def _mark(event: yaml.Event) -> Mark:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else START
