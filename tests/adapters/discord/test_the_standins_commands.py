"""Commands as people type them: what is registered, what can be sent, and what the bot gets."""

import pytest

from tests.adapters.discord.bare import bare, command, option, plain
from tests.adapters.discord.tiny_bot import running
from tests.standins.discord import DiscordStandin

LOCALIZED = {"name_localizations": {"id": "kuis"}, "description_localizations": {"id": "Tentang"}}
GROUPED = command(
    "quiz",
    option("start", 1, options=[option("quiz", required=True, max_length=20)]),
    option("managers", 2, options=[option("add", 1, options=[option("user", 6)])]),
)
CHOICES = [{"name": "This week", "value": "week", "name_localizations": {"id": "Minggu ini"}}]
VALUES = command(
    "leaderboard",
    option("window", choices=CHOICES),
    option("page", 4, min_value=1, max_value=9),
    option("public", 5),
    option("place", 7),
)


@pytest.mark.asyncio
async def test_sub_commands_and_groups_are_nested_in_the_data():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, budi, channel = discord.person("Sari"), discord.person("Budi"), discord.channel("ml")
        discord.registers([GROUPED])
        [registered] = discord.commands()
        asked, waiting = await bot.asked(
            discord.command(sari, channel, "/quiz start", quiz="checkpointing")
        )
        start = {"name": "quiz", "type": 3, "value": "checkpointing"}
        assert asked["data"] == {
            "id": registered["id"],
            "name": "quiz",
            "type": 1,
            "options": [{"name": "start", "type": 1, "options": [start]}],
        }
        await bot.answer(asked, 4, plain("x"))
        await waiting
        asked, waiting = await bot.asked(
            discord.command(sari, channel, "/quiz managers add", user=budi)
        )
        [group] = asked["data"]["options"]
        assert (group["name"], group["type"]) == ("managers", 2)
        assert group["options"][0]["options"] == [{"name": "user", "type": 6, "value": budi.id}]
        resolved = asked["data"]["resolved"]
        assert resolved["users"][budi.id]["global_name"] == "Budi"
        assert "user" not in resolved["members"][budi.id]
        await bot.answer(asked, 4, plain("x"))
        assert (await waiting).acked


@pytest.mark.asyncio
async def test_choices_numbers_yes_and_channels_reach_the_bot_as_values():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari", locale="id"), discord.channel("ml")
        discord.registers([VALUES])
        asked, waiting = await bot.asked(
            discord.command(
                sari,
                channel,
                "/leaderboard",
                window="Minggu ini",
                page=2,
                public=True,
                place=channel,
            )
        )
        values = [it["value"] for it in asked["data"]["options"]]
        assert values == ["week", 2, True, channel.id]
        assert asked["data"]["resolved"]["channels"][channel.id]["name"] == "ml"
        await bot.answer(asked, 4, plain("x"))
        await waiting


CANNOT_BE_SENT = {
    "unknown": ("/quizz", {}, "no command /quizz is registered"),
    "half": ("/quiz", {}, "needs one of its sub-commands"),
    "no such part": ("/quiz stop", {}, "no stop"),
    "missing": ("/quiz start", {}, "cannot be sent without"),
    "superfluous": ("/quiz start", {"quiz": "x", "page": 1}, "has no option"),
    "not a text": ("/quiz start", {"quiz": 1}, "is no text"),
    "too long": ("/quiz start", {"quiz": "x" * 21}, "has a wrong length"),
    "not a person": ("/quiz managers add", {"user": "Budi"}, "is no person"),
    "not a choice": ("/leaderboard", {"window": "year"}, "is not among"),
    "out of range": ("/leaderboard", {"page": 10}, "is out of range"),
    "not a number": ("/leaderboard", {"page": "1"}, "is no number"),
    "not a yes": ("/leaderboard", {"public": "yes"}, "is not yes or no"),
    "not a channel": ("/leaderboard", {"place": "ml"}, "is no channel"),
}


@pytest.mark.parametrize(("text", "values", "words"), CANNOT_BE_SENT.values(), ids=CANNOT_BE_SENT)
@pytest.mark.asyncio
async def test_what_the_client_would_not_send_cannot_be_sent(text, values, words):
    async with DiscordStandin() as discord:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([GROUPED, VALUES])
        with pytest.raises(AssertionError, match=words):
            await discord.command(sari, channel, text, **values)


@pytest.mark.asyncio
async def test_a_command_is_offered_only_to_whom_and_where_it_says():
    async with DiscordStandin() as discord:
        sari, budi = discord.person("Sari", manager=True), discord.person("Budi")
        channel = discord.channel("ml")
        discord.registers([command("drill", default_member_permissions="32", contexts=[0])])
        assert (await discord.command(sari, channel, "/drill")).late
        with pytest.raises(AssertionError, match="no command /drill"):
            await discord.command(budi, channel, "/drill")
        with pytest.raises(AssertionError, match="no command /drill"):
            await discord.command(sari, discord.direct(sari), "/drill")
        discord.remove_bot()
        with pytest.raises(AssertionError, match="no command /drill"):
            await discord.command(sari, channel, "/drill")


@pytest.mark.asyncio
async def test_a_servers_own_command_stands_before_a_global_one_there_alone():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, other = discord.person("Sari"), discord.server("Other")
        discord.registers([command()])
        discord.registers([command()], guild=other)
        for guild in (discord.guild, other):
            channel = discord.channel("ml", guild=guild)
            asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
            own = guild.id if guild is other else None
            assert asked["data"].get("guild_id") == own
            await bot.answer(asked, 4, plain("x"))
            await waiting


@pytest.mark.asyncio
async def test_the_words_of_the_persons_language_are_understood_and_the_bot_gets_its_own():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari", locale="id"), discord.channel("ml")
        discord.registers([command(**LOCALIZED)])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/kuis"))
        assert asked["data"]["name"] == "quiz"
        await bot.answer(asked, 4, plain("x"))
        await waiting


# Half-typed options


@pytest.mark.asyncio
async def test_a_half_typed_option_is_completed_by_the_bot():
    async with DiscordStandin() as discord, running(discord):
        sari, channel = discord.person("Sari"), discord.channel("ml")
        delivery = await discord.complete(sari, channel, "/quiz start", quiz="che")
        assert delivery.choices == [{"name": "Checkpointing", "value": "checkpointing"}]
        with pytest.raises(AssertionError, match="user is not completed by the bot"):
            await discord.complete(sari, channel, "/quiz managers add", user="Bu")
        assert discord.violations == []


@pytest.mark.asyncio
async def test_the_option_that_is_being_written_is_focused_and_need_not_be_whole():
    async with DiscordStandin(deadline=0.1) as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        quiz = option("quiz", autocomplete=True, min_length=3, required=True)
        discord.registers([command("start", quiz)])
        asked, waiting = await bot.asked(discord.complete(sari, channel, "/start", quiz=""))
        assert asked["type"] == 4
        [written] = asked["data"]["options"]
        assert written == {"name": "quiz", "type": 3, "value": "", "focused": True}
        status, _ = await bot.answer(asked, 4, plain("x"))
        assert status == 400
        many = {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]}
        assert (await bot.answer(asked, 8, many))[0] == 400
        long = {"choices": [{"name": "n" * 101, "value": "v"}]}
        assert (await bot.answer(asked, 8, long))[0] == 400
        assert (await waiting).late
        assert discord.errors_seen_by(sari) == ["Loading options failed"]


# What is registered


@pytest.mark.asyncio
async def test_discord_tells_commands_with_what_was_left_out_and_without_what_says_nothing():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/applications/{discord.application_id}/commands"
        sent = command("quiz", option("page", 4, required=False, min_value=0), **LOCALIZED)
        status, [told] = await bot.call("PUT", path, [sent])
        assert status == 200
        assert told["description_localizations"] == {"id": "Tentang"}
        assert told["integration_types"] == [0]
        assert told["contexts"] is None
        assert told["default_member_permissions"] is None
        assert "required" not in told["options"][0]
        assert told["options"][0]["min_value"] == 0
        _, [again] = await bot.call("PUT", path, [sent])
        assert again["id"] == told["id"]
        assert again["version"] != told["version"]
        assert discord.violations == []


@pytest.mark.asyncio
async def test_localizations_are_told_only_to_who_asks_for_them():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/applications/{discord.application_id}/commands"
        discord.registers([command("quiz", option("start", 1, **LOCALIZED), **LOCALIZED)])
        _, [plainly] = await bot.call("GET", path)
        assert not set(LOCALIZED) & {*plainly, *plainly["options"][0]}
        _, [whole] = await bot.call("GET", path + "?with_localizations=true")
        assert LOCALIZED.items() <= whole.items()
        assert LOCALIZED.items() <= whole["options"][0].items()


@pytest.mark.asyncio
async def test_commands_of_a_server_are_kept_apart_and_those_of_another_app_are_not_ours():
    async with DiscordStandin() as discord, bare(discord) as bot:
        own = f"/applications/{discord.application_id}"
        in_guild = f"{own}/guilds/{discord.guild.id}/commands"
        _, [told] = await bot.call("PUT", in_guild, [command()])
        assert told["guild_id"] == discord.guild.id
        assert await bot.call("GET", f"{own}/commands") == (200, [])
        [plainly] = (await bot.call("GET", in_guild))[1]
        assert plainly.items() <= told.items()
        status, body = await bot.call("PUT", "/applications/1/commands", [])
        assert (status, body["code"]) == (403, 50001)


@pytest.mark.asyncio
async def test_commands_that_break_a_rule_are_refused_together_and_nothing_changes():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/applications/{discord.application_id}/commands"
        discord.registers([command("old")])
        status, body = await bot.call("PUT", path, [command("fine"), command("Not fine")])
        assert (status, body["code"]) == (400, 50035)
        assert "_errors" in body["errors"]["1"]["name"]
        assert [it["name"] for it in discord.commands()] == ["old"]
        route = "PUT /applications/{application}/commands"
        assert discord.violations == [f"{route}: [1].name: 'Not fine' is no name of a command"]
