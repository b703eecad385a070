"""What Discord would refuse is found before it is sent."""

from copy import deepcopy

import discord
import pytest

from adapters.discord.commands import payloads
from adapters.discord.limits import command_faults, message_faults
from bot.phrases import Phrasebook


def text(content="words"):
    return {"type": 10, "content": content}


def button(custom_id="1.m.menu.", **others):
    return {"type": 2, "style": 2, "label": "Menu", "custom_id": custom_id, **others}


def row(*buttons):
    return {"type": 1, "components": list(buttons)}


def container(*parts):
    return {"type": 17, "components": list(parts)}


def faults(*parts):
    return message_faults({"components": list(parts)})


def letters(number):
    return [button(f"1.m.menu.{n}") for n in range(number)]


FINE = {
    "a card": [container(text(), {"type": 14}, row(button()))],
    "forty components": [container(*[text("x")] * 39)],
    "4,000 characters": [container(text("x" * 3_000), text("x" * 1_000))],
    "five buttons": [row(*letters(5))],
    "a label of 80": [row(button(label="x" * 80))],
    "an id of 100": [row(button("x" * 100))],
    "a way out": [row({"type": 2, "style": 5, "label": "Docs", "url": "https://a.b/" + "x" * 500})],
}


@pytest.mark.parametrize("parts", FINE.values(), ids=FINE)
def test_what_discord_takes_has_no_fault(parts):
    assert faults(*parts) == []


FAULTY = {
    "41 components": ([container(*[text("x")] * 40)], "41 components, at most 40"),
    "4,001 characters of text": (
        [container(text("x" * 3_000), text("x" * 1_001))],
        "4,001 characters of text, at most 4,000",
    ),
    "escapes counted as sent": ([text("\\_" * 2_001)], "4,002 characters of text, at most 4,000"),
    "a text that says nothing": ([container(text(" \n"))], "an empty text"),
    "a row of none": ([row()], "0 buttons in a row, at least 1"),
    "a row of six": ([row(*letters(6))], "6 buttons in a row, at most 5"),
    "a button outside a row": ([container(button())], "a button outside a row"),
    "a button outside everything": ([button()], "a button outside a row"),
    "a container in a container": (
        [container(container(text()))],
        "a container in another component",
    ),
    "a label of 81": ([row(button(label="x" * 81))], "81 characters of a label, at most 80"),
    "no label": ([row(button(label=""))], "0 characters of a label, at least 1"),
    "an id of 101": ([row(button("x" * 101))], "101 characters of an id, at most 100"),
    "no id": ([row(button(""))], "0 characters of an id, at least 1"),
    "one id twice": (
        [row(button("1.m.menu.2")), row(button("1.m.menu.2"))],
        "custom_id '1.m.menu.2' stands 2 times",
    ),
    "an address of 513": (
        [row({"type": 2, "style": 5, "label": "x", "url": "https://" + "x" * 505})],
        "513 characters of an address, at most 512",
    ),
}


@pytest.mark.parametrize(("parts", "fault"), FAULTY.values(), ids=FAULTY)
def test_what_discord_would_refuse_is_a_fault(parts, fault):
    assert faults(*parts) == [fault]


def test_the_client_library_lets_pass_what_we_check():
    """Else these checks could go."""
    view = discord.ui.LayoutView(timeout=None)
    long = discord.ui.Button(label="x" * 81, custom_id="x" * 101)
    inner = discord.ui.Container(discord.ui.TextDisplay("x" * 4_001))
    view.add_item(discord.ui.Container(inner, discord.ui.ActionRow(long)))
    assert len(message_faults({"components": view.to_components()})) == 4


def option(name="quiz", **others):
    return {"type": 3, "name": name, "description": "A quiz.", **others}


def command(*options, **others):
    return {"type": 1, "name": "quiz", "description": "Quizzes.", "options": list(options)} | others


def choices(number, **others):
    return [{"name": f"n{n}", "value": f"v{n}", **others} for n in range(number)]


GOOD = {
    "a command": command(option(required=True), option("lang", choices=choices(25))),
    "a name of 32": command(name="x" * 32),
    "a name in Indonesian": command(name_localizations={"id": "kuis"}),
    "names of other scripts": command(name_localizations={"ja": "クイズ", "th": "ควิซ"}),
    "a description of 100": command(description="x" * 100),
    "25 options": command(*(option(f"q{n}") for n in range(25))),
    "a number to choose": command(option(choices=[{"name": "ten", "value": 10}])),
}


@pytest.mark.parametrize("wanted", GOOD.values(), ids=GOOD)
def test_a_command_that_discord_takes_has_no_fault(wanted):
    assert command_faults(wanted) == []


def heavy(**others):
    """Twenty-five sub-commands of 319 characters each, beside the command's own."""
    inner = [option(f"o{n}", description="x" * 97) for n in range(2)]
    sub = {"description": "x" * 100, "type": 1, "options": inner}
    subs = [{"name": f"s{n:02}" + "x" * 18, **deepcopy(sub)} for n in range(25)]
    return command(*subs, **others)


BAD = {
    "a name of 33": (command(name="x" * 33), "33 characters of a name of {33x}, at most 32"),
    "an empty name": (command(option("")), "0 characters of a name of quiz , at least 1"),
    "capitals": (command(option("Quiz")), "'Quiz' is no name for quiz Quiz"),
    "a space in a name": (command(option("a b")), "'a b' is no name for quiz a b"),
    "a localised name of 33": (
        command(name_localizations={"id": "x" * 33}),
        "33 characters of a name of quiz, at most 32",
    ),
    "a localised name in capitals": (
        command(name_localizations={"id": "Kuis"}),
        "'Kuis' is no name for quiz",
    ),
    "a description of 101": (
        command(option(description="x" * 101)),
        "101 characters of a description of quiz quiz, at most 100",
    ),
    "a localised description of 101": (
        command(description_localizations={"id": "x" * 101}),
        "101 characters of a description of quiz, at most 100",
    ),
    "no description": (
        command(description=""),
        "0 characters of a description of quiz, at least 1",
    ),
    "26 options": (
        command(*(option(f"q{n}") for n in range(26))),
        "26 options of quiz, at most 25",
    ),
    "26 choices": (
        command(option(choices=choices(26))),
        "26 choices of quiz quiz, at most 25",
    ),
    "a choice of 101": (
        command(option(choices=[{"name": "x" * 101, "value": "v"}])),
        "101 characters of a choice of quiz quiz, at most 100",
    ),
    "a value of 101": (
        command(option(choices=[{"name": "n", "value": "v" * 101}])),
        "101 characters of a value of quiz quiz, at most 100",
    ),
    "needed after not needed": (
        command(option("a"), option("b", required=True)),
        "an option of quiz that is needed after one that is not",
    ),
    "8,001 characters in all": (
        heavy(description="x" * 22),
        "8,001 characters in all of quiz, at most 8,000",
    ),
}


@pytest.mark.parametrize(("wanted", "fault"), BAD.values(), ids=BAD)
def test_a_command_that_discord_would_refuse_is_a_fault(wanted, fault):
    assert command_faults(wanted) == [fault.replace("{33x}", "x" * 33)]


def test_of_each_text_the_longest_language_counts():
    assert command_faults(heavy(description="x" * 21)) == []
    longer = heavy(description="x", description_localizations={"id": "x" * 22, "ja": "x"})
    assert command_faults(longer) == ["8,001 characters in all of quiz, at most 8,000"]


@pytest.mark.asyncio
async def test_our_own_commands_have_no_fault():
    for wanted in await payloads(Phrasebook()):
        assert command_faults(wanted) == []
