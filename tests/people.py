"""People who take quizzes: they type, press and see, whatever the surface behind them."""

from dataclasses import dataclass, field
from itertools import count

from bot.chat.card import Button, Card, Options, Question, Score, Verdict
from bot.chat.command import parse
from bot.chat.event import Commanded, Pressed, Who
from bot.chat.reply import Redraw, Reply, Show, Whisper
from bot.chat.token import RunToken
from bot.chat.token import parse as read_token
from bot.engine.language import Language
from bot.engine.people import Address, Identity
from bot.service import Service
from tests.quizzes import small_quizzes
from tests.world import Clock

_NAMES = frozenset(quiz.id for quiz in small_quizzes())
_presses = count(1)


@dataclass
class Person:
    """Talks to the service itself, as a surface would on their behalf."""

    service: Service
    clock: Clock
    name: str = "Ayu"
    locale: Language | None = None
    admin: bool | None = None
    workspace: str = "T1"
    channel: str = "C1"
    typed: str = "/quiz"
    messages: list[Card] = field(default_factory=list)
    notes: list[Card] = field(default_factory=list)

    @property
    def who(self) -> Who:
        return Who(
            identity=Identity("test", self.workspace, self.name),
            address=Address("test", self.workspace, self.channel),
            name=self.name,
            locale=self.locale,
            admin=self.admin,
        )

    @property
    def screen(self) -> Card:
        """The newest message."""
        return self.messages[-1]

    async def types(self, text: str) -> Card:
        """Type a command; what it shows is a new message."""
        command = parse(text, _NAMES)
        event = Commanded(self.who, command, self.clock.now(), self.typed)
        self._gets(await self.service.handle(event))
        return self.screen

    async def presses(self, label: str, *, on: int = -1, as_press: str | None = None) -> Card:
        """Press the button called `label` on a message; what is seen there afterwards."""
        return await self.presses_token(self.button(label, on).token, on=on, as_press=as_press)

    async def presses_token(self, token: str, *, on: int = -1, as_press: str | None = None) -> Card:
        press = as_press or f"press-{next(_presses)}"
        event = Pressed(self.who, token, press, self.clock.now(), self.typed)
        self._gets(await self.service.handle(event), on=on)
        return self.messages[on] if self.messages else self.notes[-1]

    async def chooses(self, option: str, *, on: int = -1) -> Card:
        """Press the letter under which the option with this text stands."""
        return await self.presses(self.letter(option, on=on), on=on)

    async def answers(self, *, right: bool) -> Card:
        """Answer the current question by its key, or not."""
        key = key_text(self.asked.id)
        lines = next(block for block in self.screen.body if isinstance(block, Options)).lines
        wanted = next(line for line in lines if (key in line.text) is right)
        return await self.presses(wanted.letter)

    def button(self, label: str, on: int = -1) -> Button:
        found = [b for row in self.messages[on].buttons for b in row if b.label == label]
        assert found, f"no button {label!r} among {labels(self.messages[on])}"
        return found[0]

    def letter(self, option: str, *, on: int = -1) -> str:
        lines = next(b for b in self.messages[on].body if isinstance(b, Options)).lines
        return next(line.letter for line in lines if line.text == option)

    @property
    def asked(self) -> Question:
        """The question on the screen."""
        return next(block for block in self.screen.body if isinstance(block, Question))

    @property
    def verdict(self) -> Verdict:
        return next(block for block in self.screen.body if isinstance(block, Verdict))

    @property
    def score(self) -> Score:
        return next(block for block in self.screen.body if isinstance(block, Score))

    def sees(self, *texts: str) -> bool:
        """Whether all `texts` stand in the newest message."""
        return all(text in self.screen.alt for text in texts)

    def run_token(self, on: int = -1) -> RunToken:
        for row in self.messages[on].buttons:
            for button in row:
                if isinstance(token := read_token(button.token), RunToken):
                    return token
        raise AssertionError("no button of a run on this message")

    def _gets(self, replies: tuple[Reply, ...], on: int = -1) -> None:
        for reply in replies:
            card = reply.draw()
            match reply:
                case Show():
                    self.messages.append(card)
                case Redraw() if self.messages:
                    self.messages[on] = card
                case Redraw():
                    self.messages.append(card)
                case Whisper():
                    self.notes.append(card)


def labels(card: Card) -> list[str]:
    return [button.label for row in card.buttons for button in row]


def key_text(question_id: str) -> str:
    """Words that only the key of a small quiz's question has, in either language."""
    questions = {q.id: q for quiz in small_quizzes() for q in quiz.questions}
    return f" {questions[question_id].key[0]}"
