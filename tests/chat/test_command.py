"""What people type, and what it means."""
# ruff: noqa: RUF001 - people do type these

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.command import (
    RESERVED,
    SYNONYMS,
    AddManager,
    Claim,
    ListManagers,
    Menu,
    Preview,
    RemoveManager,
    Resume,
    Speak,
    Start,
    Stop,
    Unknown,
    nearest,
    of_token,
    parse,
)
from bot.chat.token import MenuToken
from bot.chat.token import parse as read_token
from bot.engine.language import Language
from tests.screens import SCREENS

QUIZZES = frozenset({"checkpoints", "checkpoints-tough", "sharding"})
START = Start("checkpoints")
EN, ID, ORIGINAL = Language.EN, Language.ID, Language.ORIGINAL

MEANT = {
    "checkpoints": START,
    "  Checkpoints  ": START,
    "CHECKPOINTS": START,
    "ｃｈｅｃｋｐｏｉｎｔｓ": START,
    "“checkpoints”": START,
    '"checkpoints"': START,
    "'checkpoints'": START,
    "‘checkpoints’": START,
    "«checkpoints»": START,
    "„checkpoints“": START,
    "`checkpoints`": START,
    "\xa0checkpoints\xa0": START,
    "\u200bcheckpoints": START,
    "check\u200bpoints\ufeff": START,
    "check\xadpoints": START,
    "\u2068checkpoints\u2069": START,
    "\u200b checkpoints \u200b": START,
    "checkpoints\n": START,
    "check\x00points": START,
    "start checkpoints": START,
    "START  checkpoints": START,
    "start\xa0checkpoints": START,
    "play checkpoints": START,
    "mulai checkpoints": START,
    "start “checkpoints”": START,
    "checkpoints tough": Start("checkpoints-tough"),
    "start Checkpoints Tough": Start("checkpoints-tough"),
    "": Menu(),
    "   ": Menu(),
    "\u200b": Menu(),
    "“”": Menu(),
    "start": Menu(),
    "mulai": Menu(),
    "menu": Menu(),
    "list": Menu(),
    "Help": Menu(),
    "help me please": Menu(),
    "daftar": Menu(),
    "bantuan": Menu(),
    "preview checkpoints": Preview("checkpoints"),
    "pratinjau CHECKPOINTS": Preview("checkpoints"),
    "preview checkpoints tough": Preview("checkpoints-tough"),
    "preview": Menu(),
    "resume": Resume(),
    "continue": Resume(),
    "Lanjut": Resume(),
    "stop": Stop(),
    "quit": Stop(),
    "berhenti": Stop(),
    "language": Speak(),
    "bahasa": Speak(),
    "language en": Speak(EN),
    "Language EN": Speak(EN),
    "bahasa id": Speak(ID),
    "language id-x-original": Speak(ORIGINAL),
    "language “id”": Speak(ID),
    "managers": ListManagers(),
    "managers list": ListManagers(),
    "managers claim abcd-1234": Claim("abcd-1234"),
    "Managers Claim “ABCD-1234”": Claim("ABCD-1234"),
    "managers add @ayu": AddManager("ayu"),
    "managers add ayu": AddManager("ayu"),
    "managers remove @ayu": RemoveManager("ayu"),
}


@pytest.mark.parametrize(("typed", "meant"), MEANT.items(), ids=map(ascii, MEANT))
def test_what_is_typed_has_its_meaning(typed, meant):
    assert parse(typed, QUIZZES) == meant


CHECKPOINTS = ("checkpoints", "checkpoints-tough")
UNCLEAR = {
    "check points": Unknown("check points", CHECKPOINTS),
    "chekpoints": Unknown("chekpoints", CHECKPOINTS),
    "checkpoіnts": Unknown("checkpoіnts", CHECKPOINTS),
    "checkpoints 5": Unknown("checkpoints 5", CHECKPOINTS),
    "start shardng": Unknown("shardng", ("sharding",)),
    "preview shardng": Unknown("shardng", ("sharding",)),
    "strat": Unknown("strat", ("start",)),
    "lanjutt": Unknown("lanjutt", ("lanjut",)),
    "languag": Unknown("languag", ("language", "lanjut")),
    "--lang=id checkpoints": Unknown("--lang=id checkpoints", ("checkpoints",)),
    "—lang id checkpoints": Unknown("—lang id checkpoints", CHECKPOINTS),
    "checkpoints –seed 3": Unknown("checkpoints –seed 3", CHECKPOINTS),
    "-h": Unknown("-h"),
    "menu —all": Unknown("menu —all", ("menu",)),
    "stop –now": Unknown("stop –now", ("stop",)),
    "resume -f": Unknown("resume -f", ("resume",)),
    "−v": Unknown("−v"),
    "language de": Unknown("language de", ("language",)),
    "managers claim": Unknown("managers claim", ("managers",)),
    "managers add": Unknown("managers add", ("managers",)),
    "managers add ayu bima": Unknown("managers add ayu bima", ("managers",)),
    "managers dance": Unknown("managers dance", ("managers",)),
    "@U00000001": Unknown("@U00000001"),
    "<@U00000001|someone>": Unknown("<@U00000001|someone>"),
    "<!channel>": Unknown("<!channel>"),
    "🙂": Unknown("🙂"),
    "👩\u200d💻 checkpoints": Unknown("👩💻 checkpoints", CHECKPOINTS),
    "كويز": Unknown("كويز"),
    "x" * 60: Unknown("x" * 60),
    "x" * 61: Unknown(""),
    "x" * 3_000: Unknown(""),
    "managers add " + "x" * 3_000: Unknown(""),
    "managers remove " + "x" * 3_000: Unknown(""),
}


@pytest.mark.parametrize(
    ("typed", "unclear"), UNCLEAR.items(), ids=[f"{ascii(it)[:40]} of {len(it)}" for it in UNCLEAR]
)
def test_what_means_nothing_is_named_with_what_looks_alike(typed, unclear):
    found = parse(typed, QUIZZES)
    assert isinstance(found, Unknown)
    assert found.typed == unclear.typed
    assert found.near == unclear.near


def test_a_mention_that_the_surface_vouches_for_is_an_account():
    assert parse("managers add @U1", QUIZZES, {"U1"}) == AddManager("U1", mentioned=True)
    assert parse("managers add @U1", QUIZZES, {"U2"}) == AddManager("U1", mentioned=False)


@given(st.text(max_size=80))
def test_whatever_is_typed_has_some_meaning(typed):
    found = parse(typed, QUIZZES)
    if isinstance(found, Unknown):
        assert len(found.typed) <= 60
        assert len(found.near) <= 3
        assert set(found.near) <= QUIZZES | set(SYNONYMS) | {
            w for ws in SYNONYMS.values() for w in ws
        }


@given(st.sampled_from(sorted(QUIZZES)), st.text("\u200b\u200d\ufeff \t\xa0“”\"'", max_size=4))
def test_quotes_and_invisible_characters_around_a_name_change_nothing(name, noise):
    assert parse(f"{noise}{name}{noise}", QUIZZES) == Start(name)


VERBS = {
    *("start", "play", "mulai", "menu", "list", "help", "daftar", "bantuan"),
    *("preview", "pratinjau", "resume", "continue", "lanjut", "stop", "quit", "berhenti"),
    *("missed", "terlewat", "review", "ulang", "leaderboard", "peringkat", "me", "saya"),
    *("drill", "latihan", "managers", "stats", "statistik", "language", "bahasa"),
    *("privacy", "privasi", "away", "cuti"),
}


def test_no_quiz_may_be_called_like_a_command_or_a_command_to_come():
    assert RESERVED == VERBS


def test_no_word_means_two_verbs():
    words = [word for spoken in SYNONYMS.values() for word in spoken]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("verb", SYNONYMS)
def test_each_verb_and_its_synonyms_mean_the_same(verb):
    assert len({parse(word, QUIZZES) for word in SYNONYMS[verb]}) == 1


TOKENS = sorted(
    {
        button.token
        for card in SCREENS.values()
        for row in card.buttons
        for button in row
        if isinstance(read_token(button.token), MenuToken)
    }
)


@pytest.mark.parametrize("wire", TOKENS)
def test_every_menu_button_that_is_ever_drawn_stands_for_a_command(wire):
    token = read_token(wire)
    quizzes = {token.argument.partition(":")[0]} if token.verb in ("start", "preview") else QUIZZES
    assert of_token(token.verb, token.argument, quizzes) is not None


BUTTONS = {
    ("start", "checkpoints"): START,
    ("start", ""): Menu(),
    ("start", "gone"): None,
    ("preview", "checkpoints"): Preview("checkpoints"),
    ("preview", "checkpoints:2"): Preview("checkpoints", 2),
    ("preview", "checkpoints:x"): Preview("checkpoints"),
    ("preview", ""): Menu(),
    ("preview", "gone:2"): None,
    ("menu", ""): Menu(),
    ("menu", "3"): Menu(3),
    ("menu", "x"): Menu(),
    ("resume", ""): Resume(),
    ("stop", ""): Stop(),
    ("language", ""): Speak(),
    ("language", "id"): Speak(ID),
    ("language", "id:menu"): Speak(ID, from_menu=True),
    ("language", "de"): None,
    ("managers", ""): ListManagers(),
    ("dance", ""): None,
    ("claim", "abcd"): None,
}


@pytest.mark.parametrize(("button", "meant"), BUTTONS.items(), ids=map(":".join, BUTTONS))
def test_a_menu_button_means_its_command_or_nothing(button, meant):
    assert of_token(*button, QUIZZES) == meant


def test_at_most_three_names_are_near_and_the_nearest_comes_first():
    known = ["shard", "shards", "sharding", "sharded", "zebra"]
    assert nearest("SHARD", known)[0] == "shard"
    assert len(nearest("shard", known)) == 3
    assert nearest("unlike", known) == ()
