"""A press that is acknowledged before it could be stored: killed or told to stop just then."""

import asyncio

import pytest

from tests.proof.faults import Faults
from tests.proof.people import QUIZZES, Player
from tests.proof.stage import Stage

pytestmark = [pytest.mark.asyncio, pytest.mark.proof]

SURFACES = ["slack-http", "slack-socket", "discord"]


@pytest.fixture
def ayu(stage: Stage) -> Player:
    return stage.newcomer("Ayu")


@pytest.mark.parametrize(
    ("on", "kind"), [*((on, "sqlite") for on in SURFACES), ("discord", "postgres")]
)
async def test_killed_before_its_redraw_what_was_stored_is_shown_by_the_next_press(
    stage: Stage, on, kind, ayu
):
    program = await stage.serve(Faults("before the redraw"))
    question = await ayu.starts(QUIZZES[0])
    with stage.locked():
        await ayu.sends(question, question.letters[0].wire)
    await program.ended()
    assert program.said[-1] == "killed before the redraw"
    runs = await stage.left()
    assert [len(run.answers) for run in runs.values()] == [1]

    program = await stage.serve()
    await ayu.tries(question, question.letters[1].wire, runs)
    assert await program.stop() == 0
    await stage.compare()


@pytest.mark.parametrize(("on", "kind"), [("slack-socket", "sqlite"), ("discord", "postgres")])
async def test_killed_before_it_was_stored_it_was_never_shown(stage: Stage, on, kind, ayu):
    program = await stage.serve()
    question = await ayu.starts(QUIZZES[0])
    with stage.locked():
        await ayu.sends(question, question.letters[0].wire)
        await program.kill()
    runs = await stage.left()
    assert [len(run.answers) for run in runs.values()] == [0]

    program = await stage.serve()
    await ayu.tries(question, question.letters[1].wire, runs)
    assert await program.stop() == 0
    await stage.compare()


@pytest.mark.parametrize("on", SURFACES)
async def test_told_to_stop_it_first_stores_and_shows_what_it_has_acknowledged(
    stage: Stage, on, ayu
):
    program = await stage.joined(await stage.cold_program().launch())
    question = await ayu.starts(QUIZZES[0])
    with stage.locked():
        await ayu.sends(question, question.letters[0].wire)
        stopping = asyncio.create_task(program.stop())
        await asyncio.sleep(0.2)  # it has heard the signal, and may not end for it

    assert await stopping == 0
    ayu.looks()
    assert ayu.screen is not None
    assert ayu.screen.is_verdict
    await stage.compare()
    assert not [line for line in program.said if "Traceback" in line]
