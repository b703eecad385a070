"""The comparison itself: it is silent where all agrees, and names each thing that does not."""

from dataclasses import replace

import pytest

from bot.chat.token import RunToken
from bot.engine.people import Identity
from tests.proof.checker import APOLOGY, Press, Story, objections
from tests.proof.promises import OVER, STALE, promised
from tests.proof.screens import Screen
from tests.proof.stored import Stored, StoredAnswer, StoredRun

RUN = "ABCDEFGHIJKLMNOP"
AYU, BIMA = (Identity("slack", "T1", name) for name in ("U1", "U2"))
OPTIONS = "A. Weights\nB. Nothing\nC. Colours"


def screen(words: str, *verbs: str, position: int = 1, run: str = RUN) -> Screen:
    return Screen(None, 0, words, {verb: RunToken(run, position, verb).wire for verb in verbs})


QUESTION = screen(f"Question 1 of 2\n{OPTIONS}", "A", "B", "C", "id")
VERDICT = screen("Not quite. You chose B; the answer is A.", "next", "id")
SECOND = screen(f"Question 2 of 2\n{OPTIONS}", "A", "B", "C", "id", position=2)
LAST_VERDICT = screen("Right: A.", "next", "id", position=2)
RESULT = screen("You got 1 of 2 right.", "review", "result-id", position=2)

ALL_SHOWN = (QUESTION, VERDICT, SECOND, LAST_VERDICT, RESULT)
FIRST = StoredAnswer(1, "B", "Nothing", right=False)
LAST = StoredAnswer(2, "A", "Weights", right=True)
FINISHED = StoredRun(RUN, AYU, "shards", 2, 2, "finished", (FIRST, LAST))
PRESSES = [
    Press(RunToken(RUN, 1, "B").wire, "Nothing"),
    Press(RunToken(RUN, 1, "next").wire),
    Press(RunToken(RUN, 2, "A").wire, "Weights"),
    Press(RunToken(RUN, 2, "next").wire),
]


def story(*screens: Screen, presses: list[Press] = PRESSES, started: int = 1) -> Story:
    return Story("Ayu", AYU, screens, presses, started)


def stored(**changes: object) -> Stored:
    run = replace(FINISHED, **changes)  # type: ignore[arg-type]
    return Stored({RUN: run}, frozenset([run.owner]))


NOTHING = Stored({}, frozenset())


def test_it_is_silent_where_all_agrees():
    assert objections([story(*ALL_SHOWN)], stored()) == []


def test_what_was_stored_and_never_shown_is_in_order():
    assert objections([story(QUESTION)], stored()) == []


ANOTHER = replace(FIRST, letter="A", option="Weights")


@pytest.mark.parametrize(
    ("said", "seen", "runs"),
    [
        ("no answers are stored", ALL_SHOWN[:2], stored(position=1, end=None, answers=())),
        ("A (Weights) is stored", ALL_SHOWN[:2], stored(answers=(ANOTHER, LAST))),
        ("2 answers are stored", ALL_SHOWN, stored(answers=(FIRST, FIRST, LAST))),
        ("never pressed", ALL_SHOWN[:1], stored(answers=(replace(FIRST, letter="C"), LAST))),
        ("moved past, and no answer", ALL_SHOWN[:1], stored(answers=(LAST,))),
        ("is not stored", ALL_SHOWN[:1], NOTHING),
        ("somebody else's", ALL_SHOWN[:1], stored(owner=BIMA)),
        ("is stored at question 1", ALL_SHOWN[:3], stored(position=1, end=None, answers=(FIRST,))),
        ("stored as open", ALL_SHOWN, stored(end=None)),
        ("shown as (1, 2)", ALL_SHOWN, stored(answers=(FIRST, replace(LAST, right=False)))),
        ("verdicts on B and C", (*ALL_SHOWN, screen("You chose C; no.", "next")), stored()),
        (APOLOGY, (screen(f"{APOLOGY}. Reference: 1"),), NOTHING),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_it_names_what_does_not_agree(said, seen, runs):
    found = objections([story(*seen)], runs)
    assert any(said in sentence for sentence in found), found


def test_it_finds_somebody_of_whom_half_a_unit_is_stored():
    found = objections([story(*ALL_SHOWN)], replace(stored(), people=frozenset([AYU, BIMA])))
    assert found == [f"{BIMA} is stored without the run that they came for"]


def test_it_counts_the_runs_that_nobody_asked_for():
    other = replace(FINISHED, token="Q" * 16, end=None, position=1, answers=())
    both = {RUN: FINISHED, other.token: other}
    found = objections([story(*ALL_SHOWN)], Stored(both, frozenset([AYU])))
    assert found == ["Ayu: 2 runs are stored, and 1 were asked for"]


def test_it_finds_a_quiz_that_is_open_twice():
    first, second = (replace(FINISHED, token=it * 16, end=None) for it in "QR")
    both = Stored({"Q": first, "R": second}, frozenset([AYU]))
    found = objections([story(started=2)], both)
    assert any("open 2 times" in sentence for sentence in found)


OPEN = replace(FINISHED, position=1, end=None, answers=())
ANSWERED = replace(OPEN, answers=(FIRST,))
STANDS = screen("You chose B; the answer is A.\nYour first answer stands: B.", "next")
CHANGED = screen("You chose C; the answer is A.", "next")


@pytest.mark.parametrize(
    ("verb", "run", "kept", "broken"),
    [
        ("B", OPEN, VERDICT, QUESTION),
        ("C", ANSWERED, STANDS, VERDICT),
        ("B", ANSWERED, VERDICT, CHANGED),
        ("next", ANSWERED, SECOND, QUESTION),
        ("next", OPEN, QUESTION, SECOND),
        ("B", replace(FINISHED, end=None), screen(STALE), VERDICT),
        ("B", FINISHED, screen(OVER), VERDICT),
    ],
)
def test_a_promise_is_kept_by_one_screen_and_broken_by_another(verb, run, kept, broken):
    promise = promised(RunToken(RUN, 1, verb), run)
    assert promise.is_kept(kept)
    assert not promise.is_kept(broken)


def test_the_last_next_promises_the_result():
    run = replace(FINISHED, end=None)
    assert promised(RunToken(RUN, 2, "next"), run).is_kept(RESULT)
