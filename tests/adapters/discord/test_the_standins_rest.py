"""The stand-in's REST API: tokens, places and what may be done in them, messages."""

import aiohttp
import discord as library
import pytest

from tests.adapters.discord.bare import EPHEMERAL, bare, button, command, plain, row, said, shown
from tests.adapters.discord.tiny_bot import card, running
from tests.standins.discord import DiscordStandin, Permission

# Doors


@pytest.mark.asyncio
async def test_every_path_of_the_bot_wants_its_token_and_those_of_an_interaction_do_not():
    async with DiscordStandin() as discord, bare(discord) as bot:
        own = f"/applications/{discord.application_id}/commands"
        channel = f"/channels/{discord.channel('ml').id}"
        for path in ("/gateway/bot", "/users/@me", "/oauth2/applications/@me", own, channel):
            status, body = await bot.call("GET", path, token="made-up")
            assert (status, body["message"]) == (401, "401: Unauthorized")
            assert (await bot.call("GET", path))[0] == 200
        assert (await bot.call("GET", "/gateway", token="made-up"))[0] == 200
        status, body = await bot.call("POST", "/interactions/1/x/callback", {}, token="made-up")
        assert (status, body["code"]) == (404, 10062)
        assert discord.violations == []


@pytest.mark.asyncio
async def test_the_bot_learns_who_it_is_and_where_the_gateway_is():
    async with DiscordStandin() as discord, bare(discord) as bot:
        _, me = await bot.call("GET", "/users/@me")
        assert (me["id"], me["bot"]) == (discord.application_id, True)
        for path in ("/oauth2/applications/@me", "/applications/@me"):
            _, application = await bot.call("GET", path)
            assert application["id"] == discord.application_id
        _, gateway = await bot.call("GET", "/gateway")
        assert gateway == {"url": discord.gateway_url}
        _, gateway = await bot.call("GET", "/gateway/bot")
        assert gateway["url"] == discord.gateway_url
        assert gateway["session_start_limit"]["max_concurrency"] == 1


@pytest.mark.asyncio
async def test_the_bot_finds_its_servers_channels_and_people():
    async with DiscordStandin() as discord, bare(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        guild = f"/guilds/{discord.guild.id}"
        _, [mine] = await bot.call("GET", "/users/@me/guilds")
        assert (mine["id"], mine["name"]) == (discord.guild.id, "Latih Lab")
        assert (await bot.call("GET", guild))[1]["name"] == "Latih Lab"
        _, [found] = await bot.call("GET", guild + "/channels")
        assert found == (await bot.call("GET", f"/channels/{channel.id}"))[1]
        _, member = await bot.call("GET", f"{guild}/members/{sari.id}")
        assert member["user"] == (await bot.call("GET", f"/users/{sari.id}"))[1]
        discord.leave(sari)
        assert (await bot.call("GET", f"{guild}/members/{sari.id}"))[1]["code"] == 10007
        discord.remove_bot()
        assert await bot.call("GET", "/users/@me/guilds") == (200, [])
        assert (await bot.call("GET", guild))[1]["code"] == 50001


UNKNOWN = {
    "/users/1": 10013,
    "/guilds/1": 10004,
    "/channels/1": 10003,
    "/channels/1/messages/1": 10003,
}


@pytest.mark.parametrize(("path", "code"), UNKNOWN.items())
@pytest.mark.asyncio
async def test_what_is_not_there_has_a_number(path, code):
    async with DiscordStandin() as discord, bare(discord) as bot:
        status, body = await bot.call("GET", path)
        assert (status, body["code"]) == (404, code)


@pytest.mark.asyncio
async def test_a_path_that_the_stand_in_does_not_have_is_noted():
    async with DiscordStandin() as discord, bare(discord) as bot:
        assert (await bot.call("GET", "/voice/regions"))[0] == 404
        path = "GET /voice/regions"
        assert discord.violations == [f"{path}: the stand-in has no such path"]


@pytest.mark.asyncio
async def test_a_body_that_is_no_json_is_refused():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/channels/{discord.channel('ml').id}/messages"
        status, body = await bot.call("POST", path, data="{")
        assert (status, body["code"]) == (400, 50109)


# What the bot may do where


@pytest.mark.asyncio
async def test_a_channel_that_the_bot_cannot_see_gives_no_access_at_all():
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = discord.channel("secret")
        discord.forbid(channel, Permission.VIEW_CHANNEL)
        with pytest.raises(library.Forbidden) as refused:
            await bot.get_partial_messageable(int(channel.id)).send("x")
        assert refused.value.code == 50001
        discord.permit(channel, Permission.VIEW_CHANNEL)
        await bot.get_partial_messageable(int(channel.id)).send("x")
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_mute_bot_can_still_answer_interactions():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.forbid(channel, Permission.SEND_MESSAGES)
        with pytest.raises(library.Forbidden) as refused:
            await bot.get_partial_messageable(int(channel.id)).send("x")
        assert refused.value.code == 50013
        assert (await discord.command(sari, channel, "/quiz start")).acked
        assert not bot.interactions[0].app_permissions.send_messages


@pytest.mark.asyncio
async def test_a_thread_has_its_own_permission_and_takes_nothing_once_it_is_locked():
    async with DiscordStandin() as discord, bare(discord) as bot:
        thread = discord.thread("questions", discord.channel("ml"))
        path = f"/channels/{thread.id}/messages"
        assert (await bot.call("POST", path, plain("x")))[0] == 200
        discord.forbid(thread, Permission.SEND_MESSAGES_IN_THREADS)
        assert (await bot.call("POST", path, plain("x")))[1]["code"] == 50013
        discord.permit(thread, Permission.SEND_MESSAGES_IN_THREADS)
        discord.lock(thread)
        assert (await bot.call("POST", path, plain("x")))[1]["code"] == 50083
        discord.delete_channel(thread)
        assert (await bot.call("POST", path, plain("x")))[1]["code"] == 10003


@pytest.mark.asyncio
async def test_a_server_without_the_bot_gives_no_access():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/channels/{discord.channel('ml').id}/messages"
        discord.remove_bot()
        assert (await bot.call("POST", path, plain("x")))[1]["code"] == 50001
        discord.invite_bot()
        assert (await bot.call("POST", path, plain("x")))[0] == 200


@pytest.mark.asyncio
async def test_a_direct_view_is_opened_by_the_user_unless_they_refuse():
    async with DiscordStandin() as discord, bare(discord) as bot:
        sari, budi = discord.person("Sari"), discord.person("Budi", refuses_direct=True)
        for person, status in ((sari, 200), (budi, 403)):
            opened = {"recipient_id": person.id}
            _, direct = await bot.call("POST", "/users/@me/channels", opened)
            assert direct["recipients"][0]["id"] == person.id
            path = f"/channels/{direct['id']}/messages"
            assert (await bot.call("POST", path, plain("Hi")))[0] == status
        assert [it.words for it in discord.seen_by(sari, discord.direct(sari))] == ["Hi"]
        unknown = await bot.call("POST", "/users/@me/channels", {"recipient_id": "1"})
        assert unknown[1]["code"] == 50033


# Messages


@pytest.mark.asyncio
async def test_a_message_is_posted_read_changed_and_deleted():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        posted = await bot.get_partial_messageable(int(channel.id)).send(view=card("Hi", "A"))
        [message] = discord.seen_by(sari, channel)
        assert message.words == "Hi"
        assert (await posted.fetch()).components[0].id == 1
        changed = await posted.edit(view=card("Bye"), allowed_mentions=bot.allowed_mentions)
        assert changed.edited_at is not None
        assert message.words == "Bye"
        assert message.versions[0][1][0]["components"][0]["content"] == "Hi"
        await posted.delete()
        assert discord.seen_by(sari, channel) == []
        with pytest.raises(library.NotFound) as unknown:
            await posted.edit(view=card("Bye"), allowed_mentions=bot.allowed_mentions)
        assert unknown.value.code == 10008
        assert discord.violations == []


@pytest.mark.asyncio
async def test_the_history_has_the_newest_first_and_nothing_without_the_permission():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        posted = [(await bot.call("POST", path, plain(str(n))))[1] for n in range(3)]
        _, found = await bot.call("GET", path + "?limit=2")
        assert [it["content"] for it in found] == ["2", "1"]
        discord.forbid(channel, Permission.READ_MESSAGE_HISTORY)
        assert await bot.call("GET", path) == (200, [])
        assert (await bot.call("GET", f"{path}/{posted[0]['id']}"))[1]["code"] == 50013


@pytest.mark.asyncio
async def test_a_reply_refers_to_its_message_and_needs_the_permission_to_read_it():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        _, first = await bot.call("POST", path, plain("x"))
        reply = plain("y", message_reference={"message_id": first["id"]})
        _, second = await bot.call("POST", path, reply)
        assert second["type"] == 19
        assert second["message_reference"]["message_id"] == first["id"]
        _, gone = await bot.call("POST", path, plain("z", message_reference={"message_id": "1"}))
        assert gone["code"] == 50035
        discord.forbid(channel, Permission.READ_MESSAGE_HISTORY)
        assert (await bot.call("POST", path, reply))[1]["code"] == 160002


@pytest.mark.asyncio
async def test_an_ephemeral_message_is_never_found_through_its_channel():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        _, body = await bot.answer(asked, 4, plain("x", flags=EPHEMERAL))
        await waiting
        path = f"/channels/{channel.id}/messages"
        message = f"{path}/{body['resource']['message']['id']}"
        for method in ("GET", "PATCH", "DELETE"):
            status, body = await bot.call(method, message, plain("y"))
            assert (status, body["code"]) == (404, 10008)
        assert await bot.call("GET", path) == (200, [])
        assert (await bot.call("PATCH", bot.hook(asked, "/messages/@original"), plain("y")))[
            0
        ] == 200
        assert [it.words for it in discord.seen_by(sari, channel)] == ["y"]


@pytest.mark.asyncio
async def test_a_nonce_of_the_past_few_minutes_gives_the_message_that_carried_it():
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = discord.channel("ml")
        place = bot.get_partial_messageable(int(channel.id))
        first = await place.send("x", nonce="quiz-7-1")
        again = await place.send("x", nonce="quiz-7-1")
        assert (again.id, again.nonce) == (first.id, "quiz-7-1")
        assert len(discord.messages(channel)) == 1
        discord.forget_nonces()
        assert (await place.send("x", nonce="quiz-7-1")).id != first.id
        with pytest.raises(library.HTTPException) as refused:
            await place.send("x", nonce="n" * 26)
        assert refused.value.code == 50035


@pytest.mark.asyncio
async def test_an_empty_message_is_refused():
    async with DiscordStandin() as discord, bare(discord) as bot:
        path = f"/channels/{discord.channel('ml').id}/messages"
        status, body = await bot.call("POST", path, {"content": ""})
        assert (status, body["code"]) == (400, 50006)


@pytest.mark.asyncio
async def test_a_file_is_kept_and_shown_where_a_component_points_to_it():
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = discord.channel("ml")
        place = bot.get_partial_messageable(int(channel.id))
        picture = library.File(__file__, filename="chart.png")
        view = library.ui.LayoutView()
        gallery = library.ui.MediaGallery()
        gallery.add_item(media=picture, description="A chart of scores")
        view.add_item(gallery)
        posted = await place.send(view=view, file=picture)
        [message] = discord.messages(channel)
        assert message.words == "A chart of scores"
        [attachment] = posted.attachments
        assert attachment.filename == "chart.png"
        assert attachment.size > 1000
        assert posted.components[0].items[0].media.url == attachment.url
        await posted.edit(view=card("No chart any more"), attachments=[])
        assert message.attachments == []
        discord.forbid(channel, Permission.ATTACH_FILES)
        with pytest.raises(library.Forbidden):
            await place.send(file=library.File(__file__))


@pytest.mark.asyncio
async def test_a_change_keeps_what_it_does_not_name():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        both = plain("Question", components=[row(button("A"))])
        _, posted = await bot.call("POST", path, both)
        await bot.call("PATCH", f"{path}/{posted['id']}", plain("Changed"))
        [message] = discord.messages(channel)
        assert (message.words, message.buttons) == ("Changed", ["A"])
        await bot.call("PATCH", f"{path}/{posted['id']}", {"components": []})
        assert (message.words, message.buttons) == ("Changed", [])


@pytest.mark.asyncio
async def test_a_message_turns_to_components_only_when_the_rest_is_emptied_and_never_back():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        _, posted = await bot.call("POST", path, plain("Question"))
        own = f"{path}/{posted['id']}"
        assert (await bot.call("PATCH", own, said("x")))[0] == 400
        status, turned = await bot.call("PATCH", own, said("x") | {"content": None, "embeds": []})
        assert (status, turned["flags"], turned["content"]) == (200, 1 << 15, "")
        assert (await bot.call("PATCH", own, plain("back", flags=0)))[0] == 400
        assert (await bot.call("PATCH", own, {"components": [shown("y")]}))[0] == 200
        [message] = discord.messages(channel)
        assert message.words == "y"


@pytest.mark.asyncio
async def test_requests_are_remembered_with_what_became_of_them():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        await bot.call("POST", f"/channels/{channel.id}/messages", plain("x"))
        await bot.call("GET", "/users/1")
        post, get = discord.calls
        assert post.what == "POST /channels/{channel}/messages"
        assert post.path == f"/channels/{channel.id}/messages"
        assert (post.body["content"], post.status, post.error) == ("x", 200, None)
        assert (get.status, get.error) == (404, 10013)


@pytest.mark.asyncio
async def test_an_answer_is_read_as_json_by_its_type_alone():
    async with (
        DiscordStandin() as discord,
        aiohttp.ClientSession() as session,
        session.get(discord.api_url + "/gateway") as response,
    ):
        assert response.headers["Content-Type"] == "application/json"
