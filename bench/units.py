"""Presses as the store meets them: the service's own units, and the statements they come to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NoReturn, TypeAlias, cast

from sqlalchemy import Engine, event

from bench.world import Waiting, kit
from bot.service import Kit, Service
from bot.store import Store, Work

Unit: TypeAlias = Callable[[Work], Any]
Statements: TypeAlias = list[tuple[str, Any]]


class _TakenError(Exception):
    """A unit was taken instead of being run."""


class _Tap:
    """Stands where the store does and keeps what would be written."""

    def __init__(self) -> None:
        self.units: list[Unit] = []

    async def write(self, unit: Unit) -> NoReturn:
        self.units.append(unit)
        raise _TakenError

    read = write


async def units(parts: Kit, waiting: Sequence[Waiting]) -> list[Unit]:
    """The unit of each press, as the service makes it."""
    tap = _Tap()
    service = Service(replace(parts, store=cast("Store", tap)))
    for press in waiting:
        try:
            await service.handle(press.event)
        except _TakenError:
            continue
    assert len(tap.units) == len(waiting)
    return tap.units


async def statements(url: str, presses: Sequence[Unit]) -> list[Statements]:
    """What each unit says to a database, as text and parameters; `url` is one to spoil."""
    store = Store.open(url)
    try:
        with _listening() as said:
            return [
                await store.write(lambda work, unit=unit: _said(work, unit, said))
                for unit in presses
            ]
    finally:
        store.close()


def _said(work: Work, unit: Unit, said: Statements) -> Statements:
    said.clear()
    unit(work)
    return list(said)


@contextmanager
def _listening() -> Iterator[Statements]:
    said: Statements = []

    def hear(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        said.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def wired(url: str) -> Kit:
    """The service's parts on the database at `url`."""
    return kit(Store.open(url))
