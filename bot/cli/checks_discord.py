"""What `doctor` looks at in Discord: token, servers, commands, the way of events."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.cli.findings import LONGEST, Finding, State
from bot.cli.tools import Tools
from bot.engine.fault import RefusedError

if TYPE_CHECKING:
    from bot.cli.discord_probe import Application, Gateway

_SECONDS = LONGEST - 0.5
_SKEW_TOLD = 60  # seconds
_FEW = 0.1  # of the sessions that may be started in a day


def bot(tools: Tools) -> Iterator[Finding]:
    """The token, and this machine's clock by Discord's."""
    if tools.settings.discord_token is None:
        yield Finding(State.OK, "Discord", "is not configured (fine for the terminal)")
        return
    try:
        found = _application(tools)
    except RefusedError as error:
        yield Finding(State.FAULT, "Discord", "does not accept DISCORD_TOKEN", str(error))
        return
    yield Finding(State.OK, "Discord", f"accepts the bot {found.bot} of application {found.name}")
    if found.discord_time is not None:
        yield _clock((tools.now() - found.discord_time).total_seconds())


def servers(tools: Tools) -> Iterator[Finding]:
    """Whether anybody can meet the bot."""
    from adapters.discord.invite import invite_link
    from bot.cli.discord_probe import MOST_SERVERS, ask_servers

    number = ask_servers(*_access(tools), _SECONDS)
    if number:
        many = f"{number} or more" if number == MOST_SERVERS else f"{number}"
        yield Finding(State.OK, "Discord servers", f"with the bot: {many}")
    else:
        mend = f"add it with {invite_link(_application(tools).id)}"
        yield Finding(State.WARN, "Discord servers", "with the bot: none yet", mend)


def commands(tools: Tools) -> Iterator[Finding]:
    """Whether people can type what this version of Latih answers."""
    from bot.cli.discord import wanted
    from bot.cli.discord_probe import ask_commands

    if ask_commands(*_access(tools), _application(tools).id, wanted(), _SECONDS):
        yield Finding(State.OK, "Discord commands", "are registered as they should be")
    else:
        mend = "run `./latih discord sync`, or start `serve`, which does it"
        said = "are not registered as this version has them"
        yield Finding(State.WARN, "Discord commands", said, mend)


def events(tools: Tools) -> Iterator[Finding]:
    """Whether what people do comes here: over the gateway, and not to an address elsewhere."""
    from bot.cli.discord_probe import ask_gateway, reach_gateway

    if _application(tools).endpoint:
        said = "do not come: the application has an Interactions Endpoint URL, and they go there"
        mend = "empty it under General Information in Discord's portal, and save"
        yield Finding(State.FAULT, "Discord events", said, mend)
        return
    gateway = ask_gateway(*_access(tools), _SECONDS)
    reach_gateway(tools.settings.discord_gateway_url or gateway.url, _SECONDS)
    yield _starts(gateway)
    if gateway.shards > 1:
        said = f"are for {gateway.shards} shards, as Discord counts, and Latih uses one"
        mend = "one carries 2,500 servers at most; beyond that the bot cannot connect"
        yield Finding(State.WARN, "Discord shards", said, mend)


def _starts(gateway: "Gateway") -> Finding:
    if gateway.left > gateway.starts * _FEW:
        return Finding(State.OK, "Discord events", "come by the gateway, which can be reached")
    said = f"come by the gateway, but only {gateway.left} of {gateway.starts} connects are left"
    mend = "look in the log for what restarts it; when none is left, Discord resets the token"
    return Finding(State.WARN, "Discord events", said, mend)


def _clock(ahead: float) -> Finding:
    off = abs(round(ahead))
    if off <= _SKEW_TOLD:
        return Finding(State.OK, "clock", "agrees with Discord's")
    said = f"is {off} s {'ahead of' if ahead > 0 else 'behind'} Discord's"
    return Finding(State.WARN, "clock", said, "set this machine's clock (NTP)")


def _application(tools: Tools) -> "Application":
    from bot.cli.discord_probe import ask_application

    return ask_application(*_access(tools), _SECONDS)


def _access(tools: Tools) -> tuple[str, str]:
    """The token and where to show it."""
    token = tools.settings.discord_token
    assert token is not None
    return token.get_secret_value(), tools.settings.discord_api_url
