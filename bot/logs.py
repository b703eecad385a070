"""Logs: one line an event on standard error, as text or JSON; never ids, names or payloads."""

import logging
import re
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.chat.reference import event_reference

_QUIET = ("slack_bolt", "slack_sdk", "discord", "aiohttp", "asyncio", "alembic", "latih.bolt")
"""Libraries whose lines below an error may hold what people typed or who they are."""

_SILENT = ("latih.socket",)
"""A library that tells each try to connect, with its trace; what comes of it is told elsewhere."""

_SECRET: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(\w+://)(?:[^\s/'\"]*@)?([^\s/'\"?#)]+)[^\s'\")]*"), r"\1\2/…"),
    (re.compile(r"\bx(?:ox[a-z]|app)-[\w-]+"), "xox…"),
    (re.compile(r"\b[\w-]{24,}\.[\w-]{6}\.[\w-]{27,}"), "…"),
    (re.compile(r"\b[TUWCDG](?=[A-Z]*\d)[A-Z\d]{8,}\b|\b\d{17,20}\b"), "…"),
)
"""What a library may put into its error: addresses beyond their host, tokens, platform ids."""


def configure(log: str) -> None:
    """Set logging up; `log` is a form and a level, such as `text info` or `json debug`."""
    form, level = log.split()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                _add_reference,
                structlog.stdlib.ExtraAdder(allow={"reference"}),
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                # Plain, whatever the form: a decorated one shows the values of local variables.
                structlog.processors.format_exc_info,
                _hide_secrets,
                _json() if form == "json" else _text(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
    for name in _SILENT:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _json() -> Processor:
    return structlog.processors.JSONRenderer(ensure_ascii=False)


def _text() -> Processor:
    return structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )


def _add_reference(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    if reference := event_reference.get():
        line["reference"] = reference
    return line


def _hide_secrets(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    for key in ("event", "exception"):
        if key in line:
            line[key] = hidden(line[key])
    return line


def hidden(text: str) -> str:
    """`text` without what only its writer may know."""
    for pattern, instead in _SECRET:
        text = pattern.sub(instead, text)
    return text
