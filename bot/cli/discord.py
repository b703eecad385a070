"""`latih discord sync`: our commands, registered with Discord."""

import asyncio
import json
from typing import Any

import typer

from bot.cli.asking import refuse
from bot.cli.tools import tools
from bot.engine.fault import RefusedError, UnavailableError

_SECONDS = 10.0


def add(app: typer.Typer) -> None:
    """Add the group `discord` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="For Discord's side of the bot.")

    @group.callback()
    def discord() -> None:
        """For Discord's side of the bot."""

    group.command("sync")(sync)
    app.add_typer(group, name="discord")


def sync(
    context: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Register the commands with Discord, in all servers, if they are not registered so."""
    from bot.cli.discord_probe import ask_application

    settings = tools(context).settings
    if settings.discord_token is None:
        refuse("DISCORD_TOKEN is not set: run `./latih setup discord`.")
    token, api_url = settings.discord_token.get_secret_value(), settings.discord_api_url
    try:
        application = ask_application(token, api_url, _SECONDS).id
        changed = register(token, api_url, application, commands := wanted())
    except RefusedError as error:
        raise UnavailableError(f"Discord does not accept DISCORD_TOKEN: {error}.") from error
    names = [f"/{command['name']}" for command in commands]
    if as_json:
        typer.echo(json.dumps({"changed": changed, "commands": names}))
    else:
        typer.echo(f"registered: {', '.join(names)}" if changed else "unchanged")


def register(token: str, api_url: str, application: str, commands: list[dict[str, Any]]) -> bool:
    """Make `commands` the application's own; whether that changed any."""
    import aiohttp

    from adapters.discord.sync import sync as synced

    async def call() -> bool:
        async with aiohttp.ClientSession() as session:
            return await synced(session, api_url, token, application, commands)

    return asyncio.run(call())


def wanted() -> list[dict[str, Any]]:
    """The commands as they are to be registered."""
    from adapters.discord.commands import payloads
    from bot.phrases import Phrasebook

    return asyncio.run(payloads(Phrasebook()))
