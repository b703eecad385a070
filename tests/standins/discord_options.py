"""What a person types into a command's options, as Discord hands it to the bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from tests.standins.discord_payloads import (
    acting_channel_payload,
    resolved_member_payload,
    user_payload,
)
from tests.standins.discord_state import Channel, DiscordPerson, World

Definition = Mapping[str, Any]


class OptionType(IntEnum):
    SUB_COMMAND = 1
    SUB_COMMAND_GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


@dataclass(frozen=True, kw_only=True)
class Typed:
    """A command as it stands in the message box."""

    command: Definition
    path: tuple[Definition, ...]
    values: dict[str, Any]

    @property
    def words(self) -> str:
        return " ".join(["/" + str(self.command["name"]), *(str(it["name"]) for it in self.path)])

    @property
    def definitions(self) -> list[Definition]:
        held = (self.path or (self.command,))[-1]
        return list(held.get("options") or [])


def typed(commands: Sequence[Definition], text: str, values: dict[str, Any]) -> Typed:
    """Only what Discord's own list offers can be typed."""
    name, *words = text.removeprefix("/").split()
    command = _named(commands, name, f"no command /{name} is registered")
    path: list[Definition] = []
    for word in words:
        path.append(_named((path or [command])[-1].get("options") or [], word, f"no {word}"))
    found = Typed(command=command, path=tuple(path), values=values)
    kinds = {option["type"] for option in found.definitions}
    assert not kinds & {1, 2}, f"{found.words} needs one of its sub-commands"
    return found


def _named(choices: Sequence[Definition], name: str, complaint: str) -> Definition:
    found = next((it for it in choices if name in _names(it)), None)
    assert found is not None, f"{complaint}, only {[it['name'] for it in choices]}"
    return found


def _names(it: Definition) -> set[str]:
    """People type the word of their own language; the bot is told the default one."""
    return {it["name"], *(it.get("name_localizations") or {}).values()}


def command_data(world: World, said: Typed, *, focused: str | None = None) -> dict[str, Any]:
    """The interaction's data; half-typed values pass while one of them is focused."""
    definitions = {str(it["name"]): it for it in said.definitions}
    unknown = set(said.values) - set(definitions)
    assert not unknown, f"{said.words} has no option {unknown}, only {list(definitions)}"
    if focused is None:
        missing = [name for name, it in definitions.items() if it.get("required")]
        missing = [name for name in missing if name not in said.values]
        assert not missing, f"{said.words} cannot be sent without {missing}"
    options = [
        _option(definitions[name], value, focused=name == focused)
        for name, value in said.values.items()
    ]
    for sub in reversed(said.path):
        options = [{"name": sub["name"], "type": sub["type"], "options": options}]
    data = {
        key: said.command[key] for key in ("id", "name", "type", "guild_id") if key in said.command
    }
    data |= {"options": options} if options else {}
    resolved = _resolved(world, list(said.values.values()))
    return data | ({"resolved": resolved} if resolved else {})


def _option(definition: Definition, value: Any, *, focused: bool) -> dict[str, Any]:
    option: dict[str, Any] = {"name": definition["name"], "type": definition["type"]}
    if focused:
        return option | {"value": value, "focused": True}
    return option | {"value": _value(definition, value)}


def _value(definition: Definition, value: Any) -> Any:
    """The client refuses what the definition does not allow."""
    name, kind = definition["name"], OptionType(definition["type"])
    if definition.get("choices"):
        return _chosen(definition, value)
    match kind:
        case OptionType.STRING:
            assert isinstance(value, str), f"{name}: {value!r} is no text"
            shortest, longest = definition.get("min_length", 0), definition.get("max_length", 6000)
            assert shortest <= len(value) <= longest, f"{name}: {value!r} has a wrong length"
        case OptionType.INTEGER | OptionType.NUMBER:
            assert isinstance(value, int | float), f"{name}: {value!r} is no number"
            least, most = definition.get("min_value", value), definition.get("max_value", value)
            assert least <= value <= most, f"{name}: {value!r} is out of range"
        case OptionType.BOOLEAN:
            assert isinstance(value, bool), f"{name}: {value!r} is not yes or no"
        case OptionType.USER:
            assert isinstance(value, DiscordPerson), f"{name}: {value!r} is no person"
            return value.id
        case OptionType.CHANNEL:
            assert isinstance(value, Channel), f"{name}: {value!r} is no channel"
            return value.id
        case _:
            raise AssertionError(f"{name}: the stand-in has no options of type {kind.name}")
    return value


def _chosen(definition: Definition, value: Any) -> Any:
    """By the name of the choice in any language, or by its value."""
    for choice in definition["choices"]:
        if value == choice["value"] or value in _names(choice):
            return choice["value"]
    names = [choice["name"] for choice in definition["choices"]]
    raise AssertionError(f"{definition['name']}: {value!r} is not among {names}")


def _resolved(world: World, values: list[Any]) -> dict[str, Any]:
    people = [it for it in values if isinstance(it, DiscordPerson)]
    channels = [it for it in values if isinstance(it, Channel)]
    resolved: dict[str, Any] = {}
    if people:
        resolved["users"] = {it.id: user_payload(it) for it in people}
        resolved["members"] = {it.id: resolved_member_payload(it) for it in people}
    if channels:
        resolved["channels"] = {
            it.id: acting_channel_payload(world, it, DiscordPerson(id="0", name=""))
            for it in channels
        }
    return resolved
