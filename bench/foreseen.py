"""What the product would show for an event, without its having happened."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from bot.chat.card import Card
from bot.chat.event import Event
from bot.service import Kit, Service
from bot.store import Store, Work


class _UndoneError(Exception):
    """Ends a transaction; holds what its unit came to."""


class _Undoing:
    """Stands where the store does: units run, and none of it stays."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def write(self, unit: Callable[[Work], Any]) -> Any:
        def undone(work: Work) -> Any:
            raise _UndoneError(unit(work))

        try:
            return await self._store.write(undone)
        except _UndoneError as error:
            return error.args[0]

    read = write


async def foreseen(kit: Kit, event: Event) -> Card:
    """The one card that `event` would be answered with."""
    service = Service(replace(kit, store=cast("Store", _Undoing(kit.store))))
    (reply,) = await service.handle(event)
    return reply.draw()
