"""The screens of a run: a question, its verdict, and the result."""

from collections.abc import Sequence

from bot.chat import card as show
from bot.chat.card import Button, Card, Mark, Tone
from bot.chat.limits import SCREEN, cost
from bot.chat.plain import plain
from bot.chat.token import RunToken
from bot.engine.language import Language, shown
from bot.engine.quiz import LETTERS, Question, Quiz, order
from bot.engine.run import End, Run, Score
from bot.views.build import Reader, about, card, links, other, pages, start_button, turning


def question(run: Run, asked: Question, quiz: Quiz | None, reader: Reader) -> Card:
    """The current question, headed on the first screen by what quiz this is."""
    language = shown(reader.language, asked.languages)
    head = _head(quiz, reader) if run.position == 1 and quiz else ()
    body = (*head, _question(run, asked, reader), show.Options(_lines(run, asked, language)))
    letters = LETTERS[: len(asked.options)]
    choices = [Button(letter, _token(run, letter)) for letter in letters]
    return card(body, choices, [_language_button(run, reader)])


def verdict(run: Run, asked: Question, reader: Reader, *, stands: bool = False) -> Card:
    """How the current question was answered; `stands` adds that the first answer counts."""
    language = shown(reader.language, asked.languages)
    chosen = run.given[run.position].chosen
    right = asked.is_right(chosen)
    answer, key = (_letters(run, asked, ids) for ids in (chosen, asked.key))
    body: list[show.Block] = [
        _question(run, asked, reader),
        show.Options(_lines(run, asked, language, chosen, reader)),
        show.Verdict(
            right=right,
            answer=answer,
            key=key,
            title=reader.say("run.right" if right else "run.wrong", answer=answer, key=key),
            why=asked.explanation.told(language) if asked.explanation else None,
            but=_but(asked, chosen, answer, reader),
        ),
    ]
    if stands:
        body.append(show.Note(reader.say("run.stands", answer=answer)))
    if asked.sources:
        body.append(show.Links(reader.say("run.source"), links(asked.sources)))
    label = reader.say("run.result" if run.position == run.of else "run.next")
    row = [Button(label, _token(run, "next"), main=True), _language_button(run, reader)]
    return card(body, row, tone=Tone.RIGHT if right else Tone.WRONG)


def result(
    run: Run,
    score: Score,
    asked: Sequence[Question],
    quiz: Quiz | None,
    reader: Reader,
    *,
    page: int = 1,
    after: Quiz | None = None,
) -> Card:
    """The last screen: the score, what was missed with its explanation, and where to go on."""
    title = _title(quiz, run, reader)
    told = [_missed(run, position, asked[position - 1], reader) for position in score.missed]
    if quiz and quiz.reading and score.missed:
        told.append((_reading(quiz, reader),))
    room = SCREEN - cost(title)
    paged = pages(told if run.end is End.FINISHED else (), plain, room=room)
    page = min(max(page, 1), len(paged))
    heading = "summary.heading" if run.end is End.FINISHED else "summary.stopped"
    body: list[show.Block] = [
        show.Heading(reader.say(heading, title=title)),
        show.Score(score.right, score.of, _result(run, score, reader)),
    ]
    if run.end is End.FINISHED:
        found = reader.say("summary.missed" if score.missed else "summary.all-right")
        body.append(show.Text(found))
        body.extend(block for item in paged[page - 1] for block in (show.Rule(), *item))
    if len(paged) > 1:
        body.append(show.Note(reader.say("page.at", at=page, of=len(paged))))
    return card(
        body,
        turning(page, len(paged), reader, lambda at: RunToken(run.token, at, "result")),
        _after(run, score, quiz, after, reader),
        [_result_language_button(run, page, reader)],
        tone=Tone.RIGHT if score.right == score.of else Tone.PLAIN,
    )


def _head(quiz: Quiz, reader: Reader) -> tuple[show.Block, ...]:
    title = show.Heading(quiz.title.told(shown(reader.language, quiz.languages)))
    if not quiz.reading:
        return (title, show.Note(about(quiz, reader)))
    # Titles alone: links come with the last screen, when there is time to read.
    titles = " · ".join(source.title for source in quiz.reading)
    reading = show.Note(f"{reader.say('run.reading')}: {titles}")
    return (title, show.Note(about(quiz, reader)), reading)


def _reading(quiz: Quiz, reader: Reader) -> show.Links:
    return show.Links(reader.say("run.reading"), links(quiz.reading))


def _title(quiz: Quiz | None, run: Run, reader: Reader) -> str:
    return quiz.title.told(shown(reader.language, quiz.languages)) if quiz else run.quiz


def _question(run: Run, asked: Question, reader: Reader) -> show.Question:
    return show.Question(
        id=asked.id,
        number=run.position,
        of=run.of,
        progress=reader.say("run.progress", at=run.position, of=run.of),
        stem=asked.stem.asked(shown(reader.language, asked.languages)),
    )


def _lines(
    run: Run,
    asked: Question,
    language: Language,
    chosen: tuple[str, ...] | None = None,
    reader: Reader | None = None,
) -> tuple[show.OptionLine, ...]:
    """The options in the order shown; once `chosen`, each says how it came out."""
    lines = []
    for letter, option_id in zip(LETTERS, order(asked, run.seed), strict=False):
        text = asked.option(option_id).text.asked(language)
        if chosen is None or reader is None:
            lines.append(show.OptionLine(letter, text))
        else:
            mark = _mark(option_id, chosen, asked.key)
            remark = reader.say(_REMARKS[mark]) if mark in _REMARKS else None
            lines.append(show.OptionLine(letter, text, mark, remark))
    return tuple(lines)


_REMARKS = {
    Mark.KEY: "run.key",
    Mark.CHOSEN: "run.your-answer",
    Mark.CHOSEN_KEY: "run.your-right-answer",
}


def _mark(option_id: str, chosen: tuple[str, ...], key: tuple[str, ...]) -> Mark:
    if option_id in chosen:
        return Mark.CHOSEN_KEY if option_id in key else Mark.CHOSEN
    return Mark.KEY if option_id in key else Mark.NONE


def _but(asked: Question, chosen: tuple[str, ...], answer: str, reader: Reader) -> str | None:
    language = shown(reader.language, asked.languages)
    wrong = [asked.option(option_id) for option_id in chosen if option_id not in asked.key]
    reasons = [option.why_wrong.told(language) for option in wrong if option.why_wrong]
    return reader.say("run.why-wrong", answer=answer, text=" ".join(reasons)) if reasons else None


def _missed(run: Run, position: int, asked: Question, reader: Reader) -> tuple[show.Block, ...]:
    """A missed question as the last screen tells it: no letters to press, the answers in words."""
    language = shown(reader.language, asked.languages)
    stem = show.Question(
        id=asked.id,
        number=position,
        of=run.of,
        progress=reader.say("run.progress", at=position, of=run.of),
        stem=asked.stem.asked(language),
    )
    given = run.given.get(position)
    chose = (
        reader.say("summary.chose", **_answer(run, asked, given.chosen, language))
        if given
        else reader.say("summary.none")
    )
    key = _answer(run, asked, asked.key, language)
    answer = reader.say("summary.answer", key=key["answer"], text=key["text"])
    told = [show.Text(f"{chose}\n{answer}")]
    if asked.explanation:
        told.append(show.Text(asked.explanation.told(language)))
    source = (show.Links(reader.say("run.source"), links(asked.sources)),) if asked.sources else ()
    return (stem, *told, *source)


def _answer(run: Run, asked: Question, ids: tuple[str, ...], language: Language) -> dict[str, str]:
    texts = [asked.option(option_id).text.asked(language) for option_id in ids]
    return {"answer": _letters(run, asked, ids), "text": "; ".join(texts)}


def _letters(run: Run, asked: Question, ids: tuple[str, ...]) -> str:
    at = {option_id: LETTERS[i] for i, option_id in enumerate(order(asked, run.seed))}
    return ",".join(sorted(at[option_id] for option_id in ids))


def _result(run: Run, score: Score, reader: Reader) -> str:
    if run.end is End.FINISHED:
        return reader.say("summary.score", right=score.right, of=score.of)
    return reader.say("summary.stopped-at", answered=len(run.given), of=score.of, right=score.right)


def _after(
    run: Run, score: Score, quiz: Quiz | None, after: Quiz | None, reader: Reader
) -> list[Button]:
    row = []
    if run.end is End.FINISHED and score.missed:
        label = reader.say("summary.review")
        row.append(Button(label, _token(run, "review"), main=True))
    if quiz:
        row.append(start_button(reader.say("summary.again"), quiz.id))
    if after:
        row.append(start_button(reader.say("summary.next-quiz", quiz=after.id), after.id))
    return row


def _language_button(run: Run, reader: Reader) -> Button:
    offered = other(reader.language)
    return Button(reader.say(f"language.{offered}"), _token(run, offered.value))


def _result_language_button(run: Run, page: int, reader: Reader) -> Button:
    """The last screen says in its tokens that it is one: its run's questions may be shown too."""
    offered = other(reader.language)
    token = RunToken(run.token, page, f"result-{offered}")
    return Button(reader.say(f"language.{offered}"), token.wire)


def _token(run: Run, verb: str) -> str:
    return RunToken(run.token, run.position, verb).wire
