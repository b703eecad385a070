"""What a question and a quiz must be beyond their shape, and what they had better have."""

import unicodedata
from datetime import date

from bot.chat.limits import OPTIONS
from bot.engine.quiz import Question, Quiz, Status
from bot.quiz_files.faults import Report, echo, one_of
from bot.quiz_files.forms import QuestionForm
from bot.quiz_files.reader import Node
from bot.quiz_files.values import LETTERS


def check_form(form: QuestionForm, node: Node, report: Report) -> None:
    """What holds whatever the texts say: the options' letters, and what names them."""
    written = node.at("options").value
    letters = list(written) if isinstance(written, dict) else []
    _check_letters(letters, node, report)
    if form.key and form.key not in letters:
        known = [letter for letter in letters if letter in LETTERS] or ["a"]
        message = f"`{echo(form.key)}` is none of the options: write {one_of(known)}."
        report.error(node.at("key").mark, "unknown-option", message)
    for letter in form.why_wrong:
        at = node.at("why_wrong", letter)
        if letter not in letters:
            message = f"There is no option `{echo(letter)}`: name one of the wrong options."
            report.error(at.key or at.mark, "unknown-option", message)
        elif letter == form.key:
            message = f"`{letter}` is the key: say in `explanation` why it is right."
            report.error(at.key or at.mark, "why-wrong-key", message)


def _check_letters(letters: list[str], node: Node, report: Report) -> None:
    low, high = OPTIONS
    if not low <= len(letters) <= high:
        message = f"A question has {low} to {high} options; this one has {len(letters)}."
        at = node.at("options")
        report.error(at.key or at.mark, "option-count", message)
    for letter in letters:
        if len(letter) != 1 or letter not in LETTERS:
            at = node.at("options", letter)
            message = f"`{echo(letter)}` cannot name an option: use the letters a to h."
            report.error(at.key or at.mark, "option-id", message)


def check_duplicates(question: Question, node: Node, report: Report) -> None:
    """No two options may read alike in any language."""
    told: set[str] = set()
    for language in question.languages:
        seen: dict[str, str] = {}
        for option in question.options:
            first = seen.setdefault(_squeezed(option.text.asked(language)), option.id)
            if first != option.id and option.id not in told:
                told.add(option.id)
                message = f"This reads like option `{first}` in `{language}`: change one of them."
                at = node.at("options", option.id, language).mark
                report.error(at, "duplicate-option", message)


def check_upkeep(form: QuestionForm, node: Node, report: Report, today: date | None) -> None:
    """Warn of what a live question had better have."""
    if form.status is Status.RETIRED:
        return
    if not node.has("explanation"):
        message = "Add an `explanation`: people learn from why the key is right."
        report.warn(node.mark, "missing-explanation", message)
    unexplained = [a for a in form.options if a != form.key and not node.at("why_wrong").has(a)]
    if unexplained and form.key in form.options:
        names = ", ".join(f"`{echo(letter)}`" for letter in unexplained)
        message = f"Say under `why_wrong` what is wrong with {names}."
        report.warn(node.mark, "missing-why-wrong", message)
    if not node.has("sources"):
        report.warn(node.mark, "missing-sources", "Add `sources`: where can it be read up?")
    if form.review_by and today and form.review_by < today:
        message = f"It was due for review on {form.review_by}: check it and set a new day."
        report.warn(node.at("review_by").mark, "review-past", message)


def check_head(node: Node, report: Report) -> None:
    """Warn of what a quiz had better say about itself."""
    if not node.has("authors"):
        report.warn(node.mark, "missing-authors", "Add `authors`: who wrote this quiz?")
    if not node.has("licence"):
        message = "Add a `licence`, such as CC-BY-4.0: may others use this quiz?"
        report.warn(node.mark, "missing-licence", message)


def check_live(quiz: Quiz, node: Node, report: Report) -> None:
    if not quiz.live:
        at = node.at("questions")
        message = "None of the questions is live: give one `status: live`."
        report.error(at.key or at.mark, "no-live-question", message)


def _squeezed(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        folded = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return " ".join(folded.split())
