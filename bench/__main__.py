"""`python -m bench`: every ratio with its bar; exit 1 when one is missed."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

from bench import discord, growth, memory, slack, start, store
from bench.measure import FULL, QUICK, Claim, Plan

Bench: TypeAlias = Callable[[Plan, Path], Awaitable[list[Claim]]]

BENCHES: dict[str, tuple[str, Bench]] = {
    "slack": ("a Slack press v bare Bolt that stores one raw row", slack.measure),
    "discord": ("a Discord press v bare discord.py that stores one raw row", discord.measure),
    "sqlite": ("a press's store verbs v their statements in sqlite3, a commit each", store.sqlite),
    "postgres": (
        "a press's store verbs v their statements in psycopg, a commit each",
        store.postgres,
    ),
    "start": ("serve until it first calls its platform v the bare imports", start.measure),
    "memory": ("open runs on Discord, in megabytes", memory.measure),
    "growth": ("the press unit as answers pile up", growth.measure),
}


def main() -> int:
    asked = _arguments()
    plan = QUICK if asked.quick else FULL
    found = {name: _run(name, plan, asked.folder) for name in asked.only or BENCHES}
    print(_as_json(found) if asked.json else _as_table(found))
    return int(any(claim.missed for claims in found.values() for claim in claims))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=BENCHES, help="one of them; repeatable")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller sizes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--folder", type=Path, help="a folder on the disk to measure (default: the temporary one)"
    )
    return parser.parse_args()


def _run(name: str, plan: Plan, parent: Path | None) -> list[Claim]:
    print(f"{name} …", end=" ", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="latih-bench-", dir=parent) as folder:
        claims = asyncio.run(_awaited(BENCHES[name][1], plan, Path(folder)))
    print("done", file=sys.stderr)
    return claims


async def _awaited(bench: Bench, plan: Plan, folder: Path) -> list[Claim]:
    return await bench(plan, folder)


def _as_table(found: dict[str, list[Claim]]) -> str:
    lines = []
    for name, claims in found.items():
        lines += ["", f"{name}: {BENCHES[name][0]}"]
        lines.append(f"  {'':<44}{'ratio':>7}{'least':>7}{'most':>7}{'bar':>7}")
        for it in claims:
            bar = f"{it.bar:.2f}" if it.bar is not None else ""
            spread = f"{min(it.ratios):>7.2f}{max(it.ratios):>7.2f}"
            lines.append(f"  {it.what:<44}{it.ratio:>7.2f}{spread}{bar:>7}  {it.verdict}")
    return "\n".join(lines[1:])


def _as_json(found: dict[str, list[Claim]]) -> str:
    told = {
        name: [
            {"what": it.what, "ratio": it.ratio, "bar": it.bar, "rounds": it.ratios,
             "missed": it.missed}
            for it in claims
        ]
        for name, claims in found.items()
    }  # fmt: skip
    return json.dumps(told, indent=2)


if __name__ == "__main__":
    sys.exit(main())
