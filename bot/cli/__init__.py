"""The command line: one module a command family; each imports what it needs when it runs."""

import traceback

import typer

from bot import __version__
from bot.cli import database, doctor, managers, play, quizzes, serve, setup, slack
from bot.cli.exits import ASKED_WRONGLY, COULD_NOT
from bot.cli.tools import Tools, say
from bot.engine.fault import UnavailableError
from bot.settings import SettingsError


def main(arguments: list[str], tools: Tools) -> int:
    """Run a command line; its exit code. A person never sees a traceback unless they ask."""
    debug = "--debug" in arguments
    try:
        make()(arguments, prog_name="latih", obj=tools, standalone_mode=True)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else COULD_NOT
    except SettingsError as error:
        say(f"These settings cannot be used:\n{error}")
        return ASKED_WRONGLY
    except BrokenPipeError:
        return COULD_NOT
    except UnavailableError as error:
        _explain(str(error), debug=debug)
    except Exception as error:  # noqa: BLE001 - a person gets a sentence, `--debug` the rest
        _explain(f"Something broke: {error}. Run it with --debug to see where.", debug=debug)
    return COULD_NOT


def _explain(sentence: str, *, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    say(sentence)


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
        """Latih: short quizzes for teams of engineers, in Slack and in the terminal."""
        del debug
        if version:
            typer.echo(f"latih {__version__}")
            raise typer.Exit

    for family in (play, quizzes, serve, setup, slack, managers, database, doctor):
        family.add(app)
    return app
