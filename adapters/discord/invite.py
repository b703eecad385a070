"""The link that adds the bot to a server, with the least that it can do with."""

from urllib.parse import urlencode

_AUTHORIZE = "https://discord.com/oauth2/authorize"
_SCOPES = "bot applications.commands"
"""A member of the server, by which servers are told and counted; and its commands."""

_PERMISSIONS = 0
"""None. All that Latih says so far are replies to commands and presses, shown only to the person
who acted. They go by the interaction's own token and ask for no right in the channel: "Application
commands do not depend on a bot user in the guild" (Discord's documentation, Application Commands,
Authorizing Your Application). To post of its own accord it would need View Channel (1 << 10) and
Send Messages (1 << 11) of the bits under Permissions, Bitwise Permission Flags."""


def invite_link(application: str | int) -> str:
    """Where somebody who may manage a server adds `application`, an application's ID, to it."""
    asked = {"client_id": application, "scope": _SCOPES, "permissions": _PERMISSIONS}
    return f"{_AUTHORIZE}?{urlencode(asked)}"
