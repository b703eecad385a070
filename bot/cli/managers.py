"""The commands for who manages a workspace, from the operator's side: nobody's rights are asked."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import typer

from bot.cli.asking import refuse
from bot.cli.tools import Tools, say, tools
from bot.engine.people import Identity

if TYPE_CHECKING:
    from bot.store import Work

T = TypeVar("T")

_ID = typer.Argument(
    metavar="ID",
    help="slack:TEAM:USER such as slack:T012AB3CD:U045EF6GH, or discord:SERVER:USER in numbers.",
)
_SHAPES = {
    "slack": re.compile(r"slack:[TE][A-Z0-9]+:[UW][A-Z0-9]+"),
    "discord": re.compile(r"discord:[0-9]+:[0-9]+"),
}
_FORMS = (
    "write slack:TEAM:USER (Slack shows the user's under Profile, ⋮, Copy member ID; the team's is "
    "in the address of the web client) or discord:SERVER:USER (Copy Server ID, Copy User ID)"
)


def add(app: typer.Typer) -> None:
    """Add the group `managers` to `app`."""
    group = typer.Typer(no_args_is_help=True, help="Who manages Latih in a workspace.")
    group.command("list")(list_managers)
    group.command("add")(appoint)
    group.command("remove")(dismiss)
    group.command("code")(code)
    app.add_typer(group, name="managers")


def list_managers(
    context: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="One JSON object a line."),
) -> None:
    """List the managers of all workspaces, and those that LATIH_MANAGERS names.

    Workspace administrators and owners manage as well; only their surface knows who they are.
    """
    with_tools = tools(context)
    found = _do(with_tools, _managers)
    rows = [(identity.written, _printable(name), False) for identity, name in found]
    rows += [(written, None, True) for written in with_tools.settings.latih_managers]
    for written, name, by_setting in rows:
        if as_json:
            typer.echo(json.dumps({"id": written, "name": name, "by_setting": by_setting}))
        else:
            said = (written, name or "", "LATIH_MANAGERS" if by_setting else "")
            typer.echo("  ".join(filter(None, said)))
    if not rows:
        say("Nobody yet. `./latih managers code` makes a code that somebody can claim in the chat.")


def appoint(context: typer.Context, written: str = _ID) -> None:
    """Make somebody a manager of a workspace, whether or not they came to Latih before.

    On Discord, where people belong to no server, the ID says which server: discord:SERVER:USER.
    """
    identity = _read(written)
    at = tools(context).now()

    def unit(work: "Work") -> bool:
        workspace = work.workspace(identity.surface, identity.workspace)
        person = work.meet(_account(identity), at).id
        already = work.is_manager(person, workspace)
        work.appoint(person, workspace)
        return already

    already = _do(tools(context), unit)
    typer.echo(f"{identity.written} {'was a manager already' if already else 'is a manager now'}")


def dismiss(context: typer.Context, written: str = _ID) -> None:
    """Take somebody's management of a workspace away."""
    identity = _read(written)

    def unit(work: "Work") -> bool:
        person = work.person(_account(identity))
        if person is None or identity not in dict(work.managers()):
            return False
        return work.dismiss(person.id, work.workspace(identity.surface, identity.workspace))

    was = _do(tools(context), unit)
    named = identity.written in tools(context).settings.latih_managers
    if not was and not named:
        refuse(f"{identity.written} is no manager: `./latih managers list` shows who is.")
    if named:
        refuse(f"{identity.written} stays a manager until LATIH_MANAGERS no longer names them.")
    typer.echo(f"{identity.written} is no manager any more")


def code(context: typer.Context) -> None:
    """Make a claim code: whoever types it first manages the workspace that they type it in."""
    from bot.service.managers import code_hash

    made, at = tools(context).dice.code(), tools(context).now()
    _do(tools(context), lambda work: work.offer_claim(code_hash(made), at))
    typer.echo(made)
    say(
        f"Type `/quiz managers claim {made}` in the workspace that you want to manage. "
        "It works once and is not shown again."
    )


def _managers(work: "Work") -> tuple[tuple[Identity, str | None], ...]:
    return work.managers()


def _printable(name: str | None) -> str | None:
    """A name without what would move a terminal's cursor."""
    return name and "".join(letter for letter in name if letter.isprintable())


def _account(identity: Identity) -> Identity:
    """The account of an ID: on Discord it belongs to no server."""
    return Identity("discord", "", identity.external) if _is_discord(identity) else identity


def _is_discord(identity: Identity) -> bool:
    return identity.surface == "discord"


def _read(written: str) -> Identity:
    surface, colon, rest = written.strip().partition(":")
    named = f"{surface.lower()}{colon}{rest.upper()}"
    shape = _SHAPES.get(surface.lower())
    if shape is None or not shape.fullmatch(named):
        refuse(f"{written!r} is no ID: {_FORMS}.")
    return Identity.read(named)


def _do(tools: Tools, unit: "Callable[[Work], T]") -> T:
    store = tools.store()
    try:
        return asyncio.run(store.write(unit))
    finally:
        store.close()
