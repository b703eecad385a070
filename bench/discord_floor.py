"""What a press costs at the least: discord.py, one raw row, and the product's screen, prepared."""

import re
from collections.abc import Mapping
from typing import Any, Self, TypeAlias, cast

import discord
from typing_extensions import override

from bench.answers import RawAnswers, row

Json: TypeAlias = Mapping[str, Any]
Screen: TypeAlias = list[Json]
_Interaction: TypeAlias = discord.Interaction["Floor"]


class StoringButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=re.compile(r"(?P<token>1\.r\..+)")
):
    """A button by whose press one row is stored, and its message changed."""

    def __init__(self, token: str) -> None:
        super().__init__(discord.ui.Button(custom_id=token))
        self._token = token

    @override
    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Any, match: re.Match[str], /
    ) -> Self:
        return cls(match["token"])

    @override
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await cast("Floor", interaction.client).press(interaction, self._token)


class Floor(discord.Client):
    """`screens` are what presses are answered with, by the token of each."""

    def __init__(self, answers: RawAnswers) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
        )
        self._answers = answers
        self.screens: dict[str, Screen] = {}

    @override
    async def setup_hook(self) -> None:
        self.add_dynamic_items(StoringButton)

    async def press(self, interaction: _Interaction, token: str) -> None:
        user, channel = str(interaction.user.id), str(interaction.channel_id)
        await self._answers.insert(row(user, channel, token, str(interaction.id)))
        await interaction.response.edit_message(view=_view(self.screens.pop(token)))


def _view(screen: Screen) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    for component in screen:
        view.add_item(_item(component))
    view.stop()  # nobody waits for it, and it is not kept
    return view


def _item(component: Json) -> discord.ui.Item[Any]:
    match component["type"]:
        case 1:
            return discord.ui.ActionRow(*map(_item, component["components"]))
        case 2:
            return discord.ui.Button(
                label=component["label"],
                custom_id=component["custom_id"],
                style=discord.ButtonStyle(component["style"]),
            )
        case 10:
            return discord.ui.TextDisplay(component["content"])
        case 14:
            return discord.ui.Separator()
        case 17:
            colour = component["accent_color"]
            return discord.ui.Container(*map(_item, component["components"]), accent_colour=colour)
        case kind:
            raise AssertionError(kind)
