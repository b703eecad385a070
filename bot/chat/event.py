"""Events: what happened on a surface, translated once, with who, where and when (UTC)."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.chat.command import PRIVILEGED, PRIVILEGED_VERBS, Command
from bot.chat.token import MenuToken, parse
from bot.engine.language import Language
from bot.engine.people import Address, Identity


@dataclass(frozen=True, slots=True)
class Who:
    """Who acted and where.

    `locale` is the language the surface tells of them, if any. `admin` says whether the surface
    calls them an administrator there: None when it was not asked.
    """

    identity: Identity
    address: Address
    name: str | None = None
    locale: Language | None = None
    admin: bool | None = None


@dataclass(frozen=True, slots=True)
class Commanded:
    """A person typed a command; `typed` is the name it goes by where they typed it.

    `id` names this very command, however often it is delivered, where the surface tells.
    """

    who: Who
    command: Command
    at: datetime
    typed: str = "/quiz"
    id: str | None = None

    @property
    def once(self) -> str | None:
        """What is the same whenever this very command is delivered again."""
        return self.id

    @property
    def is_privileged(self) -> bool:
        """Whether only managers may ask for this."""
        return isinstance(self.command, PRIVILEGED)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A person pressed a button; `press` names this very press, however often it is delivered."""

    who: Who
    token: str
    press: str
    at: datetime
    typed: str = "/quiz"

    @property
    def once(self) -> str:
        """What is the same whenever this very press is delivered again."""
        return self.press

    @property
    def is_privileged(self) -> bool:
        """Whether only managers may ask for this."""
        match parse(self.token):
            case MenuToken(verb):
                return verb in PRIVILEGED_VERBS
            case _:
                return False


Event: TypeAlias = Commanded | Pressed
