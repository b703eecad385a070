"""Each line of the lease's state table, as its module's docstring has it."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.engine import lease as rules
from bot.engine.lease import LEASE, MARGIN, RENEWAL, Holder, Lease, Refused

NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
ALIVE = (NOW + timedelta(microseconds=1), NOW + LEASE)
LAPSED = (NOW, NOW - timedelta(microseconds=1), NOW - timedelta(days=1))
ME = Holder("m" * 16, "here", 7)
OTHERS = {
    "of another host": Holder("o" * 16, "there", 9),
    "with our process number elsewhere": Holder("o" * 16, "there", ME.pid),
    "with our process number here": Holder("o" * 16, ME.host, ME.pid),
}


def held(holders, moments):
    return [Lease(holder, until) for holder in holders for until in moments]


STATES: dict[str, list[Lease | None]] = {
    "free": [None],
    "ours": [*held([ME], ALIVE)],
    "ours, lapsed": [*held([ME], LAPSED)],
    "another's": [*held(OTHERS.values(), ALIVE)],
    "another's, lapsed": [*held(OTHERS.values(), LAPSED)],
    "another's, gone": [*held(OTHERS.values(), ALIVE)],
}
SAID = {
    "ours": Lease(ME, NOW + LEASE),
    "refused: HELD": Refused.HELD,
    "refused: LOST": Refused.LOST,
}


def table():
    """The rows of the docstring's table: state and event, and what becomes of it."""
    lines = [line for line in (rules.__doc__ or "").splitlines() if line.startswith("|")]
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]
    return {row[:2]: row[2] for row in rows}


def happens(event, lease, state):
    if event == "take":
        return rules.take(lease, ME, NOW, gone=state.endswith("gone"))
    return rules.renew(lease, ME, NOW)


@pytest.mark.parametrize(("row", "becomes"), table().items(), ids=str)
def test_an_event_makes_of_a_lease_what_the_table_says(row, becomes):
    state, event = row
    for lease in STATES[state]:
        assert happens(event, lease, state) == SAID[becomes]


def test_the_table_has_every_state_and_event():
    assert set(table()) == {(state, event) for state in STATES for event in ("take", "renew")}


def test_a_holder_may_miss_a_renewal_and_still_stops_before_the_lapse():
    assert LEASE - MARGIN >= 2 * RENEWAL
    assert timedelta(0) < MARGIN
