"""`latih setup`: connects a chat platform, step by step."""

import typer

from bot.cli.setup_discord import discord
from bot.cli.setup_slack import slack


def add(app: typer.Typer) -> None:
    """Add the group `setup` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="Connect a chat platform, step by step.")
    group.command("slack")(slack)
    group.command("discord")(discord)
    app.add_typer(group, name="setup")
