"""From paths to quizzes, or to every fault at once."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from bot.chat.limits import QUIZ_ID
from bot.engine.quiz import Question, Quiz
from bot.quiz_files import budget, building, checks, files, shuffle, together
from bot.quiz_files.faults import START, Fault, Report, echo
from bot.quiz_files.forms import HeadForm, QuestionForm
from bot.quiz_files.languages import Scribe, declared
from bot.quiz_files.reader import Node, read
from bot.quiz_files.shape import fill
from bot.quiz_files.together import Sheet
from bot.quiz_files.values import is_quiz_id

_STAND_INS = {"id": "unnamed", "key": ""}
"""For a question whose id or key is wrong: its texts are still looked at."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The quizzes whose files have no error, in the files' order, and all faults by place."""

    quizzes: tuple[Quiz, ...]
    faults: tuple[Fault, ...]
    files: tuple[Path, ...] = ()
    """Every file that was looked at, whether it loaded or not."""

    questions: int = 0
    """The questions found in them."""


def load(
    paths: Iterable[Path], *, today: date | None = None, reserved: Collection[str] = ()
) -> Loaded:
    """Read the quizzes in `paths`, each a quiz file or a folder of them.

    A file with an error gives no quiz, and keeps no other from loading. `reserved` are names that
    no quiz may have; without `today` no review can be overdue.
    """
    read_all = [_load(report, today, reserved) for report in files.found(paths)]
    together.check(sheet for sheet, _ in read_all)
    quizzes = tuple(quiz for sheet, quiz in read_all if quiz and not sheet.report.failed)
    faults = sorted({fault for sheet, _ in read_all for fault in sheet.report.faults})
    return Loaded(
        quizzes,
        tuple(faults),
        files=tuple(sheet.report.file for sheet, _ in read_all),
        questions=sum(len(sheet.questions()) for sheet, _ in read_all),
    )


def _load(
    report: Report, today: date | None, reserved: Collection[str]
) -> tuple[Sheet, Quiz | None]:
    text = files.text(report)
    quiz_id = _id(report, reserved) if text is not None else None
    root = read(text, report) if text is not None else None
    if root is not None and not isinstance(root.value, dict):
        report.error(root.mark, "not-a-quiz", "This is no quiz: begin with a line `title: …`.")
        root = None
    quiz = _quiz(quiz_id or "", root, report, today) if root else None
    return Sheet(report, quiz_id, root), quiz


def _id(report: Report, reserved: Collection[str]) -> str | None:
    """The quiz's id, which is the file's name; None when it cannot be one."""
    name = report.file.name.removesuffix(files.ENDING)
    if report.file.suffix != files.ENDING or not is_quiz_id(name):
        message = f"Name the file with a-z, 0-9 and `-` (at most {QUIZ_ID}), ending in .yaml."
        report.error(START, "file-name", message)
        return None
    if name in reserved:
        message = f"`{echo(name)}` is a command of the bot: give the file another name."
        report.error(START, "reserved-id", message)
    return name


def _quiz(quiz_id: str, root: Node, report: Report, today: date | None) -> Quiz | None:
    head = fill(HeadForm, root, report, without="questions")
    scribe = Scribe(declared(root), report)
    checks.check_head(root, report)
    if not scribe.languages:
        head = None
    bare = building.quiz(quiz_id, head, (), root, scribe) if head else None
    asked = _questions(root, head, bare, scribe, today)
    if head is None or bare is None:
        return None
    budget.check_title(bare, root, report)
    if None in asked or not asked:
        return None
    quiz = replace(bare, questions=tuple(question for question in asked if question))
    checks.check_live(quiz, root, report)
    return quiz


def _questions(
    root: Node, head: HeadForm | None, bare: Quiz | None, scribe: Scribe, today: date | None
) -> list[Question | None]:
    listed = root.at("questions")
    if not root.has("questions"):
        scribe.report.error(
            root.mark, "missing-key", "`questions` is missing: add a line `questions:`."
        )
    elif not isinstance(listed.value, list):
        message = "A list belongs here: begin each question with `- id: …`."
        scribe.report.error(listed.mark, "not-a-list", message)
    elif not listed.value:
        scribe.report.error(listed.mark, "empty-list", "Write at least one question.")
    else:
        return [_question(node, head, bare, scribe, today) for node in listed.value]
    return []


def _question(
    node: Node, head: HeadForm | None, bare: Quiz | None, scribe: Scribe, today: date | None
) -> Question | None:
    report = scribe.report
    form = fill(QuestionForm, node, report, stand_ins=_STAND_INS)
    if form is None:
        return None
    checks.check_form(form, node, report)
    checks.check_upkeep(form, node, report, today)
    question = building.question(form, head, node, scribe) if scribe.languages else None
    if question is not None:
        checks.check_duplicates(question, node, report)
        budget.check_options(question, node, report)
        budget.check_screens(question, bare, node, report)
        shuffle.check(question, node, report)
    return question
