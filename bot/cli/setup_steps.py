"""What every `latih setup` does before it asks and after all is answered."""

from collections.abc import Mapping

import typer

from bot.cli import env_file
from bot.cli.asking import Asker
from bot.cli.tools import Tools, say
from bot.settings import ENV_FILE, SettingsError

SECONDS = 10.0
"""For each answer of a platform."""


def begin() -> Asker:
    """Who asks; raises `UnavailableError` where the answers could not be kept."""
    env_file.refuse_unwritable(ENV_FILE)
    return Asker(f"{ENV_FILE} is as it was.")


def keep(values: Mapping[str, str], with_tools: Tools) -> Tools:
    """Write settings into `.env`; the tools of a program that is started from now on."""
    env_file.write(ENV_FILE, values)
    fresh = Tools(now=with_tools.now, dice=with_tools.dice)
    say(f"\nWhat you gave is in {ENV_FILE}, which only you can read.")
    _warn_if_hidden(fresh, values)
    return fresh


def _warn_if_hidden(fresh: Tools, values: Mapping[str, str]) -> None:
    """Say when the environment itself sets a token, since it wins over the file."""
    try:
        settings = fresh.settings
    except SettingsError:
        return
    for name, value in values.items():
        now = getattr(settings, name.lower())
        if (now.get_secret_value() if now else "") != value:
            say(f"Careful: {name} is also set in the environment, and that one is used. Unset it.")


def offer_start(asker: Asker, fresh: Tools) -> None:
    if asker.agrees("Start it now?"):
        from bot.cli import main

        raise typer.Exit(main(["serve"], fresh))
