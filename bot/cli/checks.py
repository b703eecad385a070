"""What `doctor` looks at: settings, quizzes, database, disk, Slack, clock."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from bot.cli.findings import LONGEST, Finding, State
from bot.cli.tools import Tools
from bot.engine.fault import RefusedError
from bot.settings import ENV_FILE, SettingsError

_LEAST_SPACE = 200 * 1000**2
_MB = 1000**2


def settings(tools: Tools) -> Iterator[Finding]:
    try:
        tools.settings  # noqa: B018 - reading them is the check
    except SettingsError as error:
        for line in str(error).splitlines():
            yield Finding(State.FAULT, "settings", f"cannot be used: {line}")
    else:
        where = f"{ENV_FILE} and the environment" if ENV_FILE.exists() else "the environment"
        yield Finding(State.OK, "settings", f"are readable, from {where}")


def env_file() -> Iterator[Finding]:
    """Tokens in a file that everyone on the machine can read are everyone's tokens."""
    if ENV_FILE.exists() and ENV_FILE.stat().st_mode & stat.S_IROTH:
        mend = f"chmod 600 {ENV_FILE}"
        yield Finding(State.WARN, str(ENV_FILE), "can be read by everyone on this machine", mend)


def quizzes(tools: Tools) -> Iterator[Finding]:
    from bot.quiz_files import Severity

    loaded = tools.loaded
    errors = [fault for fault in loaded.faults if fault.severity is Severity.ERROR]
    warnings = len(loaded.faults) - len(errors)
    mend = "`./latih check` says where and why"
    if errors:
        broken = len({fault.file for fault in errors})
        said = f"have {_count(len(errors), 'error')}, so {_count(broken, 'file')} cannot be used"
        yield Finding(State.FAULT, "quizzes", said, mend)
    elif not loaded.quizzes:
        mend = "set LATIH_QUIZZES to a folder that has some"
        yield Finding(State.FAULT, "quizzes", "are missing: there is none", mend)
    if warnings:
        yield Finding(State.WARN, "quizzes", f"have {_count(warnings, 'warning')}", mend)
    if loaded.quizzes and not loaded.faults:
        yield Finding(State.OK, "quizzes", f"load: {len(loaded.quizzes)} without a fault")


def database(tools: Tools) -> Iterator[Finding]:
    from bot.store import StoreError, care

    try:
        seen = care.look(tools.settings.database_url)
    except StoreError as error:
        why = str(error).removeprefix("the database cannot be used: ")
        yield Finding(State.FAULT, "database", "does not work", f"{why}; check DATABASE_URL")
        return
    name = str(seen.file) if seen.file else "Postgres"
    if seen.file is not None and not seen.there:
        yield _unmade(seen.file)
    elif seen.is_newer:
        said = f"{name} is of a newer Latih (revision {seen.revision})"
        yield Finding(State.FAULT, "database", said, "update Latih")
    elif seen.revision != seen.newest:
        said = f"{name} is at revision {seen.revision or 'none'}, and {seen.newest} is the newest"
        mend = "run `./latih migrate`, or start `serve`, which does it"
        yield Finding(State.WARN, "database", said, mend)
    else:
        yield Finding(State.OK, "database", f"{name} can be written and is at {seen.revision}")


def _unmade(file: Path) -> Finding:
    nearest = next(it for it in file.absolute().parents if it.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        said = f"{file} cannot be made in {_short(nearest)}"
        return Finding(State.FAULT, "database", said, "set DATABASE_URL to a place you may write")
    return Finding(State.OK, "database", f"{file} is not there yet; it is made when needed")


def disk(tools: Tools) -> Iterator[Finding]:
    """Space beside a SQLite file; a server's disk is not ours to see."""
    from bot.store import care

    file = care.sqlite_file(tools.settings.database_url)
    if file is None:
        return
    folder = next(it for it in file.absolute().parents if it.is_dir())
    free = shutil.disk_usage(folder).free
    said = f"has {free // _MB} MB free in {_short(folder)}"
    if free < _LEAST_SPACE:
        yield Finding(State.WARN, "disk", said, "make room: a full disk stops every answer")
    else:
        yield Finding(State.OK, "disk", said)


def slack_bot(tools: Tools) -> Iterator[Finding]:
    """The bot token, its scopes, and the clock by which Slack signs."""
    from bot.cli.slack_probe import ask_bot

    token = tools.settings.slack_bot_token
    if token is None:
        yield from _unconfigured(tools)
        return
    try:
        found = ask_bot(token.get_secret_value(), tools.settings.slack_api_url, LONGEST - 0.5)
    except RefusedError as error:
        yield Finding(State.FAULT, "Slack", "does not accept SLACK_BOT_TOKEN", str(error))
        return
    yield Finding(State.OK, "Slack", f"accepts the bot of workspace {found.name} ({found.url})")
    if found.missing:
        said = f"lack {', '.join(found.missing)}"
        mend = (
            "add these under OAuth & Permissions and reinstall; `./latih slack manifest` has them"
        )
        yield Finding(State.FAULT, "Slack scopes", said, mend)
    if found.slack_time is not None:
        yield _clock((tools.now() - found.slack_time).total_seconds())


def slack_way(tools: Tools) -> Iterator[Finding]:
    """What lets Slack's events in: the app token, or the signing secret."""
    found = tools.settings
    if found.slack_bot_token is None:
        return
    if found.slack_app_token is not None:
        yield _app_token(found.slack_app_token.get_secret_value(), found.slack_api_url)
    elif found.slack_signing_secret is not None:
        yield _secret(found.slack_signing_secret.get_secret_value())
    else:
        said = "has no way in: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set"
        yield Finding(State.FAULT, "Slack events", said, "run `./latih setup slack`")


def _unconfigured(tools: Tools) -> Iterator[Finding]:
    if tools.settings.slack_app_token or tools.settings.slack_signing_secret:
        said = "is half configured: SLACK_BOT_TOKEN is missing"
        yield Finding(State.FAULT, "Slack", said, "run `./latih setup slack`")
    else:
        yield Finding(State.OK, "Slack", "is not configured (fine for the terminal)")


def _app_token(token: str, api_url: str) -> Finding:
    from bot.cli.slack_probe import ask_app

    try:
        ask_app(token, api_url, LONGEST - 0.5)
    except RefusedError as error:
        return Finding(
            State.FAULT, "Slack events", "do not come, SLACK_APP_TOKEN is refused", str(error)
        )
    return Finding(State.OK, "Slack events", "come by Socket Mode: the app token is accepted")


def _secret(secret: str) -> Finding:
    from bot.cli.slack import looks_like_secret

    if looks_like_secret(secret):
        return Finding(State.OK, "Slack events", "come by HTTP, and the signing secret looks right")
    mend = "copy it from Basic Information: it is 32 of the characters 0-9 and a-f"
    return Finding(State.FAULT, "Slack events", "do not come, SLACK_SIGNING_SECRET is wrong", mend)


_SKEW_TOLD, _SKEW_REFUSED = 60, 240  # seconds; requests signed five minutes ago are refused


def _clock(ahead: float) -> Finding:
    off = abs(round(ahead))
    said = f"is {off} s {'ahead of' if ahead > 0 else 'behind'} Slack's"
    mend = "set this machine's clock (NTP); at five minutes Slack's requests are refused"
    if off > _SKEW_TOLD:
        state = State.FAULT if off > _SKEW_REFUSED else State.WARN
        return Finding(state, "clock", said, mend)
    return Finding(State.OK, "clock", "agrees with Slack's")


def _short(folder: Path) -> str:
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
