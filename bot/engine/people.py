"""Who answers, and where: what names them on a surface, and what is known of them here."""

from dataclasses import dataclass
from typing import Self

from bot.engine.language import Language


@dataclass(frozen=True, slots=True)
class Identity:
    """An account on a surface; `workspace` is empty where accounts belong to none (Discord)."""

    surface: str
    workspace: str
    external: str

    @property
    def written(self) -> str:
        """As settings and the command line write it: `slack:T1:U1`, `discord:1234`."""
        return ":".join(part for part in (self.surface, self.workspace, self.external) if part)

    @classmethod
    def read(cls, written: str) -> Self:
        """The identity that `written` names; `ValueError` when it names none."""
        match written.split(":"):
            case [surface, workspace, external] if surface and external:
                return cls(surface, workspace, external)
            case [surface, external] if surface and external:
                return cls(surface, "", external)
            case _:
                message = f"{written!r} is no identity"
                raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Address:
    """A place as its surface names it: a channel, thread or direct view of a workspace."""

    surface: str
    workspace: str
    external: str


@dataclass(frozen=True, slots=True)
class Person:
    """A human behind an identity, by our own numbers; `language` only when chosen."""

    id: int
    identity: int
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place by our own number; `language` and `zone` (IANA) only when set."""

    id: int
    workspace: int
    language: Language | None = None
    zone: str | None = None
