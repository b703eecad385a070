"""The whole command line, put together from its families."""

import typer

from bot import __version__
from bot.cli import (
    database,
    discord,
    doctor,
    managers,
    play,
    preview,
    quizzes,
    serve,
    setup,
    slack,
)


def make() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(
        name="latih",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def latih(
        version: bool = typer.Option(False, "--version", is_eager=True, help="Show the version."),
        debug: bool = typer.Option(False, "--debug", help="Show the traceback of a failure."),
    ) -> None:
        """Latih: short quizzes for teams of engineers, in Slack, in Discord and in the terminal."""
        del debug
        if version:
            typer.echo(f"latih {__version__}")
            raise typer.Exit

    families = (play, preview, quizzes, serve, setup, slack, discord, managers, database, doctor)
    for family in families:
        family.add(app)
    return app
