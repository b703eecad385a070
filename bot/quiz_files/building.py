"""From filled forms to the engine's quizzes and questions."""

from collections.abc import Iterable

from bot.engine.language import Text
from bot.engine.quiz import Level, Option, Question, Quiz, Source, Upkeep, Verified
from bot.quiz_files.forms import HeadForm, QuestionForm, SourceForm, VerifiedForm
from bot.quiz_files.languages import Scribe
from bot.quiz_files.reader import Node


def question(
    form: QuestionForm, head: HeadForm | None, node: Node, scribe: Scribe
) -> Question | None:
    """The question, or None when one of its texts is of no use (which is then reported)."""
    stem = scribe.asked(form.stem, node.at("stem"))
    options = [_option(letter, form, node, scribe) for letter in form.options]
    explanation = _maybe(form.explanation, node.at("explanation"), scribe)
    if stem is None or None in options:
        return None
    return Question(
        id=form.id,
        level=form.level or (head.level if head else Level.MEDIUM),
        stem=stem,
        options=tuple(option for option in options if option),
        key=(form.key,),
        languages=scribe.languages,
        explanation=explanation,
        kind=form.kind,
        keep_order=form.keep_order,
        sources=sources(form.sources),
        tags=tuple(form.tags),
        upkeep=_upkeep(form),
    )


def quiz(
    quiz_id: str, form: HeadForm, questions: Iterable[Question], node: Node, scribe: Scribe
) -> Quiz | None:
    """The quiz, or None when its title is of no use."""
    title = scribe.told(form.title, node.at("title"))
    description = _maybe(form.description, node.at("description"), scribe, warn=False)
    note = _maybe(form.preview_note, node.at("preview_note"), scribe, warn=False)
    if title is None:
        return None
    return Quiz(
        id=quiz_id,
        title=title,
        level=form.level,
        questions=tuple(questions),
        languages=scribe.languages,
        kind=form.kind,
        description=description,
        preview_note=note,
        reading=sources(form.reading),
        next=form.next,
        authors=tuple(form.authors),
        licence=form.licence,
    )


def sources(forms: Iterable[SourceForm]) -> tuple[Source, ...]:
    return tuple(Source(form.title, form.url) for form in forms)


def _option(letter: str, form: QuestionForm, node: Node, scribe: Scribe) -> Option | None:
    text = scribe.asked(form.options[letter], node.at("options", letter))
    wrong = form.why_wrong.get(letter)
    why = _maybe(wrong, node.at("why_wrong", letter), scribe, warn=False)
    return Option(letter, text, why) if text else None


def _maybe(
    words: dict[str, str] | None, node: Node, scribe: Scribe, *, warn: bool = True
) -> Text | None:
    return scribe.told(words, node, warn=warn) if words else None


def _upkeep(form: QuestionForm) -> Upkeep:
    return Upkeep(
        status=form.status,
        enemies=tuple(form.enemies),
        applies_to=tuple(form.applies_to),
        verified=_verified(form.verified) if form.verified else None,
        review_by=form.review_by,
    )


def _verified(form: VerifiedForm) -> Verified:
    return Verified(on=form.on, by=form.by.value, tools=form.tools)
