"""Discord's events in, replies out: one command group, one class of buttons, our own dispatch.

The answer to an interaction is its acknowledgement; only when the store takes longer than two
seconds does an acknowledgement go ahead, and the answer follows.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.app_commands import Choice
from discord.gateway import DiscordWebSocket
from discord.http import Route
from typing_extensions import override

from adapters.discord import read
from adapters.discord.button import PressButton
from adapters.discord.commands import quiz_group
from adapters.discord.read import Interaction
from adapters.discord.render import drawn
from bot.chat.card import Card
from bot.chat.command import Command, nearest, parse
from bot.chat.event import Event
from bot.chat.patience import within
from bot.chat.reference import event_reference
from bot.chat.reply import Handle, Redraw, Reply, Whisper
from bot.chat.words import Phrasebook
from bot.engine.fault import UnavailableError
from bot.engine.language import Language

HALF_OPEN = 50.0
"""Seconds of silence that Discord's heartbeat, answered every 41.25 s, never leaves."""

_CHOICES, _CHOICE = 25, 100
_NOT_ACCEPTED = 4004
"""The gateway's close code for a token that it does not know."""
_UNREACHABLE = (aiohttp.ClientError, OSError, TimeoutError)
_ANSWERED, _UNKNOWN = 40060, 10062
"""Somebody has answered this interaction already; it is unknown, or more than three seconds old."""

log = logging.getLogger("latih.discord")


def direct(api_url: str, gateway_url: str | None) -> None:
    """Let discord.py speak to this API and gateway; it knows one of each for the process."""
    Route.BASE = api_url
    if gateway_url is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


class DiscordApp(discord.Client):
    """The bot on one gateway connection.

    `handle` answers events; `titles` gives the quizzes by name with their titles in a language;
    `sorry` makes the apology for a failure from the person's language and the reference under
    which it was logged; `up` is called whenever events can arrive; after `half_open` seconds of
    silence the connection is made anew.
    """

    def __init__(
        self,
        *,
        handle: Handle,
        titles: Callable[[Language | None], Mapping[str, str]],
        phrasebook: Phrasebook,
        now: Callable[[], datetime],
        sorry: Callable[[Language | None, str], Card],
        reference: Callable[[], str],
        up: Callable[[], None],
        half_open: float,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=0,
            heartbeat_timeout=half_open,
        )
        self._handle = handle
        self._titles = titles
        self._now = now
        self._sorry = sorry
        self._reference = reference
        self._up = up
        self._answering: set[asyncio.Task[Any]] = set()
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(quiz_group(phrasebook))
        self.tree.error(self._unanswerable)

    @override
    async def setup_hook(self) -> None:
        self.add_dynamic_items(PressButton)

    async def on_ready(self) -> None:
        self._up()

    async def on_resumed(self) -> None:
        self._up()

    async def sign_in(self, token: str) -> None:
        """Learn who the bot is; raises `LoginFailure` when the token is not accepted."""
        with _reaching():
            await self.login(token)

    async def converse(self) -> None:
        """Stay connected until the connection ends for good, whose reason is raised.

        discord.py resumes what can be resumed; what it does not survive is left to a new client.
        """
        try:
            with _reaching():
                await self.connect(reconnect=False)
        except AttributeError as error:
            if self.ws is not None:
                raise
            # How discord.py 2.7 ends when its first socket is closed before it has said HELLO.
            raise UnavailableError("Discord closed the connection before it began") from error

    async def drain(self, seconds: float) -> bool:
        """Wait for answers that are still on their way; whether all were done in time."""
        try:
            # `asyncio.timeout` does not work while a task is cancelled on Python 3.11.2.
            await asyncio.wait_for(self._drained(), seconds)
        except TimeoutError:
            for task in self._answering:
                task.cancel()
            return False
        return True

    async def _drained(self) -> None:
        while self._answering:
            await asyncio.wait(self._answering)

    async def command(self, interaction: Interaction, command: Command) -> None:
        """Answer a slash command."""
        await self._answer(interaction, read.commanded(interaction, command, at=self._now()))

    async def named(self, interaction: Interaction, verb: str, quiz: str) -> None:
        await self.command(interaction, parse(f"{verb} {quiz}", self._titles(None)))

    async def press(self, interaction: Interaction, token: str) -> None:
        """Answer a pressed button."""
        await self._answer(interaction, read.pressed(interaction, token, at=self._now()))

    async def complete(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        titles = self._titles(read.spoken(interaction))
        sought = typed.casefold().strip()
        said = {name: f"{name}: {title}" for name, title in titles.items()}
        found = [name for name, words in said.items() if sought in words.casefold()]
        return [
            Choice(name=said[name][:_CHOICE], value=name)
            for name in (found or nearest(sought, titles))[:_CHOICES]
        ]

    async def on_interaction(self, interaction: Interaction) -> None:
        """What is neither a command nor a button of ours is answered all the same."""
        if interaction.type is discord.InteractionType.modal_submit:
            data: Mapping[str, Any] = {**(interaction.data or {})}
            await self.press(interaction, str(data.get("custom_id")))

    async def _answer(self, interaction: Interaction, event: Event) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        event_reference.set(self._reference())  # this task is of this event alone
        try:
            await self._replied(interaction, event)
        except (discord.HTTPException, *_UNREACHABLE) as error:
            self._tell_undelivered(error)
        finally:
            self._answering.discard(task)

    async def _replied(self, interaction: Interaction, event: Event) -> None:
        replies = asyncio.create_task(self._replies(interaction, event))
        await within(replies)
        if not replies.done():
            await self._defer(interaction)
        for reply, card in await replies:
            await self._send(interaction, reply, card)

    async def _replies(self, interaction: Interaction, event: Event) -> list[tuple[Reply, Card]]:
        try:
            return [(reply, reply.draw()) for reply in await self._handle(event)]
        except Exception as error:  # noqa: BLE001 - the person gets an apology, the log the rest
            card = self._apology(interaction, error)
            return [(Whisper(lambda: card), card)]

    async def _defer(self, interaction: Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)

    async def _send(self, interaction: Interaction, reply: Reply, card: Card) -> None:
        """Send a card; after a broken connection once more, for nobody knows whether it arrived."""
        try:
            await self._try(interaction, reply, card)
        except _UNREACHABLE:
            await self._try(interaction, reply, card)

    async def _try(self, interaction: Interaction, reply: Reply, card: Card) -> None:
        """As the answer, or after the acknowledgement that went ahead of it."""
        view = drawn(card)
        view.stop()  # discord.py would keep it, and a timer with it, for a quarter of an hour
        pressed = interaction.type is discord.InteractionType.component
        in_place = isinstance(reply, Redraw) if pressed else True
        response = interaction.response
        if not response.is_done():
            if pressed and in_place:
                await response.edit_message(view=view)
            else:
                await response.send_message(view=view, ephemeral=True)
        elif in_place:
            await interaction.edit_original_response(view=view)
        else:
            await interaction.followup.send(view=view, ephemeral=True)

    def _apology(self, interaction: Interaction, error: Exception) -> Card:
        """Log an error, and apologise with the reference of its line."""
        reference = event_reference.get() or self._reference()
        told = {"reference": reference}
        log.error("an event could not be answered", exc_info=error, extra=told)
        return self._sorry(read.spoken(interaction), reference)

    def _tell_undelivered(self, error: Exception) -> None:
        """Replies are best effort: what they show is stored, and the next press draws it."""
        if isinstance(error, discord.HTTPException) and error.code in (_ANSWERED, _UNKNOWN):
            log.debug("an interaction was answered already, or is over")
        else:
            log.warning("a reply reached nobody; the next press or resume shows it")

    async def _unanswerable(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """A command that is not ours as it is now, such as one that was renamed since."""
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
                return
            card = self._apology(interaction, error)
            await self._send(interaction, Whisper(lambda: card), card)
        except (discord.HTTPException, *_UNREACHABLE) as undelivered:
            self._tell_undelivered(undelivered)


@contextmanager
def _reaching() -> Iterator[None]:
    """What keeps us from Discord, in a sentence."""
    try:
        yield
    except discord.ConnectionClosed as error:
        if error.code == _NOT_ACCEPTED:
            raise discord.LoginFailure from error
        raise UnavailableError(f"Discord closed the connection ({error.code})") from error
    except (*_UNREACHABLE, discord.GatewayNotFound, discord.DiscordServerError) as error:
        raise UnavailableError(f"Discord cannot be reached ({type(error).__name__})") from error
