"""Settings: the environment and `.env`, read here and nowhere else."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ENV_FILE = Path(".env")

_SEPARATOR = ":"
_PARTS = {"slack": 2, "discord": 1}
"""What an identity has after its surface: Slack's workspace and account, Discord's account."""


class SettingsError(Exception):
    """A setting that cannot be used; the message says which, why, and what to do."""


class Settings(BaseSettings):
    """What the operator decided; every name is also in `.env.example`."""

    model_config = SettingsConfigDict(env_file=ENV_FILE, extra="ignore", frozen=True)

    database_url: str = "sqlite:///var/latih.db"
    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    discord_token: SecretStr | None = None
    discord_api_url: str = "https://discord.com/api/v10"
    discord_gateway_url: str | None = None
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    latih_managers: Annotated[tuple[str, ...], NoDecode] = ()
    latih_quizzes: Annotated[tuple[Path, ...], NoDecode] = ()
    latih_language: Literal["en", "id"] = "en"
    latih_zone: str = "UTC"
    latih_log: str = "text info"

    @model_validator(mode="before")
    @classmethod
    def _unset(cls, values: object) -> object:
        """An empty setting is the default, and an empty variable overrules `.env`."""
        if not isinstance(values, dict):
            return values
        return {name: value for name, value in values.items() if value != ""}

    @field_validator("slack_api_url")
    @classmethod
    def _with_slash(cls, value: str) -> str:
        return value.rstrip("/") + "/"

    @field_validator("discord_api_url")
    @classmethod
    def _over_http(cls, value: str) -> str:
        return _address(value, "http", "https://discord.com/api/v10").rstrip("/")

    @field_validator("discord_gateway_url")
    @classmethod
    def _over_websocket(cls, value: str | None) -> str | None:
        return value and _address(value, "ws", "wss://gateway.discord.gg")

    @field_validator("latih_managers", mode="before")
    @classmethod
    def _identities(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        for name in names:
            surface, *rest = name.split(_SEPARATOR)
            if len(rest) != _PARTS.get(surface) or not all(rest):
                message = f"{name!r} is no identity; write slack:T…:U… or discord:1234"
                raise ValueError(message)
        return names

    @field_validator("latih_quizzes", mode="before")
    @classmethod
    def _folders(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(Path(name).expanduser() for name in value.split(os.pathsep) if name)

    @field_validator("latih_zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError):
            message = f"{value!r} is no time zone; write one like Asia/Jakarta"
            raise ValueError(message) from None
        return value

    @field_validator("latih_log")
    @classmethod
    def _log(cls, value: str) -> str:
        form, _, level = value.lower().partition(" ")
        if form not in ("text", "json") or (level or "info") not in _LEVELS:
            message = f"{value!r} is not text or json, with one of {', '.join(_LEVELS)}"
            raise ValueError(message)
        return f"{form} {level or 'info'}"

    @classmethod
    def read(cls) -> Self:
        """The settings as they now are; raises `SettingsError` with every fault in one text."""
        try:
            return cls()
        except ValidationError as error:
            faults = (f"{_name(fault['loc'])}: {_said(fault['msg'])}" for fault in error.errors())
            raise SettingsError("\n".join(faults)) from None


_LEVELS = ("debug", "info", "warning", "error")


def _address(value: str, scheme: str, example: str) -> str:
    """`value` when it is an address of `scheme`, in clear or over TLS."""
    message = f"{value!r} is no address; write one like {example}"
    try:
        parts = urlsplit(value)
        usable = parts.scheme in (scheme, f"{scheme}s") and parts.hostname and parts.port != 0
    except ValueError:
        raise ValueError(message) from None
    if not usable:
        raise ValueError(message)
    return value


def _name(location: tuple[int | str, ...]) -> str:
    return str(location[0]).upper()


def _said(message: str) -> str:
    return message.removeprefix("Value error, ")
