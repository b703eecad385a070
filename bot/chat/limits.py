"""The budget that every screen keeps, taken from the strictest surface, and what spends it.

Sources: Slack's Block Kit reference and `chat.postMessage` (text at most 4,000 characters, where
`&`, `<` and `>` are sent escaped), Discord's component and message reference (4,000 characters of
display text, custom ids of 100, labels of 80).
"""

OPTIONS = (2, 8)
"""How few and how many options a question has: letters A to H."""

OPTION = 300
"""Characters of one option."""

SCREEN = 3_500
"""What the quiz's own words may cost on the longest screen; the rest is left to the bot's."""

QUIZ_ID = 40
"""Characters of a quiz id: it stands in tokens and on buttons."""

LABEL = 75
TOKEN = 100
HEADING = 150


_DEARER = {
    "&": 4,  # Slack: `&amp;`
    "<": 3,  # Slack: `&lt;`
    ">": 3,  # Slack: `&gt;`
    "\n": 5,  # Discord: a line may need a mark of its own, and an escape at its start
    **dict.fromkeys("\\*_~`|@#:", 1),  # Discord: a backslash before them
    "](": 1,  # Discord: a backslash between them
    "://": 1,  # Discord: an address stands in brackets; its colon pays for one of them
}
"""What may be sent beyond the text itself, on the surface that needs the most."""


def cost(text: str) -> int:
    """The characters that `text` takes on the strictest surface, escapes and marks included."""
    return len(text) + sum(dearer * text.count(mark) for mark, dearer in _DEARER.items())
