"""What a button is promised to do, from what is stored when it is pressed (docs: "A run").

While a question is the run's current screen, a press gives its verdict, and any further press the
same one again. Once the run has moved on, or has ended, a press gives a note and changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot.chat.token import RunToken
from tests.proof.screens import Screen
from tests.proof.stored import StoredRun

OVER = "This run has ended"
STALE = "You have already moved past this question"


@dataclass(frozen=True)
class Promise:
    """In words, and as a test of the screen that comes; `changes` when something is stored."""

    says: str
    is_kept: Callable[[Screen], bool]
    changes: bool = False


def promised(token: RunToken, run: StoredRun) -> Promise:
    """What a new press of a letter or of Next gets."""
    if run.end is not None:
        return Promise("a note that the run has ended", lambda screen: OVER in screen.words)
    if token.position != run.position:
        return Promise("a note that the run has moved on", lambda screen: STALE in screen.words)
    answered = run.at(token.position)
    if token.verb != "next":
        return _verdict(token, answered[0].letter if answered else None)
    if not answered:
        return _question(token, token.position)
    if token.position == run.of:
        return Promise("the result", lambda screen: screen.is_result, changes=True)
    return _question(token, token.position + 1)


def _verdict(token: RunToken, first: str | None) -> Promise:
    """`first` is the letter that was answered already."""
    letter = first or token.verb
    stands = letter if letter != token.verb else None
    late = ", and that the first answer stands" if stands else ""

    def is_kept(screen: Screen) -> bool:
        here = screen.is_verdict and (screen.run, screen.position) == (token.run, token.position)
        return here and screen.given == letter and screen.stands == stands

    says = f"the verdict on {letter} at question {token.position}{late}"
    return Promise(says, is_kept, changes=first is None)


def _question(token: RunToken, position: int) -> Promise:
    def is_kept(screen: Screen) -> bool:
        return screen.is_question and (screen.run, screen.position) == (token.run, position)

    return Promise(f"question {position}", is_kept, changes=position != token.position)
