"""The commands for the whole database: `migrate`, `backup` and `restore`."""

from pathlib import Path

import typer

from bot.cli.asking import refuse
from bot.cli.tools import say, tools
from bot.engine.fault import UnavailableError

_EVERYTHING = "Everything in it is people's data: keep it as safe as the database."


def add(app: typer.Typer) -> None:
    """Add these commands to `app`."""
    app.command("migrate")(migrate)
    app.command("backup")(backup)
    app.command("restore")(restore)


def migrate(context: typer.Context) -> None:
    """Bring the tables up to date; `serve` does so too when it starts."""
    from bot.store import care

    before, after = care.migrate(tools(context).settings.database_url)
    if before == after:
        typer.echo(f"already at {after}")
    else:
        typer.echo(f"migrated from {before or 'nothing'} to {after}")


def backup(
    context: typer.Context,
    file: Path = typer.Argument(help="The file to write; usually ends in .jsonl.gz."),
    force: bool = typer.Option(False, "--force", help="Overwrite a file that is there."),
) -> None:
    """Write all data into one file, from either database, while the bot serves.

    It is gzipped JSON lines; `restore` reads it into SQLite or Postgres alike.
    """
    from bot.cli.files import replacing
    from bot.store import care

    if file.exists() and not file.is_file():
        refuse(f"{file} is no plain file: name one to write.")
    if file.exists() and not force:
        refuse(f"{file} is there already: name another file, or overwrite it with --force.")
    with_tools = tools(context)
    with replacing(file) as written:
        copied = care.backup(with_tools.settings.database_url, written, with_tools.now())
    typer.echo(f"{file}: {_rows(copied.total)} at revision {copied.revision}")
    say(_EVERYTHING)


def restore(
    context: typer.Context,
    file: Path = typer.Argument(help="A file that `backup` wrote."),
) -> None:
    """Fill the empty database at DATABASE_URL from a backup, all of it or nothing.

    The backup may come from the other kind of database: so it also moves SQLite to Postgres.
    """
    from bot.store import care

    if not file.exists():
        refuse(f"There is no file {file}.")
    try:
        with file.open("rb") as held:
            copied = care.restore(tools(context).settings.database_url, held)
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror or error}."
        raise UnavailableError(message) from error
    typer.echo(f"restored {_rows(copied.total)} from {file}, taken {copied.at}")


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"
