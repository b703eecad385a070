"""The quiz that a word on the command line names."""

import typer

from bot.chat.command import Start, nearest, parse
from bot.chat.words import Words
from bot.cli.asking import refuse
from bot.cli.exits import FAULTS
from bot.cli.tools import Tools, say
from bot.engine.language import Language
from bot.engine.quiz import Quiz
from bot.quiz_files.faults import printable

_ECHO = 60


def words_of(tools: Tools, language: Language | None) -> Words:
    """The bot's words before anybody is known: in the language asked for, or the usual one."""
    from bot.phrases import Phrasebook

    return Phrasebook().words(language or Language(tools.settings.latih_language))


def which_quiz(typed: str, tools: Tools, words: Words) -> Quiz:
    """The quiz that was typed, as forgivingly read as in chat.

    Says what is wrong and ends the command when there is none, or when its file has errors.
    """
    quizzes = {quiz.id: quiz for quiz in tools.loaded.quizzes}
    faults = [fault for fault in tools.loaded.faults if fault.breaks]
    broken = {fault.file.stem for fault in faults} - quizzes.keys()
    command = parse(typed, quizzes.keys() | broken)
    if not isinstance(command, Start):
        refuse(_unknown(typed, nearest(typed, quizzes), words))
    if command.quiz in broken:
        for fault in faults:
            if fault.file.stem == command.quiz:
                say(str(fault))
        raise typer.Exit(FAULTS)
    return quizzes[command.quiz]


def _unknown(typed: str, near: tuple[str, ...], words: Words) -> str:
    shown = printable(typed[:_ECHO])
    said = words.say("terminal.unknown-quiz", quiz=shown)
    return f"{said} {words.say('terminal.did-you-mean', near=', '.join(near))}" if near else said
