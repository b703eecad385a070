"""The kinds of value that stand in a quiz file, each checked from the text that was typed.

What is wrong is raised under our own rule and in our own words: `bot.quiz_files.shape` passes it
on as it stands.
"""

import re
import unicodedata
from datetime import date
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from bot.chat.limits import QUIZ_ID
from bot.engine.language import Language
from bot.quiz_files.faults import echo

QUESTION_ID = 40
LETTERS = "abcdefgh"
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ADDRESS = re.compile(r"https?://[^\s<>|\"`]+")
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL = ("Cc", "Cs", "Zl", "Zp")
_SCALAR = {"type": ["string", "number", "boolean"]}
_TEXT = {
    "description": "A text: one line, or a line for each language.",
    "anyOf": [
        _SCALAR,
        {
            "type": "object",
            "properties": {language.value: _SCALAR for language in Language},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ],
}


def refuse(rule: str, message: str) -> PydanticCustomError:
    """An error under our own rule, in our own words."""
    return PydanticCustomError(rule, message)


def is_quiz_id(text: str) -> bool:
    """Whether a quiz may be called so; a file's name without .yaml is its quiz's id."""
    return _is_id(text, QUIZ_ID)


def words(value: Any) -> str:
    """Text without spare space around it, that says something and moves no cursor."""
    if value is None:
        raise refuse("empty-text", "Nothing is written here: write the text, or quote it.")
    if not isinstance(value, str):
        raise refuse("not-text", "Text belongs here, not a list or a map.")
    text = value.strip()
    if not text.isprintable():
        _refuse_control(text)
    if not any(unicodedata.category(char) not in ("Cf", "Zs", "Cc") for char in text):
        raise refuse("empty-text", "Nothing is written here: write the text.")
    return text


def line(value: Any) -> str:
    """Words that stand on one line."""
    text = words(value)
    if "\n" in text:
        raise refuse("line-break", "This must stand on one line: take the line break out.")
    return text


def _refuse_control(text: str) -> None:
    for char in text:
        hidden = unicodedata.category(char) in _CONTROL and char not in "\n\t"
        if hidden or char in _DIRECTION:
            message = f"The text holds the control character U+{ord(char):04X}: take it out."
            raise refuse("control-character", message)


def _by_language(value: Any) -> Any:
    """A plain text stands under the empty name until the quiz's languages are known."""
    if value is None:
        raise refuse("empty-text", "Nothing is written here: write the text, or quote it.")
    if isinstance(value, list):
        raise refuse("not-text", "Text belongs here, not a list.")
    if value == {}:
        raise refuse("empty-text", "Nothing is written here: write the text.")
    if isinstance(value, dict):
        if "" in value:
            raise refuse("unknown-language", "A language is missing before the colon.")
        return value
    return {"": value}


def _is_id(text: str, longest: int) -> bool:
    return len(text) <= longest and _ID.fullmatch(text) is not None


def _quiz_id(text: str) -> str:
    if not is_quiz_id(text):
        message = f"A quiz is named by a-z, 0-9 and `-`, at most {QUIZ_ID} characters."
        raise refuse("bad-id", message)
    return text


def _question_id(text: str) -> str:
    if not _is_id(text, QUESTION_ID):
        message = f"A question is named by a-z, 0-9 and `-`, at most {QUESTION_ID} characters."
        raise refuse("bad-id", message)
    return text


def _key(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if len(value) > 1:
        message = "Several keys: questions with more than one right option (choose-n) are"
        raise refuse("choose-n", f"{message} not supported; name one.")
    if not value:
        raise refuse("empty-list", "Name the right option: `key: a`.")
    return value[0]


def _day(value: Any) -> Any:
    try:
        return date.fromisoformat(value if _DAY.fullmatch(value) else "")
    except (TypeError, ValueError):
        raise refuse("not-a-date", "Write a day that exists, as in 2027-06-01.") from None


def _switch(value: Any) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise refuse("not-a-switch", "Write `true` or `false`.")


def _address(value: str) -> str:
    try:
        good = _ADDRESS.fullmatch(value) is not None and bool(urlsplit(value).hostname)
    except ValueError:
        good = False
    if not good:
        message = f"`{echo(value)}` is no web address: begin with https:// and leave out spaces."
        raise refuse("url", message)
    return value


Line = Annotated[str, BeforeValidator(line), WithJsonSchema(_SCALAR)]
Title = Annotated[
    dict[str, Annotated[str, BeforeValidator(line)]],
    BeforeValidator(_by_language),
    WithJsonSchema(_TEXT),
]
Words = TypeAliasType(
    "Words",
    Annotated[
        dict[str, Annotated[str, BeforeValidator(words)]],
        BeforeValidator(_by_language),
        WithJsonSchema(_TEXT),
    ],
)
QuizId = Annotated[
    str,
    AfterValidator(_quiz_id),
    WithJsonSchema({"type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$", "maxLength": QUIZ_ID}),
]
QuestionId = Annotated[
    str,
    AfterValidator(_question_id),
    WithJsonSchema({"type": "string", "pattern": f"^[a-z0-9][a-z0-9-]{{0,{QUESTION_ID - 1}}}$"}),
]
Key = Annotated[
    str,
    BeforeValidator(_key),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(LETTERS)},
                {
                    "type": "array",
                    "items": {"enum": list(LETTERS)},
                    "minItems": 1,
                    "maxItems": 1,
                },
            ]
        }
    ),
]
Day = Annotated[date, BeforeValidator(_day)]
Switch = Annotated[bool, BeforeValidator(_switch)]
Address = Annotated[
    str,
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "format": "uri", "pattern": "^https?://"}),
]
