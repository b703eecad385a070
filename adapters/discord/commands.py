"""The slash command `/quiz` and its sub-commands, in every language that the bot speaks."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias, cast

import discord
from discord import app_commands
from discord.app_commands import Choice, Group, Range, locale_str
from typing_extensions import override

from adapters.discord.read import Interaction
from bot.chat.command import (
    AddManager,
    Claim,
    Command,
    ListManagers,
    Menu,
    RemoveManager,
    Resume,
    Speak,
    Stop,
)
from bot.chat.words import Phrasebook
from bot.engine.language import Language

Json: TypeAlias = dict[str, Any]

_Callback: TypeAlias = Callable[..., Awaitable[None]]

_NAME = "quiz"
_SPOKEN = {discord.Locale.american_english: Language.EN, discord.Locale.indonesian: Language.ID}


class Commander(Protocol):
    """The client, which does what the commands ask for."""

    async def command(self, interaction: Interaction, command: Command) -> None: ...
    async def named(self, interaction: Interaction, verb: str, quiz: str) -> None:
        """A command about a quiz by the name that was typed."""
        ...

    async def complete(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Quizzes that may be meant."""
        ...


class Translations(app_commands.Translator):
    """Names and descriptions in the languages of Discord that are ours."""

    def __init__(self, phrasebook: Phrasebook) -> None:
        self._phrasebook = phrasebook

    @override
    async def translate(
        self, string: locale_str, locale: discord.Locale, context: object
    ) -> str | None:
        language = _SPOKEN.get(locale)
        if language is None or "key" not in string.extras:
            return None
        return _said(self._phrasebook, string.extras["key"], language, string.extras["sentence"])


async def payloads(phrasebook: Phrasebook) -> list[Json]:
    """What is registered with Discord."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents(guilds=True)))
    return [await quiz_group(phrasebook).get_translated_payload(tree, Translations(phrasebook))]


def quiz_group(phrasebook: Phrasebook) -> Group:
    """`/quiz` with the verbs as sub-commands; only in servers, only where it was installed."""
    return _Builder(phrasebook).group()


async def _do(interaction: Interaction, command: Command) -> None:
    await _client(interaction).command(interaction, command)


async def _complete(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return await _client(interaction).complete(interaction, typed)


def _client(interaction: Interaction) -> Commander:
    return cast("Commander", interaction.client)


class _Builder:
    """Builds the group; texts stand in it in English, with the key of what they say."""

    def __init__(self, phrasebook: Phrasebook) -> None:
        self._phrasebook = phrasebook

    def group(self) -> Group:
        group = Group(
            name=_NAME,
            description=self._sentence("discord.quiz"),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )

        async def menu(interaction: Interaction) -> None:
            await _do(interaction, Menu())

        async def resume(interaction: Interaction) -> None:
            await _do(interaction, Resume())

        async def stop(interaction: Interaction) -> None:
            await _do(interaction, Stop())

        group.add_command(self._about_a_quiz("start"))
        group.add_command(self._verb("menu", "discord.menu", menu))
        group.add_command(self._verb("resume", "menu.resume", resume))
        group.add_command(self._verb("stop", "menu.stop", stop))
        group.add_command(self._about_a_quiz("preview"))
        group.add_command(self._language())
        group.add_command(self._managers())
        return group

    def _about_a_quiz(self, verb: str) -> app_commands.Command[Any, ..., None]:
        @app_commands.rename(quiz=self._word("option.quiz"))
        @app_commands.describe(quiz=self._sentence("discord.which-quiz"))
        @app_commands.autocomplete(quiz=_complete)
        async def about(interaction: Interaction, quiz: Range[str, 1, 100]) -> None:
            await _client(interaction).named(interaction, verb, quiz)

        return self._verb(verb, f"menu.{verb}", about)

    def _language(self) -> app_commands.Command[Any, ..., None]:
        choices = [
            Choice(name=self._sentence(f"language.{tag}"), value=tag.value) for tag in Language
        ]

        @app_commands.rename(language=self._word("option.language"))
        @app_commands.describe(language=self._sentence("discord.which-language"))
        @app_commands.choices(language=choices)
        async def speak(interaction: Interaction, language: str | None = None) -> None:
            await _do(interaction, Speak(Language(language) if language else None))

        return self._verb("language", "menu.language", speak)

    def _managers(self) -> Group:
        group = Group(name="managers", description=self._sentence("menu.managers"))

        async def listed(interaction: Interaction) -> None:
            await _do(interaction, ListManagers())

        @app_commands.rename(person=self._word("option.person"))
        @app_commands.describe(person=self._sentence("discord.which-person"))
        async def add(interaction: Interaction, person: discord.User) -> None:
            await _do(interaction, AddManager(str(person.id), mentioned=True))

        @app_commands.rename(person=self._word("option.person"))
        @app_commands.describe(person=self._sentence("discord.which-person"))
        async def remove(interaction: Interaction, person: discord.User) -> None:
            await _do(interaction, RemoveManager(str(person.id)))

        @app_commands.rename(code=self._word("option.code"))
        @app_commands.describe(code=self._sentence("discord.which-code"))
        async def claim(interaction: Interaction, code: Range[str, 1, 100]) -> None:
            await _do(interaction, Claim(code.strip()))

        group.add_command(self._command("list", "discord.managers-list", listed))
        group.add_command(self._command("add", "discord.managers-add", add))
        group.add_command(self._command("remove", "discord.managers-remove", remove))
        group.add_command(self._command("claim", "discord.managers-claim", claim))
        return group

    def _verb(
        self, verb: str, described: str, callback: _Callback
    ) -> app_commands.Command[Any, ..., None]:
        return self._command(self._word(f"verb.{verb}"), described, callback)

    def _command(
        self, name: str | locale_str, described: str, callback: _Callback
    ) -> app_commands.Command[Any, ..., None]:
        return app_commands.Command(
            name=name,
            description=self._sentence(described),
            callback=callback,  # type: ignore[arg-type]
        )

    def _word(self, key: str) -> locale_str:
        return locale_str(
            _said(self._phrasebook, key, Language.EN, sentence=False), key=key, sentence=False
        )

    def _sentence(self, key: str) -> locale_str:
        return locale_str(
            _said(self._phrasebook, key, Language.EN, sentence=True), key=key, sentence=True
        )


def _said(phrasebook: Phrasebook, key: str, language: Language, sentence: bool) -> str:  # noqa: FBT001
    said = phrasebook.words(language).say(key)
    return said[0].upper() + said[1:] if sentence else said
