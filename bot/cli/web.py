"""The web server as `serve` runs it: one on HOST:PORT, for all that is asked over HTTP."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable

from aiohttp import web

from bot.engine.fault import UnavailableError
from bot.supervisor import DRAINING

MOST_BYTES = 1_000_000
"""Of a request; Slack's are some kilobytes."""

log = logging.getLogger("latih.web")


class WebServer:
    """Serves the routes that were added before it was bound."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._routes: list[web.RouteDef] = []
        self._runner: web.AppRunner | None = None

    def add(self, routes: Iterable[web.RouteDef]) -> None:
        self._routes += routes

    @property
    def address(self) -> str:
        """Where it listens; with PORT=0 the port is the system's choice."""
        assert self._runner is not None, "bind it first"
        host, port = self._runner.addresses[0][:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def bind(self) -> None:
        """Listen, unless it does; raises `UnavailableError` when the address is not to be had."""
        if self._runner is not None:
            return
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_routes(self._routes)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=DRAINING)
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, self._host, self._port).start()
        except BaseException as error:
            await self.close()
            if not isinstance(error, OSError):
                raise
            message = (
                f"cannot listen on {self._host}:{self._port}: {_reason(error)}. "
                "Set HOST or PORT to another address."
            )
            raise UnavailableError(message) from error

    async def run(self, up: Callable[[], None]) -> None:
        """Serve until cancelled, then finish the requests under way."""
        try:
            await self.bind()
            log.info("listening on %s", self.address.removeprefix("http://"))
            up()
            await asyncio.Event().wait()
        finally:
            await self.close()

    async def close(self) -> None:
        """Take no more requests, and finish those under way."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()


def _reason(error: OSError) -> str:
    """The system's own words; asyncio puts the address before them once more."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else str(error.strerror)
