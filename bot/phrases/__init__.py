"""The bot's own words: one TOML file a language, with CLDR plurals."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path

from babel.core import Locale

from bot.chat.words import Words
from bot.engine.language import Language

_FOLDER = Path(__file__).parent

_SPOKEN = {Language.EN: Language.EN, Language.ID: Language.ID, Language.ORIGINAL: Language.ID}
"""The original Indonesian is a quiz's; the bot itself speaks plain Indonesian to its readers."""


class Phrases:
    """One language's catalogue."""

    def __init__(self, language: Language, catalogue: Mapping[str, object]) -> None:
        self.language = language
        self._said = dict(_flat(catalogue))

    @cached_property
    def _plural(self) -> Callable[[int], str]:
        rule: Callable[[int], str] = Locale(self.language.value).plural_form
        return rule

    def say(self, key: str, /, **fields: object) -> str:
        """The phrase `key` with its fields filled in.

        Raises `KeyError` for a phrase or a field that does not exist.
        """
        said = self._said[key]
        if not isinstance(said, str):
            n = fields["n"]
            assert isinstance(n, int)
            said = said[self._plural(n)]
        return said.format(**fields) if fields else said

    def keys(self) -> frozenset[str]:
        return frozenset(self._said)

    def raw(self, key: str) -> str | Mapping[str, str]:
        """The phrase as written: one text, or one for each plural category."""
        return self._said[key]


class Phrasebook:
    """All languages, read once."""

    def words(self, language: Language) -> Words:
        return catalogue(_SPOKEN[language])


@cache
def catalogue(language: Language) -> Phrases:
    """The catalogue of a language that the bot itself speaks: `en` or `id`."""
    text = (_FOLDER / f"{language.value}.toml").read_text(encoding="utf-8")
    return Phrases(language, tomllib.loads(text))


def _flat(table: Mapping[str, object], prefix: str = "") -> Mapping[str, str | Mapping[str, str]]:
    flat: dict[str, str | Mapping[str, str]] = {}
    for name, value in table.items():
        if isinstance(value, dict) and "other" not in value:
            flat |= _flat(value, f"{prefix}{name}.")
        elif isinstance(value, dict):
            flat[prefix + name] = {category: str(text) for category, text in value.items()}
        else:
            flat[prefix + name] = str(value)
    return flat
