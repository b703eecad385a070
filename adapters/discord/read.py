"""Discord's interactions, read into events; pure."""

from datetime import datetime
from typing import Any, TypeAlias

import discord

from bot.chat.command import Command
from bot.chat.event import Commanded, Pressed, Who
from bot.engine.language import Language
from bot.engine.people import Address, Identity

SURFACE = "discord"

Interaction: TypeAlias = discord.Interaction[Any]

_SPOKEN = {
    discord.Locale.indonesian: Language.ID,
    discord.Locale.american_english: Language.EN,
    discord.Locale.british_english: Language.EN,
}


def commanded(interaction: Interaction, command: Command, *, at: datetime) -> Commanded:
    """A slash command whose options were read already."""
    return Commanded(_who(interaction), command, at, id=str(interaction.id))


def pressed(interaction: Interaction, token: str, *, at: datetime) -> Pressed:
    """A button; the interaction's own id names the press."""
    return Pressed(_who(interaction), token, str(interaction.id), at)


def spoken(interaction: Interaction) -> Language | None:
    """The language of the person's own Discord, when it is one of ours."""
    return _SPOKEN.get(interaction.locale)


def _who(interaction: Interaction) -> Who:
    return Who(
        identity=Identity(SURFACE, "", str(interaction.user.id)),
        address=Address(SURFACE, str(interaction.guild_id or ""), str(interaction.channel_id)),
        name=interaction.user.name,
        locale=spoken(interaction),
        admin=interaction.permissions.manage_guild,
    )
