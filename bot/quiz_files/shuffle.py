"""Questions that turn false once their options are shuffled, and do not keep their order."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from bot.engine.language import Text
from bot.engine.quiz import Question
from bot.quiz_files.faults import Report, echo
from bot.quiz_files.pointing import in_option, in_remark, names_in
from bot.quiz_files.reader import Node

_Finder: TypeAlias = Callable[[str, frozenset[str]], str]


def check(question: Question, node: Node, report: Report) -> None:
    """Report each text that points at options by place or letter, unless the order is kept."""
    if question.keep_order:
        return
    names = names_in(question.stem.said.values())
    for text, place, finds in _texts(question, node):
        for language, words in text.said.items():
            if found := finds(words, names):
                message = (
                    f"\u201c{echo(found)}\u201d points at other options, which are shuffled: "
                    "set `keep_order: true`, or reword it."
                )
                report.error(place.at(language).mark, "shuffle", message)


def _texts(question: Question, node: Node) -> Iterator[tuple[Text, Node, _Finder]]:
    for option in question.options:
        yield option.text, node.at("options", option.id), in_option
        if option.why_wrong:
            yield option.why_wrong, node.at("why_wrong", option.id), in_remark
    if question.explanation:
        yield question.explanation, node.at("explanation"), in_remark
