"""Killed at random moments while several people take quizzes at once: nothing is lost.

`make proof` kills 50 times in all. By hand, for as long as you like:

    LATIH_KILLS=1000 .venv/bin/python -m pytest -m proof tests/proof/test_random_kills.py

A failure tells its seed. With it in `LATIH_SEED` people choose as they chose then and the program
is killed after the same times, but no two machines take those alike.
"""

import asyncio
import math
import os
from collections.abc import Mapping
from random import Random, SystemRandom

import pytest

from tests.proof.faults import Faults
from tests.proof.people import QUIZZES, Player, together
from tests.proof.program import Program
from tests.proof.stage import Stage
from tests.proof.stored import StoredRun
from tests.proof.surfaces import RecordingSlack, SlackOverSocket

pytestmark = [pytest.mark.asyncio, pytest.mark.proof]

SERVED = [
    ("slack-http", "sqlite"),
    ("slack-socket", "postgres"),
    ("discord", "sqlite"),
    ("slack-socket+discord", "sqlite"),
    ("slack-http+discord", "postgres"),
]
KILLS = math.ceil(int(os.environ.get("LATIH_KILLS", "50")) / len(SERVED))
SEED = int(os.environ.get("LATIH_SEED") or SystemRandom().randrange(10**6))
CHAPTER = 50
"""Kills after which people, surfaces and database are new, so that looking at it stays quick."""

CHAPTERS = [
    pytest.param(on, kind, number, min(CHAPTER, KILLS - begun), id=f"{on}-{kind}-{number}")
    for on, kind in SERVED
    for number, begun in enumerate(range(0, KILLS, CHAPTER))
]
NAMES = ("Ayu", "Bima", "Citra", "Dewi", "Eka", "Fajar")

MOST_SCREENS = 24  # that all together are shown from when old buttons were tried until a kill
LONGEST_STEP = 0.03  # seconds from the last of them to the kill
LONGEST_START = 0.5  # seconds from the start to a kill that waits for nothing
EARLY = 0.2  # of all kills
DAWDLES = (0.0, 0.02)  # seconds that the store takes longer at most, at each step of a unit


@pytest.mark.parametrize(("on", "kind", "chapter", "kills"), CHAPTERS)
async def test_people_lose_nothing(stage: Stage, on, kind, chapter, kills):
    chance = Random(f"{SEED} {on} {kind} {chapter}")
    players = [
        stage.newcomer(name, stage.surfaces[number % len(stage.surfaces)])
        for number, name in enumerate(NAMES)
    ]
    runs: Mapping[str, StoredRun] = {}
    waiting = 0
    for kill in range(1, kills + 1):
        try:
            faults = Faults(dawdles=chance.choice(DAWDLES))
            program = await stage.program(faults).launch()
            await play_and_kill(stage, program, players, runs, chance)
            waiting += sum(player.waits for player in players)
            runs = await stage.left()
        except Exception as error:
            error.add_note(f"at kill {kill} of {on} on {kind}; LATIH_SEED={SEED}")
            raise
    assert waiting > kills / 2, "the kills met hardly anybody"

    program = await stage.joined(await stage.cold_program().launch())
    await together(player.tries_any(runs, chance) for player in players)
    assert await program.stop() == 0
    await stage.compare()


async def test_killed_while_it_makes_its_tables_the_next_start_makes_them(
    launcher, database_url, tmp_path
):
    async with RecordingSlack() as slack:
        stage = Stage(launcher, tmp_path, database_url, [SlackOverSocket(slack)])
        for tenths in range(1, 7):
            program = await stage.program().launch()
            await asyncio.sleep(tenths / 10)
            await program.kill()
        ayu, program = stage.newcomer("Ayu"), await stage.serve()
        await ayu.starts(QUIZZES[0])
        await ayu.acts()
        assert await program.stop() == 0
        await stage.compare()


async def play_and_kill(
    stage: Stage,
    program: Program,
    players: list[Player],
    runs: Mapping[str, StoredRun],
    chance: Random,
) -> None:
    """Everyone tries an old button, then plays on; mostly in the midst of that it is killed."""
    screens = asyncio.Semaphore(0)

    async def play() -> None:
        await stage.joined(program)
        await together(player.tries_any(runs, chance) for player in players)
        await together(player.plays(chance, screens.release) for player in players)

    playing = asyncio.create_task(play())
    moment = asyncio.create_task(_moment(screens, chance))
    await asyncio.wait({playing, moment}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        moment.cancel()
        await program.kill()
        await playing
    await program.kill()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def _moment(screens: asyncio.Semaphore, chance: Random) -> None:
    """Wait for the moment of a kill: counted in screens, for machines are not equally fast."""
    if chance.random() < EARLY:
        await asyncio.sleep(chance.uniform(0, LONGEST_START))
        return
    for _ in range(chance.randint(1, MOST_SCREENS)):
        await screens.acquire()
    await asyncio.sleep(chance.uniform(0, LONGEST_STEP))
