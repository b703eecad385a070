"""Content: quizzes, questions and options, and the version that names the words once seen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Self

from bot.engine.language import Language, Text

LETTERS = "ABCDEFGH"
"""The letters under which options are shown, in the order shown."""


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Kind(StrEnum):
    """How a question is answered."""

    SINGLE = "single"


class QuizKind(StrEnum):
    """What a quiz goes with: a guide that was read, or a topic by itself."""

    GUIDE = "guide"
    TOPIC = "topic"


class Status(StrEnum):
    """Where a question stands; only a live one is ever put to a person."""

    DRAFT = "draft"
    REVIEW = "review"
    LIVE = "live"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Source:
    title: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    text: Text
    why_wrong: Text | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """When a question's facts were last checked, how, and against which tool versions."""

    on: date
    by: str
    tools: str | None = None


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What an author keeps about a question; it changes nothing that is seen."""

    status: Status = Status.LIVE
    enemies: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    verified: Verified | None = None
    review_by: date | None = None


@dataclass(frozen=True)
class Question:
    """One question; `key` holds the ids of the right options, `languages` those of its quiz."""

    id: str
    level: Level
    stem: Text
    options: tuple[Option, ...]
    key: tuple[str, ...]
    languages: tuple[Language, ...]
    explanation: Text | None = None
    kind: Kind = Kind.SINGLE
    keep_order: bool = False
    sources: tuple[Source, ...] = ()
    tags: tuple[str, ...] = ()
    upkeep: Upkeep = field(default_factory=Upkeep)

    @cached_property
    def version(self) -> str:
        """The hash (blake2b, 32 hex digits) of all that a person sees of this question."""
        seen = {name: value for name, value in self.seen().items() if name != "level"}
        text = json.dumps(seen, ensure_ascii=False, sort_keys=True)
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def option(self, option_id: str) -> Option:
        return next(option for option in self.options if option.id == option_id)

    def is_right(self, chosen: tuple[str, ...]) -> bool:
        """All or nothing: exactly the key."""
        return set(chosen) == set(self.key)

    def seen(self) -> dict[str, Any]:
        """Plain data from which `from_seen` makes this question again."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "level": self.level.value,
            "languages": [language.value for language in self.languages],
            "keep_order": self.keep_order,
            "stem": _plain(self.stem),
            "options": [
                {"id": option.id, "text": _plain(option.text)}
                | ({"why_wrong": _plain(option.why_wrong)} if option.why_wrong else {})
                for option in self.options
            ],
            "key": list(self.key),
            "explanation": _plain(self.explanation) if self.explanation else None,
            "sources": [[source.title, source.url] for source in self.sources],
        }

    @classmethod
    def from_seen(cls, seen: Mapping[str, Any]) -> Self:
        return cls(
            id=seen["id"],
            kind=Kind(seen["kind"]),
            level=Level(seen["level"]),
            languages=tuple(Language(tag) for tag in seen["languages"]),
            keep_order=seen["keep_order"],
            stem=_text(seen["stem"]),
            options=tuple(
                Option(
                    option["id"],
                    _text(option["text"]),
                    _text(option["why_wrong"]) if "why_wrong" in option else None,
                )
                for option in seen["options"]
            ),
            key=tuple(seen["key"]),
            explanation=_text(seen["explanation"]) if seen["explanation"] else None,
            sources=tuple(Source(title, url) for title, url in seen["sources"]),
        )


@dataclass(frozen=True, slots=True)
class Quiz:
    """A quiz as its file has it; `questions` are in the file's order."""

    id: str
    title: Text
    level: Level
    questions: tuple[Question, ...]
    languages: tuple[Language, ...]
    kind: QuizKind = QuizKind.TOPIC
    description: Text | None = None
    preview_note: Text | None = None
    reading: tuple[Source, ...] = ()
    next: str | None = None
    authors: tuple[str, ...] = ()
    licence: str | None = None

    @property
    def live(self) -> tuple[Question, ...]:
        """The questions that may be put to a person."""
        return tuple(q for q in self.questions if q.upkeep.status is Status.LIVE)


def order(question: Question, seed: int | None) -> tuple[str, ...]:
    """The option ids in the order shown: shuffled by `seed`, or as in the file without one."""
    ids = tuple(option.id for option in question.options)
    if seed is None or question.keep_order:
        return ids
    return _shuffled(ids, question.id, seed)


@lru_cache(maxsize=4096)
def _shuffled(ids: tuple[str, ...], question: str, seed: int) -> tuple[str, ...]:
    return tuple(sorted(ids, key=lambda option: _rank(seed, question, option)))


def _rank(seed: int, question: str, option: str) -> bytes:
    return blake2b(f"{seed}\0{question}\0{option}".encode(), digest_size=16).digest()


def _plain(text: Text) -> dict[str, str]:
    return {language.value: words for language, words in text.said.items()}


def _text(plain: Mapping[str, str]) -> Text:
    return Text({Language(tag): words for tag, words in plain.items()})
