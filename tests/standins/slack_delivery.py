"""Handing a payload to the bot: the three seconds it has, and what its answer shows."""

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from tests.standins.slack_rules import breaches, refusal
from tests.standins.slack_socket import Answer, UnreachableError
from tests.standins.slack_state import Delivery, Workspace

VISIBILITIES = {"ephemeral", "in_channel"}


class Door(Protocol):
    """The way to the bot: its HTTP endpoint or one of its sockets."""

    async def send(
        self, payload: Mapping[str, Any], *, retry: tuple[int, str] | None
    ) -> Answer: ...


class Postman:
    def __init__(self, workspace: Workspace, *, deadline: float, patience: float) -> None:
        self._workspace = workspace
        self._deadline = deadline
        self._patience = patience

    async def deliver(
        self, door: Door, payload: dict[str, Any], *, retry: tuple[int, str] | None = None
    ) -> Delivery:
        """Past the deadline the person sees an error, and only our curiosity waits on."""
        clock = asyncio.get_running_loop().time
        started = clock()
        sending = asyncio.create_task(self._send(door, payload, retry))
        try:
            await asyncio.wait({sending}, timeout=self._deadline)
            late = not sending.done()
            if late:
                self._too_late(payload)
                await asyncio.wait({sending}, timeout=self._patience - self._deadline)
            seconds = clock() - started
        finally:
            given_up = sending.cancel()
        answer = None if given_up else sending.result()
        return Delivery(
            payload=payload,
            status=answer.status if answer else None,
            seconds=seconds,
            body=answer.body if answer else None,
            acked=not late and self._accept(payload, answer),
            late=late,
        )

    async def _send(
        self, door: Door, payload: dict[str, Any], retry: tuple[int, str] | None
    ) -> Answer | None:
        try:
            return await door.send(payload, retry=retry)
        except UnreachableError:
            return None

    def _too_late(self, payload: dict[str, Any]) -> None:
        self._workspace.show_error(_person(payload), f"{_what(payload)}: operation_timeout")
        self._workspace.violate(f"{_what(payload)}: not acknowledged within {self._deadline:g} s")

    def _accept(self, payload: dict[str, Any], answer: Answer | None) -> bool:
        """A bot that is down is bad luck; one that answers with an error is at fault."""
        if answer is None:
            self._workspace.show_error(_person(payload), f"{_what(payload)}: dispatch_failed")
            return False
        if answer.status is not None and not 200 <= answer.status < 300:
            self._workspace.show_error(_person(payload), f"{_what(payload)}: dispatch_failed")
            self._workspace.violate(f"{_what(payload)}: answered with {answer.status}")
            return False
        if answer.body and "command" in payload:
            self._show(payload, answer.body)
        elif answer.body:
            self._workspace.violate(f"{_what(payload)}: ack body ignored")
        return True

    def _show(self, payload: dict[str, Any], body: dict[str, Any]) -> None:
        """The acknowledgement of a command may be a message: to its author, or to all."""
        found = breaches(body)
        for breach in found:
            self._workspace.violate(f"{_what(payload)}: {breach.words}")
        visibility = body.get("response_type", "ephemeral")
        if visibility not in VISIBILITIES:
            self._workspace.violate(f"{_what(payload)}: unknown response_type {visibility}")
        if refusal(found):
            error = f"{_what(payload)}: invalid_command_response"
            self._workspace.show_error(_person(payload), error)
            return
        self._workspace.post(
            channel=payload["channel_id"],
            text=str(body.get("text", "")),
            blocks=body.get("blocks") or [],
            ephemeral_to=None if visibility == "in_channel" else payload["user_id"],
        )


def _person(payload: Mapping[str, Any]) -> str:
    return str(payload["user_id"] if "command" in payload else payload["user"]["id"])


def _what(payload: Mapping[str, Any]) -> str:
    if "command" in payload:
        return f"{payload['command']} {payload['text']}".strip()
    return f"press {payload['actions'][0].get('value', '')}".strip()
