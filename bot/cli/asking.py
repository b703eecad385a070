"""Asking a person at a terminal, or a script that pipes one answer a line."""

import sys
from typing import NoReturn

import typer

from bot.cli.exits import ASKED_WRONGLY
from bot.cli.tools import say

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
