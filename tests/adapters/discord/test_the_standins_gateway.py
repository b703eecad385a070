"""The stand-in's gateway: who gets in, who is told what, and how a lost session comes back."""

import asyncio

import discord as library
import pytest

from tests.adapters.discord.bare import EPHEMERAL, GUILDS, bare, command, plain
from tests.adapters.discord.tiny_bot import TinyBot, points_to, running
from tests.standins.discord import DiscordStandin, Permission

RESUMED, IDENTIFIED = "resumed", "identified"


@pytest.mark.asyncio
async def test_a_bot_that_identifies_is_told_who_it_is_and_where():
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = discord.channel("ml")
        await discord.until(lambda: discord.gateway.live)
        assert bot.user.id == int(discord.application_id)
        assert [guild.name for guild in bot.guilds] == ["Latih Lab"]
        async with bare(discord, compressed=True) as other:
            await other.ready()
            guild = await other.event("GUILD_CREATE")
            assert [it["id"] for it in guild["channels"]] == [channel.id]
            assert [it["user"]["id"] for it in guild["members"]] == [discord.application_id]
        assert discord.violations == []


@pytest.mark.parametrize("compressed", [True, False], ids=["zlib-stream", "plain"])
@pytest.mark.asyncio
async def test_frames_are_compressed_only_for_who_asks_for_it(compressed):
    async with DiscordStandin() as discord, bare(discord, compressed=compressed) as bot:
        hello = await bot.frame()
        assert hello == {"op": 10, "d": {"heartbeat_interval": 41250}, "s": None, "t": None}
        await bot.says(1, None)
        assert (await bot.frame())["op"] == 11
        ready = await bot.ready()
        assert ready["resume_gateway_url"] == discord.gateway_url
        assert bot.seq == 1


PRIVILEGED = {"members": 1 << 1, "presences": 1 << 8, "message content": 1 << 15}


@pytest.mark.parametrize("intent", PRIVILEGED.values(), ids=PRIVILEGED)
@pytest.mark.asyncio
async def test_a_privileged_intent_closes_the_connection(intent):
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.identify(intents=GUILDS | intent)
        assert await bot.closed() == 4014
        assert discord.violations == ["gateway: 4014 Disallowed intent(s)."]


@pytest.mark.asyncio
async def test_discord_py_ends_when_it_asks_for_a_privileged_intent():
    async with DiscordStandin() as discord:
        points_to(discord)
        async with TinyBot(intents=library.Intents(guilds=True, members=True)) as bot:
            await bot.login(discord.bot_token)
            with pytest.raises(library.PrivilegedIntentsRequired):
                await bot.connect()


@pytest.mark.asyncio
async def test_a_token_that_is_not_the_bots_is_refused_at_both_doors():
    async with DiscordStandin() as discord:
        points_to(discord)
        async with TinyBot() as bot:
            with pytest.raises(library.LoginFailure):
                await bot.login("made-up")
            assert discord.calls[-1].status == 401
        async with bare(discord) as client:
            await client.identify(token="made-up")
            assert await client.closed() == 4004
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_revoked_token_ends_the_bot():
    async with DiscordStandin() as discord:
        points_to(discord)
        async with TinyBot() as bot:
            await bot.login(discord.bot_token)
            connecting = asyncio.create_task(bot.connect())
            await discord.connected()
            fresh = discord.revoke_token()
            assert fresh == discord.bot_token
            with pytest.raises(library.ConnectionClosed) as closed:
                await connecting
            assert closed.value.code == 4004


FAULTS = {
    "no JSON": (4002, "hello"),
    "no opcode": (4002, "{}"),
    "too long": (4002, '{"op":1,"d":"' + "x" * 4096 + '"}'),
    "unknown opcode": (4001, '{"op":99,"d":null}'),
    "too early": (4003, '{"op":3,"d":null}'),
}


@pytest.mark.parametrize(("code", "text"), FAULTS.values(), ids=FAULTS)
@pytest.mark.asyncio
async def test_a_frame_that_makes_no_sense_closes_the_connection(code, text):
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.socket.send_str(text)
        assert await bot.closed() == code
        assert len(discord.violations) == 1


IDENTITIES = {
    "an unknown intent": (4013, {"intents": 1 << 30}),
    "an impossible shard": (4010, {"shard": [2, 2]}),
}


@pytest.mark.parametrize(("code", "identity"), IDENTITIES.values(), ids=IDENTITIES)
@pytest.mark.asyncio
async def test_an_identity_that_makes_no_sense_closes_the_connection(code, identity):
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.identify(**identity)
        assert await bot.closed() == code


@pytest.mark.asyncio
async def test_who_identifies_twice_is_thrown_out():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        await bot.identify()
        assert await bot.closed() == 4005


@pytest.mark.asyncio
async def test_who_sends_no_heartbeat_is_given_up():
    async with DiscordStandin(heartbeat=0) as discord, bare(discord) as bot:
        await bot.ready()
        assert await bot.closed() == 4009


# Who is told


@pytest.mark.asyncio
async def test_each_session_of_one_token_gets_every_interaction_and_one_of_them_answers():
    async with DiscordStandin() as discord, running(discord) as one, running(discord) as two:
        await discord.connected(sessions=2)
        sari, channel = discord.person("Sari"), discord.channel("ml")
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.acked
        await discord.until(lambda: delivery.refusals)
        assert delivery.refusals == [40060]
        assert one.interactions[0].id == two.interactions[0].id
        assert len(discord.seen_by(sari, channel)) == 1
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_shard_gets_its_own_servers_and_the_first_one_the_direct_views():
    async with DiscordStandin() as discord, bare(discord) as zero, bare(discord) as one:
        bots = {0: zero, 1: one}
        for shard, bot in bots.items():
            ready = await bot.ready(shard=[shard, 2])
            assert ready["shard"] == [shard, 2]
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command(contexts=[0, 1])])
        own = bots[(int(discord.guild.id) >> 22) % 2]
        asked, waiting = await own.asked(discord.command(sari, channel, "/quiz"))
        await own.answer(asked, 4, plain("x"))
        await waiting
        asked, waiting = await zero.asked(discord.command(sari, discord.direct(sari), "/quiz"))
        await zero.answer(asked, 4, plain("x"))
        await waiting
        told = {session.shard[0]: "\n".join(session.events) for session in discord.gateway.live}
        owner = (int(discord.guild.id) >> 22) % 2
        assert told[owner].count("INTERACTION_CREATE") == (2 if owner == 0 else 1)
        assert told[1 - owner].count("INTERACTION_CREATE") == (0 if owner == 0 else 1)
        assert told[1 - owner].count("GUILD_CREATE") == 0


@pytest.mark.asyncio
async def test_a_session_without_intents_still_gets_interactions_and_nothing_else():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready(intents=0)
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        waiting = asyncio.create_task(discord.command(sari, channel, "/quiz"))
        frame = await bot.frame()
        assert (frame["t"], frame["s"]) == ("INTERACTION_CREATE", 2)
        await bot.answer(frame["d"], 4, plain("x"))
        await waiting


@pytest.mark.asyncio
async def test_messages_are_told_to_who_wants_them_and_ephemerals_to_nobody():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready(intents=1 << 9)
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        await bot.answer(asked, 4, plain("secret", flags=EPHEMERAL))
        await waiting
        path = f"/channels/{channel.id}/messages"
        _, posted = await bot.call("POST", path, plain("x"))
        created = await bot.event("MESSAGE_CREATE")
        assert created == posted | {"guild_id": discord.guild.id}
        await bot.call("PATCH", f"{path}/{posted['id']}", plain("y"))
        assert (await bot.event("MESSAGE_UPDATE"))["content"] == "y"
        await bot.call("DELETE", f"{path}/{posted['id']}")
        assert (await bot.event("MESSAGE_DELETE"))["id"] == posted["id"]


@pytest.mark.asyncio
async def test_what_happens_to_channels_and_servers_is_told():
    async with DiscordStandin() as discord, running(discord) as bot:
        channel = discord.channel("ml")
        thread = discord.thread("a thread", channel)
        other = discord.server("Other", locale="id")
        discord.forbid(channel, Permission.SEND_MESSAGES)
        discord.remove_bot()
        joined = await _eventually(bot, lambda: bot.get_guild(int(other.id)))
        assert str(joined.preferred_locale) == "id"
        await _eventually(bot, lambda: bot.get_guild(int(discord.guild.id)) is None)
        discord.invite_bot()
        back = await _eventually(bot, lambda: bot.get_guild(int(discord.guild.id)))
        [found] = back.text_channels
        assert not found.permissions_for(back.me).send_messages
        assert found.permissions_for(back.me).view_channel
        assert [it.id for it in back.threads] == [int(thread.id)]
        discord.permit(channel, Permission.SEND_MESSAGES)
        discord.delete_channel(thread)
        discord.rename_server("Renamed")
        await _eventually(bot, lambda: back.name == "Renamed")
        assert found.permissions_for(back.me).send_messages
        assert not back.threads


async def _eventually(bot, predicate):
    """What a bot knows changes with the events that it gets."""
    while not (value := predicate()):
        await bot.wait_for("socket_event_type", timeout=5)
        await asyncio.sleep(0)
    return value


# Lost and found


@pytest.mark.asyncio
async def test_a_dropped_session_is_resumed_and_gets_what_it_missed():
    async with DiscordStandin() as discord, running(discord) as bot:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.drop_sockets(4000)
        delivery = await discord.command(sari, channel, "/quiz start")
        assert delivery.acked
        assert discord.gateway.log == [IDENTIFIED, RESUMED]
        discord.drop_sockets()
        assert (await discord.command(sari, channel, "/quiz start")).acked
        assert discord.gateway.log == [IDENTIFIED, RESUMED, RESUMED]
        assert len(bot.interactions) == 2
        assert discord.violations == []


@pytest.mark.asyncio
async def test_a_session_is_replayed_from_the_last_thing_that_was_heard():
    async with DiscordStandin() as discord:
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        async with bare(discord) as bot:
            await bot.ready()
            await bot.event("GUILD_CREATE")
            session, seq = bot.session_id, bot.seq
            await bot.socket.close(code=4000)
        waiting = asyncio.create_task(discord.command(sari, channel, "/quiz"))
        async with bare(discord) as bot:
            await bot.resume(session, seq)
            asked = await bot.event("INTERACTION_CREATE")
            assert (await bot.frame())["t"] == "RESUMED"
            await bot.answer(asked, 4, plain("x"))
            assert (await waiting).acked


@pytest.mark.asyncio
async def test_a_session_that_was_ended_or_forgotten_cannot_be_resumed():
    async with DiscordStandin() as discord:
        async with bare(discord) as bot:
            await bot.ready()
            session = bot.session_id
            await bot.socket.close(code=1000)
        await discord.until(lambda: not discord.gateway.sessions)
        async with bare(discord) as bot:
            await bot.resume(session, 1)
            await bot.frame()
            assert await bot.frame() == {"op": 9, "d": False, "s": None, "t": None}


@pytest.mark.asyncio
async def test_a_sequence_from_the_future_is_thrown_out():
    async with DiscordStandin() as discord:
        async with bare(discord) as bot:
            await bot.ready()
            session = bot.session_id
            await bot.socket.close(code=4000)
        async with bare(discord) as bot:
            await bot.resume(session, 99)
            assert await bot.closed() == 4007
            assert discord.gateway.sessions == []


@pytest.mark.asyncio
async def test_a_bot_asked_to_reconnect_resumes():
    async with DiscordStandin() as discord, running(discord):
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.ask_to_reconnect()
        await discord.until(lambda: RESUMED in discord.gateway.log)
        assert (await discord.command(sari, channel, "/quiz start")).acked


@pytest.mark.parametrize("resumable", [True, False])
@pytest.mark.asyncio
async def test_an_invalidated_session_is_resumed_only_when_it_may_be(resumable):
    async with DiscordStandin() as discord, running(discord):
        discord.invalidate_sessions(resumable=resumable)
        await discord.until(lambda: len(discord.gateway.log) == 2)
        assert discord.gateway.log == [IDENTIFIED, RESUMED if resumable else IDENTIFIED]
        await discord.connected()


@pytest.mark.asyncio
async def test_a_forgotten_session_is_identified_anew_after_its_next_loss():
    async with DiscordStandin() as discord, running(discord):
        discord.forget_sessions()
        await discord.connected()
        discord.drop_sockets(4000)
        await discord.until(lambda: discord.gateway.log.count(IDENTIFIED) == 2)
        assert "resume refused" in discord.gateway.log
