"""A process that serves: it ends when it is told to, within ten seconds, and for nothing else."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from bot.cli.exits import COULD_NOT

_LONGEST = 9.5  # seconds from the first signal until the process ends, whatever is still under way
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_BY_SIGNAL = 128  # what shells add to the number of a signal that ended a process

log = logging.getLogger("latih.process")


def run(serving: Coroutine[Any, Any, None]) -> None:
    """Run `serving`; SIGTERM or SIGINT cancels it, and another one ends the process at once."""
    with _limited() as limit, asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(serving)

        def stop() -> None:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)
                signal.signal(number, _end_at_once)
            limit.start()
            log.info("told to stop; what is under way is finished first")
            task.cancel()

        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
        with suppress(asyncio.CancelledError):
            _complete(loop, task)


def _complete(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[None]") -> None:
    """Run the loop until `task` is done, and on when another task asks the program to end.

    SystemExit leaves the loop through whatever task it was raised in; the loop itself is whole.
    """
    while True:
        try:
            return loop.run_until_complete(task)
        except SystemExit as error:
            if task.done():
                raise
            log.error("a task asked the whole program to end; it goes on", exc_info=error)  # noqa: TRY400


@contextmanager
def _limited() -> Iterator[threading.Timer]:
    """What ends the process once started; all is as before when it was not needed."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    limit = threading.Timer(_LONGEST, _give_up)
    limit.daemon = True
    try:
        yield limit
    finally:
        limit.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once(number: int, _: object) -> None:
    os._exit(_BY_SIGNAL + number)


def _give_up() -> None:
    log.error("not everything ended in %.1f s; what was stored is safe", _LONGEST)
    os._exit(COULD_NOT)
