"""Everything Slack, or a person with a screen reader, would object to in a message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.standins.slack_blocks import block_breaches
from tests.standins.slack_markup import Breach, markup_breaches, refused

MOST_BLOCKS = 50
MOST_TEXT = 4000
MOST_MARKDOWN = 12_000


def breaches(content: Mapping[str, Any]) -> list[Breach]:
    """The objections to one message, those that Slack refuses it for among them."""
    blocks = content.get("blocks") or []
    if not isinstance(blocks, list):
        return [Breach("blocks: not a list", "invalid_blocks_format")]
    return [
        *_text(content.get("text"), with_blocks=bool(blocks)),
        *_whole(blocks),
        *(it for n, block in enumerate(blocks) for it in block_breaches(block, where=f"[{n}]")),
        *_habits(content),
    ]


def refusal(found: Sequence[Breach]) -> str | None:
    """The error word of the first objection that Slack answers with one."""
    return next((breach.error for breach in found if breach.error), None)


def _text(text: Any, *, with_blocks: bool) -> Iterator[Breach]:
    if not isinstance(text, str) or not text.strip():
        if with_blocks:
            yield Breach("text: blocks without a text alternative")
        else:
            yield Breach("text: neither text nor blocks", "no_text")
        return
    if len(text) > MOST_TEXT:
        yield Breach(f"text: {len(text)} characters, at most {MOST_TEXT}")
    yield from markup_breaches(text, where="text")


def _whole(blocks: Sequence[Any]) -> Iterator[Breach]:
    """Limits that hold for the blocks of a message together."""
    if len(blocks) > MOST_BLOCKS:
        yield refused(f"blocks: {len(blocks)}, at most {MOST_BLOCKS}")
    known = [block for block in blocks if isinstance(block, dict)]
    ids = [block["block_id"] for block in known if "block_id" in block]
    for it in sorted({str(it) for it in ids if ids.count(it) > 1}):
        yield refused(f"blocks: block_id {it} stands twice")
    if sum(block.get("type") == "table" for block in known) > 1:
        yield Breach("blocks: more than one table", "only_one_table_allowed")
    markdown = [str(block.get("text", "")) for block in known if block.get("type") == "markdown"]
    if sum(map(len, markdown)) > MOST_MARKDOWN:
        yield refused(f"blocks: more than {MOST_MARKDOWN} characters of markdown together")


def _habits(content: Mapping[str, Any]) -> Iterator[Breach]:
    """Arguments that undo the care taken elsewhere."""
    if content.get("attachments"):
        yield Breach("attachments: legacy, and outside every rule")
    if content.get("link_names") or content.get("parse") == "full":
        yield Breach("link_names or parse=full makes every @name live")
