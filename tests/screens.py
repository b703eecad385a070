"""Every screen that the views draw, by name and language of the reader: `question-first.en`."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.chat.card import Card, Entry
from bot.chat.limits import SCREEN, cost
from bot.engine import run as rules
from bot.engine.language import Language, Text
from bot.engine.quiz import LETTERS, Level, Option, Question, Quiz, QuizKind, Source, order
from bot.engine.run import End, Given, Refused, Run
from bot.phrases import Phrasebook, catalogue
from bot.views import menu, notes, run
from bot.views.build import Reader
from tests.quizzes import question as small_question
from tests.quizzes import quiz as small_quiz

AT = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
EN, ID, ORIGINAL = Language.EN, Language.ID, Language.ORIGINAL


def reader(language: Language, command: str = "/quiz") -> Reader:
    return Reader(language, Phrasebook().words(language), command)


def said(english: str, indonesian: str, original: str | None = None) -> Text:
    return Text({EN: english, ID: indonesian} | ({ORIGINAL: original} if original else {}))


SAVE = Question(
    id="save-1",
    level=Level.EASY,
    stem=said(
        "What does `torch.save(model.state_dict(), path)` write?",
        "Apa yang ditulis `torch.save(model.state_dict(), path)`?",
        "Apakah yang disimpan oleh `torch.save(model.state_dict(), path)`?",
    ),
    options=(
        Option(
            "a",
            said("The optimizer's state", "State optimizer", "Keadaan pengoptimal"),
            said("That is `optimizer.state_dict()`.", "Itu `optimizer.state_dict()`."),
        ),
        Option("b", said("Weights & buffers <by name>", "Bobot & buffer <menurut nama>")),
        Option("c", said("The model's class", "Kelas modelnya"), said("Only data.", "Hanya data.")),
        Option("d", said("النقطة (1) حُفِظَت", "النقطة (1) حُفِظَت")),
    ),
    key=("b",),
    languages=(EN, ID, ORIGINAL),
    explanation=said(
        "Parameters and buffers:\n```python\n{'fc.weight': ...}\n```\nNothing else.",
        "Parameter dan buffer:\n```python\n{'fc.weight': ...}\n```\nTidak ada yang lain.",
    ),
    sources=(
        Source("Saving & loading", "https://example.org/save?a=1&b=2"),
        Source("A book, p. 7"),
    ),
)
LONG = Question(
    id="save-2",
    level=Level.HARD,
    stem=said("Which *one* is __safe__ on a shared disk?", "Mana yang *aman* di disk bersama?"),
    options=(
        Option("a", said("Write in place " * 18, "Tulis di tempat " * 18)),
        Option("b", said("Write beside it, then rename " * 10, "Tulis di samping, lalu " * 10)),
    ),
    key=("b",),
    languages=(EN, ID),
)
THIRD = replace(
    SAVE,
    id="save-3",
    stem=said("Which of these may fail on resume?", "Mana yang bisa gagal saat resume?"),
    keep_order=True,
)
QUIZ = Quiz(
    id="saving-well",
    title=said("Saving well", "Menyimpan dengan benar", "Penyimpanan yang baik"),
    level=Level.MEDIUM,
    questions=(SAVE, LONG, THIRD),
    languages=(EN, ID, ORIGINAL),
    kind=QuizKind.GUIDE,
    description=said("How to save and be able to resume.", "Cara menyimpan agar bisa lanjut."),
    reading=(Source("The guide", "https://example.org/guide"), Source("A printed book")),
)
MANY = replace(QUIZ, questions=tuple(replace(SAVE, id=f"save-{n}") for n in range(1, 9)))
CATALOG = tuple(
    replace(small_quiz(f"quiz-{n:02}", 1), title=said(f"Quiz {n}", f"Kuis {n}"))
    for n in range(1, 21)
)


def run_of(quiz: Quiz, position: int = 1, *, seed: int | None = 3) -> Run:
    """An open run at a question, with nothing answered."""
    return Run(
        id=1,
        token="abcdefghijklmnop",
        person=1,
        quiz=quiz.id,
        seed=seed,
        versions=tuple(question.version for question in quiz.live),
        position=position,
        started_at=AT,
        shown_at=AT,
    )


def chose(run: Run, *answers: str) -> Run:
    """The run with its first questions answered by these option ids."""
    given = {
        position: Given((answer,), AT + timedelta(minutes=position), f"press-{position}")
        for position, answer in enumerate(answers, start=1)
    }
    return replace(run, given=given, position=max(len(answers), run.position))


def ended(run: Run, end: End = End.FINISHED) -> Run:
    return replace(run, end=end, ended_at=AT + timedelta(hours=1))


def result_of(ended: Run, quiz: Quiz, who: Reader, *, page: int = 1) -> Card:
    score = rules.score(ended, quiz.live)
    return run.result(ended, score, quiz.live, quiz, who, page=page, after=CATALOG[0])


def run_screens(who: Reader) -> dict[str, Card]:
    first, middle, last = (run_of(QUIZ, position) for position in (1, 2, 3))
    right, wrong = chose(first, "b"), chose(first, "a")
    perfect, mixed = (ended(chose(first, "b", "b", it)) for it in "bc")
    misses = ended(chose(run_of(MANY), *"aaaaaaaa"))
    stopped = ended(right, End.STOPPED)
    return {
        "question-first": run.question(first, SAVE, QUIZ, who),
        "question-middle": run.question(middle, LONG, QUIZ, who),
        "question-last": run.question(last, THIRD, QUIZ, who),
        "question-of-a-quiz-that-is-gone": run.question(first, SAVE, None, who),
        "verdict-right": run.verdict(right, SAVE, who),
        "verdict-wrong": run.verdict(wrong, SAVE, who),
        "verdict-stands": run.verdict(wrong, SAVE, who, stands=True),
        "verdict-bare-and-last": run.verdict(chose(first, "b", "b", "b"), LONG, who),
        "result-all-right": result_of(perfect, QUIZ, who),
        "result-some-missed": result_of(mixed, QUIZ, who),
        "result-all-missed-1": result_of(misses, MANY, who),
        "result-all-missed-2": result_of(misses, MANY, who, page=2),
        "result-of-a-quiz-that-is-gone": run.result(
            mixed, rules.score(mixed, QUIZ.live), QUIZ.live, None, who
        ),
        "stopped": result_of(stopped, QUIZ, who),
    }


def menu_screens(who: Reader) -> dict[str, Card]:
    begun = [replace(run_of(quiz), position=1) for quiz in (CATALOG[1], CATALOG[18], QUIZ)]
    return {
        "menu-empty": menu.menu((), (), who),
        "menu-of-one": menu.menu((QUIZ,), (), who),
        "menu-with-open-runs": menu.menu((QUIZ, *CATALOG[:3]), begun, who),
        "menu-paged-1": menu.menu(CATALOG, begun, who),
        "menu-paged-2": menu.menu(CATALOG, begun, who, 2),
        "menu-paged-3": menu.menu(CATALOG, begun, who, 3),
        "preview-1": menu.preview(MANY, who),
        "preview-2": menu.preview(MANY, who, 2),
        "preview-of-one-page": menu.preview(replace(QUIZ, questions=(LONG,)), who),
    }


_DRAWN_BELOW = {"note.near", "note.unknown", "note.unknown-long", "managers.list"}
_FIELDS = {"person": "U0AYU", "reference": "k3x9-0042", "quiz": "saving-well"}


def plain_notes(who: Reader) -> dict[str, Card]:
    """Each phrase that is a note by itself."""
    keys = sorted(catalogue(EN).keys() - _DRAWN_BELOW)
    chosen = [key for key in keys if key.startswith(("note.", "managers."))]
    return {key.replace(".", "-"): notes.note(who, key, **_FIELDS) for key in chosen}


def note_screens(who: Reader) -> dict[str, Card]:
    listed = (Entry("U0AYU", "Ayu <@U1>"), Entry("U0BIMA", "Bima"))
    refused = [reason for reason in Refused if reason is not Refused.ALREADY]
    return {
        **plain_notes(who),
        "managers-unknown-and-hostile": notes.note(who, "managers.unknown", person="<!channel>"),
        **{
            f"refused-{reason.name.lower()}": notes.refusal(reason, "saving-well", who)
            for reason in refused
        },
        "refused-over-and-gone": notes.refusal(Refused.OVER, None, who),
        "unknown": notes.unknown("<!here> & `x`", (), who),
        "unknown-near": notes.unknown("strat", ("start", "daftar", "saving-well"), who),
        "unknown-near-twice": notes.unknown("quitstop", ("stop", "quit"), who),
        "unknown-long": notes.unknown("", (), who),
        "managers-list": notes.managers(listed, who),
        "managers-nobody": notes.managers((), who),
        "language-chosen": notes.language(who, chosen=True),
        "language-to-choose": notes.language(who, chosen=False),
    }


def screens_for(language: Language) -> Iterator[tuple[str, Card]]:
    who = reader(language)
    for drawn in (run_screens(who), menu_screens(who), note_screens(who)):
        for name, card in drawn.items():
            yield f"{name}.{language}", card


SCREENS: dict[str, Card] = dict(it for language in Language for it in screens_for(language))


def every_screen_of(quiz: Quiz, who: Reader) -> Iterator[tuple[str, Card]]:
    """What a quiz can come to look like: its first and last question, each answer, every page."""
    for position in sorted({1, len(quiz.live)}):
        asked = quiz.live[position - 1]
        open_run = run_of(quiz, position)
        yield f"question-{position}", run.question(open_run, asked, quiz, who)
        for letter, option in zip(LETTERS, order(asked, open_run.seed), strict=False):
            answered = replace(open_run, given={position: Given((option,), AT, "press")})
            yield f"verdict-{position}-{letter}", run.verdict(answered, asked, who, stands=True)
    wrong = [next(o.id for o in asked.options if o.id not in asked.key) for asked in quiz.live]
    for end, answers in ((End.FINISHED, wrong), (End.STOPPED, wrong[:1])):
        over = ended(chose(run_of(quiz), *answers), end)
        yield from _pages(end.value, lambda n, over=over: result_of(over, quiz, who, page=n))
    yield from _pages("preview", lambda n: menu.preview(quiz, who, n))
    shelf = tuple(replace(quiz, id=f"{n:02}-{'q' * 37}") for n in range(1, 21))
    begun = [run_of(it) for it in shelf]
    yield from _pages("menu", lambda n: menu.menu(shelf, begun, who, n))


def _pages(name, draw) -> Iterator[tuple[str, Card]]:
    """Pages until the same comes again: a page beyond the last one is the last one."""
    drawn: list[Card] = []
    while (card := draw(len(drawn) + 1)) not in drawn:
        drawn.append(card)
        yield f"{name}-{len(drawn)}", card


def _large(options: int, *, text: str, head: int = 10, note: int = 10, sign: str = "x") -> Quiz:
    """A quiz of one question that spends all it may on its options, or on what stands above."""
    each = tuple(
        Option(letter, said(letter + text, letter + text), said(sign * 200, sign * 200))
        for letter in "abcdefgh"[:options]
    )
    asked = cost(each[0].text.asked(EN)) * options
    room = SCREEN - asked - cost(sign * 200)
    stem = sign * min(100, room // cost(sign) - 20)
    why = sign * ((room - cost(stem)) // cost(sign) - 1)
    question = replace(SAVE, options=each, key=("a",), languages=(EN, ID), sources=())
    question = replace(question, stem=said(stem, stem), explanation=said(why, why))
    return replace(
        QUIZ,
        title=said(sign * head, sign * head),
        languages=(EN, ID),
        questions=(question,),
        preview_note=said("n" * note, "n" * note),
        reading=(),
    )


def _crowd(questions: int, stem: str = "a?") -> Quiz:
    """A quiz of many questions, very short ones unless their stem is given."""
    short = replace(
        SAVE,
        stem=said(stem, stem),
        options=tuple(Option(letter, said(letter, letter)) for letter in "ab"),
        key=("a",),
        languages=(EN, ID),
        sources=(Source("s"),),
        explanation=said("e", "e"),
    )
    return replace(
        _large(2, text="o"),
        questions=tuple(replace(short, id=f"short-{n}") for n in range(1, questions + 1)),
    )


_SHELF = tuple(
    Source("A title " * 7 + "x", f"https://example.org/{n:03}/{'p' * 60}") for n in range(20)
)
LARGEST: dict[str, Quiz] = {
    "eight-options-of-300": _large(8, text="o" * 299, head=150),
    "all-ampersands": _large(8, text="&" * 40, head=20, sign="&"),
    "all-underscores": _large(8, text="_" * 140, head=20, sign="_"),
    "all-backticks": _large(8, text="`" * 140, head=20, sign="`"),
    "a-long-note": _large(2, text="o" * 20, note=3_100, head=120),
    "forty-short-questions": _crowd(40),
    "a-long-head": replace(_crowd(7, stem="w" * 430), reading=_SHELF),
    "a-dear-title": replace(_crowd(4, stem="w" * 1_600), title=said("&" * 150, "&" * 150)),
    "a-long-reading": replace(_large(2, text="o" * 20, head=150), reading=_SHELF),
}
"""Quizzes that spend all of the budget: the loader takes them, and everything must hold them."""


def keyed(key: str) -> Quiz:
    """A quiz whose questions have this key; no other word of them depends on it."""
    asked = [
        replace(
            small_question(f"q{n}", key),
            options=tuple(replace(it, why_wrong=None) for it in small_question(f"q{n}").options),
        )
        for n in range(1, 9)
    ]
    return replace(small_quiz(), questions=tuple(asked))


def unanswered(quiz: Quiz) -> list[Card]:
    """All that is shown of a quiz before its questions are answered."""
    cards = [menu.menu((quiz,), (run_of(quiz),), reader(EN))]
    for seed in (None, 1, 2, 3):
        open_run = replace(run_of(quiz, seed=seed), versions=("version",) * 8)
        cards += [
            run.question(replace(open_run, position=n), asked, quiz, who)
            for n, asked in enumerate(quiz.live, start=1)
            for who in map(reader, Language)
        ]
    return cards + [menu.preview(quiz, reader(EN), page) for page in (1, 2)]
