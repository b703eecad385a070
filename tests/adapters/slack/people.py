"""People in a Slack workspace: they type, press and see, and Slack's rules hold around them."""

from dataclasses import dataclass

from bot.engine.quiz import Question
from bot.service import Kit
from bot.store import Store
from tests.standins.slack import Delivery, Message, SlackPerson, SlackStandin
from tests.world import Clock


@dataclass
class Bot:
    """The running bot and the workspace that it is in."""

    slack: SlackStandin
    store: Store
    kit: Kit
    clock: Clock

    def user(self, name: str, channel: str | None = None, *, admin: bool = False) -> "SlackUser":
        place = channel or self.slack.channel(f"of-{name.lower()}")
        return SlackUser(self, self.slack.person(name, admin=admin), place)


@dataclass
class SlackUser:
    """One person in one channel."""

    bot: Bot
    person: SlackPerson
    channel: str

    @property
    def messages(self) -> list[Message]:
        return self.bot.slack.seen_by(self.person, self.channel)

    @property
    def screen(self) -> Message:
        """The newest message that this person sees."""
        return self.messages[-1]

    async def types(self, text: str, *, command: str = "/quiz") -> Message:
        delivery = await self.bot.slack.command(self.person, self.channel, text, command=command)
        assert delivery.acked, delivery
        return self.screen

    async def presses(self, label: str, *, on: Message | None = None) -> Delivery:
        """Press a button and wait until the message has been redrawn."""
        message = on or self.screen
        before = len(message.versions), len(self.messages)
        delivery = await self.bot.slack.press(self.person, message, button=label)
        await self.bot.slack.until(lambda: (len(message.versions), len(self.messages)) != before)
        return delivery

    async def answers(self, *, right: bool) -> None:
        """Answer the question on the screen by its key, or by another option."""
        await self.presses(self.letter(right=right))

    def letter(self, *, right: bool) -> str:
        """The letter of the key, or of the first option that is not."""
        question = self.asked
        words = self.screen.words
        keys = set(question.option(question.key[0]).text.said.values())
        lines = [line for line in words.splitlines() if line[:2] in {f"{c}." for c in "ABCDEFGH"}]
        return next(line[0] for line in lines if (line[3:].strip("\u2068\u2069") in keys) is right)

    @property
    def asked(self) -> Question:
        """The question whose stem and options are on the screen."""
        words = self.screen.words
        return next(
            question
            for question in self.bot.kit.catalog.questions
            if all(
                any(said in words for said in text.said.values())
                for text in (question.stem, *(option.text for option in question.options))
            )
        )

    def sees(self, *texts: str) -> bool:
        return all(text in self.screen.words for text in texts)
