"""`latih doctor`: says what is wrong before a user does, and how to mend it."""

import json
from collections.abc import Iterator
from functools import partial

import typer

from bot.cli.exits import FAULTS
from bot.cli.findings import Check, Finding, State, run
from bot.cli.tools import Tools, say, tools


def add(app: typer.Typer) -> None:
    """Add `doctor` to `app`."""
    app.command("doctor")(doctor)


def doctor(
    context: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="One JSON object a line."),
) -> None:
    """Look at settings, quizzes, database, Slack and Discord; exit 1 when something is at fault.

    It changes nothing, and shows no token.
    """
    states = []
    for finding in _findings(tools(context)):
        states.append(finding.state)
        typer.echo(_as_json(finding) if as_json else finding.line)
    summary = _summary(states.count(State.FAULT), states.count(State.WARN))
    say(summary) if as_json else typer.echo(summary)
    if State.FAULT in states:
        raise typer.Exit(FAULTS)


def _findings(tools: Tools) -> Iterator[Finding]:
    from bot.cli import checks, checks_discord

    first = run("settings", partial(checks.settings, tools))
    yield from first
    yield from run(".env", checks.env_file)
    if any(finding.state is State.FAULT for finding in first):
        return  # all else depends on them
    rest: dict[str, Check] = {
        "quizzes": partial(checks.quizzes, tools),
        "database": partial(checks.database, tools),
        "disk": partial(checks.disk, tools),
        "Slack": partial(checks.slack_bot, tools),
        "Slack events": partial(checks.slack_way, tools),
    }
    for what, check in rest.items():
        yield from run(what, check)
    bot = run("Discord", partial(checks_discord.bot, tools))
    yield from bot
    if tools.settings.discord_token is None or any(it.state is State.FAULT for it in bot):
        return  # the others ask with the same token
    yield from run("Discord servers", partial(checks_discord.servers, tools))
    yield from run("Discord commands", partial(checks_discord.commands, tools))
    yield from run("Discord events", partial(checks_discord.events, tools))


def _as_json(finding: Finding) -> str:
    content = {
        "state": finding.state.value,
        "what": finding.what,
        "said": finding.said,
        "mend": finding.mend or None,
    }
    return json.dumps(content, ensure_ascii=False)


def _summary(faults: int, warnings: int) -> str:
    if not faults and not warnings:
        return "All is well."
    counts = [(faults, "fault"), (warnings, "warning")]
    return ", ".join(f"{n} {thing}{'' if n == 1 else 's'}" for n, thing in counts if n) + "."
