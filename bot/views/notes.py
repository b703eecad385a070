"""Short private notes: what was not understood, what changed nothing, what is now set."""

from collections.abc import Sequence

from bot.chat.card import Block, Button, Card, Entries, Entry, Text
from bot.chat.command import SYNONYMS
from bot.chat.token import MenuToken
from bot.engine.language import Language
from bot.engine.run import Refused
from bot.views.build import Reader, card, start_button

_REFUSALS = {
    Refused.UNKNOWN: "note.forged",
    Refused.STALE: "note.stale",
    Refused.OVER: "note.over",
    Refused.NOT_YOURS: "note.not-yours",
    Refused.TOO_SOON: "note.stale",
}


def note(reader: Reader, key: str, **fields: object) -> Card:
    """One phrase as a card."""
    return card([Text(reader.say(key, command=reader.command, **fields))])


def refusal(reason: Refused, quiz: str | None, reader: Reader) -> Card:
    """Why a press changed nothing, and where to go on."""
    text = Text(reader.say(_REFUSALS[reason], command=reader.command, quiz=quiz or "QUIZ"))
    if reason is Refused.STALE:
        return card([text], [_resume_button(reader)])
    if reason is Refused.OVER and quiz:
        return card([text], [start_button(reader.say("summary.again"), quiz)])
    return card([text])


def unknown(typed: str, near: Sequence[str], reader: Reader) -> Card:
    """What was typed means nothing here: the nearest names as buttons, and what can be typed."""
    said = reader.say("note.unknown", typed=typed) if typed else reader.say("note.unknown-long")
    body: list[Block] = [
        Text(f"{said} {reader.say('note.near')}" if near else said),
        commands(reader),
    ]
    home = Button(reader.say("menu.home"), MenuToken("menu").wire)
    alike = {button.token: button for button in map(_near_button, reversed(near))}
    alike.pop(home.token, None)
    return card(body, [*reversed(alike.values())], [home])


def commands(reader: Reader) -> Entries:
    """The commands in the reader's words, after the one that was typed."""
    quiz = reader.say("option.quiz").upper()
    usage = {
        "start": quiz,
        "preview": quiz,
        "resume": "",
        "stop": "",
        "language": "en | id",
        "managers": "",
    }
    return Entries(
        tuple(
            Entry(
                " ".join(filter(None, (reader.command, reader.say(f"verb.{verb}"), argument))),
                reader.say(f"menu.{verb}"),
            )
            for verb, argument in usage.items()
        )
    )


def language(reader: Reader, *, chosen: bool) -> Card:
    """The reader's language, as it is now; the others one press away."""
    key = "language.now" if chosen else "language.choose"
    name = reader.say(f"language.{reader.language}")
    row = [
        Button(reader.say(f"language.{tag}"), MenuToken("language", tag.value).wire)
        for tag in (Language.EN, Language.ID)
        if tag is not reader.language
    ]
    return card([Text(reader.say(key, language=name, command=reader.command))], row)


def managers(listed: Sequence[Entry], reader: Reader) -> Card:
    """Who manages Latih here."""
    if not listed:
        return note(reader, "managers.nobody")
    return card([Text(reader.say("managers.list")), Entries(tuple(listed))])


def _resume_button(reader: Reader) -> Button:
    return Button(reader.say("run.open"), MenuToken("resume").wire, main=True)


def _near_button(name: str) -> Button:
    verb = next((verb for verb, words in SYNONYMS.items() if name in words), None)
    return Button(name, (MenuToken(verb) if verb else MenuToken("start", name)).wire)
