"""What Slack's own markup does with a text: what pings, and what was left unescaped."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.standins.slack_words import DATE, LINK

MENTION = re.compile(r"<(?:@[A-Z]\w*|#C\w*|!here|!channel|!everyone|!group|!subteam\^)[^<>]*>")
ENTITY = re.compile(r"&(?:amp|lt|gt);")


@dataclass(frozen=True)
class Breach:
    """One objection; with an `error`, Slack refuses the whole payload with that word."""

    words: str
    error: str | None = None


def refused(words: str) -> Breach:
    return Breach(words, "invalid_blocks")


def markup_breaches(text: str, *, where: str) -> Iterator[Breach]:
    """Slack takes these and lets people suffer: so they are noted, never refused."""
    bare = LINK.sub(lambda link: link[2] or "", text)
    bare = DATE.sub(lambda date: date[1] or "", bare)
    for mention in MENTION.findall(bare):
        yield Breach(f"{where}: a live mention {mention}")
    bare = ENTITY.sub("", MENTION.sub("", bare))
    for sign in "<&":
        if sign in bare:
            yield Breach(f"{where}: unescaped {sign} in {text[:80]!r}")
