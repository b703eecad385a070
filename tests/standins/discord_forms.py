"""The rules for what a person fills in: modals, and the choices of a half-typed option."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.standins.discord_components import choices, count, length, select, text, together
from tests.standins.discord_refusals import Breach
from tests.standins.discord_words import Component, Type, every

ASKED_FOR = {
    Type.SELECT,
    Type.TEXT_INPUT,
    Type.USER_SELECT,
    Type.ROLE_SELECT,
    Type.MENTIONABLE_SELECT,
    Type.CHANNEL_SELECT,
    Type.FILE_UPLOAD,
    Type.RADIO_GROUP,
    Type.CHECKBOX_GROUP,
    Type.CHECKBOX,
}
MOST_FIELDS = 5


def modal_breaches(modal: Mapping[str, Any]) -> Iterator[Breach]:
    """The objections to a modal."""
    yield from length(modal, "title", 45, "")
    yield from length(modal, "custom_id", 100, "")
    yield from count(modal, "components", MOST_FIELDS, "")
    components = modal.get("components") or []
    yield from together(components)
    for index, component in enumerate(components):
        yield from _field(component, f"components[{index}]")


def _field(component: Component, where: str) -> Iterator[Breach]:
    match component.get("type"):
        case Type.LABEL:
            yield from length(component, "label", 45, where)
            yield from length(component, "description", 100, where, least=0)
            yield from _asked_for(component.get("component") or {}, f"{where}.component")
        case Type.TEXT:
            yield from text(component, where)
        case Type.ROW:
            for held in component.get("components") or []:
                yield from length(held, "label", 45, f"{where}.components[0]")
                yield from _text_input(held, f"{where}.components[0]")
        case kind:
            yield Breach(where, f"a component of type {kind} cannot stand in a modal")


def _asked_for(component: Component, where: str) -> Iterator[Breach]:
    kind = component.get("type")
    if kind not in ASKED_FOR:
        yield Breach(where, f"a component of type {kind} cannot stand under a label")
    elif kind == Type.TEXT_INPUT:
        yield from _text_input(component, where)
    elif kind in {Type.RADIO_GROUP, Type.CHECKBOX_GROUP}:
        yield from length(component, "custom_id", 100, where)
        least = 2 if kind == Type.RADIO_GROUP else 1
        yield from count(component, "options", 10, where, least=least)
        yield from choices(component.get("options") or [], f"{where}.options")
    elif kind in {Type.FILE_UPLOAD, Type.CHECKBOX}:
        yield from length(component, "custom_id", 100, where)
    else:
        yield from select(component, where)


def _text_input(component: Component, where: str) -> Iterator[Breach]:
    yield from length(component, "custom_id", 100, where)
    yield from length(component, "placeholder", 100, where, least=0)
    yield from length(component, "value", 4000, where, least=0)
    if component.get("style") not in {1, 2}:
        yield Breach(f"{where}.style", f"{component.get('style')} is no style of a text input")
    shortest, longest = component.get("min_length") or 0, component.get("max_length") or 4000
    if not 0 <= shortest <= longest <= 4000:
        yield Breach(where, f"{shortest} to {longest} characters cannot be written")


def filled(modal: Mapping[str, Any], values: Mapping[str, Any]) -> list[Component]:
    """The components of a submitted modal; a value is named by its label or its custom id."""
    left = dict(values)
    components = [_filled(it, left) for it in modal["components"] if it["type"] != Type.TEXT]
    assert not left, f"no field {sorted(left)} in {modal['title']!r}"
    for number, component in enumerate(every(components), start=1):
        component["id"] = number
    return components


def _filled(component: Component, left: dict[str, Any]) -> Component:
    if component["type"] == Type.ROW:
        held = [_value(it, it.get("label"), left) for it in component["components"]]
        return {"type": Type.ROW, "components": held}
    inner = _value(component["component"], component["label"], left)
    return {"type": Type.LABEL, "component": inner}


def _value(asked: Component, label: str | None, left: dict[str, Any]) -> Component:
    custom_id = asked["custom_id"]
    given = left.pop(label or custom_id, None) if label in left else left.pop(custom_id, None)
    answer: Component = {"type": int(asked["type"]), "custom_id": custom_id}
    required = asked.get("required", True) and asked["type"] != Type.CHECKBOX
    assert given or not required, f"{label or custom_id} has to be filled in"
    match asked["type"]:
        case Type.TEXT_INPUT:
            written = str(given or "")
            shortest, longest = asked.get("min_length") or 0, asked.get("max_length") or 4000
            fits = shortest <= len(written) <= longest or not (written or required)
            assert fits, f"{label or custom_id}: {written!r} has a wrong length"
            return answer | {"value": written}
        case Type.RADIO_GROUP:
            return answer | {"value": _picked(asked, [given])[0] if given else None}
        case Type.CHECKBOX:
            return answer | {"value": bool(given)}
        case Type.SELECT | Type.CHECKBOX_GROUP:
            chosen = [given] if isinstance(given, str) else list(given or [])
            return answer | {"values": _picked(asked, chosen)}
        case _:
            return answer | {"values": list(given or [])}


def _picked(asked: Component, chosen: Sequence[Any]) -> list[str]:
    """By label or by value."""
    known = {it["label"]: it["value"] for it in asked["options"]}
    known |= {value: value for value in known.values()}
    assert set(chosen) <= set(known), f"{chosen} is not among {list(known)}"
    return [known[it] for it in chosen]


def choice_breaches(offered: Any) -> Iterator[Breach]:
    """The objections to the choices that an autocompletion offers."""
    if not isinstance(offered, list) or len(offered) > 25:
        yield Breach("data.choices", "not a list of at most 25")
        return
    for index, choice in enumerate(offered):
        yield from length(choice, "name", 100, f"data.choices[{index}]")
        if isinstance(choice.get("value"), str):
            yield from length(choice, "value", 100, f"data.choices[{index}]")
