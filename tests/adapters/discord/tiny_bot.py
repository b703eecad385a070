"""A tiny bot on the real discord.py, with which the stand-in proves itself."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager

import discord
import yarl
from discord import app_commands

QUESTION = "Question 1 of 8: what does fsync promise?"


class PressButton(discord.ui.DynamicItem[discord.ui.Button], template=re.compile(r"(?P<token>.+)")):
    def __init__(self, token, label="?"):
        super().__init__(discord.ui.Button(label=label, custom_id=token))
        self.token = token

    @classmethod
    async def from_custom_id(cls, interaction, item, match, /):
        return cls(match["token"], item.label)

    async def callback(self, interaction):
        await interaction.client.on_press(interaction, self.token)


def card(text, *labels):
    """A screen of components; the custom id of a button is `press.` and its label."""
    view = discord.ui.LayoutView(timeout=None)
    container = discord.ui.Container(discord.ui.TextDisplay(text))
    view.add_item(container)
    if labels:
        buttons = [PressButton(f"press.{label}", label) for label in labels]
        container.add_item(discord.ui.ActionRow(*buttons))
    view.stop()  # discord.py would keep it, with a timer of a quarter of an hour
    return view


class TinyBot(discord.Client):
    """Answers a command with a question and a press with its verdict; slow or broken at will."""

    def __init__(self, *, intents=None, **options):
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            guild_ready_timeout=0,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(group(self))
        self.wait = None
        self.interactions = []
        self.errors = []
        self.crashes = []
        self.answer = self.show_question
        self.press = self.show_verdict

    async def setup_hook(self):
        self.add_dynamic_items(PressButton)

    async def before_identify_hook(self, shard_id, *, initial=False):
        """Identify again at once; discord.py would wait for five seconds."""

    async def on_interaction(self, interaction):
        self.interactions.append(interaction)

    async def on_error(self, event, /, *args, **kwargs):
        self.crashes.append(sys.exc_info()[1])

    async def start_quiz(self, interaction, quiz):
        await self._guarded(self.answer(interaction, quiz))

    async def on_press(self, interaction, token):
        await self._guarded(self.press(interaction, token))

    async def _guarded(self, doing):
        if self.wait:
            await self.wait.wait()
        try:
            await doing
        except discord.HTTPException as error:
            self.errors.append(error.code)

    async def show_question(self, interaction, quiz):
        await interaction.response.send_message(view=card(QUESTION, "A", "B"), ephemeral=True)

    async def show_verdict(self, interaction, token):
        await interaction.response.edit_message(view=card(f"{token} is right.", "Next"))


def group(bot):
    quiz_group = app_commands.Group(name="quiz", description="Quizzes")
    managers = app_commands.Group(name="managers", description="Managers", parent=quiz_group)

    @quiz_group.command(name="start", description="Start a quiz")
    async def start(interaction: discord.Interaction, quiz: str = "checkpointing"):
        await bot.start_quiz(interaction, quiz)

    @start.autocomplete("quiz")
    async def names(interaction: discord.Interaction, current: str):
        return [
            app_commands.Choice(name=name.title(), value=name)
            for name in ("checkpointing", "collectives")
            if name.startswith(current)
        ]

    @managers.command(name="add", description="Add a manager")
    async def add(interaction: discord.Interaction, user: discord.Member):
        await interaction.response.send_message(f"{user.display_name} manages.", ephemeral=True)

    return quiz_group


@asynccontextmanager
async def running(standin, bot=None):
    """Logged in, its commands registered, and ready; where Discord is, the stand-in is."""
    bot = bot or TinyBot()
    points_to(standin)
    async with bot:
        await bot.login(standin.bot_token)
        await bot.tree.sync()
        connecting = asyncio.create_task(bot.connect())
        try:
            await bot.wait_until_ready()
            yield bot
        finally:
            await bot.close()
            await asyncio.wait({connecting})


def points_to(standin):
    """discord.py keeps Discord's addresses for the whole process; a fixture restores them."""
    discord.http.Route.BASE = standin.api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(standin.gateway_url)
