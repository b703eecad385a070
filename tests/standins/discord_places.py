"""Who and what is there: servers, people, channels, and what the bot may do in them."""

from tests.standins.discord_payloads import (
    channel_payload,
    guild_create_payload,
    rest_guild_payload,
)
from tests.standins.discord_state import Channel, DiscordPerson, Guild, Kind, Permission, World


class Places:
    """The part of the stand-in that arranges the world before and during a test."""

    world: World

    @property
    def guild(self) -> Guild:
        """The server that is there from the start."""
        return next(iter(self.world.guilds.values()))

    def server(self, name: str, *, locale: str = "en-US") -> Guild:
        """Another server, into which the bot is invited at once; all people are in it."""
        people = list(self.world.people.values())
        guild = Guild(id=self.world.new_id(), name=name, locale=locale, members=people)
        self.world.guilds[guild.id] = guild
        self.world.commands[guild.id] = []
        self.world.announce("GUILD_CREATE", guild_create_payload(self.world, guild), guild)
        return guild

    def person(
        self,
        name: str,
        *,
        manager: bool = False,
        locale: str = "en-US",
        bot: bool = False,
        refuses_direct: bool = False,
    ) -> DiscordPerson:
        """A member of every server; `manager` is who has Manage Server in all of them."""
        person = DiscordPerson(
            id=self.world.new_id(),
            name=name,
            locale=locale,
            manager=manager,
            bot=bot,
            refuses_direct=refuses_direct,
        )
        self.world.people[person.id] = person
        for guild in self.world.guilds.values():
            guild.members.append(person)
        return person

    def channel(self, name: str, *, guild: Guild | None = None) -> Channel:
        new = Channel(id=self.world.new_id(), name=name, guild=guild or self.guild)
        return self._opened(new, "CHANNEL_CREATE")

    def thread(self, name: str, parent: Channel) -> Channel:
        new = Channel(
            id=self.world.new_id(),
            name=name,
            kind=Kind.THREAD,
            guild=parent.guild,
            parent=parent.id,
        )
        return self._opened(new, "THREAD_CREATE")

    def _opened(self, channel: Channel, event: str) -> Channel:
        self.world.channels[channel.id] = channel
        self.world.announce(event, channel_payload(self.world, channel), channel.guild)
        return channel

    def direct(self, person: DiscordPerson) -> Channel:
        return self.world.direct(person)

    def forbid(self, channel: Channel, *permissions: Permission) -> None:
        """Without VIEW_CHANNEL the bot has no access at all; without SEND_MESSAGES it is mute."""
        for permission in permissions:
            channel.denied |= permission
        self._updated(channel)

    def permit(self, channel: Channel, *permissions: Permission) -> None:
        for permission in permissions:
            channel.denied &= ~permission
        self._updated(channel)

    def lock(self, thread: Channel) -> None:
        """An archived and locked thread takes no more messages."""
        thread.locked = True
        self._updated(thread)

    def _updated(self, channel: Channel) -> None:
        event = "THREAD_UPDATE" if channel.kind is Kind.THREAD else "CHANNEL_UPDATE"
        self.world.announce(event, channel_payload(self.world, channel), channel.guild)

    def delete_channel(self, channel: Channel) -> None:
        del self.world.channels[channel.id]
        for message in self.world.messages:
            message.deleted = message.deleted or message.channel is channel
        event = "THREAD_DELETE" if channel.kind is Kind.THREAD else "CHANNEL_DELETE"
        self.world.announce(event, channel_payload(self.world, channel), channel.guild)

    def remove_bot(self, guild: Guild | None = None) -> None:
        """The bot is thrown out of the server, and may be invited again."""
        left = guild or self.guild
        left.bot_is_member = False
        self.world.announce("GUILD_DELETE", {"id": left.id}, left)

    def invite_bot(self, guild: Guild | None = None) -> None:
        joined = guild or self.guild
        joined.bot_is_member = True
        self.world.announce("GUILD_CREATE", guild_create_payload(self.world, joined), joined)

    def rename_server(self, name: str, *, locale: str | None = None) -> None:
        self.guild.name, self.guild.locale = name, locale or self.guild.locale
        self.world.announce("GUILD_UPDATE", rest_guild_payload(self.guild), self.guild)

    def leave(self, person: DiscordPerson, guild: Guild | None = None) -> None:
        (guild or self.guild).members.remove(person)
