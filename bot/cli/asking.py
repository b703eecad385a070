"""Asking a person at a terminal, or a script that pipes one answer a line."""

import sys
from collections.abc import Callable
from typing import NoReturn, TypeVar

import typer

from bot.cli.exits import ASKED_WRONGLY
from bot.cli.tools import say
from bot.engine.fault import RefusedError, UnavailableError

T = TypeVar("T")

_INTERRUPTED = 130  # what shells give a program that Ctrl-C ended
_QUOTES = "\"'`<>\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"


def refuse(sentence: str) -> NoReturn:
    """Say why a command was asked wrongly, and end it."""
    say(sentence)
    raise typer.Exit(ASKED_WRONGLY)


class Asker:
    """Puts questions; `unchanged` is what to say when they end before all is answered."""

    def __init__(self, unchanged: str) -> None:
        self._unchanged = unchanged
        self.of_person = sys.stdin.isatty()

    def ask(self, question: str, default: str = "", *, hidden: bool = False) -> str:
        """An answer without the spaces and quotes around it; `default` for an empty one."""
        answer = plain(self._typed(question, default, hidden) if self.of_person else self._line())
        return answer or default

    def until_good(
        self,
        question: str,
        read: Callable[[str], T],
        default: str = "",
        *,
        hidden: bool = False,
    ) -> T:
        """What `read` makes of the first answer that it takes.

        The reason of a `ValueError` or `RefusedError` is told before the question is put again.
        An answer that cannot be checked now ends a script; a person may try again.
        """
        while True:
            answer = self.ask(question, default, hidden=hidden)
            try:
                return read(answer)
            except (ValueError, RefusedError) as wrong:
                say(f"Not that one: {wrong}")
            except UnavailableError as trouble:
                if not self.of_person:
                    raise
                say(f"It could not be checked: {trouble}.")

    def agrees(self, question: str) -> bool:
        """Whether a person says yes, as they do by pressing Enter; a script has to write it."""
        if not self.of_person:
            return plain(sys.stdin.readline()).lower() in ("y", "yes", "ya")
        return self.ask(f"{question} [Y/n]").lower() in ("", "y", "yes", "ya")

    def _typed(self, question: str, default: str, hidden: bool) -> str:
        shown = f"{question} [{default}]" if default else question
        try:
            typed: str = typer.prompt(
                shown, default="", show_default=False, hide_input=hidden, err=True
            )
        except typer.Abort:
            say(f"\n{self._unchanged}")
            raise typer.Exit(_INTERRUPTED) from None
        return typed

    def _line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            refuse(f"The input ended before everything was answered. {self._unchanged}")
        return line


def plain(answer: str) -> str:
    """What was meant, without what copying and pasting leaves around it."""
    return answer.strip().strip(_QUOTES).strip()
