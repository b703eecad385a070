"""The pages for machines: `/healthz`, `/readyz`, `/metrics`. None holds an id or a token."""

import asyncio
import logging

from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.health.metrics import Metrics
from bot.store import Store
from bot.supervisor import Board

_PATIENCE = 2.0  # seconds for the database to show that it can be written

log = logging.getLogger("latih.health")


def pages(store: Store, board: Board, metrics: Metrics) -> list[web.RouteDef]:
    """The routes of all three."""
    database = _Database(store)

    async def health(_: web.Request) -> web.Response:
        """That it is answered at all says that the process and its loop live."""
        return web.Response(text="ok\n")

    async def ready(_: web.Request) -> web.Response:
        """The database decides; a platform that is down would not come back elsewhere either."""
        works = await database.works()
        told = {"database": "up" if works else "down", "components": _components(board)}
        return web.json_response(told, status=200 if works else 503)

    return [
        web.get("/healthz", health),
        web.get("/readyz", ready),
        web.get("/metrics", make_aiohttp_handler(metrics.registry)),
    ]


def _components(board: Board) -> dict[str, dict[str, object]]:
    return {
        name: {
            "state": status.state,
            "since": status.since.isoformat(),
            "restarts": status.restarts,
            "reason": status.reason,
        }
        for name, status in board.statuses.items()
    }


class _Database:
    """Asks the database whether it can be written, however many ask us once at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Task[str | None] | None = None
        self._works = True

    async def works(self) -> bool:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        asking = self._asking
        await asyncio.wait([asking], timeout=_PATIENCE)
        self._note(asking.result() if asking.done() else f"silent for {_PATIENCE:.0f} s")
        return self._works

    async def _ask(self) -> str | None:
        """Why the database cannot be written; None when it can."""
        try:
            await self._store.write(lambda work: work.try_to_write())
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing can be stored
            return f"{type(error).__name__}: {error}"
        return None

    def _note(self, fault: str | None) -> None:
        """Log a change once."""
        worked, self._works = self._works, fault is None
        if worked and fault:
            log.warning("the database does not answer: %s", fault)
        elif not worked and not fault:
            log.info("the database answers again")
