"""Commands: what can be asked for in words, and the forgiving reader of those words."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from bot.engine.language import Language


@dataclass(frozen=True, slots=True)
class Start:
    """Take a quiz, or go on with it; `seed` and `shuffle` shape a run that is new."""

    quiz: str
    seed: int | None = None
    shuffle: bool = True


@dataclass(frozen=True, slots=True)
class Menu:
    page: int = 1


@dataclass(frozen=True, slots=True)
class Preview:
    quiz: str
    page: int = 1


@dataclass(frozen=True, slots=True)
class Resume:
    pass


@dataclass(frozen=True, slots=True)
class Stop:
    pass


@dataclass(frozen=True, slots=True)
class Speak:
    """Choose one's own language; None asks for the choice. `from_menu` goes back to the menu."""

    language: Language | None = None
    from_menu: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Become a manager of this workspace by a claim code."""

    code: str


@dataclass(frozen=True, slots=True)
class ListManagers:
    pass


@dataclass(frozen=True, slots=True)
class AddManager:
    """Make someone a manager; `mentioned` says that the surface vouches for the account."""

    external: str
    mentioned: bool = False


@dataclass(frozen=True, slots=True)
class RemoveManager:
    external: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Words that mean nothing here; `near` are quizzes and verbs that look alike."""

    typed: str
    near: tuple[str, ...] = ()


Command: TypeAlias = (
    Start
    | Menu
    | Preview
    | Resume
    | Stop
    | Speak
    | Claim
    | ListManagers
    | AddManager
    | RemoveManager
    | Unknown
)

PRIVILEGED = (ListManagers, AddManager, RemoveManager)
"""What only managers may do; a surface that can tell administrators is asked before these."""

PRIVILEGED_VERBS = frozenset({"managers"})
"""The same as menu buttons name them."""

SYNONYMS = {
    "start": ("start", "play", "mulai"),
    "menu": ("menu", "list", "help", "daftar", "bantuan"),
    "preview": ("preview", "pratinjau"),
    "resume": ("resume", "continue", "lanjut"),
    "stop": ("stop", "quit", "berhenti"),
    "language": ("language", "bahasa"),
    "managers": ("managers",),
}
_LATER = (
    *("missed", "terlewat", "review", "ulang", "leaderboard", "peringkat", "me", "saya"),
    *("drill", "latihan", "stats", "statistik", "privacy", "privasi", "away", "cuti"),
)
RESERVED = frozenset(word for words in SYNONYMS.values() for word in words) | set(_LATER)
"""Words that no quiz may be called, those of commands to come included."""

_VERBS = {word: verb for verb, words in SYNONYMS.items() for word in words}
_QUOTES = str.maketrans(
    dict.fromkeys("\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u2039\u203a\u00ab\u00bb")
)
_FLAG = re.compile(r"[-\u2010-\u2015\u2212]")
_ECHO = 60


def parse(text: str, quizzes: Collection[str], mentioned: Collection[str] = ()) -> Command:
    """The command that `text` asks for, by a person who types on a phone.

    Case, typographic quotes, invisible characters and spare spaces are forgiven. `mentioned` are
    the accounts that the surface itself resolved in the text, written there as `@` and their id.
    """
    words = _clean(text).split()
    if not words:
        return Menu()
    if any(_FLAG.match(word) for word in words):
        return _unknown(" ".join(words), quizzes)
    verb, arguments = _VERBS.get(words[0].casefold()), words[1:]
    if verb is None:
        return _start(words, quizzes)
    match verb:
        case "start":
            return _start(arguments, quizzes)
        case "preview":
            return _preview(arguments, quizzes)
        case "resume":
            return Resume()
        case "stop":
            return Stop()
        case "language":
            return _speak(arguments, quizzes)
        case "managers":
            return _managers(arguments, quizzes, mentioned)
        case _:
            return Menu()


def nearest(name: str, known: Collection[str]) -> tuple[str, ...]:
    """At most three of `known` that look like `name`, the nearest first."""
    squeezed = name.casefold().replace(" ", "")[:_ECHO]
    return tuple(get_close_matches(squeezed, sorted(known), n=3, cutoff=0.6))


def _clean(text: str) -> str:
    text = " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Cc", "Co"))


def _start(words: list[str], quizzes: Collection[str]) -> Command:
    quiz = "-".join(words).casefold()
    if not words:
        return Menu()
    return Start(quiz) if quiz in quizzes else _unknown(" ".join(words), quizzes)


def _preview(words: list[str], quizzes: Collection[str]) -> Command:
    quiz = _start(words, quizzes)
    return Preview(quiz.quiz) if isinstance(quiz, Start) else quiz


def _speak(words: list[str], quizzes: Collection[str]) -> Command:
    if not words:
        return Speak()
    spoken = _spoken(words[0].casefold(), from_menu=False)
    return spoken or _unknown(" ".join(["language", *words]), quizzes)


def _managers(words: list[str], quizzes: Collection[str], mentioned: Collection[str]) -> Command:
    match [words[0].casefold(), *words[1:]] if words else ["list"]:
        case ["list"]:
            return ListManagers()
        case ["claim", code]:
            return Claim(code)
        case ["add", external] if len(external) <= _ECHO:
            external = external.lstrip("@")
            return AddManager(external, mentioned=external in mentioned)
        case ["remove", external] if len(external) <= _ECHO:
            return RemoveManager(external.lstrip("@"))
        case _:
            return _unknown(" ".join(["managers", *words]), quizzes)


def of_token(verb: str, argument: str, quizzes: Collection[str]) -> Command | None:
    """The command that a menu button stands for; None when it is none of ours."""
    subject, _, page = argument.partition(":")
    match verb:
        case "start" | "preview" if not subject:
            return Menu()
        case "start":
            return Start(subject) if subject in quizzes else None
        case "preview":
            return Preview(subject, _page(page)) if subject in quizzes else None
        case "menu":
            return Menu(_page(subject))
        case "resume":
            return Resume()
        case "stop":
            return Stop()
        case "language":
            return _spoken(subject, from_menu=page == "menu")
        case "managers":
            return ListManagers()
        case _:
            return None


def _spoken(tag: str, *, from_menu: bool) -> Command | None:
    if not tag:
        return Speak()
    return Speak(Language(tag), from_menu) if tag in set(Language) else None


def _page(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 1


def _unknown(typed: str, quizzes: Collection[str]) -> Unknown:
    near = nearest(typed, {*quizzes, *_VERBS})
    return Unknown(typed if len(typed) <= _ECHO else "", near)
