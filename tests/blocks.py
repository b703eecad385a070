"""Every block, with whatever text; and texts that mean something to some surface."""

from bot.chat import card

HOSTILE = {
    "a broadcast": "<!channel> <!here|all> @everyone",
    "a mention": "<@U1> <#C1|ml> <!subteam^S1>",
    "underscores": "__init__ and snake_case and _x_",
    "asterisks": "*args **kwargs * a*b*c",
    "tildes": "~~not struck~~ ~x~",
    "ampersands": "a && b <c> &amp; &lt;",
    "a masked link": "[x](y) <https://example.org|safe> [safe](https://example.org)",
    "a quote": "> quoted\n>>> all of it",
    "a list": "- one\n1. two\n# three",
    "an emoji's name": ":fire: :+1:",
    "a date": "<!date^1392734382^{date}|18 February>",
    "right to left": "النقطة (1) حُفِظَت",
    "control characters": "a\x01b\x1bc\x7fd",
    "line breaks": "one\n\ntwo\nthree",
    "marks of Discord": "<@1> <@&1> <#1> <t:1> </cmd:1> <:emoji:1> <id:home> @here",
    "spoilers": "a || b || c | d",
    "small print": "-# small\n### title #",
    "names of languages": "C# and F#\nC#",
    "backslashes": "C:\\new \\* \\_ \\\\",
    "a shrug": "¯\\_(ツ)_/¯",
    "addresses": "see https://example.org/a_b*c_(d). Or http:// or steam://run/1",
    "colons": "std::vector at 10:30:45 :a::b:",
    "brackets": "x[0](y) and [a] [b](c)",
    "3,000 characters": "word " * 599 + "words",
    "one word of 3,000 characters": "w" * 3_000,
}

BLOCKS = {
    card.Heading: card.Heading,
    card.Text: card.Text,
    card.Note: card.Note,
    card.Question: lambda text: card.Question("q1", 1, 2, text, text),
    card.Options: lambda text: card.Options(
        (
            card.OptionLine("A", text),
            card.OptionLine("B", text, card.Mark.KEY, text),
            card.OptionLine("C", text, card.Mark.CHOSEN, text),
        )
    ),
    card.Verdict: lambda text: card.Verdict(
        right=False, answer="A", key="B", title=text, why=text, but=text
    ),
    card.Score: lambda text: card.Score(1, 2, text),
    card.Links: lambda text: card.Links(
        text, (card.Link(text), card.Link(text, "https://example.org/?a=1&b=2"))
    ),
    card.Entries: lambda text: card.Entries((card.Entry(text, text), card.Entry("x", text))),
    card.Rule: lambda _: card.Rule(),
}
STANDS = {
    card.Question: 2,
    card.Options: 5,
    card.Verdict: 3,
    card.Links: 3,
    card.Entries: 3,
    card.Rule: 0,
}
"""How often the text stands in the block, where that is not once."""
