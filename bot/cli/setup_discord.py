"""`latih setup discord`: through Discord's portal, the token into `.env`, the commands registered.

Nothing of the portal can be filled in beforehand, so a person is told where to press.
"""

import re
from typing import TYPE_CHECKING

import typer

from bot.cli.asking import Asker
from bot.cli.setup_steps import SECONDS, begin, keep, offer_start
from bot.cli.tools import say, tools
from bot.engine.fault import UnavailableError

if TYPE_CHECKING:
    from bot.cli.discord_probe import Application

_PART = r"[A-Za-z0-9_-]+"
_TOKEN = re.compile(rf"{_PART}\.{_PART}\.{_PART}")
_KINDS = {
    r"xox[a-z]-.*|xapp-.*": "a token of Slack",
    r"[0-9]{15,20}": "an ID",
    r"[0-9a-f]{64}": "the public key",
    r"[A-Za-z0-9_-]{32}": "the client secret",
}

_STEPS = """Latih comes into Discord in five minutes or so. You need a Discord account, and a server
that you may manage.

1. Open this link, press New Application, give it a name such as Latih, and press Create:

   https://discord.com/developers/applications?new_application=true

2. Open Bot on the left. Under Token press Reset Token, confirm, and copy the token: it is shown
   only once. It has three parts with dots between them.
3. Leave the Privileged Gateway Intents on that page off: Latih reads no messages. Public Bot may
   stay as it is; to turn it off, so that only you can add the bot to servers, first set Install
   Link to None under Installation.
"""

_ENDPOINT = """Careful: this application has an Interactions Endpoint URL, so Discord sends what is
typed and pressed there, and not to Latih. Empty it under General Information, and save."""

_CODE_GRANT = """Careful: Requires OAuth2 Code Grant is on, so the link below does not add the bot.
Turn it off under Bot, and save."""

_INTENTS = """By the way: it has the privileged intents {}.
Latih needs none; you may turn them off under Bot."""

_INVITE = """
Add the bot to your server with this link; it asks for no permission there:

   {link}
"""


def discord(context: typer.Context) -> None:
    """Make a Discord application, check its token, write it into .env and register /quiz.

    From a pipe, one answer a line: the bot token; and y to start.
    """
    from adapters.discord.invite import invite_link

    with_tools = tools(context)
    api_url = with_tools.settings.discord_api_url
    asker = begin()
    say(_STEPS)
    token, application = _take_token(asker, api_url)
    _warn(application)
    fresh = keep({"DISCORD_TOKEN": token}, with_tools)
    _register(token, api_url, application.id)
    say(_INVITE.format(link=invite_link(application.id)))
    say("Start Latih with `./latih serve`; then type /quiz start checkpointing in Discord.")
    offer_start(asker, fresh)


def _take_token(asker: Asker, api_url: str) -> tuple[str, "Application"]:
    from bot.cli.discord_probe import ask_application

    def read(answer: str) -> tuple[str, "Application"]:
        token = _token(answer)
        application = ask_application(token, api_url, SECONDS)
        say(f"Good: it is the bot {application.bot} of the application {application.name}.")
        return token, application

    return asker.until_good("Bot token (it is not shown)", read, hidden=True)


def _token(answer: str) -> str:
    token = re.sub(r"^Bot\s+", "", answer)  # as it stands in the header of a request
    if _TOKEN.fullmatch(token):
        return token
    other = next((name for form, name in _KINDS.items() if re.fullmatch(form, token)), None)
    message = f"this looks like {other}; " if other else ""
    raise ValueError(
        f"{message}the bot token has three parts with dots between them: press Reset Token on "
        "the page Bot and copy what is shown, whole"
    )


def _warn(application: "Application") -> None:
    """Say what of the portal keeps the bot from its work, or is more than it needs."""
    if application.endpoint:
        say(_ENDPOINT)
    if application.needs_code_grant:
        say(_CODE_GRANT)
    if application.intents:
        say(_INTENTS.format(", ".join(application.intents)))


def _register(token: str, api_url: str, application: str) -> None:
    """Register the commands; what keeps that from being done now does not undo the rest."""
    from bot.cli.discord import register, wanted

    try:
        changed = register(token, api_url, application, wanted())
    except UnavailableError as trouble:
        say(f"The commands could not be registered: {trouble}.")
        say("Run `./latih discord sync` later, or start `serve`, which does it.")
    else:
        say("/quiz is registered." if changed else "/quiz was registered before.")
