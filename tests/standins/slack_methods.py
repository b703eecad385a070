"""What each Web API method does to the workspace, and when it refuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.standins.slack_payloads import message_payload
from tests.standins.slack_rules import MOST_TEXT, breaches, refusal
from tests.standins.slack_state import Channel, Message, SlackPerson, Workspace

FALSE = {False, None, "", "0", "false", "False"}


class RefusedError(Exception):
    """`ok: false` with this error word, and whatever Slack adds to it."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.more = more


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One call of one method, with the look-ups that most of them share."""

    workspace: Workspace
    method: str
    args: Mapping[str, Any]

    def channel(self) -> Channel:
        """A user id stands for the direct view, as it does in chat.postMessage."""
        wanted = self.args.get("channel")
        if wanted in self.workspace.people:
            return self.workspace.direct(str(wanted))
        found = self.workspace.channels.get(str(wanted))
        if found is None or (found.private and not found.bot_is_member):
            raise RefusedError("channel_not_found")
        return found

    def writable(self) -> Channel:
        channel = self.channel()
        if channel.archived:
            raise RefusedError("is_archived")
        public = not channel.private and "chat:write.public" in self.workspace.scopes
        if not channel.bot_is_member and not (public and self.method == "chat.postMessage"):
            raise RefusedError("not_in_channel")
        return channel

    def person(self, key: str) -> SlackPerson:
        found = self.workspace.people.get(str(self.args.get(key)))
        if found is None:
            raise RefusedError("user_not_found")
        return found

    def own_message(self) -> Message:
        """Ephemerals have a ts as well, but these methods never find it."""
        channel = self.channel()
        for message in self.workspace.messages:
            here = message.channel == channel.id and message.ts == self.args.get("ts")
            if here and not message.deleted and message.ephemeral_to is None:
                return message
        raise RefusedError("message_not_found")

    def truth(self, key: str) -> bool:
        return self.args.get(key) not in FALSE

    def check(self, content: Mapping[str, Any], *, most_text: int | None = None) -> None:
        found = breaches(content)
        for breach in found:
            self.workspace.violate(f"{self.method}: {breach.words}")
        error = refusal(found)
        if error is not None:
            words = [f"[ERROR] {breach.words}" for breach in found if breach.error]
            raise RefusedError(error, response_metadata={"messages": words})
        if most_text is not None and len(str(content.get("text", ""))) > most_text:
            raise RefusedError("msg_too_long")


def _auth_test(scene: Scene) -> dict[str, Any]:
    workspace = scene.workspace
    return {
        "url": f"https://{workspace.domain}.slack.com/",
        "team": "Latih Test",
        "user": "latih",
        "team_id": workspace.team_id,
        "user_id": workspace.app.bot_user_id,
        "bot_id": workspace.app.bot_id,
        "is_enterprise_install": False,
    }


def _post_message(scene: Scene) -> dict[str, Any]:
    for key in ("unfurl_links", "unfurl_media"):
        if key not in scene.args or scene.truth(key):
            scene.workspace.violate(f"{scene.method}: {key} is not false")
    channel = scene.writable()
    scene.check(scene.args, most_text=40_000)
    message = scene.workspace.post(
        channel=channel.id,
        text=str(scene.args.get("text", "")),
        blocks=scene.args.get("blocks") or [],
        thread_ts=scene.args.get("thread_ts"),
        metadata=scene.args.get("metadata"),
    )
    echo = message_payload(scene.workspace, message)
    return {"channel": channel.id, "ts": message.ts, "message": echo}


def _post_ephemeral(scene: Scene) -> dict[str, Any]:
    """Its message_ts is of no use to chat.update or chat.delete, as on Slack."""
    channel = scene.writable()
    person = scene.person("user")
    if not channel.has(person.id) or person.gone:
        raise RefusedError("user_not_in_channel")
    scene.check(scene.args, most_text=MOST_TEXT)
    message = scene.workspace.post(
        channel=channel.id,
        text=str(scene.args.get("text", "")),
        blocks=scene.args.get("blocks") or [],
        ephemeral_to=person.id,
        thread_ts=scene.args.get("thread_ts"),
    )
    return {"message_ts": message.ts}


def _update(scene: Scene) -> dict[str, Any]:
    """Text without blocks removes the blocks, and `blocks: []` clears them."""
    message = scene.own_message()
    scene.writable()
    scene.check(scene.args, most_text=MOST_TEXT)
    text = str(scene.args.get("text") or "")
    scene.workspace.redraw(message, text=text, blocks=scene.args.get("blocks") or [])
    echo = message_payload(scene.workspace, message)
    return {"channel": message.channel, "ts": message.ts, "text": text, "message": echo}


def _delete(scene: Scene) -> dict[str, Any]:
    message = scene.own_message()
    scene.workspace.remove(message)
    return {"channel": message.channel, "ts": message.ts}


def _conversations_open(scene: Scene) -> dict[str, Any]:
    person = scene.person("users")
    return {"channel": {"id": scene.workspace.direct(person.id).id}, "already_open": True}


def _conversations_info(scene: Scene) -> dict[str, Any]:
    channel = scene.channel()
    info: dict[str, Any] = {
        "id": channel.id,
        "is_im": channel.person is not None,
        "is_archived": channel.archived,
        "context_team_id": scene.workspace.team_id,
    }
    if channel.person is not None:
        return {"channel": info | {"user": channel.person}}
    info |= {
        "name": channel.name,
        "is_channel": not channel.private,
        "is_private": channel.private,
        "is_member": channel.bot_is_member,
    }
    return {"channel": info}


def _users_info(scene: Scene) -> dict[str, Any]:
    person = scene.person("user")
    user: dict[str, Any] = {
        "id": person.id,
        "team_id": scene.workspace.team_id,
        "name": person.name.lower(),
        "real_name": person.name,
        "deleted": person.gone,
        "tz": "Asia/Jakarta",
        "tz_offset": 25_200,
        "profile": {"real_name": person.name, "display_name": person.name},
        "is_admin": person.admin or person.owner,
        "is_owner": person.owner,
        "is_primary_owner": False,
        "is_restricted": person.guest,
        "is_ultra_restricted": False,
        "is_bot": person.bot,
        "is_app_user": False,
    }
    if scene.truth("include_locale"):
        user["locale"] = person.locale
    return {"user": user}


READ_CHANNELS = {"channels:read", "groups:read", "im:read"}
METHODS: dict[str, tuple[set[str], Callable[[Scene], dict[str, Any]]]] = {
    "auth.test": (set(), _auth_test),
    "chat.postMessage": ({"chat:write"}, _post_message),
    "chat.postEphemeral": ({"chat:write"}, _post_ephemeral),
    "chat.update": ({"chat:write"}, _update),
    "chat.delete": ({"chat:write"}, _delete),
    "conversations.open": ({"im:write"}, _conversations_open),
    "conversations.info": (READ_CHANNELS, _conversations_info),
    "users.info": ({"users:read"}, _users_info),
}
