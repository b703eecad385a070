"""`latih serve`: everything that is configured, side by side in one process."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from bot.cli.exits import ASKED_WRONGLY
from bot.cli.tools import Tools, say, tools

if TYPE_CHECKING:
    from bot.chat.reply import Handle
    from bot.cli.web import WebServer
    from bot.service import Kit
    from bot.supervisor import Board, Component, Status

_NOTHING = """Nothing to serve yet: no surface is configured.

For Slack, run `./latih setup slack`, or set SLACK_BOT_TOKEN and either SLACK_APP_TOKEN (Socket
Mode) or SLACK_SIGNING_SECRET (HTTP) in .env.
For Discord, run `./latih setup discord`, or set DISCORD_TOKEN in .env.
To take a quiz without any account: ./latih play checkpointing"""

_UNCONFIGURED = {
    "slack": "Slack is not configured: run `./latih setup slack`, or set SLACK_BOT_TOKEN in .env.",
    "discord": "Discord is not configured: run `./latih setup discord`, "
    "or set DISCORD_TOKEN in .env.",
}

log = logging.getLogger("latih.serve")


def add(app: typer.Typer) -> None:
    @app.command()
    def serve(
        context: typer.Context,
        slack: bool = typer.Option(False, "--slack", help="Serve Slack."),
        discord: bool = typer.Option(False, "--discord", help="Serve Discord."),
    ) -> None:
        """Start the bot: on the surfaces named, or on all that are configured."""
        from bot.cli.stopping import run

        found = tools(context)
        run(_serve(found, _surfaces(found, {"slack": slack, "discord": discord})))


def _surfaces(tools: Tools, named: Mapping[str, bool]) -> list[str]:
    """The names of the surfaces to serve."""
    settings = tools.settings
    tokens = {"slack": settings.slack_bot_token, "discord": settings.discord_token}
    configured = [name for name, token in tokens.items() if token is not None]
    wanted = [name for name, is_named in named.items() if is_named] or configured
    missing = [_UNCONFIGURED[name] for name in wanted if name not in configured]
    if missing or not wanted:
        say("\n".join(missing) or _NOTHING)
        raise typer.Exit(ASKED_WRONGLY)
    return wanted


async def _serve(tools: Tools, surfaces: list[str]) -> None:
    from bot import logs
    from bot.cli.web import WebServer
    from bot.health import Metrics, pages
    from bot.supervisor import Component, Supervisor

    settings, dice = tools.settings, tools.dice
    logs.configure(settings.latih_log)
    _tell_faults(tools)
    store = await asyncio.to_thread(tools.store)
    web = WebServer(settings.host, settings.port)
    supervisor = Supervisor(now=tools.now, chance=dice.fraction, reference=dice.reference)
    try:
        kit = tools.kit(store)
        metrics = Metrics(
            surfaces=surfaces,
            board=supervisor.board,
            waiting=lambda: store.waiting,
            now=tools.now,
        )
        service = tools.service(kit, metrics.counted)
        await service.open(tools.now())
        web.add(pages(store, supervisor.board, metrics))
        components = [await _component(name, tools, kit, service.handle, web) for name in surfaces]
        components.append(Component("web", web.run, is_surface=False))
        welcome = asyncio.create_task(_welcome(supervisor.board, surfaces, kit, tools))
        try:
            await supervisor.run(components)
        finally:
            welcome.cancel()
    finally:
        await web.close()
        await asyncio.to_thread(store.close)


async def _component(
    name: str, tools: Tools, kit: "Kit", handle: "Handle", web: "WebServer"
) -> "Component":
    """A surface by its name; a process that does not serve it does not import it."""
    from bot.supervisor import Component

    if name == "discord":
        from bot.cli.discord_server import DiscordServer

        return Component(name, DiscordServer(tools, kit, handle).run)
    from bot.cli.slack_server import SlackServer

    slack = SlackServer(tools, kit, handle, web)
    if slack.is_over_http:
        await web.bind()  # without a port Slack has no way in, which is better said at once
    return Component(name, slack.run)


def _tell_faults(tools: Tools) -> None:
    """Say once which quizzes are missing and why; the others are served."""
    for fault in tools.loaded.faults:
        if fault.breaks:
            say(str(fault))


async def _welcome(board: "Board", surfaces: list[str], kit: "Kit", tools: Tools) -> None:
    """Offer a claim code as soon as there is somewhere to type it."""
    from bot.service.managers import offer
    from bot.store import StoreError
    from bot.supervisor import State

    def anywhere(statuses: "Mapping[str, Status]") -> bool:
        found = (statuses.get(name) for name in surfaces)
        return any(status and status.state is State.UP for status in found)

    await board.until(anywhere)
    code = None
    with suppress(StoreError):
        code = await offer(kit, tools.now(), first=True)
    if code:
        say(
            f"Your claim code: {code}\n"
            f"Type `/quiz managers claim {code}` in the Slack workspace or Discord server that you "
            "want to manage. It works once and is not shown again; `./latih managers code` makes "
            "another."
        )
