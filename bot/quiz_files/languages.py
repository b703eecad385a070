"""Which languages a quiz is written in, and its texts in them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.engine.language import DEFAULT, Language, Text
from bot.quiz_files.faults import Report, echo, one_of
from bot.quiz_files.reader import Node

_Read: TypeAlias = Callable[[Text, Language], str]
_CUT = "What follows ` #` is not shown: quote the text, or move the comment to a line of its own."
_KNOWN = {language.value: language for language in Language}


def declared(root: Node) -> tuple[Language, ...]:
    """The languages that the file says it is in; none when what it says is of no use."""
    if not root.has("languages"):
        return (DEFAULT,)
    tags = root.at("languages").plain()
    named = tags if isinstance(tags, list) else []
    return tuple(dict.fromkeys(_KNOWN[tag] for tag in named if _is_known(tag)))


@dataclass(frozen=True, slots=True)
class Scribe:
    """Makes engine texts of what is written, and reports what is missing in which language."""

    languages: tuple[Language, ...]
    report: Report

    def asked(self, words: Mapping[str, str], node: Node) -> Text | None:
        """The text of a stem or an option."""
        text = self._text(words, node)
        return self._complete(text, node, Text.asked) if text else None

    def told(self, words: Mapping[str, str], node: Node, *, warn: bool = True) -> Text | None:
        """The text of a title, an explanation or a remark; `warn` of languages left out."""
        text = self._text(words, node)
        return self._complete(text, node, Text.told, warn=warn) if text else None

    def _text(self, words: Mapping[str, str], node: Node) -> Text | None:
        languages = [self._language(tag, node) for tag in words]
        for tag in words:
            written = node.at(tag) if tag else node
            if written.is_cut:
                self.report.warn(written.mark, "cut-text", _CUT)
        named = [language for language in languages if language]
        if len(named) < len(languages):
            return None
        return Text(dict(zip(named, words.values(), strict=True)))

    def _language(self, tag: str, node: Node) -> Language | None:
        if tag == "":
            if len(self.languages) == 1:
                return self.languages[0]
            words = f"Say in which language this is: write it under {one_of(self.languages)}."
            self.report.error(node.mark, "which-language", words)
            return None
        inner = node.at(tag)
        at = inner.key or inner.mark
        if not _is_known(tag):
            words = f"`{echo(tag)}` is no language of quizzes: write {one_of(_KNOWN)}."
            self.report.error(at, "unknown-language", words)
            return None
        if _KNOWN[tag] not in self.languages:
            words = f"`{tag}` is not among the quiz's `languages`: add it there, or leave it out."
            self.report.error(at, "undeclared-language", words)
            return None
        return _KNOWN[tag]

    def _complete(self, text: Text, node: Node, read: _Read, *, warn: bool = True) -> Text | None:
        for language in self.languages:
            if language in text.said:
                continue
            try:
                read(text, language)
            except StopIteration:
                words = f"Readers of `{language}` would see nothing here: write it in `{language}`."
                self.report.error(node.mark, "missing-text", words)
                return None
            if warn and language is not Language.ORIGINAL:
                words = f"This is missing in `{language}`: its readers get another language."
                self.report.warn(node.mark, "missing-language", words)
        return text


def _is_known(tag: object) -> bool:
    return isinstance(tag, str) and tag in _KNOWN
