"""A terminal with the program in it: what a person types at its questions, and what they see."""

import os
import pty
import select
import subprocess
from pathlib import Path

from tests.cli.desk import command, environment


class Terminal:
    """A person's terminal with the program in it; `shown` is all that was ever on it."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self._ours, theirs = pty.openpty()
        self._looked_at = 0
        self.shown = ""
        self.program = subprocess.Popen(
            command(*arguments),
            cwd=folder,
            env=environment(**settings),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def types_at(self, question: str, answer: str) -> None:
        """Answer when the cursor stands behind the question, as people do."""
        self.sees(f"{question}: ")
        os.write(self._ours, answer.encode())

    def sees(self, text: str) -> None:
        """Wait for what was not looked at before."""
        while (at := self.shown.find(text, self._looked_at)) < 0:
            assert self._reads(), f"no {text!r} in {self.shown!r}"
        self._looked_at = at + len(text)

    def ends(self) -> int:
        while self._reads():
            pass
        return self.program.wait(30)

    def closes(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._ours)

    def _reads(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 20)
        try:
            more = os.read(self._ours, 4096) if ready else b""
        except OSError:  # how Linux says that the program has gone
            more = b""
        self.shown += more.decode(errors="replace")
        return bool(more)
