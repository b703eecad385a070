"""The menu of what there is to do here, and the preview of a quiz."""

from collections.abc import Iterable, Sequence

from bot.chat import card as show
from bot.chat.card import Button, Card, Entry
from bot.chat.limits import SCREEN, cost
from bot.chat.plain import plain
from bot.chat.token import MenuToken
from bot.engine.language import shown
from bot.engine.quiz import LETTERS, Question, Quiz
from bot.engine.run import Run
from bot.views.build import Reader, about, card, links, other, pages, start_button, turning
from bot.views.notes import commands

_MENU_PAGE = 8
"""Quizzes on one page of the menu: each has a button, and a phone shows no more."""

_MENU_ROOM = 1_500
"""What the quizzes of one page may cost, and again what has been begun."""


def menu(quizzes: Sequence[Quiz], runs: Sequence[Run], reader: Reader, page: int = 1) -> Card:
    """What the person has begun, the quizzes here, and what can be typed."""
    by_id = {quiz.id: quiz for quiz in quizzes}
    open_runs = [run for run in runs if run.quiz in by_id]
    begun = _paged(_begun(run, by_id[run.quiz], reader) for run in open_runs)
    listed = _paged(Entry(quiz.id, _line(quiz, reader)) for quiz in quizzes)
    of = max(len(begun), len(listed))
    page = min(max(page, 1), of)
    going, here = _page(begun, page), _page(listed, page)
    body: list[show.Block] = [show.Heading(reader.say("menu.heading"))]
    if going:
        body += [show.Text(reader.say("menu.open")), show.Entries(going)]
    if here or not listed[0]:
        body.append(show.Text(reader.say("menu.quizzes" if here else "menu.empty")))
    body += [show.Entries(here)] if here else []
    if of > 1:
        body.append(show.Note(reader.say("page.at", at=page, of=of)))
    body += [show.Text(reader.say("menu.commands")), commands(reader)]
    begun_ids = {run.quiz for run in open_runs}
    fresh = [start_button(row.term, row.term) for row in here if row.term not in begun_ids]
    return card(
        body,
        [_continue(row.term, reader) for row in going],
        fresh,
        turning(page, of, reader, lambda at: MenuToken("menu", str(at))),
        [_language(reader)],
    )


def preview(quiz: Quiz, reader: Reader, page: int = 1) -> Card:
    """Every question with its options, and never an answer."""
    language = shown(reader.language, quiz.languages)
    asked = [
        _previewed(question, number, len(quiz.live), reader)
        for number, question in enumerate(quiz.live, start=1)
    ]
    told = quiz.preview_note.told(language) if quiz.preview_note else reader.say("preview.note")
    head: tuple[show.Block, ...] = (
        show.Heading(quiz.title.told(language)),
        show.Note(about(quiz, reader)),
    )
    opening: list[show.Block] = []
    if quiz.description:
        opening.append(show.Text(quiz.description.told(language)))
    if quiz.reading:
        opening.append(show.Links(reader.say("run.reading"), links(quiz.reading)))
    room = SCREEN - cost(plain(head)) - cost(told)
    paged = pages(asked, plain, room=room, first=room - cost(plain(opening)))
    page = min(max(page, 1), len(paged))
    body: list[show.Block] = [*head, *(opening if page == 1 else ()), show.Note(told)]
    body += [block for item in paged[page - 1] for block in (show.Rule(), *item)]
    if len(paged) > 1:
        body.append(show.Note(reader.say("page.at", at=page, of=len(paged))))
    return card(
        body,
        turning(page, len(paged), reader, lambda at: MenuToken("preview", f"{quiz.id}:{at}")),
        [start_button(reader.say("preview.take"), quiz.id, main=True)],
        [Button(reader.say("menu.home"), MenuToken("menu").wire)],
    )


def _previewed(question: Question, number: int, of: int, reader: Reader) -> tuple[show.Block, ...]:
    language = shown(reader.language, question.languages)
    lines = tuple(
        show.OptionLine(letter, option.text.asked(language))
        for letter, option in zip(LETTERS, question.options, strict=False)
    )
    progress = reader.say("run.progress", at=number, of=of)
    stem = question.stem.asked(language)
    return (show.Question(question.id, number, of, progress, stem), show.Options(lines))


def _begun(run: Run, quiz: Quiz, reader: Reader) -> Entry:
    title = quiz.title.told(shown(reader.language, quiz.languages))
    return Entry(quiz.id, reader.say("menu.open-run", title=title, at=run.position, of=run.of))


def _line(quiz: Quiz, reader: Reader) -> str:
    return reader.say(
        "menu.quiz",
        title=quiz.title.told(shown(reader.language, quiz.languages)),
        level=reader.say(f"level.{quiz.level}"),
        count=reader.say("run.count", n=len(quiz.live)),
    )


def _paged(rows: Iterable[Entry]) -> list[list[Entry]]:
    return pages(rows, lambda row: f"{row.term}: {row.text}", room=_MENU_ROOM, most=_MENU_PAGE)


def _page(paged: Sequence[Sequence[Entry]], page: int) -> tuple[Entry, ...]:
    return tuple(paged[page - 1]) if page <= len(paged) else ()


def _continue(quiz: str, reader: Reader) -> Button:
    return start_button(reader.say("menu.continue", quiz=quiz), quiz, main=True)


def _language(reader: Reader) -> Button:
    offered = other(reader.language)
    return Button(reader.say(f"language.{offered}"), MenuToken("language", f"{offered}:menu").wire)
