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


def cost(text: str) -> int:
    """The characters that `text` takes on the strictest surface: `&amp;`, `&lt;` and `&gt;`."""
    return len(text) + 4 * text.count("&") + 3 * (text.count("<") + text.count(">"))
