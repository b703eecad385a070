"""Slack's payloads become events: who, where, what, and which press."""

from copy import deepcopy
from datetime import UTC, datetime

import pytest

from adapters.slack import read
from bot.chat.command import AddManager, Menu, Start, Unknown
from bot.engine.people import Address, Identity

AT = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
QUIZZES = frozenset({"sharding", "saving-well"})
TOKEN = "1.r.abcdefghijklmnop.1.B"

COMMAND = {
    "token": "verification",
    "team_id": "T0TEAM",
    "team_domain": "example",
    "channel_id": "C0ML",
    "channel_name": "ml-infra",
    "user_id": "U0AYU",
    "user_name": "ayu",
    "command": "/quiz",
    "text": "sharding",
    "api_app_id": "A0APP",
    "response_url": "https://hooks.example.org/commands/1",
    "trigger_id": "13.1.abc",
}
PRESS = {
    "type": "block_actions",
    "user": {"id": "U0AYU", "username": "ayu", "name": "ayu", "team_id": "T0TEAM"},
    "api_app_id": "A0APP",
    "container": {
        "type": "message",
        "message_ts": "1765000000.000100",
        "channel_id": "C0ML",
        "is_ephemeral": True,
    },
    "trigger_id": "13.2.def",
    "team": {"id": "T0TEAM", "domain": "example"},
    "enterprise": None,
    "channel": {"id": "C0ML", "name": "ml-infra"},
    "response_url": "https://hooks.example.org/actions/1",
    "actions": [
        {
            "type": "button",
            "action_id": TOKEN,
            "block_id": "b1",
            "value": TOKEN,
            "text": {"type": "plain_text", "text": "B", "emoji": True},
            "action_ts": "1765000001.000200",
        }
    ],
}
AYU = Identity("slack", "T0TEAM", "U0AYU")
ML = Address("slack", "T0TEAM", "C0ML")


def commanded(**changes):
    body = {key: value for key, value in (COMMAND | changes).items() if value is not None}
    return read.commanded(body, quizzes=QUIZZES, at=AT)


def pressed(body):
    return read.pressed(body, at=AT, typed="/quiz")


def changed(*path, to):
    """The press with the value at `path` changed, or taken away when it becomes None."""
    body = deepcopy(PRESS)
    *way, last = path
    inner = body
    for step in way:
        inner = inner[step]
    if to is None:
        del inner[last]
    else:
        inner[last] = to
    return body


def test_a_slash_command_says_who_where_what_and_when():
    event = commanded()
    assert (event.who.identity, event.who.address, event.who.name) == (AYU, ML, "ayu")
    assert event.command == Start("sharding")
    assert (event.at, event.typed) == (AT, "/quiz")


def test_slack_tells_neither_a_persons_language_nor_whether_they_are_an_administrator():
    assert (commanded().who.locale, commanded().who.admin) == (None, None)


def test_a_command_that_was_renamed_keeps_its_name():
    assert commanded(command="/latihan-kuis").typed == "/latihan-kuis"


@pytest.mark.parametrize("text", [None, "", "  "])
def test_a_command_without_text_is_the_menu(text):
    assert commanded(text=text).command == Menu()


@pytest.mark.parametrize("missing", ["user_name", "command", "text", "trigger_id", "token"])
def test_a_command_is_read_without_what_slack_may_leave_out(missing):
    event = commanded(**{missing: None})
    assert event.who.identity == AYU
    assert event.typed == "/quiz"


MENTIONS = {
    "managers add <@U0BIMA>": AddManager("U0BIMA", mentioned=True),
    "managers add <@U0BIMA|bima>": AddManager("U0BIMA", mentioned=True),
    "managers add <@W0BIMA|bima.s>": AddManager("W0BIMA", mentioned=True),
    "managers add @U0BIMA": AddManager("U0BIMA", mentioned=False),
    "managers add &lt;@U0BIMA&gt;": AddManager("<@U0BIMA>", mentioned=False),
    "<@U0BIMA|bima>": Unknown("@U0BIMA"),
    "&lt;!channel&gt; &amp;amp;": Unknown("<!channel> &amp;"),
}


@pytest.mark.parametrize(("text", "command"), MENTIONS.items(), ids=MENTIONS)
def test_only_a_mention_that_slack_itself_made_is_vouched_for(text, command):
    assert commanded(text=text).command == command


def test_a_press_says_who_where_and_which_button():
    event = pressed(PRESS)
    assert (event.who.identity, event.who.address) == (AYU, ML)
    assert (event.token, event.at, event.typed) == (TOKEN, AT, "/quiz")


MESSAGE = {"type": "message", "ts": "1765000000.000100", "text": "forged", "blocks": []}
WITHOUT = {
    "a message": changed("message", to=MESSAGE),
    "a channel": changed("channel", to=None),
    "a container": changed("container", to=None),
    "a container's channel": changed("container", "channel_id", to=None),
    "a team": changed("team", to=None),
    "a user's team": changed("user", "team_id", to=None),
    "a response URL": changed("response_url", to=None),
    "a name": changed("user", "name", to=None),
    "any team but the user's, as for an app of a whole organisation": PRESS | {"team": None},
}


@pytest.mark.parametrize("body", WITHOUT.values(), ids=WITHOUT)
def test_a_press_is_read_alike_whatever_slack_adds_or_leaves_out(body):
    assert pressed(body) == pressed(PRESS)


def test_a_press_in_a_direct_message_happens_in_that_conversation():
    body = changed("channel", to={"id": "D0AYU", "name": "directmessage"})
    body["container"]["channel_id"] = "D0AYU"
    assert pressed(body).who.address == Address("slack", "T0TEAM", "D0AYU")


def test_a_press_without_any_channel_happens_with_the_person():
    body = changed("channel", to=None)
    del body["container"]
    assert pressed(body).who.address == Address("slack", "T0TEAM", "U0AYU")


def test_a_guest_from_another_workspace_is_of_theirs_and_presses_in_ours():
    event = pressed(changed("user", "team_id", to="T0PARTNER"))
    assert event.who.identity == Identity("slack", "T0PARTNER", "U0AYU")
    assert event.who.address == ML


@pytest.mark.parametrize(
    ("value", "token"), [(None, ""), ("", ""), ("<!channel>", "<!channel>")], ids=ascii
)
def test_a_forged_button_is_read_as_it_came(value, token):
    assert pressed(changed("actions", 0, "value", to=value)).token == token


def test_the_same_press_delivered_again_has_the_same_name():
    assert pressed(deepcopy(PRESS)).press == pressed(PRESS).press


def test_the_name_of_a_press_does_not_depend_on_the_message_or_the_clock():
    late = datetime(2026, 12, 2, tzinfo=UTC)
    again = read.pressed(changed("message", to=MESSAGE), at=late, typed="/kuis")
    assert again.press == pressed(PRESS).press


OTHERS = {
    "a moment later": changed("actions", 0, "action_ts", to="1765000001.000201"),
    "with another trigger": changed("trigger_id", to="13.2.xyz"),
    "by another person": changed("user", "id", to="U0BIMA"),
    "on another button": changed("actions", 0, "value", to=TOKEN[:-1] + "C"),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_another_press_has_another_name(body):
    assert pressed(body).press != pressed(PRESS).press


def test_the_name_of_a_press_tells_no_platform_id():
    press = pressed(PRESS).press
    assert len(press) == 32
    assert not any(known in press for known in ("U0AYU", "13.2", "1765"))


def test_two_people_with_the_same_id_in_two_workspaces_press_apart():
    other = changed("team", "id", to="T0OTHER")
    other["user"]["team_id"] = "T0OTHER"
    assert pressed(other).who.identity != pressed(PRESS).who.identity
