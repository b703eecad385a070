"""Each line of the run's state table, as its module's docstring has it."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.engine import run as rules
from bot.engine.run import End, Given, Refused, Run
from tests.quizzes import question

START = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LATER = START + timedelta(minutes=5)
PRESSED = START + timedelta(minutes=1)
NEW = Given(("b",), LATER, "press-new")
MOVER = "press-next"
MOST = 3


def given(n):
    return Given(("a",), PRESSED + timedelta(seconds=n), f"press-{n}")


def asking(position=2):
    """A run at a question without an answer; those before it are answered."""
    return Run(
        id=1,
        token="t" * 16,
        person=1,
        quiz="shards",
        seed=7,
        versions=tuple(f"version-{n}" for n in range(1, MOST + 1)),
        position=position,
        started_at=START,
        shown_at=START,
        given={n: given(n) for n in range(1, position)},
    )


def answered(position=2):
    run = asking(position)
    return replace(run, given={**run.given, position: given(position)})


def ended(position=2):
    return replace(answered(position), end=End.STOPPED, ended_at=PRESSED)


@dataclass(frozen=True)
class Case:
    """What an event makes of a run; `row` is the line of the table that says so."""

    row: tuple[str, str, str]
    run: Run
    event: str
    position: int | None
    becomes: Run | Refused


def cases(row, runs, events, positions, becomes):
    """A case for each combination; `becomes` may be worked out from the run."""
    return [
        Case(row, run, event, position, becomes(run) if callable(becomes) else becomes)
        for run in runs
        for event in events
        for position in positions
    ]


def moved(position):
    return replace(answered(position - 1), position=position, shown_at=LATER, moved_by=MOVER)


def with_new(run):
    return replace(run, given={**run.given, run.position: NEW})


def shown_again(run):
    return replace(run, shown_at=LATER)


def over(end):
    return lambda run: replace(run, end=end, ended_at=LATER, moved_by=MOVER)


OTHER = (1, 3, 99)
CASES = [
    *cases(("asking", "answer", "current"), [asking()], ["answer"], [2], with_new),
    *cases(("asking", "answer", "other"), [asking()], ["answer"], OTHER, Refused.STALE),
    *cases(("asking", "advance", "current"), [asking()], ["advance"], [2], Refused.TOO_SOON),
    *cases(("asking", "advance", "other"), [asking()], ["advance"], OTHER, Refused.STALE),
    *cases(("answered", "answer", "current"), [answered()], ["answer"], [2], Refused.ALREADY),
    *cases(("answered", "answer", "other"), [answered()], ["answer"], OTHER, Refused.STALE),
    *cases(("answered", "advance", "current"), [answered()], ["advance"], [2], moved(3)),
    *cases(
        ("answered", "advance", "current"),
        [answered(MOST)],
        ["advance"],
        [MOST],
        over(End.FINISHED),
    ),
    *cases(("answered", "advance", "other"), [answered()], ["advance"], OTHER, Refused.STALE),
    *cases(("asking", "resume", "-"), [asking()], ["resume"], [None], shown_again),
    *cases(("answered", "resume", "-"), [answered()], ["resume"], [None], shown_again),
    *cases(("asking", "stop", "-"), [asking(), asking(MOST)], ["stop"], [None], over(End.STOPPED)),
    *cases(("answered", "stop", "-"), [answered()], ["stop"], [None], over(End.STOPPED)),
    *cases(("answered", "stop", "-"), [answered(MOST)], ["stop"], [None], over(End.FINISHED)),
    *cases(
        ("ended", "answer, advance", "any"),
        [ended(), ended(MOST)],
        ["answer", "advance"],
        [1, 2, 3],
        Refused.OVER,
    ),
    *cases(("ended", "resume, stop", "-"), [ended()], ["resume", "stop"], [None], Refused.OVER),
]


def happens(case):
    match case.event:
        case "answer":
            return rules.answer(case.run, case.position, NEW)
        case "advance":
            return rules.advance(case.run, case.position, LATER, MOVER)
        case "resume":
            return rules.resume(case.run, LATER)
        case _:
            return rules.stop(case.run, LATER, MOVER)


def named(case):
    at = f" at {case.position}" if case.position else ""
    state = f"{case.row[0]} at {case.run.position} of {case.run.of}"
    return f"{state}, {case.event}{at}"


def table():
    """The rows of the docstring's table: state, event and position of each."""
    lines = [line for line in (rules.__doc__ or "").splitlines() if line.startswith("|")]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]
    return {row[:3]: row[3] for row in rows}


@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_event_makes_of_a_run_what_the_table_says(case):
    assert happens(case) == case.becomes


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_tables_words_are_what_the_case_expects(case):
    said = table()[case.row]
    match case.becomes:
        case Refused() as reason:
            assert said == f"refused: {reason.name}"
        case Run(end=end) if end is not None:
            assert "ended" in said
            assert end.value in said
        case Run():
            assert said.startswith("answered" if case.becomes.is_answered else "asking")


def test_every_row_of_the_table_has_a_case():
    assert len(table()) == 14
    assert {case.row for case in CASES} == set(table())


def test_refusing_leaves_the_run_as_it_was():
    for case in CASES:
        before = (replace(case.run), dict(case.run.given))
        happens(case)
        assert (case.run, dict(case.run.given)) == before


def test_answering_adds_to_a_copy_of_the_answers():
    run = asking()
    after = rules.answer(run, 2, NEW)

    assert isinstance(after, Run)
    assert set(run.given) == {1}
    assert set(after.given) == {1, 2}


def test_a_run_knows_its_current_version_and_length():
    assert (asking(2).version, asking(2).of) == ("version-2", MOST)


def test_a_run_was_touched_when_it_was_last_shown_or_answered():
    assert asking(1).touched_at == START
    assert answered(2).touched_at == PRESSED + timedelta(seconds=2)
    assert shown_again(answered(2)).touched_at == LATER


def test_the_score_counts_right_answers_and_names_the_others():
    questions = [question(f"q{n}", "a" if n == 1 else "b") for n in (1, 2, 3)]

    score = rules.score(answered(2), questions)

    assert (score.right, score.of, score.missed) == (1, 3, (2, 3))


def test_an_unanswered_run_scores_nothing_and_misses_everything():
    score = rules.score(asking(1), [question(f"q{n}") for n in (1, 2, 3)])

    assert (score.right, score.missed) == (0, (1, 2, 3))


@pytest.mark.parametrize("seed", [None, 0, 1, 2**63 - 1])
def test_a_letter_means_the_option_that_stands_under_it(seed):
    asked = question(options="abcde")
    under = {letter: rules.chosen(asked, seed, letter) for letter in "ABCDE"}

    assert tuple(under.values()) == rules.order(asked, seed)
    assert rules.chosen(asked, seed, "F") is None
    assert rules.chosen(asked, seed, "next") is None
