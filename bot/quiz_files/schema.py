"""The JSON Schema of quiz files: editors complete and check against it while one types."""

from typing import Any

from bot.quiz_files.forms import QuizForm


def schema() -> dict[str, Any]:
    """Draft 2020-12, made from the forms that files are read with."""
    made = QuizForm.model_json_schema()
    _strip(made)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Latih quiz",
        **made,
    }


def _strip(part: Any) -> None:
    """Take out the titles that pydantic makes of names, and `null`, which nobody should write."""
    match part:
        case {"anyOf": [shape, {"type": "null"}], **rest}:
            part.clear()
            part.update({"description": rest.get("description", "")} | shape)
            _strip(part)
        case dict():
            if isinstance(part.get("title"), str):
                del part["title"]
            for inner in part.values():
                _strip(inner)
        case list():
            for inner in part:
                _strip(inner)
        case _:
            pass
