"""A quiz file's shape: what may be written where; the JSON Schema for editors is made from it."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bot.chat.limits import OPTIONS
from bot.engine.language import Language
from bot.engine.quiz import Kind, Level, QuizKind, Status
from bot.quiz_files.values import (
    LETTERS,
    Address,
    Day,
    Key,
    Line,
    QuestionId,
    QuizId,
    Switch,
    Title,
    Words,
)

_BY_LETTER: dict[str, Any] = {"propertyNames": {"pattern": f"^[{LETTERS[0]}-{LETTERS[-1]}]$"}}


class Form(BaseModel):
    """A map in a quiz file; an empty value counts as not written."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _written(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {
            name: value
            for name, value in data.items()
            if value is not None or name not in cls.names()
        }

    @classmethod
    def names(cls) -> list[str]:
        """What may be written, in the order in which it is described."""
        return [field.alias or name for name, field in cls.model_fields.items()]


class SourceForm(Form):
    """A document that a reader can open."""

    title: Line
    """How the document is called."""
    url: Address | None = None
    """Its address; only http and https."""


class Evidence(StrEnum):
    OBSERVATION = "observation"
    DOCUMENT = "document"
    ARITHMETIC = "arithmetic"


class VerifiedForm(Form):
    """When and how the facts were last checked."""

    on: Day
    """The day of the check."""
    by: Evidence
    """How: it was observed, a document says so, or it was computed."""
    tools: Line | None = Field(default=None, alias="with")
    """The tools and versions that it was checked with."""


class QuestionForm(Form):
    """One question; id, stem, options and key are enough."""

    id: QuestionId
    """Names the question in every answer ever given: unique over all files, never changed."""
    kind: Kind = Kind.SINGLE
    """How it is answered: one option is right."""
    level: Level | None = None
    """How hard it is; the quiz's level when left out."""
    tags: list[Line] = []
    """What it is about, for choosing questions by topic."""
    stem: Words
    """What is asked."""
    options: Annotated[
        dict[str, Words],
        Field(
            json_schema_extra=_BY_LETTER
            | {"minProperties": OPTIONS[0], "maxProperties": OPTIONS[1]}
        ),
    ]
    """The options by letter, a to h; they are shuffled when they are shown."""
    key: Key
    """The letter of the right option."""
    explanation: Words | None = None
    """Why the key is right; shown after every answer."""
    why_wrong: Annotated[dict[str, Words], Field(json_schema_extra=_BY_LETTER)] = {}
    """Why each other option is wrong, by its letter; shown to whoever chose it."""
    sources: list[SourceForm] = []
    """Where the answer can be read up."""
    keep_order: Switch = False
    """True when the options must stand in the order written ("all of the above")."""
    enemies: list[QuestionId] = []
    """Questions that must not come near this one, since one gives the other away."""
    applies_to: list[Line] = []
    """The versions for which it holds, such as `transformers>=5`."""
    verified: VerifiedForm | None = None
    """When and how its facts were last checked."""
    review_by: Day | None = None
    """The day by which its facts should be checked again."""
    status: Status = Status.LIVE
    """Only a live question is ever asked."""


class HeadForm(Form):
    """A quiz without its questions."""

    title: Title
    """How the quiz is called."""
    kind: QuizKind = QuizKind.TOPIC
    """Whether it goes with a guide or stands for a topic."""
    description: Words | None = None
    """What it practises, in a sentence or two."""
    preview_note: Words | None = None
    """A remark above the questions in the preview."""
    level: Level
    """How hard it is; a question may say otherwise for itself."""
    languages: Annotated[list[Language], Field(min_length=1)] = [Language.EN]
    """The languages that it is written in; a text without language names is in the only one."""
    reading: list[SourceForm] = []
    """What to read before or after."""
    next: QuizId | None = None
    """The quiz to take after this one: its file's name without .yaml."""
    authors: list[Line] = []
    """Who wrote it."""
    licence: Line | None = None
    """The terms under which it may be used, such as CC-BY-4.0."""


class QuizForm(HeadForm):
    """A quiz of Latih: the file's name without .yaml is the quiz's id."""

    questions: Annotated[list[QuestionForm], Field(min_length=1)]
    """The questions, in the order in which they are asked."""
