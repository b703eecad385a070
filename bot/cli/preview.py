"""`latih preview`: every question as a surface shows it, never the key; without a database."""

import json
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from bot.chat.card import Card, Text
from bot.cli.tools import Tools, say, tools
from bot.cli.which_quiz import which_quiz, words_of
from bot.engine.language import Language
from bot.engine.quiz import Quiz

_NO_RUN = "preview-preview-"  # a token of the right form that belongs to no run


class Surface(StrEnum):
    TEXT = "text"
    SLACK = "slack"
    DISCORD = "discord"


def add(app: typer.Typer) -> None:
    @app.command()
    def preview(
        context: typer.Context,
        quiz: Annotated[str, typer.Argument(metavar="QUIZ", help="A quiz; `list` has them.")],
        *,
        lang: Annotated[Language | None, typer.Option("--lang", help="The language.")] = None,
        surface: Annotated[
            Surface, typer.Option("--surface", help="The surface that shows it.")
        ] = Surface.TEXT,
        as_json: Annotated[
            bool, typer.Option("--json", help="The exact payloads, one a line.")
        ] = False,
    ) -> None:
        """Show every question of a quiz as a surface shows it, never the answers."""
        words = words_of(tools(context), lang)
        found = which_quiz(quiz, tools(context), words)
        drawn = cards(found, tools(context), lang)
        if as_json:
            for line in (line for card in drawn for line in _payloads(card, surface)):
                typer.echo(line)
        else:
            _shown(_as_seen(card, surface) for card in drawn)


def cards(quiz: Quiz, tools: Tools, language: Language | None) -> Iterator[Card]:
    """The question screens of a run that keeps the file's order."""
    from bot.engine.run import Run
    from bot.phrases import Phrasebook
    from bot.views.build import Reader
    from bot.views.run import question

    language = language or Language(tools.settings.latih_language)
    reader = Reader(language, Phrasebook().words(language))
    versions = tuple(asked.version for asked in quiz.live)
    for position, asked in enumerate(quiz.live, start=1):
        run = Run(
            id=0,
            token=_NO_RUN,
            person=0,
            quiz=quiz.id,
            seed=None,
            versions=versions,
            position=position,
            started_at=tools.now(),
            shown_at=tools.now(),
        )
        yield question(run, asked, quiz, reader)


def _shown(drawn: Iterable[Card]) -> None:
    from adapters.terminal.screen import Transcript

    transcript = Transcript(sys.stdout, say, prompting=False)
    for card in drawn:
        transcript.show(card)


def _payloads(card: Card, surface: Surface) -> list[str]:
    """What goes to the surface, one JSON object each."""
    if surface is Surface.TEXT:
        from adapters.terminal.render import json_lines

        return json_lines(card)
    return [json.dumps(_payload(card, surface), ensure_ascii=False, separators=(",", ":"))]


def _payload(card: Card, surface: Surface) -> dict[str, Any]:
    if surface is Surface.DISCORD:
        from adapters.discord.render import payload as on_discord

        return on_discord(card)
    from adapters.slack.render import payload as on_slack

    return on_slack(card)


def _as_seen(card: Card, surface: Surface) -> Card:
    """What the surface makes of a card, as a card that a terminal can show."""
    from bot.cli import as_read

    match surface:
        case Surface.TEXT:
            return card
        case Surface.SLACK:
            texts = as_read.blocks(_payload(card, surface)["blocks"])
            return Card(card.alt, tuple(map(Text, texts)))
        case Surface.DISCORD:
            texts = as_read.components(_payload(card, surface)["components"])
            return Card(card.alt, tuple(map(Text, texts)))
