"""The one class of every button: nothing is kept per message, and all buttons outlive a restart."""

import re
from typing import Any, Protocol, Self, TypeAlias, cast

import discord
from typing_extensions import override

_EVERY = re.compile(r"(?P<token>.+)", re.DOTALL)
"""Every custom id is ours to answer, those of other versions included."""

_Button: TypeAlias = discord.ui.Button[Any]
_Interaction: TypeAlias = discord.Interaction[discord.Client]


class Presses(Protocol):
    """What a client does with a pressed button."""

    async def press(self, interaction: _Interaction, token: str) -> None: ...


class PressButton(discord.ui.DynamicItem[_Button], template=_EVERY):
    """A button whose custom id is its token."""

    def __init__(
        self,
        token: str,
        label: str = "",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=token, style=style))
        self._token = token

    @override
    @classmethod
    async def from_custom_id(
        cls, interaction: _Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["token"])

    @override
    async def callback(self, interaction: _Interaction) -> None:
        await cast("Presses", interaction.client).press(interaction, self._token)
