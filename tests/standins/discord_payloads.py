"""What Discord tells of people, places and messages, as JSON."""

from collections.abc import Mapping
from typing import Any

from tests.standins.discord_state import (
    EVERYONE,
    Channel,
    DiscordPerson,
    Guild,
    Kind,
    Message,
    World,
)

JOINED = "2026-01-05T02:00:00.000000+00:00"


def user_payload(person: DiscordPerson) -> dict[str, Any]:
    return _user(person.id, person.name.lower(), shown_as=person.name, bot=person.bot)


def bot_user_payload(world: World) -> dict[str, Any]:
    return _user(world.application.id, world.application.name, shown_as=None, bot=True)


def _user(user_id: str, name: str, *, shown_as: str | None, bot: bool) -> dict[str, Any]:
    return {
        "id": user_id,
        "username": name,
        "global_name": shown_as,
        "discriminator": "0" if not bot else "4711",
        "avatar": None,
        "avatar_decoration_data": None,
        "bot": bot,
        "flags": 0,
        "public_flags": 0,
        "primary_guild": None,
    }


def member_payload(user: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "user": user,
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": [],
        "joined_at": JOINED,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def acting_member_payload(person: DiscordPerson) -> dict[str, Any]:
    """Of an interaction: with what this member may do where they act."""
    permissions = str(int(person.permissions))
    return {**member_payload(user_payload(person)), "permissions": permissions}


def resolved_member_payload(person: DiscordPerson) -> dict[str, Any]:
    """As an option's member is told: the user stands beside, not inside."""
    member = acting_member_payload(person)
    return {key: member[key] for key in member if key not in {"user", "deaf", "mute"}}


def channel_payload(world: World, channel: Channel) -> dict[str, Any]:
    if channel.kind is Kind.THREAD:
        return _thread(world, channel)
    common: dict[str, Any] = {
        "id": channel.id,
        "type": int(channel.kind),
        "flags": 0,
        "last_message_id": None,
    }
    if channel.person is not None:
        return common | {"recipients": [user_payload(channel.person)]}
    denied = {
        "id": world.application.id,
        "type": 1,
        "allow": "0",
        "deny": str(int(channel.denied)),
    }
    return common | {
        "guild_id": _guild(channel).id,
        "name": channel.name,
        "position": 0,
        "parent_id": None,
        "topic": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "permission_overwrites": [denied] if channel.denied else [],
    }


def _thread(world: World, thread: Channel) -> dict[str, Any]:
    return {
        "id": thread.id,
        "type": int(thread.kind),
        "flags": 0,
        "last_message_id": None,
        "guild_id": _guild(thread).id,
        "name": thread.name,
        "parent_id": thread.parent,
        "owner_id": world.application.id,
        "message_count": 0,
        "member_count": 1,
        "total_message_sent": 0,
        "rate_limit_per_user": 0,
        "thread_metadata": {
            "archived": thread.locked,
            "locked": thread.locked,
            "auto_archive_duration": 1440,
            "archive_timestamp": JOINED,
            "create_timestamp": JOINED,
        },
    }


def _guild(channel: Channel) -> Guild:
    assert channel.guild is not None, f"{channel.name} is in no server"
    return channel.guild


def acting_channel_payload(world: World, channel: Channel, person: DiscordPerson) -> dict[str, Any]:
    """Of an interaction: a partial channel, with what this person may do in it."""
    whole = channel_payload(world, channel)
    if channel.person is not None:
        return whole
    partial = {key: whole[key] for key in whole if key != "permission_overwrites"}
    return {**partial, "permissions": str(int(person.permissions))}


def rest_guild_payload(guild: Guild) -> dict[str, Any]:
    everyone = {
        "id": guild.id,
        "name": "@everyone",
        "description": None,
        "permissions": str(int(EVERYONE)),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    nothing = (
        "icon",
        "description",
        "home_header",
        "splash",
        "discovery_splash",
        "banner",
        "application_id",
        "afk_channel_id",
        "system_channel_id",
        "widget_channel_id",
        "max_presences",
        "vanity_url_code",
        "rules_channel_id",
        "safety_alerts_channel_id",
        "public_updates_channel_id",
        "incidents_data",
    )
    return {
        **dict.fromkeys(nothing),
        "id": guild.id,
        "name": guild.name,
        "owner_id": guild.members[0].id if guild.members else "1",
        "region": "deprecated",
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [everyone],
        "preferred_locale": guild.locale,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "max_members": 500_000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
    }


def guild_create_payload(world: World, guild: Guild) -> dict[str, Any]:
    """As the gateway tells it: with its channels, and without members but the bot itself."""
    inside = [it for it in world.channels.values() if it.guild is guild]
    return {
        **rest_guild_payload(guild),
        "joined_at": JOINED,
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members) + 1,
        "members": [member_payload(bot_user_payload(world))],
        "channels": [channel_payload(world, it) for it in inside if it.kind is Kind.TEXT],
        "threads": [channel_payload(world, it) for it in inside if it.kind is Kind.THREAD],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application_payload(world: World) -> dict[str, Any]:
    bot = bot_user_payload(world)
    owner = _user("1", "owner", shown_as="Owner", bot=False)
    return {
        "id": world.application.id,
        "name": world.application.name,
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot": bot,
        "owner": owner,
        "team": None,
        "verify_key": "0" * 64,
        "flags": world.application.flags,
        "flags_new": str(world.application.flags),
        "bot_public": False,
        "bot_require_code_grant": world.application.needs_code_grant,
        "redirect_uris": [],
        "interactions_endpoint_url": world.application.interactions_endpoint,
        "role_connections_verification_url": None,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    }


def message_payload(world: World, message: Message) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "id": message.id,
        "channel_id": message.channel.id,
        "type": _message_type(message),
        "author": bot_user_payload(world),
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
        "attachments": message.attachments,
        "flags": int(message.flags),
        "timestamp": message.at.isoformat(),
        "edited_timestamp": message.edited_at.isoformat() if message.edited_at else None,
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
    }
    if message.nonce is not None:
        payload["nonce"] = message.nonce
    if message.source is not None:
        payload |= {
            "application_id": world.application.id,
            "webhook_id": world.application.id,
            "interaction_metadata": message.source,
        }
    if message.reply_to is not None:
        reference = {"type": 0, "channel_id": message.channel.id, "message_id": message.reply_to}
        if message.channel.guild is not None:
            reference["guild_id"] = message.channel.guild.id
        payload["message_reference"] = reference
    return payload


def _message_type(message: Message) -> int:
    """0 plain, 19 a reply, 20 the answer to a command."""
    if message.reply_to is not None:
        return 19
    return 20 if message.source is not None and message.source["type"] == 2 else 0
