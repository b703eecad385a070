"""What can only be seen over all files: names taken twice, and names that nobody has."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.quiz_files.faults import START, Report, echo, printable
from bot.quiz_files.reader import Node
from bot.quiz_files.shape import nearest


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file as read: its quiz's id, and its tree as far as there is one."""

    report: Report
    quiz: str | None
    root: Node | None

    def questions(self) -> list[Node]:
        """The nodes of its questions, whatever else may be wrong with them."""
        listed = self.root.at("questions").value if self.root else None
        return listed if isinstance(listed, list) else []


@dataclass(slots=True)
class _Known:
    quizzes: dict[str, Report] = field(default_factory=dict)
    questions: dict[str, tuple[Report, Node]] = field(default_factory=dict)


def check(sheets: Iterable[Sheet]) -> None:
    """Report what clashes between files, and warn of names that lead nowhere.

    Whoever comes first keeps the name: the order of the files is the order of trust.
    """
    sheets = tuple(sheets)
    known = _Known()
    for sheet in sheets:
        _claim_quiz(sheet, known)
        for node in sheet.questions():
            _claim_question(node, sheet.report, known)
    for sheet in sheets:
        _check_names(sheet, known)


def _claim_quiz(sheet: Sheet, known: _Known) -> None:
    if sheet.quiz is None:
        return
    first = known.quizzes.setdefault(sheet.quiz, sheet.report)
    if first is not sheet.report:
        message = f"The quiz `{sheet.quiz}` is already in {printable(str(first.file))}: rename one."
        sheet.report.error(START, "duplicate-quiz", message)


def _claim_question(node: Node, report: Report, known: _Known) -> None:
    named = node.at("id")
    if named is node or not isinstance(named.value, str):
        return
    first, there = known.questions.setdefault(named.value, (report, named))
    if there is not named:
        place = f"{printable(str(first.file))}:{there.mark[0]}"
        message = f"The question `{echo(named.value)}` is already in {place}: rename one."
        report.error(named.mark, "duplicate-question", message)


def _check_names(sheet: Sheet, known: _Known) -> None:
    if sheet.root is None:
        return
    after = sheet.root.at("next")
    if sheet.root.has("next") and isinstance(after.value, str) and after.value not in known.quizzes:
        near = nearest(after.value, list(known.quizzes))
        hint = f"did you mean `{near}`?" if near else "correct it or leave it out."
        message = f"No quiz is called `{echo(after.value)}`: {hint}"
        sheet.report.warn(after.mark, "unknown-next", message)
    for node in sheet.questions():
        enemies = node.at("enemies").value if node.has("enemies") else None
        for enemy in enemies if isinstance(enemies, list) else ():
            if isinstance(enemy.value, str) and enemy.value not in known.questions:
                message = f"No question is called `{echo(enemy.value)}`: correct it."
                sheet.report.warn(enemy.mark, "unknown-enemy", message)
