"""The settings of Discord: what is taken, and what is refused in a sentence."""

import pytest

from bot.settings import Settings, SettingsError
from tests.cli.desk import Desk


def test_without_any_setting_discord_is_not_configured(desk: Desk) -> None:
    settings = Settings.read()
    assert settings.discord_token is None
    assert settings.discord_api_url == "https://discord.com/api/v10"
    assert settings.discord_gateway_url is None


def test_empty_settings_count_as_not_set(desk: Desk) -> None:
    plain = Settings.read()
    desk.sets(DISCORD_TOKEN="", DISCORD_API_URL="", DISCORD_GATEWAY_URL="")
    assert Settings.read() == plain


def test_the_token_is_kept_out_of_what_is_printed(desk: Desk) -> None:
    desk.sets(DISCORD_TOKEN="1.2.hunter")
    assert "hunter" not in repr(Settings.read())


@pytest.mark.parametrize("slashes", ["", "/", "//"])
def test_the_address_of_the_api_ends_without_a_slash(desk: Desk, slashes: str) -> None:
    desk.sets(DISCORD_API_URL=f"http://127.0.0.1:8081/api/v10{slashes}")
    assert Settings.read().discord_api_url == "http://127.0.0.1:8081/api/v10"


@pytest.mark.parametrize("address", ["ws://127.0.0.1:8081/gateway", "wss://gateway.discord.gg"])
def test_a_gateway_is_taken_as_it_is_written(desk: Desk, address: str) -> None:
    desk.sets(DISCORD_GATEWAY_URL=address)
    assert Settings.read().discord_gateway_url == address


@pytest.mark.parametrize(
    ("name", "address", "example"),
    [
        ("DISCORD_API_URL", "discord.com/api/v10", "https://discord.com/api/v10"),
        ("DISCORD_API_URL", "wss://discord.com", "https://discord.com/api/v10"),
        ("DISCORD_API_URL", "https://", "https://discord.com/api/v10"),
        ("DISCORD_API_URL", "https://discord.com:port", "https://discord.com/api/v10"),
        ("DISCORD_API_URL", "https://[discord", "https://discord.com/api/v10"),
        ("DISCORD_GATEWAY_URL", "gateway.discord.gg", "wss://gateway.discord.gg"),
        ("DISCORD_GATEWAY_URL", "https://gateway.discord.gg", "wss://gateway.discord.gg"),
    ],
)
def test_what_is_no_address_is_refused_with_an_example(
    desk: Desk, name: str, address: str, example: str
) -> None:
    desk.sets(**{name: address})
    with pytest.raises(SettingsError) as refused:
        Settings.read()
    assert str(refused.value) == f"{name}: {address!r} is no address; write one like {example}"
