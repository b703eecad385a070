"""The stand-in of Discord hands interactions over, and is strict about the answers."""

import asyncio

import pytest
from discord.utils import snowflake_time

from tests.adapters.discord.bare import EPHEMERAL, bare, button, command, plain, row, said, shown
from tests.adapters.discord.tiny_bot import QUESTION, card, running
from tests.standins.discord import Answer, DiscordStandin

# Answers, as discord.py gives them


@pytest.mark.asyncio
async def test_an_ephemeral_answer_is_seen_by_its_person_alone():
    async with DiscordStandin() as discord, running(discord):
        sari, budi, channel = discord.person("Sari"), discord.person("Budi"), discord.channel("ml")
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.acked
        assert not delivery.late
        assert delivery.answer is Answer.MESSAGE
        [message] = discord.seen_by(sari, channel)
        assert message is delivery.message
        assert message.words == QUESTION
        assert message.buttons == ["A", "B"]
        assert message.ephemeral_to is sari
        assert discord.seen_by(budi, channel) == []
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_public_answer_is_seen_by_all_who_are_there():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, budi, channel = discord.person("Sari"), discord.person("Budi"), discord.channel("ml")
        away = discord.person("Away")
        discord.leave(away)

        async def publicly(interaction, _):
            await interaction.response.send_message(view=card(QUESTION))

        bot.answer = publicly
        await discord.command(sari, channel, "/quiz start")
        assert [it.words for it in discord.seen_by(budi, channel)] == [QUESTION]
        assert discord.seen_by(away, channel) == []


@pytest.mark.asyncio
async def test_a_press_redraws_the_message_in_place_and_remembers_what_it_was():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        first = await discord.command(sari, channel, "/quiz start")
        second = await discord.press(sari, first.message, button="B")
        assert second.answer is Answer.UPDATE
        assert second.message is first.message
        [message] = discord.seen_by(sari, channel)
        assert message.words == "press.B is right."
        assert message.buttons == ["Next"]
        assert len(message.versions) == 1
        with pytest.raises(AssertionError, match="0 buttons 'A' among"):
            await discord.press(sari, message, button="A")
        again = await discord.press(sari, message, button="A", version=0)
        assert again.acked
        assert message.words == "press.A is right."
        assert bot.interactions[1].message.id == int(message.id)
        assert bot.interactions[2].message.flags.ephemeral
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_deferred_answer_thinks_until_it_is_filled_in_and_stays_ephemeral():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, budi, channel = discord.person("Sari"), discord.person("Budi"), discord.channel("ml")
        go_on = asyncio.Event()

        async def late(interaction, _):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await go_on.wait()
            await interaction.edit_original_response(view=card(QUESTION, "A"))

        bot.answer = late
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.answer is Answer.DEFERRED_MESSAGE
        assert delivery.message.loading
        assert not delivery.interaction.filled
        go_on.set()
        await discord.until(lambda: delivery.interaction.filled)
        assert not delivery.message.loading
        assert delivery.message.versions == []
        assert [it.words for it in discord.seen_by(sari, channel)] == [QUESTION]
        assert discord.seen_by(budi, channel) == []
        assert discord.violations == []


@pytest.mark.asyncio
async def test_the_first_follow_up_of_a_deferral_fills_it_in_and_cannot_choose_who_sees_it():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, budi, channel = discord.person("Sari"), discord.person("Budi"), discord.channel("ml")

        async def publicly(interaction, _):
            await interaction.response.defer(thinking=True)
            await interaction.followup.send("Secret", ephemeral=True)
            await interaction.followup.send("More", ephemeral=True)

        bot.answer = publicly
        delivery = await discord.command(sari, channel, "/quiz start")
        await discord.until(lambda: len(discord.messages(channel)) == 2)
        assert delivery.message.words == "Secret"
        assert [it.words for it in discord.seen_by(budi, channel)] == ["Secret"]
        assert [it.words for it in discord.seen_by(sari, channel)] == ["Secret", "More"]


@pytest.mark.asyncio
async def test_a_press_that_is_only_acknowledged_changes_nothing_until_something_follows():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        go_on = asyncio.Event()

        async def late(interaction, _):
            await interaction.response.defer()
            await go_on.wait()
            await interaction.edit_original_response(view=card("B is right."))
            await interaction.followup.send("By the way", ephemeral=True)

        bot.press = late
        asked = await discord.command(sari, channel, "/quiz start")
        delivery = await discord.press(sari, asked.message, button="B")
        assert delivery.answer is Answer.DEFERRED_UPDATE
        assert [it.words for it in discord.seen_by(sari, channel)] == [QUESTION]
        go_on.set()
        await discord.until(lambda: len(discord.messages(channel)) == 2)
        words = [it.words for it in discord.seen_by(sari, channel)]
        assert words == ["B is right.", "By the way"]
        assert discord.violations == []


@pytest.mark.asyncio
async def test_an_answer_can_be_read_and_deleted_again():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        await discord.command(sari, channel, "/quiz start")
        [interaction] = bot.interactions
        assert (await interaction.original_response()).components[0].id == 1
        await interaction.delete_original_response()
        assert discord.seen_by(sari, channel) == []
        assert [it.words for it in discord.messages(channel)] == [QUESTION]


@pytest.mark.asyncio
async def test_ephemerals_are_gone_when_the_client_starts_anew():
    async with DiscordStandin() as discord, running(discord):
        sari, channel = discord.person("Sari"), discord.channel("ml")
        message = (await discord.command(sari, channel, "/quiz start")).message
        discord.reload(sari)
        assert discord.seen_by(sari, channel) == []
        with pytest.raises(AssertionError, match="does not see"):
            await discord.press(sari, message, button="A")
        assert (await discord.press(sari, message, button="A", even_if_gone=True)).acked


# Answers that Discord refuses


@pytest.mark.asyncio
async def test_a_second_answer_is_refused():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")

        async def twice(interaction, quiz):
            await bot.show_question(interaction, quiz)
            interaction.response._response_type = None
            await bot.show_question(interaction, quiz)

        bot.answer = twice
        delivery = await discord.command(sari, channel, "/quiz start")
        await discord.until(lambda: delivery.refusals)
        assert delivery.refusals == [40060]
        assert len(discord.seen_by(sari, channel)) == 1
        assert discord.violations == []


@pytest.mark.asyncio
async def test_an_answer_past_the_deadline_is_unknown_and_the_person_sees_an_error():
    async with DiscordStandin(deadline=0.1) as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        bot.wait = asyncio.Event()
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.late
        assert not delivery.acked
        assert delivery.seconds >= 0.1
        bot.wait.set()
        await discord.until(lambda: delivery.refusals)
        assert delivery.refusals == [10062]
        assert discord.errors_seen_by(sari) == ["/quiz start: The application did not respond"]
        assert discord.violations == ["/quiz start: not answered within 0.1 s"]
        assert discord.seen_by(sari, channel) == []


@pytest.mark.asyncio
async def test_a_command_that_nobody_listens_for_shows_an_error_and_is_no_violation():
    async with DiscordStandin() as discord:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        delivery = await discord.command(sari, channel, "/quiz")
        assert delivery.late
        assert discord.errors_seen_by(sari) == ["/quiz: The application did not respond"]
        assert discord.violations == []


UNFIT = {6: "a deferred update", 7: "an update", 8: "choices", 1: "a pong", 12: "an activity"}


@pytest.mark.parametrize("kind", UNFIT, ids=UNFIT.values())
@pytest.mark.asyncio
async def test_an_answer_of_a_kind_that_does_not_fit_a_command_is_refused(kind):
    async with DiscordStandin(deadline=0.1) as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        status, body = await bot.answer(asked, kind, said("x"))
        assert (status, body["code"]) == (400, 50035)
        delivery = await waiting
        assert not delivery.acked
        violation = f"answer to /quiz: type: {kind} is no answer to COMMAND"
        assert violation in discord.violations


@pytest.mark.asyncio
async def test_a_refused_answer_can_be_given_again_in_time():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        status, body = await bot.answer(asked, 4, plain("x" * 2001))
        assert status == 400
        assert "_errors" in body["errors"]["content"]
        assert (await bot.answer(asked, 4, plain("x")))[0] == 200
        await waiting
        [message] = discord.seen_by(sari, channel)
        assert message.words == "x"


@pytest.mark.asyncio
async def test_a_deferral_may_only_say_whether_it_is_ephemeral():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        status, _ = await bot.answer(asked, 5, {"flags": EPHEMERAL | 1 << 15})
        assert status == 400
        status, body = await bot.answer(asked, 5, {"flags": EPHEMERAL})
        assert status == 200
        assert body["interaction"]["response_message_loading"] is True
        assert body["interaction"]["response_message_ephemeral"] is True
        assert "resource" not in body
        await waiting


# The token


@pytest.mark.asyncio
async def test_a_token_is_worth_nothing_before_the_first_answer_and_after_fifteen_minutes():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        status, body = await bot.call("POST", bot.hook(asked), plain("x"))
        assert (status, body["code"]) == (404, 10015)
        await bot.answer(asked, 4, plain("x"))
        await waiting
        assert (await bot.call("POST", bot.hook(asked), plain("y")))[0] == 200
        discord.expire_tokens()
        for method, path in [("POST", ""), ("PATCH", "/messages/@original")]:
            status, body = await bot.call(method, bot.hook(asked, path), plain("z"))
            assert (status, body["code"]) == (401, 50027)
        assert [it.words for it in discord.seen_by(sari, channel)] == ["x", "y"]


@pytest.mark.asyncio
async def test_the_life_of_a_token_can_be_short():
    async with DiscordStandin(token_life=0) as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        await bot.answer(asked, 4, plain("x"))
        await waiting
        status, body = await bot.call("GET", bot.hook(asked, "/messages/@original"))
        assert (status, body["code"]) == (401, 50027)


@pytest.mark.asyncio
async def test_a_token_reaches_only_its_own_messages():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        ids = []
        for text in ("x", "y"):
            asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
            _, body = await bot.answer(asked, 4, plain(text))
            ids.append(body["resource"]["message"]["id"])
            await waiting
        own = await bot.call("PATCH", bot.hook(asked, f"/messages/{ids[1]}"), plain("z"))
        assert own[0] == 200
        status, body = await bot.call("PATCH", bot.hook(asked, f"/messages/{ids[0]}"), plain("z"))
        assert (status, body["code"]) == (404, 10008)
        assert (await bot.call("POST", "/webhooks/1/made-up", plain("z")))[0] == 404


# What the bot is told


@pytest.mark.asyncio
async def test_an_interaction_tells_who_asks_in_which_language_and_what_each_may_do():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari = discord.person("Sari", locale="id", manager=True)
        budi, channel = discord.person("Budi"), discord.channel("ml")
        await discord.command(sari, channel, "/quiz start")
        await discord.command(budi, channel, "/quiz start")
        first, second = bot.interactions
        assert (str(first.locale), str(second.locale)) == ("id", "en-US")
        assert str(first.guild_locale) == "en-US"
        assert first.permissions.manage_guild
        assert not second.permissions.manage_guild
        assert first.app_permissions.send_messages
        assert first.context.guild
        assert first.guild.name == "Latih Lab"
        assert (first.channel.name, first.user.display_name) == ("ml", "Sari")
        assert first.expires_at > first.created_at
        assert not first.is_expired()


@pytest.mark.asyncio
async def test_ids_are_snowflakes_that_hold_their_time_and_ascend():
    async with DiscordStandin() as discord:
        first, second = discord.channel("a"), discord.channel("b")
        assert int(first.id) < int(second.id)
        age = discord.world.now() - snowflake_time(int(second.id))
        assert abs(age.total_seconds()) < 5


@pytest.mark.asyncio
async def test_a_direct_view_tells_the_user_and_no_server():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari = discord.person("Sari")
        discord.registers([command(contexts=[0, 1])])
        asked, waiting = await bot.asked(discord.command(sari, discord.direct(sari), "/quiz"))
        assert asked["user"]["id"] == sari.id
        assert asked["context"] == 1
        assert not {"member", "guild_id", "guild_locale"} & set(asked)
        await bot.answer(asked, 4, plain("x"))
        assert (await waiting).message.channel is discord.direct(sari)


@pytest.mark.asyncio
async def test_a_press_carries_the_message_that_it_was_made_on():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        body = said("Question") | {"components": [shown("Question"), row(button("A"), button("B"))]}
        _, posted = await bot.call("POST", f"/channels/{channel.id}/messages", body)
        [message] = discord.seen_by(sari, channel)
        asked, waiting = await bot.asked(discord.press(sari, message, button="B"))
        assert asked["data"] == {"custom_id": "B", "component_type": 2, "id": 4}
        assert asked["message"] == posted
        await bot.answer(asked, 6)
        assert (await waiting).acked


@pytest.mark.asyncio
async def test_a_forged_button_reaches_the_bot_and_a_disabled_one_cannot_be_pressed():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        body = plain("Question", components=[row(button("A", disabled=True))])
        await bot.call("POST", f"/channels/{channel.id}/messages", body)
        [message] = discord.seen_by(sari, channel)
        with pytest.raises(AssertionError, match="'A' is disabled"):
            await discord.press(sari, message, button="A")
        asked, waiting = await bot.asked(
            discord.press_custom_id(sari, message, custom_id="1.r.forged.0.A")
        )
        assert asked["data"]["custom_id"] == "1.r.forged.0.A"
        await bot.answer(asked, 6)
        await waiting


# The same thing twice


@pytest.mark.asyncio
async def test_two_presses_at_once_are_two_interactions():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        message = (await discord.command(sari, channel, "/quiz start")).message
        both = [discord.press(sari, message, button=label) for label in "AB"]
        one, two = await asyncio.gather(*both)
        assert one.acked
        assert two.acked
        assert one.interaction.id != two.interaction.id
        assert len(bot.interactions) == 3


@pytest.mark.asyncio
async def test_the_very_same_press_delivered_again_can_be_answered_once_only():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        message = (await discord.command(sari, channel, "/quiz start")).message
        first = await discord.press(sari, message, button="A")
        again = await discord.redeliver(first)
        assert again.refusals == [40060]
        assert bot.interactions[1].id == bot.interactions[2].id
        twice = await discord.press(sari, message, button="Next", copies=2)
        assert twice.acked
        assert twice.refusals == [40060]
        assert discord.violations == []
