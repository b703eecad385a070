"""Each rule for what the bot sends: its breach is noted, and refused where Discord refuses it."""

import pytest

from tests.adapters.discord.bare import bare, button, command, option, plain, row, said, shown
from tests.standins.discord import DiscordStandin
from tests.standins.discord_command_rules import command_breaches
from tests.standins.discord_forms import choice_breaches, modal_breaches
from tests.standins.discord_rules import message_breaches
from tests.standins.discord_words import words_of

V2 = 1 << 15


def screen(*components, **more):
    dead = {"allowed_mentions": {"parse": []}}
    return {"flags": V2, "components": list(components), **dead, **more}


def container(*components, **more):
    return {"type": 17, "components": list(components), **more}


def section(*texts, beside=None):
    return {"type": 9, "components": list(texts), "accessory": beside or button("A")}


def select(*values, **more):
    options = [{"label": value, "value": value} for value in values]
    return {"type": 3, "custom_id": "s", "options": options, **more}


def gallery(*urls):
    return {"type": 12, "items": [{"media": {"url": url}} for url in urls]}


def buttons(number):
    """Rows of at most five, with as many buttons as asked for."""
    ids = [str(n) for n in range(number)]
    return [row(*map(button, ids[n : n + 5])) for n in range(0, number, 5)]


FINE = {
    "a text": screen(shown("x" * 4000)),
    "a container of everything": screen(
        container(
            shown("# Question"),
            {"type": 14, "divider": True, "spacing": 2},
            section(shown("a"), shown("b"), shown("c")),
            gallery("https://example.org/a.png"),
            row(select(*map(str, range(25)), placeholder="p" * 150)),
            row(button("B" * 80, "b" * 100), button("C"), button("D"), button("E"), button("F")),
            accent_color=0xFFFFFF,
        )
    ),
    "forty components": screen(shown("x"), *buttons(32)),
    "a link": screen(row({"type": 2, "style": 5, "label": "Source", "url": "https://a.org"})),
    "an emoji alone": screen(row(button("", "a", emoji={"name": "🔥"}))),
    "a thumbnail": screen(
        section(shown("a"), beside={"type": 11, "media": {"url": "https://a.org/a.png"}})
    ),
    "plain text with five rows": plain("x" * 2000, components=buttons(25)),
    "an embed": plain("", embeds=[{"title": "t" * 256, "description": "d" * 4096}]),
    "nothing to ping with": {"flags": 64},
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_a_well_formed_message_has_no_breach(body):
    assert message_breaches(body) == []


REFUSED = {
    "content beside": (screen(shown("x"), content="y"), "content: cannot be used together"),
    "embeds beside": (screen(shown("x"), embeds=[{}]), "embeds: cannot be used together"),
    "no components": (screen(), "components: empty"),
    "no list": (screen() | {"components": "x"}, "not a list of components"),
    "components without the flag": (plain("", components=[shown("x")]), "type 10 cannot stand"),
    "an unknown flag": (plain("x", flags=1 << 7), "128 cannot be set"),
    "a long content": (plain("x" * 2001), "2001 characters, at most 2000"),
    "six rows": (plain("x", components=buttons(26)), "6 rows, at most 5"),
    "a button without a row": (screen(button("A")), "type 2 cannot stand here"),
    "a container in another": (screen(container(container(shown("x")))), "type 17 cannot"),
    "an unknown component": (screen({"type": 99}), "type 99 cannot stand here"),
    "an empty container": (screen(container()), "0 items, 1 to 40"),
    "no colour": (screen(container(shown("x"), accent_color=1 << 24)), "is no colour"),
    "41 components": (screen(shown("x"), *buttons(32), shown("y")), "41 components"),
    "much text": (screen(shown("x" * 2000), container(shown("y" * 2001))), "4001 characters of"),
    "one long text": (screen(shown("x" * 4001)), "4001 characters, at most 4000"),
    "an empty text": (screen(shown("")), "content: empty"),
    "an empty row": (screen(row()), "0 items, 1 to 5"),
    "six buttons": (screen(row(*map(button, "ABCDEF"))), "6 items, 1 to 5"),
    "a select among buttons": (screen(row(select("x"), button("A"))), "fills its row alone"),
    "a long label": (screen(row(button("A" * 81, "a"))), "81 characters, at most 80"),
    "no label": (screen(row(button("", "a"))), "a button without a label"),
    "a long custom id": (screen(row(button("A", "a" * 101))), "101 characters, at most 100"),
    "no custom id": (screen(row(button("A") | {"custom_id": ""})), "custom_id: empty"),
    "one custom id twice": (screen(row(button("A", "x"), button("B", "x"))), "'x' stands 2 times"),
    "one id twice": (screen(shown("x") | {"id": 3}, shown("y") | {"id": 3}), "id 3 stands 2 times"),
    "no style": (screen(row(button("A", style=7))), "7 is no style of a button"),
    "a link without its url": (screen(row(button("A", style=5, custom_id=None))), "url: empty"),
    "a link that is pressed": (
        screen(row(button("A", style=5, url="https://a.org"))),
        "not sent to the bot",
    ),
    "a url on a button": (screen(row(button("A", url="https://a.org"))), "that is no link"),
    "26 options": (screen(row(select(*map(str, range(26))))), "26 items, 1 to 25"),
    "one option twice": (screen(row(select("x", "x"))), "value 'x' stands 2 times"),
    "a long placeholder": (screen(row(select("x", placeholder="p" * 151))), "at most 150"),
    "values that cannot be": (screen(row(select("x", min_values=2))), "2 to 1 values"),
    "four texts beside": (screen(section(*map(shown, "abcd"))), "4 items, 1 to 3"),
    "nothing beside": (
        screen({"type": 9, "components": [shown("x")]}),
        "type None cannot stand here",
    ),
    "no picture": (screen(gallery("ftp://a.org")), "is not one of"),
    "eleven pictures": (screen(gallery(*["https://a.org"] * 11)), "11 items, 1 to 10"),
    "a file that is not there": (
        screen({"type": 13, "file": {"url": "attachment://a.csv"}}),
        "no file a.csv was sent along",
    ),
    "a wide separator": (screen(shown("x"), {"type": 14, "spacing": 3}), "neither 1 nor 2"),
    "eleven embeds": (plain("", embeds=[{}] * 11), "11, at most 10"),
    "a long title": (plain("", embeds=[{"title": "t" * 257}]), "257 characters"),
    "large embeds": (plain("", embeds=[{"description": "d" * 3001}] * 2), "6002 characters"),
    "26 fields": (
        plain("", embeds=[{"fields": [{"name": "n", "value": "v"}] * 26}]),
        "26, at most 25",
    ),
    "a long nonce": (plain("x", nonce="n" * 26), "26 characters, at most 25"),
}


@pytest.mark.parametrize(("body", "words"), REFUSED.values(), ids=REFUSED)
def test_a_malformed_message_is_refused(body, words):
    found = [breach for breach in message_breaches(body) if breach.refuses]
    assert any(words in str(breach) for breach in found), [str(it) for it in found]


ALIVE = {
    "nothing said": {},
    "null": {"allowed_mentions": None},
    "no parse": {"allowed_mentions": {"replied_user": False}},
    "everyone": {"allowed_mentions": {"parse": ["everyone"]}},
    "some people": {"allowed_mentions": {"parse": [], "users": ["1"]}},
    "some roles": {"allowed_mentions": {"parse": [], "roles": ["1"]}},
    "the author of what it replies to": {"allowed_mentions": {"parse": [], "replied_user": True}},
}


@pytest.mark.parametrize("mentions", ALIVE.values(), ids=ALIVE)
def test_mentions_that_are_alive_are_noted_and_not_refused(mentions):
    [breach] = message_breaches({"content": "x", **mentions})
    assert breach.where.startswith("allowed_mentions")
    assert not breach.refuses


@pytest.mark.asyncio
async def test_a_breach_is_answered_at_its_place_in_the_body_and_noted():
    async with DiscordStandin() as discord, bare(discord) as bot:
        channel = discord.channel("ml")
        path = f"/channels/{channel.id}/messages"
        body = screen(container(row(button("A" * 81, "a"))))
        status, answer = await bot.call("POST", path, body)
        assert (status, answer["code"]) == (400, 50035)
        label = answer["errors"]["components"]["0"]["components"]["0"]["components"]["0"]["label"]
        assert label["_errors"][0]["message"] == "81 characters, at most 80"
        where = "components[0].components[0].components[0].label"
        route = "POST /channels/{channel}/messages"
        assert discord.violations == [f"{route}: {where}: 81 characters, at most 80"]
        assert (await bot.call("POST", path, {"content": "x"}))[0] == 200
        assert discord.violations[1:] == [
            f"{route}: allowed_mentions: missing, so mentions are alive"
        ]
        assert len(discord.messages(channel)) == 1


@pytest.mark.asyncio
async def test_breaches_in_answers_and_follow_ups_are_noted_too():
    async with DiscordStandin() as discord, bare(discord) as bot:
        await bot.ready()
        sari, channel = discord.person("Sari"), discord.channel("ml")
        discord.registers([command()])
        asked, waiting = await bot.asked(discord.command(sari, channel, "/quiz"))
        await bot.answer(asked, 4, said("x") | {"allowed_mentions": {"parse": ["users"]}})
        await waiting
        await bot.call("POST", bot.hook(asked), {"content": "x"})
        await bot.call("PATCH", bot.hook(asked, "/messages/@original"), said("x" * 4001))
        assert len(discord.violations) == 4
        assert all(it.startswith("answer to /quiz: ") for it in discord.violations)


# Commands


FINE_COMMANDS = {
    "the plainest": [command()],
    "in Indonesian": [command("kuis-baru", name_localizations={"id": "kuis", "en-US": "quiz"})],
    "groups": [
        command("quiz", option("a", 2, options=[option("b", 1, options=[option("c")])])),
    ],
    "twenty-five options": [command("quiz", *(option(f"o{n}") for n in range(25)))],
    "where and for whom": [
        command(integration_types=[0, 1], contexts=[0, 1, 2], default_member_permissions="32")
    ],
    "bounds": [command("quiz", option("n", 4, min_value=0), option("s", max_length=9))],
}


@pytest.mark.parametrize("commands", FINE_COMMANDS.values(), ids=FINE_COMMANDS)
def test_well_formed_commands_have_no_breach(commands):
    assert list(command_breaches(commands)) == []


def with_options(*options, **more):
    return [command("quiz", *options, **more)]


LONG = [option(f"o{n:02}", description="d" * 100) for n in range(16)]
REFUSED_COMMANDS = {
    "an upper-case name": ([command("Quiz")], "is no name of a command"),
    "a space": ([command("a b")], "is no name of a command"),
    "a long name": ([command("q" * 33)], "is no name of a command"),
    "a name twice": ([command(), command()], "name 'quiz' stands 2 times"),
    "101 commands": ([command(f"c{n}") for n in range(101)], "101 commands, at most 100"),
    "no description": ([command(description="")], "description: empty"),
    "a long description": ([command(description="d" * 101)], "101 characters"),
    "a long translation": (
        [command(description_localizations={"id": "d" * 101})],
        "description_localizations.id: 101 characters",
    ),
    "a wrong translation": ([command(name_localizations={"id": "Kuis"})], "is no name"),
    "an unknown language": (
        [command(name_localizations={"jv": "kuis"})],
        "jv is no locale of Discord",
    ),
    "26 options": (with_options(*(option(f"o{n}") for n in range(26))), "26 items, 0 to 25"),
    "an option twice": (with_options(option("a"), option("a")), "name 'a' stands 2 times"),
    "an unknown type": (with_options(option("a", 12)), "12 is no type of an option"),
    "mixed": (with_options(option("a", 1), option("b")), "sub-commands and values are mixed"),
    "a deep group": (
        with_options(option("a", 2, options=[option("b", 2)])),
        "an option of type 2 is nested too deep",
    ),
    "required late": (
        with_options(option("a"), option("b", required=True)),
        "required after an optional one",
    ),
    "26 choices": (
        with_options(option("a", choices=[{"name": str(n), "value": str(n)} for n in range(26)])),
        "26 items, 0 to 25",
    ),
    "a long choice": (
        with_options(option("a", choices=[{"name": "n", "value": "v" * 101}])),
        "101 characters, at most 100",
    ),
    "completed choices": (
        with_options(option("a", autocomplete=True, choices=[{"name": "n", "value": "v"}])),
        "autocomplete: not possible here",
    ),
    "a completed person": (with_options(option("a", 6, autocomplete=True)), "not possible here"),
    "a bound of a person": (with_options(option("a", 6, min_length=1)), "not possible for type 6"),
    "an unknown context": ([command(contexts=[3])], "is not a choice of"),
    "no context": ([command(contexts=[])], "is not a choice of"),
    "an unknown installation": ([command(integration_types=[2])], "is not a choice of"),
    "a named permission": (
        [command(default_member_permissions="manage")],
        "'manage' is no number",
    ),
    "8,255 characters": (
        with_options(*(option(f"s{n}", 1, options=LONG) for n in range(5))),
        "characters together, at most 8000",
    ),
}


@pytest.mark.parametrize(("commands", "words"), REFUSED_COMMANDS.values(), ids=REFUSED_COMMANDS)
def test_malformed_commands_are_refused(commands, words):
    found = [str(breach) for breach in command_breaches(commands)]
    assert any(words in it for it in found), found


# Forms


def label(text, component, **more):
    return {"type": 18, "label": text, "component": component, **more}


def text_input(**more):
    return {"type": 4, "custom_id": "t", "style": 1, **more}


def modal(*components, **more):
    return {"custom_id": "m", "title": "Report", "components": list(components), **more}


def group(kind, *values):
    return select(*values) | {"type": kind, "custom_id": f"g{kind}"}


def test_a_well_formed_modal_has_no_breach():
    whole = modal(
        label("What is wrong?", text_input(max_length=4000)),
        label("Which", select("x", "y"), description="d" * 100),
        label("How", group(21, "a", "b")),
        label("Also", group(22, "a")),
        shown("Thank you"),
    )
    assert list(modal_breaches(whole)) == []
    old = row(text_input(label="Old"))
    assert list(modal_breaches(modal(old))) == []


REFUSED_MODALS = {
    "a long title": (modal(shown("x"), title="t" * 46), "46 characters, at most 45"),
    "six fields": (modal(*map(shown, "abcdef")), "6 items, 1 to 5"),
    "nothing": (modal(), "0 items, 1 to 5"),
    "a bare input": (modal(text_input()), "type 4 cannot stand in a modal"),
    "a long label": (modal(label("l" * 46, text_input())), "46 characters, at most 45"),
    "a button": (modal(label("x", button("A"))), "type 2 cannot stand under a label"),
    "no style": (modal(label("x", text_input(style=3))), "3 is no style of a text input"),
    "much text": (modal(label("x", text_input(max_length=4001))), "cannot be written"),
    "one radio button": (modal(label("x", group(21, "a"))), "1 items, 2 to 10"),
    "eleven check boxes": (modal(label("x", group(22, *map(str, range(11))))), "11 items, 1 to 10"),
    "one custom id twice": (
        modal(label("x", text_input()), label("y", text_input())),
        "'t' stands 2 times",
    ),
}


@pytest.mark.parametrize(("form", "words"), REFUSED_MODALS.values(), ids=REFUSED_MODALS)
def test_a_malformed_modal_is_refused(form, words):
    found = [str(breach) for breach in modal_breaches(form)]
    assert any(words in it for it in found), found


def test_choices_of_a_completion_are_few_and_short():
    fine = [{"name": "n" * 100, "value": "v" * 100}] * 25
    assert list(choice_breaches(fine)) == []
    assert len(list(choice_breaches([*fine, fine[0]]))) == 1
    assert len(list(choice_breaches([{"name": "", "value": "v" * 101}]))) == 2
    assert len(list(choice_breaches(None))) == 1


# Words


WORDS = {
    "# Question 1 of 8": "Question 1 of 8",
    "-# level: easy": "level: easy",
    "**A.** `fsync` _never_ ||lies||": "A. fsync never lies",
    r"2 \* 3 \_x\_ and 2 * 3": "2 * 3 _x_ and 2 * 3",
    "snake_case_name": "snake_case_name",
    "[the paper](https://example.org/a_b) <https://example.org>": "the paper https://example.org",
    "```python\nx = **y\n```": "x = **y",
    "> quoted **and __both__**": "quoted and both",
    r"**a \** b**": "a ** b",
    "***all*** ~~gone~~": "all gone",
}


@pytest.mark.parametrize(("text", "words"), WORDS.items())
def test_the_words_of_a_message_are_what_a_person_reads(text, words):
    assert words_of("", [], [shown(text)]) == words


def test_words_come_from_everything_that_is_shown():
    components = [
        container(
            shown("one"),
            section(shown("two"), beside={"type": 11, "description": "a picture", "media": {}}),
            {"type": 12, "items": [{"media": {}, "description": "a chart"}]},
            row(button("A")),
        )
    ]
    embeds = [{"title": "t", "fields": [{"name": "n", "value": "v"}], "footer": {"text": "f"}}]
    assert words_of("c", embeds, components).splitlines() == [
        *("c", "t", "n: v", "f", "one", "two", "a picture", "a chart"),
    ]
