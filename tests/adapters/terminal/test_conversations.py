"""The conversation itself, with a service that answers as it is told or really does."""

import asyncio
import io
from typing import Self

import pytest

from adapters.terminal.app import Terminal, TerminalApp
from adapters.terminal.screen import Feed, Transcript
from bot.chat.card import Card, Text, Verdict
from bot.chat.command import Menu, Speak, Start
from bot.chat.reply import Redraw, Reply, Show, Whisper
from bot.engine.language import Language
from bot.phrases import Phrasebook
from bot.service import Service
from tests.quizzes import small_quizzes
from tests.rows import runs
from tests.screens import SCREENS
from tests.world import Clock, CountingDice

QUESTION, VERDICT = SCREENS["question-first.en"], SCREENS["verdict-wrong.en"]
RESULT, NOTE = SCREENS["result-some-missed.en"], SCREENS["note-busy.en"]
STALE, OVER = SCREENS["refused-stale.en"], SCREENS["refused-over.en"]
KEPT = "Your progress is kept. Go on with: ./latih play shards"


class Typed:
    """Types these keys, one after the other."""

    def __init__(self, *keys: str) -> None:
        self.left = list(keys)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        pass

    async def read(self) -> str | None:
        return self.left.pop(0) if self.left else None


class Talk:
    """One conversation, and all that was said in it."""

    def __init__(self, handle, *keys: str, auto=False, screen=Transcript, **options) -> None:
        self.out, self.told = io.StringIO(), []
        self.has_told = asyncio.Event()
        prompting = {"prompting": True} if screen is Transcript else {}
        self.typed = Typed(*keys)
        self.app = TerminalApp(
            handle=handle,
            terminal=Terminal(screen(self.out, self.tell, **prompting), self.typed, auto),
            phrasebook=Phrasebook(),
            language=Language.EN,
            name="ayu",
            now=options.get("now", Clock().now),
            reference=CountingDice().reference,
            go_on=lambda quiz: f"./latih play {quiz}",
        )

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)
        self.has_told.set()

    async def about(self, quiz="shards", *commands) -> bool:
        return await self.app.play(quiz, commands or (Start(quiz),))

    @property
    def sentences(self) -> list[str]:
        """What was told, the legends left out."""
        return [sentence for sentence in self.told if not sentence.endswith("[Q] Leave")]


class Script:
    """Answers each event by the next of these replies, and remembers the tokens pressed."""

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = list(replies)
        self.events = []

    async def __call__(self, event):
        self.events.append(event)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return (reply,)

    @property
    def pressed(self) -> list[str]:
        return [event.token.split(".")[-1] for event in self.events[1:]]


def key_of(question: str) -> str:
    return next(q.key[0] for quiz in small_quizzes() for q in quiz.questions if q.id == question)


@pytest.mark.asyncio
async def test_enter_goes_on_and_a_letter_answers():
    script = Script(Show(lambda: QUESTION), Redraw(lambda: VERDICT), Redraw(lambda: QUESTION))
    assert await Talk(script, "a", "\n").about()
    assert script.pressed == ["A", "next"]


@pytest.mark.asyncio
async def test_each_press_has_a_name_of_its_own():
    script = Script(
        Show(lambda: QUESTION),
        Redraw(lambda: VERDICT),
        Redraw(lambda: QUESTION),
        Redraw(lambda: VERDICT),
    )
    await Talk(script, "a", "", "a").about()
    presses = [event.press for event in script.events[1:]]
    assert len(set(presses)) == len(presses) == 3


@pytest.mark.asyncio
async def test_only_the_last_commands_reply_is_shown():
    talk = Talk(
        Script(Show(lambda: Card("spoken", (Text("Your language"),))), Show(lambda: QUESTION))
    )
    await talk.about("shards", Speak(Language.EN), Start("shards"))
    assert "Your language" not in talk.out.getvalue()
    assert "Question 1 of 3" in talk.out.getvalue()


@pytest.mark.asyncio
async def test_a_person_at_lines_is_told_what_can_be_typed():
    talk = Talk(Script(Show(lambda: QUESTION)))
    await talk.about()
    assert talk.told[0].endswith("[A] [B] [C] [D]   [L] Bahasa Indonesia   [Q] Leave")


@pytest.mark.asyncio
async def test_leaving_the_result_says_nothing_of_progress():
    talk = Talk(Script(Show(lambda: RESULT)), "q")
    assert await talk.about()
    assert talk.sentences == []


@pytest.mark.asyncio
async def test_leaving_elsewhere_says_how_to_go_on():
    talk = Talk(Script(Show(lambda: QUESTION)), "q")
    assert await talk.about()
    assert talk.sentences == [KEPT]


@pytest.mark.asyncio
async def test_a_failure_is_one_sentence_with_a_reference_and_keeps_the_progress():
    talk = Talk(Script(Show(lambda: QUESTION), RuntimeError("secret detail")), "a")
    assert not await talk.about()
    failed, kept = talk.sentences
    assert "Reference: ref000" in failed
    assert "secret detail" not in failed
    assert kept == KEPT


@pytest.mark.asyncio
async def test_a_slow_database_is_told_of_and_waited_for(monkeypatch):
    monkeypatch.setattr("bot.chat.patience.within.__defaults__", (0.01,))
    answered = asyncio.Event()

    async def slow(event):
        await asyncio.wait_for(answered.wait(), 20)
        return (Show(lambda: QUESTION),)

    talk = Talk(slow)
    task = asyncio.create_task(talk.about())
    await asyncio.wait_for(talk.has_told.wait(), 20)
    assert talk.told == ["Still waiting for the database; nothing is lost."]
    answered.set()
    assert await task
    assert "Question 1 of 3" in talk.out.getvalue()


@pytest.mark.asyncio
async def test_being_told_to_end_is_leaving():
    async def for_ever():
        await asyncio.Event().wait()

    talk = Talk(Script(Show(lambda: QUESTION)))
    talk.typed.read = for_ever
    task = asyncio.create_task(talk.about())
    await asyncio.wait_for(talk.has_told.wait(), 20)
    task.cancel()
    assert await task
    assert talk.sentences == [KEPT]


@pytest.mark.asyncio
async def test_a_note_stands_beside_the_screen_whose_keys_still_work():
    script = Script(Show(lambda: QUESTION), Whisper(lambda: NOTE), Redraw(lambda: VERDICT))
    talk = Talk(script, "a", "b")
    await talk.about()
    assert script.pressed == ["A", "B"]
    assert talk.out.getvalue().count("Many people are answering") == 1


@pytest.mark.asyncio
async def test_a_note_that_leads_on_lends_its_own_keys():
    script = Script(Show(lambda: QUESTION), Whisper(lambda: STALE), Redraw(lambda: VERDICT))
    await Talk(script, "a", "").about()
    assert script.events[-1].token == "1.m.resume."


@pytest.mark.asyncio
async def test_a_script_follows_a_run_that_moved_on_elsewhere():
    script = Script(
        Show(lambda: QUESTION),
        Whisper(lambda: STALE),
        Redraw(lambda: VERDICT),
        Redraw(lambda: RESULT),
    )
    assert await Talk(script, "a", auto=True).about()
    assert [event.token for event in script.events[2:]] == [
        "1.m.resume.",
        "1.r.abcdefghijklmnop.1.next",
    ]


@pytest.mark.asyncio
@pytest.mark.parametrize("note", [NOTE, SCREENS["language-chosen.en"]])
async def test_a_script_does_not_press_next_for_ever_when_it_is_refused(note):
    talk = Talk(Script(Show(lambda: VERDICT), Whisper(lambda: note)), auto=True)
    assert not await talk.about()
    assert talk.sentences == [KEPT]


@pytest.mark.asyncio
async def test_a_script_whose_run_was_ended_elsewhere_stops_at_the_end_of_input():
    talk = Talk(Script(Show(lambda: QUESTION), Whisper(lambda: OVER)), "a", "b", auto=True)
    assert await talk.about()
    assert "Please type one of 1, Q." in talk.sentences


@pytest.mark.asyncio
async def test_a_feed_tells_notes_beside_the_objects():
    talk = Talk(Script(Show(lambda: VERDICT), Whisper(lambda: NOTE)), auto=True, screen=Feed)
    await talk.about()
    assert talk.out.getvalue().count("\n") == 1
    assert talk.sentences[0].startswith("Many people are answering")


@pytest.mark.asyncio
async def test_the_misses_can_be_reviewed_and_the_quiz_taken_again(service: Service, clock, kit):
    talk = Talk(service.handle, now=clock.now)
    steps = _Steps(talk)
    talk.typed.read = steps.read
    steps.plan = ["wrong", "", "right", "", "wrong", "", "1", "right", "", "right", "", "1"]
    await talk.about()
    out = talk.out.getvalue()
    assert "You got 1 of 3 right." in out
    assert "Question 1 of 2" in out
    assert "You got 2 of 2 right." in out
    first, review, again = await runs(kit.store)
    assert (first["end_reason"], review["end_reason"]) == ("finished", "finished")
    assert review["parent_id"] == first["id"]
    assert again["ended_at"] is None
    assert talk.sentences == [KEPT]


@pytest.mark.asyncio
async def test_the_next_quiz_is_one_key_away_and_goes_on_by_its_own_name(service: Service, clock):
    talk = Talk(service.handle, now=clock.now)
    steps = _Steps(talk)
    talk.typed.read = steps.read
    steps.plan = ["right", "", "right", "", "right", "", "2"]
    await talk.about()
    assert "About resume-well" in talk.out.getvalue()
    assert talk.sentences == [KEPT.replace("shards", "resume-well")]


@pytest.mark.asyncio
async def test_the_menu_can_be_walked_by_keys(service: Service, clock):
    talk = Talk(service.handle, "1", "q", now=clock.now)
    await talk.about("", Menu())
    assert "Question 1 of 3" in talk.out.getvalue()


class _Steps:
    """Answers what is on the screen rightly or wrongly, else types what was planned."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.plan: list[str] = []

    async def read(self) -> str | None:
        step = self.plan.pop(0) if self.plan else None
        if step not in ("right", "wrong"):
            return step
        asked, options = self.talk.app._card.body[-2:]
        assert not isinstance(options, Verdict)
        ending = f" {key_of(asked.id)}"
        wanted = (o for o in options.lines if o.text.endswith(ending) is (step == "right"))
        return next(wanted).letter
