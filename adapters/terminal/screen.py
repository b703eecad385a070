"""Where cards go: a transcript for pipes, a window for terminals, a feed for programs.

All three show a card, whisper a note beside it, and say what may be typed; results go to standard
output, and all else is told on standard error.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TextIO

from rich.console import Console
from rich.text import Text
from typing_extensions import override

from adapters.terminal.read import Keys
from adapters.terminal.render import harmless, json_lines, legend, lines, rule
from bot.chat.card import Block, Card, Options, Question, Score, Verdict
from bot.chat.card import Text as Plain
from bot.chat.words import Words

_WIDEST = 80  # longer lines are hard to read
_NARROWEST = 20

Tell = Callable[[str], None]


class Screen(Protocol):
    def show(self, card: Card) -> None:
        """A new card, or the one before it drawn anew."""
        ...

    def whisper(self, card: Card) -> None:
        """A note beside the card, which stays."""
        ...

    def ask(self, known: Keys, words: Words, *, again: bool) -> None:
        """Say what may be typed; `again` when the last thing typed meant nothing."""
        ...

    def tell(self, sentence: str) -> None:
        """Say something that is no result."""
        ...


class Transcript:
    """Everything one below the other; `prompting` when a person types the lines."""

    def __init__(self, out: TextIO, tell: Tell, *, prompting: bool) -> None:
        self._out = out
        self._tell = tell
        self._prompting = prompting
        self._console = Console(file=out, highlight=False, legacy_windows=False)
        self._body: tuple[Block, ...] = ()

    def show(self, card: Card) -> None:
        body = _unsaid(card.body, self._body)
        if self._body:
            self._write([Text(), *(self._between() if body == card.body else [])])
        self._body = card.body
        self._write(lines(body, self._width))

    def whisper(self, card: Card) -> None:
        self._write([Text(), *lines(card.body, self._width)])

    def ask(self, known: Keys, words: Words, *, again: bool) -> None:
        if again:
            self.tell(words.say("terminal.again", keys=", ".join(known.wanted)))
        if self._prompting:
            self.tell("\n".join(line.plain for line in legend(known, words, self._width)))

    def tell(self, sentence: str) -> None:
        self._tell(harmless(sentence))

    @property
    def _width(self) -> int:
        # The last column stays free: a line that ends in it makes some terminals begin another.
        return max(min(self._console.size.width - 1, _WIDEST), _NARROWEST)

    def _between(self) -> list[Text]:
        return [*rule(self._width), Text()]

    def _write(self, drawn: Sequence[Text]) -> None:
        with self._console.capture() as captured:
            for line in drawn:
                self._console.print(line, soft_wrap=True)
        self._put(captured.get())

    def _put(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


class Window(Transcript):
    """A terminal, where a card drawn anew takes the place of what it was.

    Only what is still in sight is ever drawn over. Of a card that is longer than the terminal is
    high, what matters most is said again at its foot.
    """

    def __init__(self, out: TextIO, tell: Tell) -> None:
        super().__init__(out, tell, prompting=False)
        self._card_lines: int | None = None
        self._foot_lines = 0
        self._drawn_at = self._console.size

    @override
    def show(self, card: Card) -> None:
        body = card.body
        if self._is_anew(card):
            self._erase((self._card_lines or 0) + self._foot_lines)
        else:
            self._lift_foot()
            body = _unsaid(card.body, self._body)
            if self._body:
                self._write([Text(), *(self._between() if body == card.body else [])])
        self._foot_lines = 0
        self._body = card.body
        self._drawn_at = self._console.size
        drawn = lines(body, self._width)
        self._card_lines = len(drawn)
        self._write(drawn)

    @override
    def whisper(self, card: Card) -> None:
        self._lift_foot()
        super().whisper(card)
        self._card_lines = None

    @override
    def ask(self, known: Keys, words: Words, *, again: bool) -> None:
        self._lift_foot()
        foot = [Text(), *legend(known, words, self._width)]
        if (self._card_lines or 0) + len(foot) >= self._console.size.height:
            gist = _gist(self._body)
            foot[0:0] = [Text(), *lines(gist, self._width)] if gist else []
        if again:
            hint = words.say("terminal.again", keys=", ".join(known.wanted))
            foot += lines([Plain(hint)], self._width)
        self._foot_lines = len(foot)
        self._write(foot)

    @override
    def tell(self, sentence: str) -> None:
        self._lift_foot()
        self._write([Text()])
        self._card_lines = None
        super().tell(sentence)

    def _is_anew(self, card: Card) -> bool:
        if self._card_lines is None or _place(card.body) != _place(self._body):
            return False
        size = self._console.size
        return size == self._drawn_at and self._card_lines + self._foot_lines < size.height

    def _lift_foot(self) -> None:
        """Take the legend away, unless the terminal has been resized under it."""
        if self._console.size == self._drawn_at:
            self._erase(self._foot_lines)
        self._drawn_at = self._console.size
        self._foot_lines = 0

    def _erase(self, count: int) -> None:
        if count:
            # Line by line: some terminals keep what is cleared at once, and show it twice.
            self._put("\x1b[A\x1b[2K" * count + "\r")


class Feed:
    """One JSON object a line, for a program."""

    def __init__(self, out: TextIO, tell: Tell) -> None:
        self._out = out
        self._tell = tell
        self._ascii_only = not (out.encoding or "utf-8").lower().startswith("utf")

    def show(self, card: Card) -> None:
        for line in json_lines(card, ascii_only=self._ascii_only):
            self._out.write(f"{line}\n")
        self._out.flush()

    def whisper(self, card: Card) -> None:
        self.tell(card.alt)

    def ask(self, known: Keys, words: Words, *, again: bool) -> None:
        if again:
            self.tell(words.say("terminal.again", keys=", ".join(known.wanted)))

    def tell(self, sentence: str) -> None:
        self._tell(harmless(sentence))


def _unsaid(body: tuple[Block, ...], before: tuple[Block, ...]) -> tuple[Block, ...]:
    """A verdict without the question that stands right above it."""
    question = next((block for block in body if isinstance(block, Question)), None)
    if question not in before or not any(isinstance(block, Verdict) for block in body):
        return body
    return tuple(block for block in body if not isinstance(block, Question | Options))


def _gist(body: tuple[Block, ...]) -> tuple[Block, ...]:
    """What a person looks for first: how the answer or the run came out."""
    gist: list[Block] = [block for block in body if isinstance(block, Score)]
    verdicts = (block for block in body if isinstance(block, Verdict))
    return tuple(gist + [replace(block, why=None, but=None) for block in verdicts])


def _place(body: tuple[Block, ...]) -> object:
    """What a card is about: a question, a result, or itself alone."""
    if any(isinstance(block, Score) for block in body):
        return Score
    asked = (block for block in body if isinstance(block, Question))
    return next(((block.id, block.number) for block in asked), None) or body
