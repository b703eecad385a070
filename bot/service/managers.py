"""Who manages Latih in a workspace: claimed by a code, or appointed by another manager."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import TypeAlias

from bot.chat.card import Entry
from bot.chat.command import AddManager, Claim, ListManagers, RemoveManager
from bot.chat.event import Who
from bot.chat.reply import Draw
from bot.engine.people import Person, Place
from bot.service.kit import Kit
from bot.service.walk import arrive
from bot.store import Work
from bot.views import notes

ManagersCommand: TypeAlias = Claim | ListManagers | AddManager | RemoveManager


@dataclass(frozen=True, slots=True)
class Said:
    """What to answer: a phrase about someone, or the list of managers."""

    key: str = "managers.list"
    person: str = ""
    listed: tuple[Entry, ...] | None = None


def code_hash(code: str) -> str:
    """A claim code as it is kept: hashed, and read without its dashes and case."""
    plain = code.strip().upper().replace("-", "")
    return blake2b(plain.encode(), digest_size=32).hexdigest()


async def offer(kit: Kit, at: datetime, *, first: bool = False) -> str | None:
    """A new claim code, shown this once; with `first`, only when none was ever made."""
    code = kit.dice.code()

    def unit(work: Work) -> bool:
        made = code_hash(code)
        if first and work.claims(besides=made):
            return False
        work.offer_claim(made, at)
        return True

    return code if await kit.store.write(unit) else None


async def managers(
    kit: Kit, who: Who, command: ManagersCommand, *, at: datetime, typed: str
) -> Draw:
    """Do what was asked, when the asker may; say so either way."""

    def unit(work: Work) -> tuple[Said, Person, Place]:
        person, place = arrive(work, who, at)
        if isinstance(command, Claim):
            used = work.claim(code_hash(command.code), person.id, place.workspace, at)
            return Said("managers.claimed" if used else "managers.code-wrong"), person, place
        if not _may(kit, work, who, person, place):
            return Said("managers.only"), person, place
        return _do(work, who, command, place, at), person, place

    said, person, place = await kit.store.write(unit)
    reader = kit.reader(who, person, place, typed)
    if said.listed is not None:
        return partial(notes.managers, said.listed, reader)
    return partial(notes.note, reader, said.key, person=said.person)


def _may(kit: Kit, work: Work, who: Who, person: Person, place: Place) -> bool:
    named = who.identity in kit.managers
    return bool(who.admin) or named or work.is_manager(person.id, place.workspace)


def _do(
    work: Work,
    who: Who,
    command: ListManagers | AddManager | RemoveManager,
    place: Place,
    at: datetime,
) -> Said:
    match command:
        case ListManagers():
            rows = work.managers(place.workspace)
            return Said(listed=tuple(Entry(i.external, name or i.external) for i, name in rows))
        case AddManager(external, mentioned):
            identity = replace(who.identity, external=external)
            if not mentioned and work.person(identity) is None:
                return Said("managers.unknown", external)
            work.appoint(work.meet(identity, at).id, place.workspace)
            return Said("managers.added", external)
        case RemoveManager(external):
            known = work.person(replace(who.identity, external=external))
            if known is not None:
                work.dismiss(known.id, place.workspace)
            return Said("managers.removed", external)
