"""Plain text: a card's body in words alone, for screen readers, pipes and fallbacks."""

from collections.abc import Iterable

from bot.chat import card
from bot.chat.spans import isolated


def plain(body: Iterable[card.Block]) -> str:
    """Everything that `body` says, a block a paragraph."""
    return "\n\n".join(text for block in body if (text := _block(block)))


def _block(block: card.Block) -> str:
    match block:
        case card.Heading(text) | card.Text(text) | card.Note(text) | card.Score(text=text):
            return text
        case card.Question(progress=progress, stem=stem):
            return f"{progress}\n{stem}"
        case card.Options(lines):
            return "\n".join(map(_option, lines))
        case card.Verdict(title=title, why=why, but=but):
            return "\n".join(part for part in (title, but, why) if part)
        case card.Links(label, items):
            return f"{label}: " + "; ".join(map(link, items))
        case card.Entries(rows):
            return "\n".join(f"{row.term}: {row.text}" for row in rows)
        case card.Rule():
            return ""


def _option(line: card.OptionLine) -> str:
    remark = f" ({line.remark})" if line.remark else ""
    return f"{line.letter}. {isolated(line.text)}{remark}"


def link(item: card.Link) -> str:
    """A source in words, with its address when it has one."""
    return f"{item.title} ({item.url})" if item.url else item.title
