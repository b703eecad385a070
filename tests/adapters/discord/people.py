"""People in a Discord server: they type, press and see, and Discord's rules hold around them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.engine.quiz import Question
from tests.standins.discord import (
    Answer,
    Channel,
    Delivery,
    DiscordPerson,
    DiscordStandin,
    Message,
)


@dataclass
class DiscordUser:
    """One person in one channel; `questions` are those that the bot may ask."""

    discord: DiscordStandin
    person: DiscordPerson
    channel: Channel
    questions: Sequence[Question] = ()
    deliveries: list[Delivery] = field(default_factory=list)

    @property
    def messages(self) -> list[Message]:
        return self.discord.seen_by(self.person, self.channel)

    @property
    def screen(self) -> Message:
        """The newest message that this person sees."""
        return self.messages[-1]

    @property
    def errors(self) -> list[str]:
        return self.discord.errors_seen_by(self.person)

    def sees(self, *texts: str) -> bool:
        return all(text in self.screen.words for text in texts)

    async def types(self, text: str, /, **options: Any) -> Message:
        """Send a command, `/quiz start` with `quiz="checkpointing"`; what is then on the screen."""
        given = _given(options)
        delivery = await self.discord.command(self.person, self.channel, text, **given)
        await self._settled(delivery)
        return self.screen

    async def completes(self, text: str, /, **options: Any) -> dict[str, Any]:
        """What the bot offers for the last option while it is written: values by their names."""
        given = _given(options)
        delivery = await self.discord.complete(self.person, self.channel, text, **given)
        assert delivery.acked, self.errors
        names = "name_localizations"
        return {
            (choice.get(names) or {}).get(self.person.locale, choice["name"]): choice["value"]
            for choice in delivery.choices
        }

    async def opens(self, text: str, /, **options: Any) -> Delivery:
        """Send a command that is answered with a form."""
        given = _given(options)
        return self._form(await self.discord.command(self.person, self.channel, text, **given))

    async def presses(
        self,
        label: str,
        *,
        on: Message | None = None,
        version: int | None = None,
        waits: bool = True,
    ) -> Delivery:
        """By label or custom id; unless told otherwise, wait until a deferral is followed up."""
        message = on or self.screen
        delivery = await self.discord.press(self.person, message, button=label, version=version)
        return await self._settled(delivery) if waits else delivery

    async def presses_twice(self, *labels: str, on: Message | None = None) -> list[Delivery]:
        """Two presses at once: of the same button, or of two buttons."""
        message, pair = on or self.screen, labels if len(labels) == 2 else labels * 2
        return await asyncio.gather(*(self.presses(label, on=message) for label in pair))

    async def presses_custom_id(self, custom_id: str, *, on: Message | None = None) -> Delivery:
        """As if the message had such a button: a forged one, or one of an older version."""
        delivery = await self.discord.press_custom_id(
            self.person, on or self.screen, custom_id=custom_id
        )
        return await self._settled(delivery)

    async def submits(self, form: Delivery, /, **values: Any) -> Message:
        """Fill in a form by labels or custom ids; what is then on the screen."""
        await self._settled(await self.discord.submit(self.person, form, values))
        return self.screen

    async def repeats(self, delivery: Delivery | None = None) -> Delivery:
        """The very same interaction (the last one by default) reaches the bot once more."""
        return await self.discord.redeliver(delivery or self.deliveries[-1])

    def reloads(self) -> None:
        self.discord.reload(self.person)

    async def answers(self, *, right: bool) -> None:
        """Answer the question on the screen by its key, or by another option."""
        await self.presses(self.letter(right=right))

    def letter(self, *, right: bool) -> str:
        """The letter of the key, or of the first option that is not."""
        question = self.asked
        keys = set(question.option(question.key[0]).text.said.values())
        lines = [it for it in self.screen.words.splitlines() if it[1:2] == "." and it[0] in LETTERS]
        return next(it[0] for it in lines if (it[3:].strip("\u2068\u2069") in keys) is right)

    @property
    def asked(self) -> Question:
        """The question whose stem and options are on the screen."""
        words = self.screen.words
        return next(
            question
            for question in self.questions
            if all(
                any(said in words for said in text.said.values())
                for text in (question.stem, *(option.text for option in question.options))
            )
        )

    async def _settled(self, delivery: Delivery) -> Delivery:
        self.deliveries.append(delivery)
        assert delivery.acked, (delivery.refusals, self.errors)
        if delivery.answer in {Answer.DEFERRED_MESSAGE, Answer.DEFERRED_UPDATE}:
            await self.discord.until(lambda: delivery.interaction.filled)
        return delivery

    def _form(self, delivery: Delivery) -> Delivery:
        self.deliveries.append(delivery)
        assert delivery.modal is not None, f"answered with {delivery.answer}"
        return delivery


LETTERS = "ABCDEFGH"


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """People may stand for their accounts."""
    return {
        name: value.person if isinstance(value, DiscordUser) else value
        for name, value in options.items()
    }
