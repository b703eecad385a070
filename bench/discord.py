"""A press as the gateway tells it to the answer: the product against a bare discord.py bot.

Both answer with the same screen. The floor's is prepared: drawn by the product beforehand, kept as
plain data, and built into a `LayoutView` of discord.py's own items at each press; so the floor
decides nothing, looks nothing up and formats nothing. The two answers to a press must be equal.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.discord_body import Act, Lab
from bench.discord_wire import Discord
from bench.load import PRESSES, Process, both, presses, running
from bench.measure import Claim, Cost, Plan, rotated

_BOTS = ("floor", "product")
_BAR = 1.5


@dataclass
class Bots:
    """The process under load with both bots, and the Discord that they are on."""

    process: Process
    lab: Lab
    discord: Discord

    async def round(self, callers: int, count: int, turn: int) -> dict[str, Cost]:
        """What a press costs each bot; they are told of the same ones."""
        waiting = await self.process.direct.get(f"/ask?count={count}")
        answers: dict[str, list[Any]] = {}
        costs = {}
        for bot in rotated(_BOTS, turn):
            costs[bot], answers[bot] = await self._run(bot, callers, waiting)
        assert answers["floor"] == answers["product"], "the floor shows something else"
        return costs

    async def _run(self, bot: str, callers: int, waiting: Sequence[Any]) -> tuple[Cost, list[Any]]:
        answers: dict[str, Any] = {}

        async def press(act: Act) -> None:
            answers[act.id] = await self.discord.tell(bot, act)

        acts = [self._act(**it) for it in waiting]
        cost = await self.process.cost(callers, acts, press)
        return cost, [answers[act.id] for act in acts]

    def _act(self, press: dict[str, Any], shown: list[Any]) -> Act:
        token = f"1.r.{press['token']}.{press['position']}.{press['letter']}"
        return self.lab.press(press["user"], press["channel"], token, shown)


@asynccontextmanager
async def bots(folder: Path, *options: str) -> AsyncIterator[Bots]:
    """`options` are the interpreter's."""
    lab = Lab()
    discord = Discord(lab)
    async with discord.serving():
        where = (str(folder), discord.api_url, discord.gateway_url)
        async with running("bench.discord_server", *where, options=options) as process:
            yield Bots(process, lab, discord)


async def measure(plan: Plan, folder: Path) -> list[Claim]:
    costs: dict[tuple[str, int], list[Cost]] = {}
    async with bots(folder) as under_load:
        for turn in range(plan.rounds + 1):
            for callers in PRESSES:
                found = await under_load.round(callers, presses(plan, callers), turn)
                for bot, cost in found.items() if turn else ():
                    costs.setdefault((bot, callers), []).append(cost)
            await _check(under_load.process, plan, turn + 1)
    return [
        it
        for callers in PRESSES
        for it in both(
            f"press to answer, at {callers}",
            costs["product", callers],
            costs["floor", callers],
            _BAR,
        )
    ]


async def _check(process: Process, plan: Plan, turns: int) -> None:
    """So far, every press has stored one answer."""
    stored = await process.direct.get("/stored")
    pressed = turns * sum(presses(plan, callers) for callers in PRESSES)
    assert stored == {"floor": pressed, "product": pressed}, f"{pressed} presses, {stored}"
