"""Who and what is there: people, channels, memberships and the installed app's scopes."""

from tests.standins.slack_state import Channel, SlackPerson, Workspace


class Places:
    """The part of the stand-in that arranges the workspace before and during a test."""

    workspace: Workspace

    def person(
        self,
        name: str,
        *,
        admin: bool = False,
        owner: bool = False,
        locale: str = "en-US",
        bot: bool = False,
        guest: bool = False,
    ) -> SlackPerson:
        """A member of the workspace and of every channel, with a direct view of the bot."""
        workspace = self.workspace
        person = SlackPerson(
            id=workspace.new_id("U"),
            name=name,
            admin=admin,
            owner=owner,
            locale=locale,
            bot=bot,
            guest=guest,
        )
        workspace.people[person.id] = person
        direct = workspace.new_id("D")
        workspace.channels[direct] = Channel(id=direct, name=f"direct-{name}", person=person.id)
        return person

    def channel(self, name: str, *, bot_is_member: bool = True, private: bool = False) -> str:
        new = Channel(
            id=self.workspace.new_id("C"), name=name, bot_is_member=bot_is_member, private=private
        )
        self.workspace.channels[new.id] = new
        return new.id

    def direct(self, person: SlackPerson) -> str:
        return self.workspace.direct(person.id).id

    def leave(self, person: SlackPerson, channel: str) -> None:
        self.workspace.channels[channel].absent.add(person.id)

    def remove_bot(self, channel: str) -> None:
        self.workspace.channels[channel].bot_is_member = False

    def invite_bot(self, channel: str) -> None:
        self.workspace.channels[channel].bot_is_member = True

    def archive(self, channel: str) -> None:
        self.workspace.channels[channel].archived = True

    def grant(self, *scopes: str) -> None:
        """The installed app's scopes, all of them."""
        self.workspace.scopes[:] = scopes
