"""A terminal window: a pseudo-terminal, and enough of an emulator to see what stands on it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

from tests.cli.desk import command

_SIZE = ("LINES", "COLUMNS")  # a size of somebody else's terminal
_PATIENCE = 30.0
_SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class Window:
    """Runs a program with real keys; its screen is as high as it needs to be."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own, self._theirs = pty.openpty()
        self.resize(80, 60)
        self._raw = b""
        self.program: subprocess.Popen[bytes] | None = None
        self.first_state = self.state

    @property
    def state(self) -> list[object]:
        """The terminal's settings: echo, line by line or key by key, and so on."""
        return termios.tcgetattr(self._theirs)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def opens(self, *arguments: str, **environment: str) -> None:
        self.program = subprocess.Popen(
            command(*arguments),
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            cwd=self._folder,
            env={name: it for name, it in os.environ.items() if name not in _SIZE}
            | {"PYTHONPATH": str(Path(__file__).parents[3]), "TERM": "xterm"}
            | environment,
            start_new_session=True,
            preexec_fn=self._take_control,  # noqa: PLW1509 - so that Ctrl-C becomes a signal
        )

    def types(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def waits_for(self, text: str) -> None:
        """Wait until a text stands on the screen."""
        deadline = time.monotonic() + _PATIENCE
        while text not in self.screen:
            assert time.monotonic() < deadline, f"{text!r} never came:\n{self.screen}"
            self._listen()

    def ends(self) -> int:
        """How the program ended."""
        assert self.program is not None
        deadline = time.monotonic() + _PATIENCE
        while self.program.poll() is None:
            assert time.monotonic() < deadline, f"it did not end:\n{self.screen}"
            self._listen()
        self._listen()
        return self.program.returncode

    @property
    def raw(self) -> str:
        return self._raw.decode()

    @property
    def screen(self) -> str:
        """What stands there now, drawn over where the program moved the cursor up."""
        lines, row = [""], 0
        text = self._raw.decode(errors="ignore").replace("\r", "")
        at = 0
        while at < len(text):
            if found := _SEQUENCE.match(text, at):
                at = found.end()
                if found[2] == "A":
                    row -= int(found[1] or 1)
                elif found[2] == "K":
                    lines[row] = ""
                continue
            if text[at] == "\n":
                row += 1
                lines += [""] if row == len(lines) else []
            else:
                lines[row] += text[at]
            at += 1
        return "\n".join(lines)

    def close(self) -> None:
        if self.program is not None and self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self._own)
        os.close(self._theirs)

    def _take_control(self) -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def _listen(self) -> None:
        if select.select([self._own], [], [], 0.05)[0]:
            self._raw += os.read(self._own, 65_536)
