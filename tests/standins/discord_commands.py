"""The commands that the app registers: kept, told and offered as Discord does it."""

import copy
from collections.abc import Mapping
from typing import Any

from tests.standins.discord_command_rules import command_breaches
from tests.standins.discord_refusals import Breach, form_error
from tests.standins.discord_state import Channel, DiscordPerson, Permission, World

Definition = dict[str, Any]

LOCALIZATIONS = ("name_localizations", "description_localizations")


def register(world: World, guild: str | None, sent: Any, *, what: str) -> None:
    """All commands at once; one of the same name keeps its id."""
    found = [*command_breaches(sent)] if isinstance(sent, list) else [Breach("", "not a list")]
    for breach in found:
        world.violate(f"{what}: {breach}")
    if any(breach.refuses for breach in found):
        raise form_error(found)
    known = {(it["name"], it["type"]): it["id"] for it in world.commands[guild]}
    world.commands[guild] = [_registered(world, guild, it, known) for it in sent]
    world.changed()


def _registered(
    world: World, guild: str | None, sent: Definition, known: Mapping[tuple[str, int], str]
) -> Definition:
    """As Discord tells it ever after: with what was left out, and without what says nothing."""
    told = copy.deepcopy(sent)
    permissions = told.get("default_member_permissions")
    command: Definition = {
        "id": known.get((told["name"], told.get("type", 1))) or world.new_id(),
        "application_id": world.application.id,
        "version": world.new_id(),
        "type": told.get("type", 1),
        "name": told["name"],
        "description": told.get("description", ""),
        "default_member_permissions": None if permissions is None else str(permissions),
        "integration_types": told.get("integration_types") or [0],
        "contexts": told.get("contexts"),
        "nsfw": bool(told.get("nsfw")),
        **{key: told.get(key) or None for key in LOCALIZATIONS},
    }
    if guild is None:
        command["dm_permission"] = told.get("dm_permission", True)
    else:
        command["guild_id"] = guild
    if told.get("options"):
        command["options"] = [_option(it) for it in told["options"]]
    return command


def _option(sent: Definition) -> Definition:
    option = {key: value for key, value in sent.items() if _says_something(value)}
    option |= {key: sent.get(key) or None for key in LOCALIZATIONS}
    for key in ("options", "choices"):
        if key in option:
            option[key] = [_option(it) if key == "options" else _choice(it) for it in option[key]]
    return option


def _says_something(value: Any) -> bool:
    return value is not None and value is not False and value != []


def _choice(sent: Definition) -> Definition:
    localized = {"name_localizations": sent.get("name_localizations") or None}
    return {"name": sent["name"], "value": sent["value"], **localized}


def commands_for(world: World, guild: str | None, *, localizations: bool) -> list[Definition]:
    told = copy.deepcopy(world.commands[guild])
    return told if localizations else [_without_localizations(it) for it in told]


def _without_localizations(told: Definition) -> Definition:
    plain = {key: value for key, value in told.items() if key not in LOCALIZATIONS}
    for key in ("options", "choices"):
        if key in plain:
            plain[key] = [_without_localizations(it) for it in plain[key]]
    return plain


def offered(world: World, person: DiscordPerson, channel: Channel) -> list[Definition]:
    """What this person is offered in that channel; a server's own command hides a global one."""
    own = world.commands.get(channel.guild.id, []) if channel.guild else []
    names = {it["name"] for it in own}
    both = [*own, *(it for it in world.commands[None] if it["name"] not in names)]
    return [it for it in both if _may_use(it, person, channel)]


def _may_use(command: Definition, person: DiscordPerson, channel: Channel) -> bool:
    context = 0 if channel.guild else 1
    contexts = command["contexts"]
    if contexts is not None and context not in contexts:
        return False
    if contexts is None and context == 1 and not command.get("dm_permission", False):
        return False
    if channel.guild is not None and not channel.guild.bot_is_member:
        return False
    needed = command["default_member_permissions"]
    if needed is None or channel.guild is None:
        return True
    return not Permission(int(needed)) & ~person.permissions
