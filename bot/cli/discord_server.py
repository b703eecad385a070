"""Discord as `serve` runs it: signed in, its commands registered, its gateway held, and drained."""

import logging
from collections.abc import Callable, Mapping

import aiohttp
import discord

from adapters.discord.app import HALF_OPEN, DiscordApp, direct
from adapters.discord.commands import payloads
from adapters.discord.sync import sync
from bot.chat.card import Card
from bot.chat.reply import Handle
from bot.cli.tools import Tools, say
from bot.engine.fault import RefusedError, UnavailableError
from bot.engine.language import Language
from bot.service import Kit
from bot.service.leases import Leases
from bot.supervisor import DRAINING
from bot.views import notes
from bot.views.build import Reader

log = logging.getLogger("latih.discord")


class DiscordServer:
    """Discord over its gateway, for as long as this process holds the lease of its one shard."""

    def __init__(
        self, tools: Tools, kit: Kit, handle: Handle, *, half_open: float = HALF_OPEN
    ) -> None:
        self._tools = tools
        self._kit = kit
        self._handle = handle
        self._half_open = half_open
        self._leases = Leases(kit.store, tools.holder)
        self._has_greeted = False

    async def run(self, up: Callable[[], None]) -> None:
        """Serve until the connection ends for good, whose reason is raised."""
        settings = self._tools.settings
        assert settings.discord_token is not None
        direct(settings.discord_api_url, settings.discord_gateway_url)
        token = settings.discord_token.get_secret_value()
        app = self._app(lambda: self._greet(up))
        try:
            await app.sign_in(token)
            await self._register(app, token)
            lease = f"discord:{app.application_id}:0"
            async with self._leases.hold(lease):
                await app.converse()
        except discord.LoginFailure as error:
            raise _refused() from error
        finally:
            await self._leave(app)

    def _app(self, up: Callable[[], None]) -> DiscordApp:
        return DiscordApp(
            handle=self._handle,
            titles=self._titles,
            phrasebook=self._kit.phrasebook,
            now=self._tools.now,
            sorry=self._sorry,
            reference=self._tools.dice.reference,
            up=up,
            half_open=self._half_open,
        )

    async def _register(self, app: DiscordApp, token: str) -> None:
        """Register the commands where they changed; a bot that cannot still answers presses."""
        settings = self._tools.settings
        assert app.application_id is not None
        wanted = await payloads(self._kit.phrasebook)
        try:
            async with aiohttp.ClientSession() as session:
                if await sync(session, settings.discord_api_url, token, app.application_id, wanted):
                    say("Registered the commands with Discord.")
        except UnavailableError as error:
            log.warning("the commands could not be registered: %s", error)

    def _greet(self, up: Callable[[], None]) -> None:
        if not self._has_greeted:
            say("Latih is in Discord. Type /quiz start there.")
            self._has_greeted = True
        up()

    def _titles(self, language: Language | None) -> Mapping[str, str]:
        spoken = language or self._kit.language
        return {quiz.id: quiz.title.told(spoken) for quiz in self._kit.catalog.quizzes}

    def _sorry(self, language: Language | None, reference: str) -> Card:
        spoken = language or self._kit.language
        reader = Reader(spoken, self._kit.phrasebook.words(spoken))
        return notes.note(reader, "note.failed", reference=reference)

    async def _leave(self, app: DiscordApp) -> None:
        if not await app.drain(DRAINING):
            log.warning("stopped with answers still under way; resume shows them")
        await app.close()


def _refused() -> RefusedError:
    return RefusedError(
        "Discord does not accept DISCORD_TOKEN. `./latih setup discord` takes a new one."
    )
