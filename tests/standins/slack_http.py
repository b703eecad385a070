"""HTTP mode: requests signed as Slack signs them, and requests that Slack would never send."""

import hashlib
import hmac
import io
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.standins.slack_socket import Answer, UnreachableError
from tests.standins.slack_state import Workspace, wall_clock

FORM = "application/x-www-form-urlencoded"
STAMP, SIGNATURE = "X-Slack-Request-Timestamp", "X-Slack-Signature"


class HttpDoor:
    """Speaks to the bot's own endpoint; signatures follow the wall clock that Bolt checks."""

    def __init__(self, workspace: Workspace, session: aiohttp.ClientSession, url: str) -> None:
        self._workspace = workspace
        self._session = session
        self._url = url

    async def send(self, payload: Mapping[str, Any], *, retry: tuple[int, str] | None) -> Answer:
        headers: dict[str, str | None] = {}
        if retry is not None:
            headers = {"X-Slack-Retry-Num": str(retry[0]), "X-Slack-Retry-Reason": retry[1]}
        try:
            async with self._request(encoded(payload), headers) as response:
                return Answer(response.status, _ack_body(response, await response.text()))
        except aiohttp.ClientError as error:
            raise UnreachableError(str(error)) from error

    async def send_raw(
        self, *, body: bytes | str, headers_override: Mapping[str, str | None] | None
    ) -> tuple[int, str]:
        """Status 0 when the bot cut the connection instead of answering."""
        raw = body.encode() if isinstance(body, str) else body
        try:
            async with self._request(raw, headers_override or {}) as response:
                return response.status, await response.text()
        except aiohttp.ClientError as error:
            return 0, str(error)

    def _request(
        self, body: bytes, override: Mapping[str, str | None]
    ) -> aiohttp.client._RequestContextManager:
        """Signed for the timestamp that is sent, so that a stale one fails for its age alone."""
        stamp = override.get(STAMP, timestamp()) or ""
        headers = {"Content-Type": FORM, STAMP: stamp, SIGNATURE: self._sign(stamp, body)}
        merged = {key: value for key, value in {**headers, **override}.items() if value is not None}
        return self._session.post(
            self._url, data=io.BytesIO(body), headers=merged, allow_redirects=False
        )

    def _sign(self, stamp: str, body: bytes) -> str:
        """By the letter of the protocol, on raw bytes: slack_sdk's own signer wants UTF-8."""
        secret = self._workspace.app.signing_secret.encode()
        signed = b"v0:" + stamp.encode() + b":" + body
        return "v0=" + hmac.new(secret, signed, hashlib.sha256).hexdigest()


def timestamp(*, age: int = 0) -> str:
    """Of now, or of `age` seconds ago."""
    return str(int(wall_clock().timestamp()) - age)


def encoded(payload: Mapping[str, Any]) -> bytes:
    """Commands are form fields; everything else is one field of JSON."""
    fields = payload if "command" in payload else {"payload": json.dumps(payload)}
    return urlencode(fields).encode()


def _ack_body(response: aiohttp.ClientResponse, text: str) -> dict[str, Any] | None:
    if not text:
        return None
    if response.content_type == "application/json":
        try:
            body = json.loads(text)
        except ValueError:
            return {"text": text}
        return body if isinstance(body, dict) and body else None
    return {"text": text}
