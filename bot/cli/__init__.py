"""The command line: one module a command family; each imports what it needs when it runs."""

import traceback

from bot.cli.exits import ASKED_WRONGLY, COULD_NOT
from bot.cli.tools import Tools, say
from bot.engine.fault import UnavailableError
from bot.settings import SettingsError


def main(arguments: list[str], tools: Tools) -> int:
    """Run a command line; its exit code. A person never sees a traceback unless they ask."""
    from bot.cli.app import make  # the families, which nobody needs who only imports a part

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
