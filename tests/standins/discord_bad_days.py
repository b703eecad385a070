"""What can go wrong with Discord, as a test orders it."""

import json
import secrets
from typing import Any

from tests.standins.discord_faults import Fault, Faults
from tests.standins.discord_gateway import Gateway
from tests.standins.discord_interactions import Interactions
from tests.standins.discord_state import World


class BadDays:
    """The part of the stand-in that fails on demand."""

    world: World
    gateway: Gateway
    interactions: Interactions
    faults: Faults

    # REST; a request is named as "POST /channels/*/messages"

    def fail_next(
        self,
        request: str,
        *,
        status: int = 429,
        code: int = 0,
        message: str = "An error that was ordered.",
        retry_after: float = 1.0,
        everywhere: bool = False,
        via: bool = True,
        times: int = 1,
    ) -> None:
        """`everywhere` makes a rate limit global; without `via` it comes from the proxy before."""
        fault = Fault(
            status=status,
            code=code,
            message=message,
            retry_after=retry_after,
            everywhere=everywhere,
            via=via,
        )
        self.faults.add(request, fault, times=times)

    def silence(self, request: str, seconds: float, *, posted: bool = True, times: int = 1) -> None:
        """Discord does its work (unless not `posted`) and answers only after that long."""
        self.faults.add(request, Fault(seconds=seconds, posted=posted), times=times)

    def lose_answer(self, request: str, *, posted: bool = True, times: int = 1) -> None:
        """The connection breaks after the request, so nobody knows whether it took effect."""
        self.faults.add(request, Fault(lost=True, posted=posted), times=times)

    def forget_nonces(self) -> None:
        """As if the few minutes in which a nonce is known had passed."""
        for message in self.world.messages:
            message.nonce = None

    def expire_tokens(self) -> None:
        """As if the fifteen minutes of every interaction so far had passed."""
        self.interactions.expire_all()

    # The gateway

    def drop_sockets(self, code: int | None = None) -> None:
        """Closed with that code, or cut in the middle without a word."""
        self.gateway.drop(code)

    def close_before_hello(self, *, code: int = 4000, times: int = 1) -> None:
        self.gateway.doomed.extend([code] * times)

    def refuse_connections(self, refuse: bool = True) -> None:  # noqa: FBT001, FBT002 - a switch
        self.gateway.refusing = refuse

    def ask_to_reconnect(self) -> None:
        self.gateway.ask_to_reconnect()

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        self.gateway.invalidate(resumable=resumable)

    def forget_sessions(self) -> None:
        """Whoever loses the connection from now on has to identify anew."""
        self.gateway.forget()

    def go_silent(self) -> None:
        """Every present connection stands half open: nothing is heard or answered on it."""
        self.gateway.go_silent()

    def send_garbage(self, text: str) -> None:
        """Not a frame at all, on every live connection."""
        self.gateway.say_raw(text)

    def send_event(self, event: str, data: dict[str, Any]) -> None:
        """Any dispatch, sensible or not."""
        self.gateway.announce(event, json.loads(json.dumps(data)), None)

    def revoke_token(self) -> str:
        """The old token is worth nothing any more; the new one."""
        self.world.bot_token = f"{self.world.application.id}.stand-in.{secrets.token_hex(8)}"
        self.gateway.drop(4004)
        return self.world.bot_token
