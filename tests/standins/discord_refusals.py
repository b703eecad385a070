"""What Discord refuses, in its own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

INVALID_FORM_BODY = 50035

MESSAGES = {
    0: (401, "401: Unauthorized"),
    10002: (404, "Unknown Application"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160002: (400, "Cannot reply without permission to read message history"),
}


class RefusedError(Exception):
    """Answered with this code and its status instead of being done."""

    def __init__(self, code: int, **more: Any) -> None:
        status, message = MESSAGES.get(code, (400, "Invalid Form Body"))
        super().__init__(f"{code} {message}")
        self.code = code
        self.status = status
        self.body = {"code": code, "message": message, **more}


@dataclass(frozen=True)
class Breach:
    """One objection; one that does not refuse is only noted."""

    where: str
    words: str
    refuses: bool = True

    @override
    def __str__(self) -> str:
        return f"{self.where}: {self.words}" if self.where else self.words


def form_error(found: Sequence[Breach]) -> RefusedError:
    """All refusing objections, each at its place in the tree of the body."""
    errors: dict[str, Any] = {}
    for breach in found:
        if breach.refuses:
            node = errors
            for step in breach.where.replace("[", ".").replace("]", "").split("."):
                node = node.setdefault(step, {}) if step else node
            node.setdefault("_errors", []).append({"code": "INVALID", "message": breach.words})
    return RefusedError(INVALID_FORM_BODY, errors=errors)
