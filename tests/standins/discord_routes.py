"""What each path of the REST API does, and when it refuses."""

from typing import Any

from tests.standins.discord_answers import Answers
from tests.standins.discord_commands import commands_for, register
from tests.standins.discord_gateway import Gateway
from tests.standins.discord_interactions import Interaction
from tests.standins.discord_messages import change, remove, write
from tests.standins.discord_payloads import (
    application_payload,
    bot_user_payload,
    channel_payload,
    member_payload,
    message_payload,
    rest_guild_payload,
    user_payload,
)
from tests.standins.discord_refusals import RefusedError
from tests.standins.discord_rest import Answered, Perform, Scene
from tests.standins.discord_state import EVERYONE, Channel, Guild, Kind, Message, Permission


class Routes:
    """Method, path, what is done, and whether it needs no bot token."""

    def __init__(self, gateway: Gateway, answers: Answers) -> None:
        self._gateway = gateway
        self._answers = answers

    def table(self) -> list[tuple[str, str, Perform, bool]]:
        application = "/applications/{application}/commands"
        in_guild = "/applications/{application}/guilds/{guild}/commands"
        messages = "/channels/{channel}/messages"
        hook = "/webhooks/{application}/{token}"
        return [
            ("GET", "/gateway", self._where, True),
            ("GET", "/gateway/bot", self._where_for_bots, False),
            ("GET", "/users/@me", _me, False),
            ("GET", "/users/@me/guilds", _my_guilds, False),
            ("POST", "/users/@me/channels", _open_direct, False),
            ("GET", "/users/{user}", _user, False),
            ("GET", "/oauth2/applications/@me", _application, False),
            ("GET", "/applications/@me", _application, False),
            ("GET", application, _commands, False),
            ("PUT", application, _register, False),
            ("GET", in_guild, _commands, False),
            ("PUT", in_guild, _register, False),
            ("GET", "/guilds/{guild}", _guild, False),
            ("GET", "/guilds/{guild}/channels", _channels, False),
            ("GET", "/guilds/{guild}/members/{user}", _member, False),
            ("GET", "/channels/{channel}", _channel, False),
            ("GET", messages, _history, False),
            ("POST", messages, _post, False),
            ("GET", messages + "/{message}", _read, False),
            ("PATCH", messages + "/{message}", _edit, False),
            ("DELETE", messages + "/{message}", _delete, False),
            ("POST", "/interactions/{interaction}/{token}/callback", self._answer, True),
            ("POST", hook, self._follow_up, True),
            ("GET", hook + "/messages/{message}", self._read_answer, True),
            ("PATCH", hook + "/messages/{message}", self._edit_answer, True),
            ("DELETE", hook + "/messages/{message}", self._delete_answer, True),
        ]

    def _where(self, _: Scene) -> Answered:
        return 200, {"url": self._gateway.url}

    def _where_for_bots(self, _: Scene) -> Answered:
        gateway = self._gateway
        limit = {"total": 1000, "remaining": gateway.starts_left}
        limit |= {"reset_after": 0, "max_concurrency": 1}
        return 200, {"url": gateway.url, "shards": gateway.shards, "session_start_limit": limit}

    def _answer(self, scene: Scene) -> Answered:
        interaction = self._answers.first(
            scene.ids["interaction"], scene.ids["token"], scene.body, scene.files
        )
        if scene.call.query.get("with_response", "").lower() in {"1", "true"}:
            return 200, self._answers.told(interaction)
        return 204, None

    def _hooked(self, scene: Scene) -> Interaction:
        return self._answers.by_token(scene.ids["application"], scene.ids["token"])

    def _follow_up(self, scene: Scene) -> Answered:
        message = self._answers.follow_up(self._hooked(scene), scene.body, scene.files)
        return 200, message_payload(scene.world, message)

    def _hooked_message(self, scene: Scene) -> tuple[Interaction, Message]:
        interaction = self._hooked(scene)
        return interaction, self._answers.own_message(interaction, scene.ids["message"])

    def _read_answer(self, scene: Scene) -> Answered:
        return 200, message_payload(scene.world, self._hooked_message(scene)[1])

    def _edit_answer(self, scene: Scene) -> Answered:
        changed = self._answers.edit(*self._hooked_message(scene), scene.body, scene.files)
        return 200, message_payload(scene.world, changed)

    def _delete_answer(self, scene: Scene) -> Answered:
        self._answers.delete(*self._hooked_message(scene))
        return 204, None


def unknown(scene: Scene) -> Answered:
    scene.world.violate(f"{scene.call.method} {scene.call.path}: the stand-in has no such path")
    return 404, {"code": 0, "message": "404: Not Found"}


def _me(scene: Scene) -> Answered:
    me = bot_user_payload(scene.world)
    return 200, {**me, "mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def _application(scene: Scene) -> Answered:
    return 200, application_payload(scene.world)


def _user(scene: Scene) -> Answered:
    person = scene.world.people.get(scene.ids["user"])
    if person is None:
        raise RefusedError(10013)
    return 200, user_payload(person)


def _my_guilds(scene: Scene) -> Answered:
    mine = [guild for guild in scene.world.guilds.values() if guild.bot_is_member]
    return 200, [
        {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(int(EVERYONE)),
            "features": [],
        }
        for guild in mine
    ]


def _own_guild(scene: Scene) -> Guild:
    guild = scene.world.guilds.get(scene.ids["guild"])
    if guild is None or not guild.bot_is_member:
        raise RefusedError(10004 if guild is None else 50001)
    return guild


def _guild(scene: Scene) -> Answered:
    return 200, rest_guild_payload(_own_guild(scene))


def _channels(scene: Scene) -> Answered:
    guild = _own_guild(scene)
    inside = [it for it in scene.world.channels.values() if it.guild is guild]
    return 200, [channel_payload(scene.world, it) for it in inside if it.kind is Kind.TEXT]


def _member(scene: Scene) -> Answered:
    person = scene.world.people.get(scene.ids["user"])
    if person is None or person not in _own_guild(scene).members:
        raise RefusedError(10007 if person else 10013)
    return 200, member_payload(user_payload(person))


def _commands(scene: Scene) -> Answered:
    guild = _own_application(scene)
    whole = scene.call.query.get("with_localizations", "").lower() in {"1", "true"}
    return 200, commands_for(scene.world, guild, localizations=whole)


def _register(scene: Scene) -> Answered:
    guild = _own_application(scene)
    register(scene.world, guild, scene.body, what=scene.what)
    return 200, commands_for(scene.world, guild, localizations=True)


def _own_application(scene: Scene) -> str | None:
    if scene.ids["application"] != scene.world.application.id:
        raise RefusedError(50001)
    return _own_guild(scene).id if "guild" in scene.ids else None


# Channels and the messages in them


def _open_direct(scene: Scene) -> Answered:
    person = scene.world.people.get(str(scene.body.get("recipient_id")))
    if person is None:
        raise RefusedError(50033)
    return 200, channel_payload(scene.world, scene.world.direct(person))


def _seen(scene: Scene) -> Channel:
    channel = scene.world.channels.get(scene.ids["channel"])
    if channel is None:
        raise RefusedError(10003)
    away = channel.guild is not None and not channel.guild.bot_is_member
    if away or Permission.VIEW_CHANNEL not in channel.granted:
        raise RefusedError(50001)
    return channel


def _writable(scene: Scene) -> Channel:
    channel = _seen(scene)
    in_thread = channel.kind is Kind.THREAD
    wanted = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
    if scene.files:
        wanted |= Permission.ATTACH_FILES
    if wanted & ~channel.granted:
        raise RefusedError(50013)
    if channel.person is not None and channel.person.refuses_direct:
        raise RefusedError(50007)
    if channel.locked:
        raise RefusedError(50083)
    return channel


def _public_message(scene: Scene) -> Message:
    """An ephemeral message has an id as well, but the channel never finds it."""
    channel = _seen(scene)
    message = scene.world.find(scene.ids["message"])
    if message is None or message.channel is not channel or message.ephemeral_to is not None:
        raise RefusedError(10008)
    return message


def _channel(scene: Scene) -> Answered:
    return 200, channel_payload(scene.world, _seen(scene))


def _history(scene: Scene) -> Answered:
    """The newest first; nothing at all without the permission to read it."""
    channel = _seen(scene)
    if Permission.READ_MESSAGE_HISTORY not in channel.granted:
        return 200, []
    limit = int(scene.call.query.get("limit", "50"))
    there = [
        it
        for it in reversed(scene.world.messages)
        if it.channel is channel and not it.deleted and it.ephemeral_to is None
    ]
    return 200, [message_payload(scene.world, it) for it in there[:limit]]


def _post(scene: Scene) -> Answered:
    """With `enforce_nonce`, a nonce of the past few minutes gives the message that carried it."""
    channel = _writable(scene)
    body: dict[str, Any] = scene.body or {}
    _check_reference(scene, channel, body.get("message_reference"))
    if body.get("enforce_nonce") and body.get("nonce") is not None:
        already = scene.world.with_nonce(body["nonce"])
        if already is not None:
            return 200, message_payload(scene.world, already)
    message = write(scene.world, scene.what, channel, body, files=scene.files)
    return 200, message_payload(scene.world, message)


def _check_reference(scene: Scene, channel: Channel, reference: dict[str, Any] | None) -> None:
    if reference is None:
        return
    if Permission.READ_MESSAGE_HISTORY not in channel.granted:
        raise RefusedError(160002)
    found = scene.world.find(str(reference.get("message_id")))
    if found is None and reference.get("fail_if_not_exists", True):
        unknown_message = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
        raise RefusedError(50035, errors={"message_reference": {"_errors": [unknown_message]}})


def _read(scene: Scene) -> Answered:
    message = _public_message(scene)
    if Permission.READ_MESSAGE_HISTORY not in message.channel.granted:
        raise RefusedError(50013)
    return 200, message_payload(scene.world, message)


def _edit(scene: Scene) -> Answered:
    message = _public_message(scene)
    if message.channel.locked:
        raise RefusedError(50083)
    changed = change(scene.world, scene.what, message, scene.body or {}, files=scene.files)
    return 200, message_payload(scene.world, changed)


def _delete(scene: Scene) -> Answered:
    remove(scene.world, _public_message(scene))
    return 204, None
