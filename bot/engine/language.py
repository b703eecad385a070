"""Languages, and texts that exist in several of them side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """A BCP 47 tag that quizzes may be written in."""

    EN = "en"
    ID = "id"
    ORIGINAL = "id-x-original"
    """The first quiz's own Indonesian, as the page had it (a private-use variant)."""


DEFAULT = Language.EN

# What is asked falls back to English, what the bot tells falls back to Indonesian: the original
# page asked half of its questions in English and was otherwise written in Indonesian.
_ASKED = {
    Language.EN: (Language.EN, Language.ID),
    Language.ID: (Language.ID, Language.EN),
    Language.ORIGINAL: (Language.ORIGINAL, Language.EN, Language.ID),
}
_TOLD = _ASKED | {Language.ORIGINAL: (Language.ORIGINAL, Language.ID, Language.EN)}


@dataclass(frozen=True, slots=True)
class Text:
    """One text in one or more languages; never empty."""

    said: Mapping[Language, str]

    def asked(self, language: Language) -> str:
        """The words of a stem or an option for a reader of `language`."""
        return self._first(_ASKED[language])

    def told(self, language: Language) -> str:
        """The words of a title, an explanation or a remark for a reader of `language`."""
        return self._first(_TOLD[language])

    def _first(self, languages: Iterable[Language]) -> str:
        return next(self.said[language] for language in languages if language in self.said)


def shown(language: Language, declared: Iterable[Language]) -> Language:
    """The language in which a quiz written in the `declared` ones is shown to a reader.

    Who reads the original Indonesian gets plain Indonesian where a quiz has no original.
    """
    declared = tuple(declared)
    if language in declared:
        return language
    if language is Language.ORIGINAL and Language.ID in declared:
        return Language.ID
    return DEFAULT if DEFAULT in declared else declared[0]
