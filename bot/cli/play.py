"""`latih play`: a quiz in the terminal."""

import asyncio
import contextlib
import logging
import os
import shlex
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.asking import refuse
from bot.cli.exits import COULD_NOT, DONE
from bot.cli.tools import Tools, say, tools
from bot.cli.which_quiz import which_quiz, words_of
from bot.engine.language import Language
from bot.engine.quiz import Quiz

if TYPE_CHECKING:
    from bot.chat.command import Command
    from bot.engine.people import Person
    from bot.engine.run import Run
    from bot.service import Kit
    from bot.store import Store, Work

DEFAULT_NAME = "me"
_LONGEST_NAME = 64
_SEEDS = 2**63


@dataclass(frozen=True, slots=True)
class Asked:
    """A `play` as it was asked for."""

    quiz: Quiz
    language: Language | None
    seed: int | None
    shuffle: bool
    name: str
    as_json: bool


def add(app: typer.Typer) -> None:
    @app.command()
    def play(
        context: typer.Context,
        quiz: Annotated[str, typer.Argument(metavar="QUIZ", help="A quiz; `list` has them.")],
        *,
        lang: Annotated[
            Language | None, typer.Option("--lang", help="Your language from now on.")
        ] = None,
        seed: Annotated[
            int | None,
            typer.Option(min=0, max=_SEEDS - 1, help="Shuffle the options by this number."),
        ] = None,
        no_shuffle: Annotated[
            bool, typer.Option("--no-shuffle", help="Keep the options in the file's order.")
        ] = False,
        name: Annotated[
            str, typer.Option("--as", metavar="NAME", help="Who you are here.")
        ] = DEFAULT_NAME,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    ) -> None:
        """Take a quiz here, or go on with it: by keys, or one answer a line from a pipe."""
        if seed is not None and no_shuffle:
            refuse("--seed shuffles and --no-shuffle does not: give one of them.")
        found = which_quiz(quiz, tools(context), words_of(tools(context), lang))
        asked = Asked(found, lang, seed, not no_shuffle, _name(name), as_json)
        _log(tools(context), debug=bool(context.find_root().params.get("debug")))
        raise typer.Exit(_run(tools(context), asked))


def _name(typed: str) -> str:
    name = typed.strip()
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        refuse(f"--as takes a name of 1 to {_LONGEST_NAME} printable characters.")
    return name


def _log(tools: Tools, *, debug: bool) -> None:
    """Keep the log off the screen: a person never sees a traceback unless they ask."""
    if debug:
        from bot import logs

        logs.configure(tools.settings.latih_log)
    else:
        logging.getLogger().handlers[:] = [logging.NullHandler()]


def _run(tools: Tools, asked: Asked) -> int:
    if sys.stdout is None:
        return COULD_NOT
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return asyncio.run(_play(tools, asked))
    except BrokenPipeError:
        _let_go_of_stdout()
        return COULD_NOT


def _let_go_of_stdout() -> None:
    """Nobody reads on: what Python would still write at its end goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


async def _play(tools: Tools, asked: Asked) -> int:
    _leave_when_terminated()
    store = await _open(tools, asked)
    try:
        return await _talk(tools, asked, store)
    finally:
        await asyncio.to_thread(store.close)


def _leave_when_terminated() -> None:
    """Being told to end is leaving, as Ctrl-C is: the terminal is restored, the progress kept."""
    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _open(tools: Tools, asked: Asked) -> "Store":
    from bot.chat.patience import within

    task = asyncio.ensure_future(asyncio.to_thread(tools.store))
    store = await within(task)
    if store is None:
        say(words_of(tools, asked.language).say("terminal.waiting"))
        store = await task
    return store


async def _talk(tools: Tools, asked: Asked, store: "Store") -> int:
    from adapters.terminal.app import TerminalApp, terminal
    from bot.chat.command import Speak, Start

    kit = tools.kit(store)
    service = tools.service(kit)
    await service.open(tools.now())
    person, begun = await _known(kit, asked)
    language = asked.language or (person.language if person else None) or kit.language
    if begun and (asked.seed is not None or not asked.shuffle):
        words = kit.phrasebook.words(language)
        refuse(words.say("terminal.order-kept", quiz=asked.quiz.id))
    app = TerminalApp(
        handle=service.handle,
        terminal=terminal(sys.stdin, sys.stdout, say, as_json=asked.as_json),
        phrasebook=kit.phrasebook,
        language=language,
        name=asked.name,
        now=tools.now,
        reference=tools.dice.reference,
        go_on=lambda quiz: _go_on(quiz, asked),
    )
    commands: list[Command] = [Speak(asked.language)] if asked.language else []
    commands.append(Start(asked.quiz.id, asked.seed, asked.shuffle))
    return DONE if await app.play(asked.quiz.id, commands) else COULD_NOT


async def _known(kit: "Kit", asked: Asked) -> "tuple[Person | None, Run | None]":
    """The person, if they ever came, and their open run of the quiz."""
    from adapters.terminal.read import identity

    def unit(work: "Work") -> "tuple[Person | None, Run | None]":
        person = work.person(identity(asked.name))
        runs = work.open_runs(person.id) if person else ()
        return person, next((run for run in runs if run.quiz == asked.quiz.id), None)

    return await kit.store.read(unit)


def _go_on(quiz: str, asked: Asked) -> str:
    who = [] if asked.name == DEFAULT_NAME else ["--as", asked.name]
    return shlex.join(["./latih", "play", quiz, *who])
