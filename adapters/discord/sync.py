"""Registering our commands with Discord, but only when they are not registered as they are.

A registration makes Discord's clients load the commands anew, so one that changes nothing is
not made.
"""

from typing import Any, TypeAlias

import aiohttp

from adapters.discord.rest import Rest

Json: TypeAlias = dict[str, Any]

_ADDED = {
    "id",
    "application_id",
    "guild_id",
    "version",
    "name_localized",
    "description_localized",
    "dm_permission",  # deprecated for `contexts`, and derived from them
    "default_permission",  # deprecated for `default_member_permissions`
}
_UNORDERED = {"contexts", "integration_types", "channel_types"}
_DISCORDS_CHOICE = {"contexts", "integration_types"}
"""What takes the application's own settings where a command does not say it."""

_CHAT_INPUT = 1


async def sync(
    session: aiohttp.ClientSession,
    api_url: str,
    token: str,
    application: str | int,
    wanted: list[Json],
) -> bool:
    """Make `wanted` the application's global commands; whether that changed any.

    Raises `RefusedError` for a token that is not accepted and `UnavailableError` for all else.
    """
    rest = Rest(session, api_url, token)
    if await is_current(rest, application, wanted):
        return False
    await rest.put(f"/applications/{application}/commands", wanted)
    return True


async def is_current(rest: Rest, application: str | int, wanted: list[Json]) -> bool:
    """Whether the application's global commands are `wanted`, and no others."""
    there = await rest.get(f"/applications/{application}/commands?with_localizations=true")
    return same(wanted, there.body)


def same(wanted: list[Json], there: list[Json]) -> bool:
    """Whether commands as we send them and as Discord tells them mean the same.

    Discord keeps the order of options and choices, and of nothing else.
    """
    ours = {_key(command): _plain(command) for command in wanted}
    theirs = {_key(command): _plain(command) for command in there}
    return ours.keys() == theirs.keys() and all(
        command == _as_far_as_said(theirs[key], command) for key, command in ours.items()
    )


def _key(command: Json) -> tuple[int, str]:
    return command.get("type", _CHAT_INPUT), command["name"]


def _as_far_as_said(command: Json, ours: Json) -> Json:
    left_open = _DISCORDS_CHOICE - ours.keys()
    return {name: value for name, value in command.items() if name not in left_open}


def _plain(command: Json) -> Json:
    """A command without what Discord adds."""
    ours = {name: value for name, value in command.items() if name not in _ADDED}
    permissions = ours.get("default_member_permissions")
    if permissions is not None:
        ours["default_member_permissions"] = str(permissions)  # sent as a number, told as text
    plain: Json = _meant(ours)
    return plain | {"type": command.get("type", _CHAT_INPUT)}


def _meant(value: Any) -> Any:
    """Without what only says the default, and in an order of our own where there is none."""
    match value:
        case dict():
            kept = {name: _meant(each) for name, each in value.items()}
            return {
                name: sorted(each) if name in _UNORDERED else each
                for name, each in kept.items()
                if not (each is None or each is False or each in ("", [], {}))
            }
        case list():
            return [_meant(each) for each in value]
        case _:
            return value
