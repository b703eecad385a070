"""What the bot may answer to an interaction: once, in time, and in the ways that fit it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.standins.discord_forms import choice_breaches, modal_breaches
from tests.standins.discord_interactions import (
    Answer,
    Asked,
    Interaction,
    Interactions,
    ephemeral,
    metadata,
)
from tests.standins.discord_messages import Upload, change, remove, think, write
from tests.standins.discord_payloads import message_payload
from tests.standins.discord_refusals import Breach, RefusedError, form_error
from tests.standins.discord_state import Flag, Message, World

Body = Mapping[str, Any]
Files = Sequence[Upload]

MAKES_MESSAGE = {Answer.MESSAGE, Answer.DEFERRED_MESSAGE}
FITS = {
    Asked.COMMAND: MAKES_MESSAGE | {Answer.MODAL},
    Asked.COMPONENT: MAKES_MESSAGE | {Answer.DEFERRED_UPDATE, Answer.UPDATE, Answer.MODAL},
    Asked.AUTOCOMPLETE: {Answer.CHOICES},
    Asked.MODAL: MAKES_MESSAGE | {Answer.DEFERRED_UPDATE, Answer.UPDATE},
}


class Answers:
    """The bot's side of interactions: the first answer, and what follows by its token."""

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions
        self._kinds: dict[Answer, Callable[[Interaction, Body, Files], None]] = {
            Answer.MESSAGE: self._message,
            Answer.DEFERRED_MESSAGE: self._deferred_message,
            Answer.DEFERRED_UPDATE: self._deferred_update,
            Answer.UPDATE: self._update,
            Answer.CHOICES: self._choices,
            Answer.MODAL: self._modal,
        }

    def first(self, interaction_id: str, token: str, body: Body, files: Files) -> Interaction:
        """The answer that Discord waits for; whatever it refuses can be tried again in time."""
        interaction = self._interactions.find(token)
        if interaction is None or interaction.id != interaction_id:
            raise RefusedError(10062)
        try:
            self._first(interaction, body, files)
        except RefusedError as refused:
            interaction.refusals.append(refused.code)
            raise
        finally:
            interaction.attempts += 1
            self._world.changed()
        return interaction

    def _first(self, interaction: Interaction, body: Body, files: Files) -> None:
        if interaction.lost:
            raise RefusedError(10062)
        if interaction.answer is not None:
            raise RefusedError(40060)
        answer = self._fitting(interaction, body.get("type"))
        self._kinds[answer](interaction, body.get("data") or {}, files)
        interaction.answer = answer

    def _fitting(self, interaction: Interaction, kind: Any) -> Answer:
        fits = FITS[interaction.asked]
        if interaction.asked is Asked.MODAL and interaction.message is None:
            fits = MAKES_MESSAGE
        if kind not in fits:
            words = f"{kind} is no answer to {interaction.asked.name}"
            self._refuse(interaction, [Breach("type", words)])
        return Answer(kind)

    def _refuse(self, interaction: Interaction, found: Sequence[Breach]) -> None:
        for breach in found:
            self._world.violate(f"answer to {interaction.what}: {breach}")
        if found:
            raise form_error(found)

    def _message(self, interaction: Interaction, data: Body, files: Files) -> None:
        message = self._write(interaction, data, files)
        interaction.original = message

    def _write(self, interaction: Interaction, data: Body, files: Files) -> Message:
        message = write(
            self._world,
            f"answer to {interaction.what}",
            interaction.channel,
            data,
            files=files,
            ephemeral_to=ephemeral(interaction, data.get("flags") or 0),
            source=metadata(interaction),
        )
        interaction.messages.append(message)
        return message

    def _deferred_message(self, interaction: Interaction, data: Body, _: Files) -> None:
        flags = data.get("flags") or 0
        if Flag(flags) & ~Flag.EPHEMERAL:
            words = "a deferral may only say whether it is ephemeral"
            self._refuse(interaction, [Breach("data.flags", words)])
        interaction.filled = False
        interaction.original = think(
            self._world,
            interaction.channel,
            ephemeral_to=ephemeral(interaction, flags),
            source=metadata(interaction),
        )
        interaction.messages.append(interaction.original)

    def _deferred_update(self, interaction: Interaction, _: Body, __: Files) -> None:
        interaction.filled = False
        interaction.original = interaction.message

    def _update(self, interaction: Interaction, data: Body, files: Files) -> None:
        interaction.original = self._changed(interaction, interaction.message, data, files)

    def _changed(
        self, interaction: Interaction, message: Message | None, data: Body, files: Files
    ) -> Message:
        if message is None or message.deleted:
            raise RefusedError(10008)
        what = f"answer to {interaction.what}"
        return change(self._world, what, message, data, files=files)

    def _choices(self, interaction: Interaction, data: Body, _: Files) -> None:
        self._refuse(interaction, list(choice_breaches(data.get("choices"))))
        interaction.choices = list(data["choices"])

    def _modal(self, interaction: Interaction, data: Body, _: Files) -> None:
        self._refuse(interaction, list(modal_breaches(data)))
        interaction.modal = dict(data)

    def told(self, interaction: Interaction) -> dict[str, Any]:
        """The answer as Discord saw it, for who asks `with_response`."""
        answer, message = interaction.answer, interaction.original
        told: dict[str, Any] = {"id": interaction.id, "type": int(interaction.asked)}
        shows = answer in MAKES_MESSAGE | {Answer.UPDATE} and message is not None
        if not shows or message is None or answer is None:
            return {"interaction": told}
        told |= {
            "response_message_id": message.id,
            "response_message_loading": message.loading,
            "response_message_ephemeral": message.ephemeral_to is not None,
        }
        if message.loading:
            return {"interaction": told}
        resource = {"type": int(answer), "message": message_payload(self._world, message)}
        return {"interaction": told, "resource": resource}

    # What follows, by the interaction's token

    def by_token(self, application_id: str, token: str) -> Interaction:
        interaction = self._interactions.find(token)
        known = application_id == self._world.application.id
        if interaction is None or not known or interaction.answer in {None, Answer.CHOICES}:
            raise RefusedError(10015)
        if self._interactions.expired(interaction):
            raise RefusedError(50027)
        return interaction

    def own_message(self, interaction: Interaction, name: str) -> Message:
        """`@original`, or one that was made by this very interaction."""
        found = (it for it in interaction.messages if it.id == name)
        message = interaction.original if name == "@original" else next(found, None)
        if message is None or message.deleted:
            raise RefusedError(10008)
        return message

    def follow_up(self, interaction: Interaction, body: Body, files: Files) -> Message:
        """The first one after a deferral fills it in, and cannot choose who sees it."""
        original = interaction.original
        if original is not None and original.loading:
            return self.edit(interaction, original, body, files)
        message = self._write(interaction, body, files)
        return self._follows(interaction, message)

    def edit(self, interaction: Interaction, message: Message, body: Body, files: Files) -> Message:
        return self._follows(interaction, self._changed(interaction, message, body, files))

    def delete(self, interaction: Interaction, message: Message) -> None:
        remove(self._world, self._follows(interaction, message))

    def _follows(self, interaction: Interaction, message: Message) -> Message:
        """Whatever a deferral promised has come."""
        interaction.filled = True
        self._world.changed()
        return message
