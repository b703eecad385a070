"""A signed press to its 200, the answer durable by then: the product against a bare Bolt."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Claim, Cost, Plan, at_once, claim, rotated, settle
from bench.slack_body import PUBLIC, request
from bench.slack_wire import Connection, Slack
from bench.world import ROOT, Waiting, channel, user

_CALLERS = (1, 16, 64)
_PRESSES = {1: 120, 16: 320, 64: 512}
_STORING = ("floor", "product", "product-redrawn", "idle")
_SLOW = 24  # presses for the variant that sleeps ten milliseconds a press
_END_TO_END, _IDLE = 1.5, 0.25


@dataclass
class Server:
    """The process under load, as seen from here."""

    ports: dict[str, int]
    direct: Connection
    slack: str
    size: int
    sent: int = 0

    async def presses(self, variant: str, count: int) -> list[bytes]:
        """Requests ready to send, each for a question of its own."""
        waiting = await self._waiting(variant, count)
        first, self.sent = self.sent, self.sent + count
        url = f"{self.slack}/actions/{first}"
        return [request(it, first + i, url, self.size) for i, it in enumerate(waiting)]

    async def _waiting(self, variant: str, count: int) -> list[Waiting]:
        if variant.startswith("product"):
            return [Waiting(**it) for it in await self.direct.get(f"/ask?count={count}")]
        numbers = range(self.sent, self.sent + count)
        return [Waiting(f"floor{n:011d}", user(n), channel(n), 1 + n % 8, "B") for n in numbers]

    async def run(self, variant: str, callers: int, count: int) -> Cost:
        """What a press costs in one go."""
        presses = await self.presses(variant, count)
        connections = [await Connection.open(self.ports[variant]) for _ in range(callers)]
        free = list(connections)

        async def press(sent: bytes) -> None:
            connection = free.pop()
            await connection.post(sent)
            free.append(connection)

        settle()
        before = (await self.direct.get("/ready"))["from"]
        began = time.perf_counter()
        await at_once(callers, presses, press)
        wall = time.perf_counter() - began
        spent = (await self.direct.get("/ready"))["spent"] - before
        for connection in connections:
            connection.close()
        return Cost(wall / count, spent / count)


@asynccontextmanager
async def server(folder: Path, size: int) -> AsyncIterator[Server]:
    loop = asyncio.get_running_loop()
    slack = await loop.create_server(Slack, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{slack.sockets[0].getsockname()[1]}"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.slack_server", str(folder), url),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        ports = json.loads(await process.stdout.readline())
        direct = await Connection.open(ports["direct"])
        yield Server(ports, direct, url, size)
        direct.close()
    finally:
        process.stdin.close()
        await process.wait()
        slack.close()


async def measure(plan: Plan, folder: Path, size: int = PUBLIC) -> list[Claim]:
    costs: dict[tuple[str, int], list[Cost]] = {}
    async with server(folder, size) as under_load:
        for turn in range(plan.rounds + 1):
            for variant, callers, count in _slices(plan, turn):
                cost = await under_load.run(variant, callers, count)
                if turn:
                    costs.setdefault((variant, callers), []).append(cost)
            await _check(under_load, plan, turn + 1)
    return list(_claims(costs))


def _slices(plan: Plan, turn: int) -> list[tuple[str, int, int]]:
    """What one round runs: variant, callers and presses."""
    found = []
    for callers in _CALLERS:
        count = plan.many(_PRESSES[callers], at_least=2 * callers)
        variants = (*_STORING, "idle-default") if callers == 1 else _STORING
        for variant in rotated(variants, turn):
            slow = variant == "idle-default"
            found.append((variant, callers, plan.many(_SLOW) if slow else count))
    return found


async def _check(under_load: Server, plan: Plan, turns: int) -> None:
    """So far, every press has stored one answer, and every redraw has arrived."""
    stored = await under_load.direct.get("/stored")
    each = sum(plan.many(_PRESSES[callers], 2 * callers) for callers in _CALLERS)
    presses = each * turns
    for name, expected in (("floor", presses), ("product", 2 * presses)):
        assert stored[name] == expected, f"{name}: {expected} presses, {stored[name]} answers"
    redrawn = Slack.taken - 2  # the product signed in twice
    assert redrawn == presses, f"{presses} redraws to come, {redrawn} came"


def _claims(costs: dict[tuple[str, int], Sequence[Cost]]) -> "list[Claim]":
    found = []
    for callers in _CALLERS:
        floor = costs["floor", callers]
        at = f"at {callers}"
        found += [
            claim(f"press, {at}", costs["product", callers], floor, _END_TO_END),
            claim(
                f"press, {at}, processor", costs["product", callers], floor, _END_TO_END, cpu=True
            ),
            claim(f"press and redraw, {at}", costs["product-redrawn", callers], floor),
            claim(
                f"press and redraw, {at}, processor",
                costs["product-redrawn", callers],
                floor,
                cpu=True,
            ),
            claim(f"Bolt alone, {at}", costs["idle", callers], floor),
        ]
    default = costs["idle-default", 1]
    return [*found, claim("press, at 1, v default Bolt", costs["product", 1], default, _IDLE)]
