"""`latih slack manifest`: what Slack's portal makes an app from."""

import json
import re
from urllib.parse import urlsplit

import typer

from bot.cli.asking import refuse
from bot.cli.tools import say

_COMMAND = re.compile(r"/[a-z0-9_-]{1,31}")
_SECRET = re.compile(r"[0-9a-f]{32}")
_EVENTS = "/slack/events"


def add(app: typer.Typer) -> None:
    """Add the group `slack` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="For Slack's app portal.")

    @group.callback()
    def slack() -> None:
        """For Slack's app portal."""

    group.command("manifest")(print_manifest)
    app.add_typer(group, name="slack")


def print_manifest(
    socket: bool = typer.Option(False, "--socket", help="For Socket Mode (the default)."),
    http: str | None = typer.Option(
        None, "--http", metavar="URL", help="For HTTP, at the bot's public https address."
    ),
    command: str = typer.Option("/quiz", "--command", help="The command that people type."),
) -> None:
    """Print the app's manifest with the least scopes that the bot can do with."""
    from adapters.slack.manifest import manifest, new_app_link

    if socket and http is not None:
        refuse("Choose one: --socket, or --http with an address.")
    try:
        url = None if http is None else public_address(http)
        made = manifest(url=url, command=command_name(command))
    except ValueError as error:
        refuse(str(error))
    typer.echo(json.dumps(made, indent=2))
    say(f"This link makes an app from it: {new_app_link(made)}")


def public_address(written: str) -> str:
    """The https address that Slack is to call; `ValueError` says what is wrong with one."""
    url = written.strip().rstrip("/").removesuffix(_EVENTS)
    message = f"{written!r} is no public address: Slack needs one like https://quiz.example.org."
    try:
        parts = urlsplit(url)
        whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError(message) from None
    extra = parts.query or parts.fragment or parts.username is not None
    if parts.scheme != "https" or not whole or extra or re.search(r"[\s<>\"\\]", url):
        raise ValueError(message)
    return url


def command_name(written: str) -> str:
    """A slash command's name; `ValueError` says what is wrong with one."""
    if not _COMMAND.fullmatch(written):
        message = (
            f"{written!r} is no command: Slack takes a slash and then 1 to 31 of "
            "a-z, 0-9, - and _, such as /quiz."
        )
        raise ValueError(message)
    return written


def looks_like_secret(written: str) -> bool:
    """Whether this may be a signing secret; only Slack itself could tell more."""
    return _SECRET.fullmatch(written) is not None
