"""`slack manifest`: what is pasted into Slack's portal."""

import json

import pytest

from tests.cli.desk import Desk


def test_without_options_it_is_for_socket_mode(desk: Desk) -> None:
    made = json.loads(desk.types("slack", "manifest").out)
    assert made["settings"]["socket_mode_enabled"] is True
    assert made["features"]["slash_commands"][0]["command"] == "/quiz"
    assert json.loads(desk.types("slack", "manifest", "--socket").out) == made


def test_for_http_slack_is_told_where_to_call(desk: Desk) -> None:
    done = desk.types("slack", "manifest", "--http", "https://quiz.example.org/", "--command", "/q")
    made = json.loads(done.out)
    assert made["settings"]["socket_mode_enabled"] is False
    assert made["features"]["slash_commands"][0] == {
        **made["features"]["slash_commands"][0],
        "command": "/q",
        "url": "https://quiz.example.org/slack/events",
    }


def test_the_path_that_slack_calls_may_be_in_the_address_already(desk: Desk) -> None:
    plain = desk.types("slack", "manifest", "--http", "https://quiz.example.org")
    full = desk.types("slack", "manifest", "--http", "https://quiz.example.org/slack/events")
    assert plain.out == full.out


def test_a_link_that_makes_the_app_is_told_beside(desk: Desk) -> None:
    assert (
        "https://api.slack.com/apps?new_app=1&manifest_json=" in desk.types("slack", "manifest").err
    )


@pytest.mark.parametrize(
    "url",
    [
        "http://quiz.example.org",
        "quiz.example.org",
        "https://",
        "https://a.b:x",
        "https://me:secret@a.b",
        "https://a.b?x=1",
        "https://a b",
        "",
    ],
)
def test_an_address_that_slack_could_not_call_is_refused(desk: Desk, url: str) -> None:
    done = desk.types("slack", "manifest", "--http", url)
    assert (done.code, done.out) == (2, "")
    assert "https://" in done.err


@pytest.mark.parametrize("name", ["quiz", "/", "/Quiz", "/a b", "/" + "a" * 32, "/kuis!"])
def test_a_command_that_slack_would_not_take_is_refused(desk: Desk, name: str) -> None:
    done = desk.types("slack", "manifest", "--command", name)
    assert (done.code, done.out) == (2, "")
    assert "is no command" in done.err


def test_both_ways_at_once_are_refused(desk: Desk) -> None:
    assert desk.types("slack", "manifest", "--socket", "--http", "https://a.b").code == 2
