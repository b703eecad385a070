"""Whether the quiz's own words fit on the longest screen of the strictest surface."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from bot.chat.limits import HEADING, OPTION, SCREEN, cost
from bot.engine.language import Language
from bot.engine.quiz import Question, Quiz, Source
from bot.quiz_files.faults import Report
from bot.quiz_files.reader import Node

_BESIDES = 7
"""What stands around a source: brackets for title and address, and a line of its own."""

_cost = lru_cache(maxsize=4096)(cost)
"""Titles and fallbacks stand on many screens; each is counted once."""


def check_title(quiz: Quiz, node: Node, report: Report) -> None:
    for language, words in quiz.title.said.items():
        if len(words) > HEADING:
            message = f"The title has {len(words):,} characters; the limit is {HEADING}."
            report.error(node.at("title", language).mark, "title-too-long", message)


def check_options(question: Question, node: Node, report: Report) -> None:
    for option in question.options:
        for language, words in option.text.said.items():
            if len(words) > OPTION:
                message = f"The option has {len(words):,} characters; the limit is {OPTION}."
                at = node.at("options", option.id, language).mark
                report.error(at, "option-too-long", message)


def check_screens(question: Question, quiz: Quiz | None, node: Node, report: Report) -> None:
    """Report the longest screen that shows `question`, when it is too long."""
    spent, screen, language = max(
        (spent, screen, language)
        for language in question.languages
        for screen, spent in _screens(question, quiz, language)
    )
    if spent > SCREEN:
        message = (
            f"Its {screen} takes {spent:,} characters in `{language}` as it is sent; "
            f"the limit is {SCREEN:,}: shorten its texts."
        )
        report.error(node.mark, "screen-too-long", message)


def _screens(
    question: Question, quiz: Quiz | None, language: Language
) -> Iterator[tuple[str, int]]:
    """What each kind of screen costs. The first one of a run or a preview also has the head.

    Any question can come first: a run that reviews the misses begins with one of them.
    """
    asked = _cost(question.stem.asked(language)) + sum(
        _cost(option.text.asked(language)) for option in question.options
    )
    told = _cost(question.explanation.told(language)) if question.explanation else 0
    whys = [_cost(o.why_wrong.told(language)) for o in question.options if o.why_wrong]
    sources = _sources(question.sources)
    yield "verdict", asked + told + max(whys, default=0) + sources
    if quiz is not None:
        title = _cost(quiz.title.told(language))
        yield "last screen", title + asked + told + sources
        head = title + _sources(quiz.reading)
        yield "first screen", head + asked
        remarks = (text for text in (quiz.description, quiz.preview_note) if text)
        yield "preview", head + asked + sum(_cost(text.told(language)) for text in remarks)


def _sources(sources: Iterable[Source]) -> int:
    return sum(_cost(source.title) + _cost(source.url or "") + _BESIDES for source in sources)
