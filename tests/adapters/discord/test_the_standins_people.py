"""People in front of the stand-in: they type, complete, press, fill in and see."""

import asyncio

import discord as library
import pytest

from tests.adapters.discord.people import DiscordUser
from tests.adapters.discord.tiny_bot import QUESTION, card, running
from tests.standins.discord import DiscordStandin


def two_people(discord):
    """In one channel."""
    channel = discord.channel("ml-infra")
    sari, budi = discord.person("Sari", locale="id"), discord.person("Budi")
    return DiscordUser(discord, sari, channel), DiscordUser(discord, budi, channel)


@pytest.mark.asyncio
async def test_a_person_types_presses_and_sees():
    async with DiscordStandin() as discord, running(discord):
        sari, budi = two_people(discord)
        screen = await sari.types("/quiz start", quiz="checkpointing")
        assert screen.words == QUESTION
        await sari.presses("B")
        assert sari.sees("press.B is right.")
        assert sari.screen is screen
        assert budi.messages == []
        assert discord.violations == []


@pytest.mark.asyncio
async def test_people_may_be_named_in_a_command():
    async with DiscordStandin() as discord, running(discord):
        sari, budi = two_people(discord)
        await sari.types("/quiz managers add", user=budi)
        assert sari.sees("Budi manages.")


@pytest.mark.asyncio
async def test_a_person_is_offered_choices_by_name():
    async with DiscordStandin() as discord, running(discord):
        sari, _ = two_people(discord)
        offered = await sari.completes("/quiz start", quiz="c")
        assert offered == {"Checkpointing": "checkpointing", "Collectives": "collectives"}
        assert await sari.completes("/quiz start", quiz="x") == {}


@pytest.mark.asyncio
async def test_a_person_waits_until_a_deferral_is_filled_in():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        go_on = asyncio.Event()

        async def slowly(interaction, _):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await go_on.wait()
            await interaction.edit_original_response(view=card("Late", "A"))

        bot.answer = slowly
        typing = asyncio.create_task(sari.types("/quiz start"))
        await discord.until(lambda: sari.messages and sari.screen.loading)
        go_on.set()
        assert (await typing).words == "Late"


@pytest.mark.asyncio
async def test_a_person_waits_for_what_follows_a_press_that_was_only_acknowledged():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        go_on = asyncio.Event()

        async def silently(interaction, _):
            await interaction.response.defer()
            await go_on.wait()
            await interaction.followup.send(view=card("Later"), ephemeral=True)

        bot.press = silently
        question = await sari.types("/quiz start")
        acknowledged = await sari.presses("A", waits=False)
        assert not acknowledged.interaction.filled
        go_on.set()
        await discord.until(lambda: acknowledged.interaction.filled)
        await sari.presses("A", on=question)
        assert [it.words for it in sari.messages] == [QUESTION, "Later", "Later"]


@pytest.mark.asyncio
async def test_a_person_presses_twice_at_once_and_on_what_the_message_was_before():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        await sari.types("/quiz start")
        one, two = await sari.presses_twice("A")
        assert one.interaction.id != two.interaction.id
        await sari.presses_twice("A", "B", on=await sari.types("/quiz start"))
        await sari.presses("B", version=0)
        assert sari.sees("press.B is right.")
        again = await sari.repeats()
        assert again.refusals == [40060]
        assert len(bot.interactions) == 8


@pytest.mark.asyncio
async def test_a_person_presses_a_button_of_an_older_version_of_the_bot():
    async with DiscordStandin() as discord, running(discord):
        sari, _ = two_people(discord)
        await sari.types("/quiz start")
        await sari.presses_custom_id("0.old")
        assert sari.sees("0.old is right.")


@pytest.mark.asyncio
async def test_a_person_who_starts_the_client_anew_has_lost_what_only_they_saw():
    async with DiscordStandin() as discord, running(discord):
        sari, _ = two_people(discord)
        await sari.types("/quiz start")
        sari.reloads()
        assert sari.messages == []


@pytest.mark.asyncio
async def test_a_person_sees_an_error_when_nothing_comes():
    async with DiscordStandin(deadline=0.05) as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        bot.wait = asyncio.Event()
        with pytest.raises(AssertionError, match="did not respond"):
            await sari.types("/quiz start")
        assert sari.errors == ["/quiz start: The application did not respond"]
        bot.wait.set()
        await discord.until(lambda: sari.deliveries[0].refusals)


class Report(library.ui.Modal, title="Report a question"):
    wrong = library.ui.Label(text="What is wrong?", component=library.ui.TextInput(min_length=3))
    which = library.ui.Label(
        text="Which part?",
        component=library.ui.Select(
            custom_id="which",
            required=False,
            options=[library.SelectOption(label="The key", value="key")],
        ),
    )

    async def on_submit(self, interaction):
        said = f"{self.wrong.component.value}: {self.which.component.values}"
        if interaction.message is None:
            await interaction.response.send_message(said, ephemeral=True)
        else:
            await interaction.response.edit_message(view=card(said))


@pytest.mark.asyncio
async def test_a_person_fills_in_a_form_that_a_command_opened():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        bot.answer = lambda interaction, _: interaction.response.send_modal(Report())
        form = await sari.opens("/quiz start")
        assert form.modal["title"] == "Report a question"
        with pytest.raises(AssertionError, match="What is wrong\\? has to be filled in"):
            await sari.submits(form)
        with pytest.raises(AssertionError, match="has a wrong length"):
            await sari.submits(form, **{"What is wrong?": "no"})
        with pytest.raises(AssertionError, match="is not among"):
            await sari.submits(form, which="stem", **{"What is wrong?": "All"})
        await sari.submits(form, which="The key", **{"What is wrong?": "All"})
        assert sari.sees("All: ['key']")
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_form_that_a_press_opened_may_redraw_what_was_pressed():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        bot.press = lambda interaction, _: interaction.response.send_modal(Report())
        screen = await sari.types("/quiz start")
        form = await sari.presses("A")
        await sari.submits(form, **{"What is wrong?": "All"})
        assert screen.words == "All: []"
        assert len(sari.messages) == 1
        with pytest.raises(AssertionError, match="answered with"):
            await sari.opens("/quiz managers add", user=sari)


@pytest.mark.asyncio
async def test_a_failed_wait_tells_what_everyone_sees():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, _ = two_people(discord)
        bot.answer = lambda interaction, _: interaction.response.defer(thinking=True)
        await discord.command(sari.person, sari.channel, "/quiz start")
        discord.world.violate("something")
        with pytest.raises(AssertionError) as told:
            await discord.until(lambda: False, timeout=0.01)
        for words in ("Sari sees", "Budi sees", "ml-infra", "is thinking", "violation: something"):
            assert words in str(told.value)
