"""The app's manifest, with the least it can do with."""

import json
from typing import Any
from urllib.parse import quote

from adapters.slack.web import PATH

_SCOPES = ("commands", "chat:write", "users:read")
"""Commands; replies that outlive their response URL; whether an administrator typed."""

_NEW_APP = "https://api.slack.com/apps?new_app=1&manifest_json="


def manifest(*, url: str | None = None, command: str = "/quiz") -> dict[str, Any]:
    """For HTTP at the public address `url`, or for Socket Mode without one."""
    endpoint = f"{url.rstrip('/')}{PATH}" if url else None
    at = {"url": endpoint} if endpoint else {}
    request = {"request_url": endpoint} if endpoint else {}
    return {
        "_metadata": {"major_version": 1, "minor_version": 1},
        "display_information": {
            "name": "Latih",
            "description": "Short quizzes for engineers, in English and Indonesian",
            "background_color": "#0b3d2e",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": False,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": True,
            },
            "bot_user": {"display_name": "Latih", "always_online": True},
            "slash_commands": [
                {
                    "command": command,
                    **at,
                    "description": "Take a quiz, privately",
                    "usage_hint": "checkpointing | menu | resume | stop | language id",
                    "should_escape": True,
                }
            ],
        },
        "oauth_config": {"scopes": {"bot": list(_SCOPES)}},
        "settings": {
            "interactivity": {"is_enabled": True, **request},
            "org_deploy_enabled": False,
            "socket_mode_enabled": endpoint is None,
            "token_rotation_enabled": False,
        },
    }


def missing_scopes(granted: str) -> tuple[str, ...]:
    """Which scopes of ours a token lacks, given Slack's `x-oauth-scopes` header."""
    had = {scope.strip() for scope in granted.split(",")}
    return tuple(scope for scope in _SCOPES if scope not in had)


def new_app_link(made: dict[str, Any]) -> str:
    """The page of Slack's portal that makes an app from a manifest."""
    return _NEW_APP + quote(json.dumps(made, separators=(",", ":")))
