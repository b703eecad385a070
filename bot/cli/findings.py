"""What a check found, and how checks are run so that none hangs or breaks the others."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from threading import Thread
from typing import TypeAlias

from bot.engine.fault import UnavailableError

LONGEST = 5.0
"""Seconds that a check may take."""


class State(StrEnum):
    """How something is: as it should be, worth a look, or keeping the bot from its work."""

    OK = "ok"
    WARN = "warn"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and how to mend it when it needs that."""

    state: State
    what: str
    said: str
    mend: str = ""

    @property
    def line(self) -> str:
        mend = f": {self.mend}" if self.mend else ""
        return f"{self.state:<5}  {self.what} {self.said}{mend}"


Check: TypeAlias = Callable[[], Iterable[Finding]]


def run(what: str, check: Check, seconds: float = LONGEST) -> list[Finding]:
    """What `check` finds; one that fails or hangs is a fault itself."""
    future: Future[list[Finding]] = Future()

    def work() -> None:
        try:
            future.set_result(list(check()))
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            future.set_exception(error)

    # A thread that nobody waits for at the end: what hangs cannot be stopped, only left behind.
    Thread(target=work, name=f"latih-check-{what}", daemon=True).start()
    try:
        return future.result(timeout=seconds)
    except TimeoutError:
        said = f"gave no answer within {seconds:g} s"
        return [Finding(State.FAULT, what, said, "check the address and the network")]
    except UnavailableError as error:
        return [Finding(State.FAULT, what, "does not work", str(error))]
    except Exception as error:  # noqa: BLE001 - a check that breaks must not hide the others
        return [Finding(State.FAULT, what, f"could not be checked: {error!r}")]
