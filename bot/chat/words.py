"""What views and adapters need of the bot's own words; `bot.phrases` has them."""

from typing import Protocol

from bot.engine.language import Language


class Words(Protocol):
    """The bot's words in one language."""

    @property
    def language(self) -> Language: ...

    def say(self, key: str, /, **fields: object) -> str:
        """The phrase `key` with its `{fields}` filled in; a field `n` chooses the plural."""
        ...


class Phrasebook(Protocol):
    """The bot's words in every language."""

    def words(self, language: Language) -> Words: ...
