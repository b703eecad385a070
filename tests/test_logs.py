"""Logs in both forms: one line an event, with its reference, and without what is private."""

import json
import logging
from collections.abc import Iterator

import pytest

from bot.chat.reference import event_reference
from bot.logs import configure, hidden

FORMS = pytest.mark.parametrize("form", ["text", "json"])


@pytest.fixture(autouse=True)
def _loggers_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    names = [
        name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LIBRARIES
    ]
    before = {name: logging.getLogger(name).level for name in (*names, *LIBRARIES)}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, was in before.items():
        logging.getLogger(name).setLevel(was)


LIBRARIES = ("slack_bolt", "slack_sdk", "discord", "aiohttp", "asyncio", "alembic", "latih")

log = logging.getLogger("latih.test")


def breaks() -> None:
    name = "Ayu"
    raise LookupError(f"nothing for {len(name)}")


def tell_that_it_broke() -> None:
    try:
        breaks()
    except LookupError:
        log.exception("an event could not be answered", extra={"reference": "1a2b3c4d"})


def test_a_line_of_text_has_level_logger_and_reference_and_then_the_trace(capsys):
    configure("text info")
    tell_that_it_broke()

    first, *trace = capsys.readouterr().err.splitlines()
    assert "error" in first
    assert "an event could not be answered" in first
    assert "latih.test" in first
    assert "reference=1a2b3c4d" in first
    assert trace[-1] == "LookupError: nothing for 3"


def test_a_line_of_json_is_one_object_with_the_trace_inside(capsys):
    configure("json info")
    tell_that_it_broke()

    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert line["event"] == "an event could not be answered"
    assert line["level"] == "error"
    assert line["logger"] == "latih.test"
    assert line["reference"] == "1a2b3c4d"
    assert line["exception"].endswith("LookupError: nothing for 3")
    assert line["timestamp"].endswith("Z")


@FORMS
def test_a_trace_shows_no_values_of_variables(capsys, form):
    configure(f"{form} debug")
    tell_that_it_broke()

    assert "Ayu" not in capsys.readouterr().err


@FORMS
def test_every_line_about_an_event_has_the_reference_of_that_event(capsys, form):
    configure(f"{form} info")
    token = event_reference.set("9f8e7d6c")
    log.warning("a reply reached nobody")
    logging.getLogger("slack_sdk.web").error("it went wrong")
    event_reference.reset(token)
    log.warning("something else")

    first, second, third = capsys.readouterr().err.splitlines()
    assert "9f8e7d6c" in first
    assert "9f8e7d6c" in second
    assert "reference" not in third


@FORMS
def test_fields_of_a_line_that_are_not_known_are_not_told(capsys, form):
    configure(f"{form} debug")
    log.info("hello", extra={"user": "U0123ABCDEF", "payload": {"text": "checkpointing"}})

    said = capsys.readouterr().err
    assert "hello" in said
    assert "U0123" not in said
    assert "checkpointing" not in said


@pytest.mark.parametrize("library", ["discord.gateway", "slack_sdk.web", "aiohttp.access"])
def test_libraries_are_quiet_below_an_error(capsys, library):
    configure("text debug")
    logging.getLogger(library).warning("Session 123 of Ayu")
    logging.getLogger(library).error("it broke")

    said = capsys.readouterr().err
    assert "Ayu" not in said
    assert "it broke" in said


def test_the_sockets_library_says_nothing_at_all(capsys):
    configure("text debug")
    logging.getLogger("latih.socket").error("Failed to connect")

    assert capsys.readouterr().err == ""


def test_a_level_holds_for_us_as_well(capsys):
    configure("text warning")
    log.info("hello")

    assert capsys.readouterr().err == ""


@FORMS
def test_an_error_of_a_library_is_told_without_its_address(capsys, form):
    configure(f"{form} info")
    error = OSError("503, url='wss://wss.slack.com/link/?ticket=abc&app_id=A1'")
    log.error("no connection", exc_info=error)

    said = capsys.readouterr().err
    assert "wss://wss.slack.com/…" in said
    assert "ticket" not in said


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "postgresql://latih:secret@db.example.org:5432/latih",
            "postgresql://db.example.org:5432/…",
        ),
        ("POST https://discord.com/api/v10/webhooks/1/tok-en:", "POST https://discord.com/…"),
        ("token xoxb-12-ab and xapp-1-A2-cd", "token xox… and xox…"),
        (f"Bot {'M' * 26}.{'a' * 6}.{'b' * 38}", "Bot …"),
        ("KeyError: 'U0123ABCDEF'", "KeyError: '…'"),
        ("guild 123456789012345678 is unknown", "guild … is unknown"),
        (
            "SSL: CERTIFICATE_VERIFY_FAILED in DOCUMENTS",
            "SSL: CERTIFICATE_VERIFY_FAILED in DOCUMENTS",
        ),
        ("took 1234 ms at 2026-12-01T02:00:00", "took 1234 ms at 2026-12-01T02:00:00"),
    ],
)
def test_what_is_private_is_hidden_wherever_it_stands(text, left):
    assert hidden(text) == left
