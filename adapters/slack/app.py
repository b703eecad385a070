"""Slack's events in, replies out: one slash command, one action listener, our own dispatch.

Bolt answers when a listener returns (`process_before_response`): its default polls for the
acknowledgement every ten milliseconds.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import aiohttp
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import read
from adapters.slack.deliver import Delivery, Target
from adapters.slack.render import Json, payload
from bot.chat.card import Card
from bot.chat.event import Commanded, Event, Pressed, Who
from bot.chat.patience import over, until, within
from bot.chat.reference import event_reference
from bot.chat.reply import Handle, Redraw, Reply

_ASKING = 1.2  # seconds that a look-up of somebody's rights may take of the three there are

log = logging.getLogger("latih.slack")


class SlackApp:
    """The bot in one Slack workspace, whichever way its events arrive.

    `handle` answers events; `quizzes` gives the names that a command may mean; `sorry` makes the
    apology for a failure from the reference under which it was logged.
    """

    def __init__(
        self,
        *,
        client: AsyncWebClient,
        session: aiohttp.ClientSession,
        handle: Handle,
        quizzes: Callable[[], Collection[str]],
        now: Callable[[], datetime],
        sorry: Callable[[str], Card],
        reference: Callable[[], str],
        signing_secret: str | None = None,
    ) -> None:
        self._client = client
        self._delivery = Delivery(client, session)
        self._handle = handle
        self._quizzes = quizzes
        self._now = now
        self._sorry = sorry
        self._reference = reference
        self._typed = "/quiz"
        self._requests: set[asyncio.Future[None]] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._authorized: AuthorizeResult | None = None
        self.bolt = AsyncApp(
            client=client,
            signing_secret=signing_secret,
            authorize=self._authorizer(),
            process_before_response=True,
            raise_error_for_unhandled_request=True,
            logger=logging.getLogger("latih.bolt"),
            # They serve events and functions, of which the manifest asks for none.
            ssl_check_enabled=False,
            url_verification_enabled=False,
            ignoring_self_events_enabled=False,
            attaching_function_token_enabled=False,
            attaching_conversation_kwargs_enabled=False,
        )
        self.bolt.action(re.compile(".*", re.DOTALL))(self._on_action)
        self.bolt.command(re.compile(".*"))(self._on_command)
        self.bolt.error(self._on_error)

    async def sign_in(self) -> None:
        """Learn who the bot is; raises `SlackApiError` when the token is not accepted."""
        told = await self._client.auth_test()
        self._authorized = AuthorizeResult.from_auth_test_response(
            auth_test_response=told, bot_token=self._client.token
        )

    async def dispatch(self, request: AsyncBoltRequest) -> BoltResponse:
        """What a request gets back."""
        with self.request():
            return await self.bolt.async_dispatch(request)

    @contextmanager
    def request(self) -> Iterator[None]:
        """A request under way until it is acknowledged, with a reference of its own."""
        acknowledged = asyncio.get_running_loop().create_future()
        self._requests.add(acknowledged)
        before = event_reference.set(self._reference())
        try:
            yield
        finally:
            event_reference.reset(before)
            self._requests.discard(acknowledged)
            over(acknowledged)

    async def acknowledged(self) -> None:
        """Wait for requests that are not acknowledged yet."""
        while self._requests:
            await asyncio.wait(self._requests)

    async def drain(self, seconds: float | None = None) -> bool:
        """Wait for requests and replies under way; whether all were done in so many seconds."""
        try:
            await asyncio.wait_for(self._drained(), seconds)
        except TimeoutError:
            for task in self._tasks:
                task.cancel()
            return False
        return True

    async def _drained(self) -> None:
        await self.acknowledged()
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _authorizer(self) -> Callable[..., Awaitable[AuthorizeResult]]:
        """What Bolt asks at each request; it looks at parameter names, so no method will do."""

        async def authorize() -> AuthorizeResult:
            assert self._authorized is not None, "sign in first"
            return self._authorized

        return authorize

    async def _on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        event = read.commanded(body, quizzes=self._quizzes(), at=self._now())
        self._typed = event.typed
        task = self._spawn(self._answer(event))
        message = await within(task)
        if message is not None:
            await ack(response_type="ephemeral", **message)
        else:
            await ack()
            self._spawn(self._follow(task, _target(body, event.who)))

    async def _answer(self, event: Commanded) -> Json:
        try:
            (reply,) = await self._handle(await self._vouched(event))
            return payload(reply.draw())
        except Exception as error:  # noqa: BLE001 - the person gets an apology, the log the rest
            return payload(self._apology(error))

    async def _follow(self, task: "asyncio.Task[Json]", target: Target) -> None:
        await self._delivery.send(await task, target, redraws=False)

    async def _on_action(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        event = read.pressed(body, at=self._now(), typed=self._typed)
        stored = asyncio.get_running_loop().create_future()
        self._spawn(self._press(event, _target(body, event.who), stored))
        await until(stored)
        await ack()

    async def _press(self, event: Pressed, target: Target, stored: "asyncio.Future[None]") -> None:
        """One task from a press to its redraw; the acknowledgement goes when it is `stored`."""
        try:
            replies = await self._handle(await self._vouched(event))
            over(stored)
            await asyncio.sleep(0)  # the acknowledgement first
            await self.deliver(replies, target)
        except Exception as error:  # noqa: BLE001 - the person gets an apology, the log the rest
            await self._delivery.send(payload(self._apology(error)), target, redraws=False)
        finally:
            over(stored)

    async def deliver(self, replies: tuple[Reply, ...], target: Target) -> None:
        """Draw what a person gets back, and get it to them."""
        for reply in replies:
            message = payload(reply.draw())
            await self._delivery.send(message, target, redraws=isinstance(reply, Redraw))

    async def _on_error(self, error: Exception) -> BoltResponse:
        """Whatever Slack sends that we do not listen to is acknowledged all the same."""
        if not isinstance(error, BoltUnhandledRequestError):
            log.error("a request from Slack could not be read", exc_info=error)
        return BoltResponse(status=200)

    def _apology(self, error: Exception) -> Card:
        """Log an error, and apologise with the reference of its line."""
        reference = event_reference.get()
        told = {"reference": reference}
        log.error("an event could not be answered", exc_info=error, extra=told)
        return self._sorry(reference)

    async def _vouched(self, event: Event) -> Event:
        """What is for managers says whether an administrator asks; all else need not."""
        if not event.is_privileged:
            return event
        admin = await self._is_admin(event.who.identity.external)
        return replace(event, who=replace(event.who, admin=admin))

    async def _is_admin(self, user: str) -> bool | None:
        try:
            told = await asyncio.wait_for(self._client.users_info(user=user), _ASKING)
        except (SlackApiError, aiohttp.ClientError, TimeoutError):
            return None
        account: Mapping[str, Any] = told.get("user") or {}
        return bool(account.get("is_admin") or account.get("is_owner"))

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _target(body: Mapping[str, Any], who: Who) -> Target:
    return Target(body.get("response_url"), who.address.external, who.identity.external)
