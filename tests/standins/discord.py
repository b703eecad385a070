"""A stand-in of Discord for one bot, over real loopback sockets.

It keeps what Discord keeps and is strict where Discord is strict: a test drives the real
discord.py against it, looks at what each person sees, and finds in `violations` whatever
Discord would have refused or made people suffer for.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.standins.discord_answers import Answers
from tests.standins.discord_bad_days import BadDays
from tests.standins.discord_commands import offered, register
from tests.standins.discord_faults import Faults
from tests.standins.discord_forms import filled
from tests.standins.discord_gateway import Gateway
from tests.standins.discord_interactions import Answer, Asked, Delivery, Interactions
from tests.standins.discord_options import command_data, typed
from tests.standins.discord_places import Places
from tests.standins.discord_rest import RestApi
from tests.standins.discord_routes import Routes, unknown
from tests.standins.discord_state import (
    Call,
    Channel,
    DiscordPerson,
    Guild,
    Message,
    Permission,
    T,
    World,
    wall_clock,
)
from tests.standins.discord_words import Component, lone_button, pressed

__all__ = [
    "Answer",
    "Call",
    "Channel",
    "Delivery",
    "DiscordPerson",
    "DiscordStandin",
    "Guild",
    "Message",
    "Permission",
]


class DiscordStandin(Places, BadDays):
    """Start it with `async with`; every test has its own, nothing is shared."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = wall_clock,
        deadline: float = 3.0,
        token_life: float = 900.0,
        heartbeat: float = 41.25,
    ) -> None:
        self.world = World(now=now)
        self.gateway = Gateway(self.world, heartbeat=heartbeat)
        self.interactions = Interactions(
            self.world, self.gateway, deadline=deadline, token_life=token_life
        )
        self._answers = Answers(self.world, self.interactions)
        self.faults = Faults()
        self._runner: web.AppRunner | None = None
        self._port = 0
        self.application_id = self.world.application.id
        self.server("Latih Lab")

    @property
    def api_url(self) -> str:
        return f"{self.world.base}/api/v10"

    @property
    def gateway_url(self) -> str:
        return self.gateway.url

    @property
    def bot_token(self) -> str:
        return self.world.bot_token

    async def __aenter__(self) -> Self:
        await self.comes_back()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.faults.closing.set()
        await self.goes_away()

    async def comes_back(self) -> None:
        """Listen, after `goes_away` on the same port as before."""
        door = socket.create_server(("127.0.0.1", self._port))
        self._port = door.getsockname()[1]
        self.world.base = f"http://127.0.0.1:{self._port}"
        self._runner = web.AppRunner(self._web_app(), access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.SockSite(self._runner, door).start()

    async def goes_away(self) -> None:
        """Nobody listens on the port, and every connection is cut; sessions are remembered."""
        self.gateway.drop(None)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def _web_app(self) -> web.Application:
        app = web.Application(client_max_size=30 * 2**20)
        api = RestApi(self.world, self.faults)
        for method, route, perform, public in Routes(self.gateway, self._answers).table():
            door = api.door(route, perform, public=public)
            app.router.add_route(method, f"/api/v10{route}", door)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_route("*", "/{rest:.*}", api.door("/*", unknown))
        return app

    # What people do

    async def command(
        self, person: DiscordPerson, channel: Channel, text: str, /, **values: Any
    ) -> Delivery:
        """`text` names the command and its sub-commands, `values` are its options by name."""
        said = typed(offered(self.world, person, channel), text, values)
        data = command_data(self.world, said)
        return await self._do(Asked.COMMAND, data, said.words, who=person, where=channel)

    async def complete(
        self, person: DiscordPerson, channel: Channel, text: str, /, **values: Any
    ) -> Delivery:
        """As `command`, not sent yet: the person is still writing the last one of `values`."""
        said = typed(offered(self.world, person, channel), text, values)
        focused = list(values)[-1]
        choosing = next(it for it in said.definitions if it["name"] == focused)
        assert choosing.get("autocomplete"), f"{focused} is not completed by the bot"
        data = command_data(self.world, said, focused=focused)
        return await self._do(Asked.AUTOCOMPLETE, data, said.words, who=person, where=channel)

    async def press(
        self,
        person: DiscordPerson,
        message: Message,
        *,
        button: str,
        values: Sequence[str] = (),
        version: int | None = None,
        even_if_gone: bool = False,
        copies: int = 1,
    ) -> Delivery:
        """By label, else by custom id; `version` presses what the message showed before."""
        visible = message in self.seen_by(person, message.channel)
        assert visible or even_if_gone, f"{person.name} does not see {message.words!r}"
        components = message.components if version is None else message.versions[version][1]
        data = pressed(components, button) | ({"values": [*values]} if values else {})
        return await self._press(person, message, data, shows=components, copies=copies)

    async def press_custom_id(
        self, person: DiscordPerson, message: Message, *, custom_id: str
    ) -> Delivery:
        """As if the message had such a button: one of an older version of the bot, say."""
        shows = [*message.components, lone_button(custom_id)]
        return await self._press(person, message, pressed(shows, custom_id), shows=shows)

    async def _press(
        self,
        person: DiscordPerson,
        message: Message,
        data: dict[str, Any],
        *,
        shows: list[Component],
        copies: int = 1,
    ) -> Delivery:
        return await self._do(
            Asked.COMPONENT,
            data,
            f"press {data['custom_id']}",
            who=person,
            where=message.channel,
            message=message,
            shows=shows,
            copies=copies,
        )

    async def submit(
        self, person: DiscordPerson, form: Delivery, values: Mapping[str, Any]
    ) -> Delivery:
        """Fill in the modal that `form` was answered with, by labels or custom ids."""
        assert form.modal is not None, "no modal was opened"
        custom_id = form.modal["custom_id"]
        return await self._do(
            Asked.MODAL,
            {"custom_id": custom_id, "components": filled(form.modal, values)},
            f"form {custom_id}",
            who=person,
            where=form.interaction.channel,
            message=form.interaction.message,
        )

    async def _do(
        self,
        asked: Asked,
        data: dict[str, Any],
        what: str,
        *,
        who: DiscordPerson,
        where: Channel,
        message: Message | None = None,
        shows: list[Component] | None = None,
        copies: int = 1,
    ) -> Delivery:
        interaction = self.interactions.begin(
            asked, data, what=what, person=who, channel=where, message=message, shows=shows
        )
        return await self.interactions.deliver(interaction, copies=copies)

    async def redeliver(self, delivery: Delivery) -> Delivery:
        """The very same interaction once more; waits for another try to answer it."""
        return await self.interactions.deliver(delivery.interaction)

    def reload(self, person: DiscordPerson) -> None:
        """Their client starts anew, and every ephemeral on it is gone."""
        for message in self.world.messages:
            message.dismissed = message.dismissed or message.ephemeral_to is person
        self.world.changed()

    def delete(self, message: Message) -> None:
        self.world.remove(message)

    def registers(self, commands: list[dict[str, Any]], *, guild: Guild | None = None) -> None:
        """As if the app had put these commands."""
        register(self.world, guild.id if guild else None, commands, what="commands")

    # What can be known

    def commands(self, guild: Guild | None = None) -> list[dict[str, Any]]:
        return self.world.commands[guild.id if guild else None]

    def seen_by(self, person: DiscordPerson, channel: Channel) -> list[Message]:
        return self.world.seen_by(person, channel)

    def messages(self, channel: Channel) -> list[Message]:
        """All that was ever there: for everyone's eyes, and deleted ones too."""
        return [it for it in self.world.messages if it.channel is channel]

    def errors_seen_by(self, person: DiscordPerson) -> list[str]:
        return self.world.errors.get(person.id, [])

    @property
    def violations(self) -> list[str]:
        return self.world.violations

    @property
    def calls(self) -> list[Call]:
        return self.world.calls

    async def until(
        self,
        predicate: Callable[[], T],
        *,
        timeout: float = 5.0,  # noqa: ASYNC109 - the waiting is this method's purpose
    ) -> T:
        """Asked again at each change of the world; nothing else wakes it."""
        return await self.world.until(predicate, seconds=timeout)

    async def connected(
        self,
        *,
        sessions: int = 1,
        timeout: float = 5.0,  # noqa: ASYNC109 - as above
    ) -> None:
        await self.until(lambda: len(self.gateway.live) >= sessions, timeout=timeout)
