"""What a press costs at the least: Bolt, and one row of raw sqlite3 in a group commit."""

import re
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.authorization import AuthorizeResult

from bench.answers import RawAnswers, row
from bench.slack_body import SECRET


def storing(answers: RawAnswers) -> AsyncApp:
    """Bolt whose one listener stores one row, then acknowledges."""
    bolt = _bolt(process_before_response=True)

    async def store(ack: AsyncAck, body: dict[str, Any]) -> None:
        action, person, place = body["actions"][0], body["user"], body["container"]
        press = f"{body['trigger_id']}-{action['action_ts']}"
        await answers.insert(row(person["id"], place["channel_id"], action["value"], press))
        await ack()

    bolt.action(re.compile(".*", re.DOTALL))(store)
    return bolt


def idle(*, process_before_response: bool) -> AsyncApp:
    """Bolt whose one listener only acknowledges."""
    bolt = _bolt(process_before_response=process_before_response)

    async def acknowledge(ack: AsyncAck) -> None:
        await ack()

    bolt.action(re.compile(".*", re.DOTALL))(acknowledge)
    return bolt


def _bolt(*, process_before_response: bool) -> AsyncApp:
    return AsyncApp(
        signing_secret=SECRET,
        authorize=authorize,
        process_before_response=process_before_response,
    )


async def authorize() -> AuthorizeResult:
    return AuthorizeResult(
        enterprise_id=None,
        team_id="T0BENCH0001",
        bot_user_id="U0BENCHBOT1",
        bot_id="B0BENCHBOT1",
        bot_token="xoxb-bench",
    )
