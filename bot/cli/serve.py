"""`latih serve`: everything that is configured, in one process."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import typer

from bot.cli.exits import ASKED_WRONGLY
from bot.cli.tools import Tools, say, tools

if TYPE_CHECKING:
    from bot.service import Kit

_NOTHING = """Nothing to serve yet: no surface is configured.

For Slack, run `./latih setup slack`, or set SLACK_BOT_TOKEN and either SLACK_APP_TOKEN (Socket
Mode) or SLACK_SIGNING_SECRET (HTTP) in .env.
To take a quiz without any account: ./latih play checkpointing"""


def add(app: typer.Typer) -> None:
    @app.command()
    def serve(
        context: typer.Context,
        slack: bool = typer.Option(
            False, "--slack", help="Serve Slack (the default with a token)."
        ),
    ) -> None:
        """Start the bot on every surface that is configured."""
        del slack
        asyncio.run(_until_told_to_stop(_serve(tools(context))))


async def _until_told_to_stop(serving: Coroutine[Any, Any, None]) -> None:
    """Serve until SIGTERM or SIGINT, then leave every room in order."""
    task = asyncio.create_task(serving)
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


async def _serve(tools: Tools) -> None:
    from bot import logs
    from bot.cli.slack_server import SlackServer

    settings = tools.settings
    if settings.slack_bot_token is None:
        say(_NOTHING)
        raise typer.Exit(ASKED_WRONGLY)
    logs.configure(settings.latih_log)
    _tell_faults(tools)
    store = await asyncio.to_thread(tools.store)
    try:
        kit = tools.kit(store)
        service = tools.service(kit)
        await service.open(tools.now())
        async with SlackServer(tools, kit, service):
            await _offer_claim(kit, tools)
            await asyncio.Event().wait()
    finally:
        await asyncio.to_thread(store.close)


def _tell_faults(tools: Tools) -> None:
    """Say once which quizzes are missing and why; the others are served."""
    for fault in tools.loaded.faults:
        if fault.breaks:
            say(str(fault))


async def _offer_claim(kit: "Kit", tools: Tools) -> None:
    from bot.service.managers import offer

    code = await offer(kit, tools.now(), first=True)
    if code:
        say(
            f"Your claim code: {code}\n"
            f"Type `/quiz managers claim {code}` in the workspace that you want to manage. "
            "It works once and is not shown again; `./latih managers code` makes another."
        )
