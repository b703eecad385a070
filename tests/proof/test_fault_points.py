"""Killed exactly where it hurts most: whatever was shown is stored, and old buttons still work."""

import itertools
from collections.abc import Mapping

import pytest

from tests.proof.faults import POINTS, Faults
from tests.proof.people import Player
from tests.proof.program import Program
from tests.proof.promises import OVER
from tests.proof.stage import Stage
from tests.proof.stored import StoredRun
from tests.proof.surfaces import Discord, SlackOverHttp, SlackOverSocket

pytestmark = [pytest.mark.asyncio, pytest.mark.proof]

# What Discord is answered is the redraw itself.
CASES = [
    (surface.name, point)
    for surface, point in itertools.product((SlackOverHttp, SlackOverSocket, Discord), POINTS)
    if surface.redraws_after_answering or point != "before the redraw"
]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize(("on", "point"), CASES)
async def test_killed_at_every_step_of_a_run_nothing_is_lost(stage: Stage, on, point):
    """Each step dies once; after it every old button is pressed, then the step is done again."""
    ayu = stage.newcomer("Ayu")
    runs: Mapping[str, StoredRun] = {}
    for death in itertools.count(1):
        harmless = ayu.harmless(runs)
        again = 0 if death == 1 else 1
        program = await stage.serve(Faults(point, len(harmless) + again + 1))
        now = ayu.screen
        for screen, wire in harmless:
            await ayu.tries(screen, wire, runs)
        ayu.screen = now
        for _ in range(again):
            await ayu.acts(runs)
        if ayu.screen is not None and (ayu.screen.is_result or OVER in ayu.screen.words):
            break
        await dies_at(program, point, stage, ayu)
        runs = await stage.left()

    await program.stop()
    await stage.compare()
    assert death > 4


async def dies_at(program: Program, point: str, stage: Stage, player: Player) -> None:
    """The next step must be the one that dies; only Slack's commands have nothing to redraw."""
    redraws = player.screen is not None or point != "before the redraw"
    if await stage.until_dead(program, player.acts()):
        assert program.said[-1] == f"killed {point}"
        return
    assert not redraws, f"the step was done, and nothing died {point}; shown: {player.screen}"
    await dies_at(program, point, stage, player)
