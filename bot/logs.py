"""Logs: one line an event on standard error, as text or JSON; never ids, names or payloads."""

import logging
import sys

import structlog

_QUIET = ("slack_bolt", "slack_sdk", "aiohttp", "asyncio", "alembic", "latih.bolt")
"""Libraries whose lines below an error may hold what people typed or who they are."""


def configure(log: str) -> None:
    """Set logging up; `log` is a form and a level, such as `text info` or `json debug`."""
    form, level = log.split()
    as_json = form == "json"
    renderer = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    before: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(allow={"reference"}),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    trace = [structlog.processors.format_exc_info] if as_json else []
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *trace,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
