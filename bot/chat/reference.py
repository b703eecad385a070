"""The reference of the event under way: every line of the log has it, and an apology shows it."""

from contextvars import ContextVar

event_reference: ContextVar[str] = ContextVar("event_reference", default="")
