"""Where a proof plays: a database, surfaces, people; and a program that comes and goes."""

import asyncio
import sqlite3
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

from bot.quiz_files import load
from bot.service import Catalog
from tests.proof import checker, stored
from tests.proof.faults import NONE, Faults
from tests.proof.launcher import Forked, Launcher
from tests.proof.people import QUIZZES, Player
from tests.proof.program import Program
from tests.proof.stored import StoredRun
from tests.proof.surfaces import Surface

_OPTIONS = "abcd"
_DIES = 20.0


class Stage:
    """What outlives the program."""

    def __init__(
        self, launcher: Launcher, folder: Path, url: str, surfaces: Sequence[Surface]
    ) -> None:
        self.url = url
        self.surfaces = surfaces
        self.players: list[Player] = []
        self._programs: list[Program] = []
        self._launcher = launcher
        self._folder = folder
        quizzes = folder / "quizzes"
        quizzes.mkdir()
        for quiz, questions in zip(QUIZZES, (2, 4), strict=True):
            (quizzes / f"{quiz}.yaml").write_text(_quiz(quiz, questions))
        self._catalog = Catalog(load([quizzes]).quizzes)
        assert len(self._catalog.quizzes) == len(QUIZZES)
        self.environment = {"DATABASE_URL": url, "LATIH_QUIZZES": str(quizzes), "PORT": "0"}
        for surface in surfaces:
            self.environment |= surface.settings

    def newcomer(self, name: str, surface: Surface | None = None) -> Player:
        player = Player(name, (surface or self.surfaces[0]).newcomer(name))
        self.players.append(player)
        return player

    def program(self, faults: Faults = NONE) -> Program:
        """The program, not started yet, from the launcher."""
        given = self.environment
        return self._kept(Forked(self._launcher, self._folder, "serve", faults=faults, **given))

    def cold_program(self) -> Program:
        """The program as an operator starts it."""
        return self._kept(Program(self._folder, "serve", **self.environment))

    def _kept(self, program: Program) -> Program:
        self._programs.append(program)
        return program

    async def close(self) -> None:
        """Let nothing live on, whatever became of the test."""
        for program in self._programs:
            if program.is_up:
                await program.kill()

    async def serve(self, faults: Faults = NONE) -> Program:
        """Start the program and wait until it serves all surfaces."""
        return await self.joined(await self.program(faults).launch())

    async def joined(self, program: Program) -> Program:
        for surface in self.surfaces:
            await surface.joined(program)
        return program

    async def until_dead(self, program: Program, doing: Coroutine[Any, Any, Any]) -> bool:
        """Do something until it is done or the program is dead; whether it is dead."""
        task = asyncio.create_task(doing)
        dead = asyncio.create_task(program.ended())
        await asyncio.wait({task, dead}, return_when=asyncio.FIRST_COMPLETED)
        if task.done() and task.exception() is None:
            dead.cancel()
            return False
        # A press that fails may be the first sign of a death.
        await asyncio.wait({dead}, timeout=_DIES)
        if not dead.done():
            dead.cancel()
            await task
        task.cancel()
        await asyncio.wait({task})
        return True

    async def left(self) -> Mapping[str, StoredRun]:
        """After a death: hear what was on its way, look, compare; the stored runs."""
        for surface in self.surfaces:
            await surface.left()
        for player in self.players:
            player.looks()
        return await self.compare()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """The database is held by somebody else, so that whatever writes has to wait."""
        url = make_url(self.url)
        if url.get_backend_name() == "sqlite":
            with closing(sqlite3.connect(str(url.database), isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                yield
                other.execute("ROLLBACK")
        else:
            with psycopg.connect(self.url) as held:
                held.execute("LOCK TABLE runs IN EXCLUSIVE MODE")
                yield

    async def compare(self, *, apologies: bool = False) -> Mapping[str, StoredRun]:
        """Hold what people were shown against what is stored; the stored runs."""
        kept = await asyncio.to_thread(stored.read, self.url, self._catalog.question)
        stories = [player.story for player in self.players]
        found = checker.objections(stories, kept, apologies=apologies)
        found += [f"{it.name}: {said}" for it in self.surfaces for said in it.violations]
        assert not found, "\n".join(["what was shown and what is stored disagree:", *found])
        return kept.runs


def _quiz(name: str, questions: int) -> str:
    head = f"title: About {name}\nlevel: easy\nlanguages: [en]\nquestions:\n"
    return head + "".join(_question(f"{name}-{number}") for number in range(1, questions + 1))


def _question(name: str) -> str:
    options = "".join(f"      {it}: The {it} option of {name}\n" for it in _OPTIONS)
    return f"  - id: {name}\n    stem: What does {name} ask?\n    options:\n{options}    key: a\n"
