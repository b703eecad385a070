"""A signed press to its 200, the answer durable by then: the product against a bare Bolt."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load import PRESSES, Process, both, presses, running
from bench.measure import Claim, Cost, Plan, claim, rotated
from bench.slack_body import PUBLIC, request
from bench.wire import Connection, Door, ok
from bench.world import SLACK, Waiting

_STORING = ("floor", "product", "product-redrawn", "idle")
_SLOW = 24  # presses for the variant that sleeps ten milliseconds a press
_END_TO_END, _IDLE = 1.5, 0.25
_YES = ok(
    b'{"ok": true, "team_id": "T0BENCH0001", "user_id": "U0BENCHBOT1", "bot_id": "B0BENCHBOT1"}'
)


class Slack:
    """Says yes to everything that is posted."""

    taken = 0

    def answer(self, _: bytes) -> bytes:
        self.taken += 1
        return _YES


@dataclass
class Server:
    """The process under load, as seen from here."""

    process: Process
    slack: Slack
    url: str
    size: int
    sent: int = 0

    async def presses(self, variant: str, count: int) -> list[bytes]:
        """Requests ready to send, each for a question of its own."""
        waiting = await self._waiting(variant, count)
        first, self.sent = self.sent, self.sent + count
        url = f"{self.url}/actions/{first}"
        return [request(it, first + i, url, self.size) for i, it in enumerate(waiting)]

    async def _waiting(self, variant: str, count: int) -> list[Waiting]:
        if variant.startswith("product"):
            return [Waiting(**it) for it in await self.process.direct.get(f"/ask?count={count}")]
        numbers = range(self.sent, self.sent + count)
        return [
            Waiting(f"floor{n:011d}", SLACK.user(n), SLACK.channel(n), 1 + n % 8, "B")
            for n in numbers
        ]

    async def run(self, variant: str, callers: int, count: int) -> Cost:
        """What a press costs in one go."""
        port = self.process.said[variant]
        connections = [await Connection.open(port) for _ in range(callers)]
        free = list(connections)

        async def press(sent: bytes) -> None:
            connection = free.pop()
            await connection.post(sent)
            free.append(connection)

        cost = await self.process.cost(callers, await self.presses(variant, count), press)
        for connection in connections:
            connection.close()
        return cost


@asynccontextmanager
async def server(folder: Path, size: int) -> AsyncIterator[Server]:
    slack = Slack()
    door, url = await Door.open(slack.answer)
    async with door, running("bench.slack_server", str(folder), url) as process:
        yield Server(process, slack, url, size)


async def measure(plan: Plan, folder: Path, size: int = PUBLIC) -> list[Claim]:
    costs: dict[tuple[str, int], list[Cost]] = {}
    async with server(folder, size) as under_load:
        for turn in range(plan.rounds + 1):
            for variant, callers, count in _slices(plan, turn):
                cost = await under_load.run(variant, callers, count)
                if turn:
                    costs.setdefault((variant, callers), []).append(cost)
            await _check(under_load, plan, turn + 1)
    return _claims(costs)


def _slices(plan: Plan, turn: int) -> list[tuple[str, int, int]]:
    """What one round runs: variant, callers and presses."""
    found = []
    for callers in PRESSES:
        variants = (*_STORING, "idle-default") if callers == 1 else _STORING
        for variant in rotated(variants, turn):
            slow = variant == "idle-default"
            found.append((variant, callers, plan.many(_SLOW) if slow else presses(plan, callers)))
    return found


async def _check(under_load: Server, plan: Plan, turns: int) -> None:
    """So far, every press has stored one answer, and every redraw has arrived."""
    stored = await under_load.process.direct.get("/stored")
    pressed = turns * sum(presses(plan, callers) for callers in PRESSES)
    for name, expected in (("floor", pressed), ("product", 2 * pressed)):
        assert stored[name] == expected, f"{name}: {expected} presses, {stored[name]} answers"
    redrawn = under_load.slack.taken - 2  # the product signed in twice
    assert redrawn == pressed, f"{pressed} redraws to come, {redrawn} came"


def _claims(costs: Mapping[tuple[str, int], Sequence[Cost]]) -> list[Claim]:
    found = []
    for callers in PRESSES:
        floor = costs["floor", callers]
        at = f"at {callers}"
        found += [
            *both(f"press, {at}", costs["product", callers], floor, _END_TO_END),
            *both(f"press and redraw, {at}", costs["product-redrawn", callers], floor, None),
            claim(f"Bolt alone, {at}", costs["idle", callers], floor),
        ]
    default = costs["idle-default", 1]
    return [*found, claim("press, at 1, v default Bolt", costs["product", 1], default, _IDLE)]
