"""`latih setup slack`: through Slack's portal, and the tokens into `.env`."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import typer

from bot.cli.asking import Asker
from bot.cli.setup_steps import SECONDS, begin, keep, offer_start
from bot.cli.tools import Tools, say, tools

_TOKEN = re.compile(r"(xoxb|xapp)-[A-Za-z0-9-]+")
_KINDS = {
    "xoxb-": "a bot token",
    "xapp-": "an app-level token",
    "xoxp-": "a user token",
    "xoxe": "a token that rotates",
}

_WAYS = """Latih comes into Slack in five minutes or so. You must be allowed to install apps there.

How is Slack to reach it?
  socket  Latih calls Slack (Socket Mode): nothing to open, works behind a firewall
  http    Slack calls Latih at a public https address: for several machines"""

_STEPS = """
1. Open this link, choose your workspace, press Next and then Create:

{link}

2. Press Install App on the left, then Install to Workspace, then Allow.
3. Copy the Bot User OAuth Token that you see then; it begins with xoxb-."""

_SOCKET_STEP = """
4. Open Basic Information, go to App-Level Tokens and press Generate Token and Scopes. Give it any
   name, add the scope connections:write, press Generate, and copy the token that you see then; it
   begins with xapp-."""

_HTTP_STEP = """
4. Open Basic Information, go to App Credentials, press Show beside Signing Secret and copy it."""


@dataclass
class _Answers:
    """What was decided; `values` are the settings to write."""

    url: str | None = None
    command: str = "/quiz"
    values: dict[str, str] = field(default_factory=dict, repr=False)


def slack(context: typer.Context) -> None:
    """Make a Slack app, check its tokens and write them into .env.

    From a pipe, one answer a line: socket, or the public https address; the command; the bot
    token; the app-level token, or the signing secret; and y to start.
    """
    with_tools = tools(context)
    api_url = with_tools.settings.slack_api_url
    asker = begin()
    answers = _Answers()
    say(_WAYS)
    answers.url = asker.until_good("socket or http", _way(asker), default="socket")
    answers.command = asker.until_good("Command that people type", _command, default="/quiz")
    say(_STEPS.format(link=_link(answers)))
    _take_bot_token(asker, answers, api_url)
    _take_second(asker, answers, api_url)
    _finish(asker, answers, keep(answers.values, with_tools))


def _way(asker: Asker) -> Callable[[str], str | None]:
    from bot.cli.slack import public_address

    def read(answer: str) -> str | None:
        match answer.lower():
            case "socket" | "s" | "1":
                return None
            case "http" | "https" | "h" | "2":
                return asker.until_good("Public address (https://…)", public_address)
            case _ if "://" in answer:
                return public_address(answer)
            case _:
                message = "answer socket or http."
                raise ValueError(message)

    return read


def _command(answer: str) -> str:
    from bot.cli.slack import command_name

    return command_name(answer if answer.startswith("/") else f"/{answer}")


def _link(answers: _Answers) -> str:
    from adapters.slack.manifest import manifest, new_app_link

    return new_app_link(manifest(url=answers.url, command=answers.command))


def _take_bot_token(asker: Asker, answers: _Answers, api_url: str) -> None:
    from bot.cli.slack_probe import ask_bot

    def read(answer: str) -> str:
        token = _token(answer, "xoxb-")
        workspace = ask_bot(token, api_url, SECONDS)
        if workspace.missing:
            message = (
                f"it lacks the scopes {', '.join(workspace.missing)}. Add them under OAuth & "
                "Permissions, press Reinstall, and copy the token again."
            )
            raise ValueError(message)
        say(f"Good: it is the bot of the workspace {workspace.name} ({workspace.url}).")
        return token

    question = "Bot User OAuth Token (it is not shown)"
    answers.values["SLACK_BOT_TOKEN"] = asker.until_good(question, read, hidden=True)


def _take_second(asker: Asker, answers: _Answers, api_url: str) -> None:
    """The app token for Socket Mode, or the secret for HTTP; the other one is unset."""
    from bot.cli.slack import looks_like_secret
    from bot.cli.slack_probe import ask_app

    def read_token(answer: str) -> str:
        token = _token(answer, "xapp-")
        ask_app(token, api_url, SECONDS)
        say("Good: Slack lets it connect.")
        return token

    def read_secret(answer: str) -> str:
        if not looks_like_secret(answer.lower()):
            message = "the Signing Secret is 32 of the characters 0-9 and a-f."
            raise ValueError(message)
        return answer.lower()

    if answers.url is None:
        say(_SOCKET_STEP)
        question = "App-level token (it is not shown)"
        answers.values["SLACK_APP_TOKEN"] = asker.until_good(question, read_token, hidden=True)
    else:
        say(_HTTP_STEP)
        question = "Signing Secret (it is not shown)"
        secret = asker.until_good(question, read_secret, hidden=True)
        answers.values |= {"SLACK_SIGNING_SECRET": secret, "SLACK_APP_TOKEN": ""}


def _token(answer: str, prefix: str) -> str:
    if not answer.startswith(prefix):
        other = next((name for start, name in _KINDS.items() if answer.startswith(start)), None)
        message = f"this is {other}; " if other else ""
        raise ValueError(f"{message}the one that is needed begins with {prefix}")
    if not _TOKEN.fullmatch(answer):
        message = "a token has only letters, digits and dashes; copy it again."
        raise ValueError(message)
    return answer


def _finish(asker: Asker, answers: _Answers, fresh: Tools) -> None:
    if answers.url is not None:
        settings = fresh.settings
        say(f"Let {answers.url} lead to {settings.host}:{settings.port} on this machine.")
    say(
        "Start Latih with `./latih serve`; then type "
        + answers.command
        + " checkpointing in Slack."
    )
    offer_start(asker, fresh)
