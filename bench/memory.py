"""What ten thousand open runs cost in memory, each opened by `/quiz start` on Discord.

A thousand are opened first, so that what is loaded or cached once is there already. Resident is
what the process holds of the machine's memory, the database's own caches included; traced is what
Python was asked for and has not given back, told by `tracemalloc`, which costs memory itself and
therefore has a process of its own.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from bench.discord import Bots, bots
from bench.measure import Claim, Plan, at_once
from bench.sides import count
from bench.world import DISCORD

_WARM, _RUNS, _CALLERS = 1_000, 10_000, 32
_QUIZ, _SHOWN = "checkpointing", 4
_MEGABYTE, _BAR = 1_000_000, 5.0


async def measure(plan: Plan, folder: Path) -> list[Claim]:
    runs = plan.many(_RUNS)
    bar = _BAR if runs == _RUNS else None
    found = {
        "resident": await _growth(runs, folder),
        "traced": await _growth(runs, folder, "-X", "tracemalloc"),
    }
    return [
        Claim(f"MB for {runs:,} open runs, {kind}", (grown[kind],), bar)
        for kind, grown in found.items()
        if kind in grown
    ]


async def _growth(runs: int, parent: Path, *options: str) -> dict[str, float]:
    """Megabytes more after so many runs, in a process with these options of the interpreter."""
    with TemporaryDirectory(dir=parent) as folder:
        async with bots(Path(folder), *options) as under_load:
            await _open(under_load, range(_WARM))
            before = await under_load.process.direct.get("/memory")
            await _open(under_load, range(_WARM, _WARM + runs))
            after = await under_load.process.direct.get("/memory")
        opened = count(Path(folder) / "product.db", _OPENED)
        assert opened == _WARM + runs, f"{opened} runs are open"
    return {
        kind: (after[kind] - before[kind]) / _MEGABYTE
        for kind in before
        if before[kind] is not None
    }


_OPENED = "SELECT count(*) FROM runs WHERE end_reason IS NULL"


async def _open(under_load: Bots, people: range) -> None:
    async def start(number: int) -> None:
        typed = under_load.lab.start(DISCORD.user(number), DISCORD.channel(number), _QUIZ)
        answer = await under_load.discord.tell("product", typed)
        assert answer["type"] == _SHOWN, answer

    await at_once(_CALLERS, people, start)
