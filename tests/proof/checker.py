"""The comparison: what people were shown and pressed, against what the database holds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.chat.token import RunToken, parse
from bot.engine.people import Identity
from tests.proof.screens import Screen
from tests.proof.stored import Stored, StoredRun

APOLOGY = "Something went wrong on our side"

_LETTERS = "ABCDEFGH"


@dataclass(frozen=True)
class Press:
    """A press as its person meant it; `option` is the text that stood at a letter."""

    token: str
    option: str | None = None


@dataclass
class Story:
    """What one person did and was shown, oldest first; `started` counts demands for a run."""

    name: str
    identity: Identity
    screens: Sequence[Screen] = ()
    presses: list[Press] = field(default_factory=list)
    started: int = 0


def objections(stories: Iterable[Story], stored: Stored, *, apologies: bool = False) -> list[str]:
    """Everything that does not agree, a sentence each; `apologies` says that they are in order.

    Whoever is known came with a command that started a run: a person without one is half a unit.
    """
    runs = stored.runs
    idle = stored.people - {run.owner for run in runs.values()}
    found = [f"{identity} is stored without the run that they came for" for identity in idle]
    for story in stories:
        told = [*_screens(story, runs), *_verdicts(story, runs), *_answers(story, runs)]
        told += _runs(story, runs)
        if not apologies:
            told += [f"was told: {it}" for it in story.screens if APOLOGY in it.words]
        found += [f"{story.name}: {sentence}" for sentence in dict.fromkeys(told)]
    return found


def _screens(story: Story, runs: Mapping[str, StoredRun]) -> Iterator[str]:
    """No run is lost, and none is behind what its person was shown."""
    for screen in story.screens:
        if screen.run is None:
            continue
        run = runs.get(screen.run)
        if run is None:
            yield f"run {screen.run} was shown and is not stored: {screen}"
        elif run.owner != story.identity:
            yield f"run {run.token} was shown and is stored as somebody else's"
        elif screen.is_result:
            yield from _result(screen, run)
        elif screen.position > run.position:
            yield (
                f"run {run.token} was shown at question {screen.position} and is stored at "
                f"question {run.position}"
            )


def _result(screen: Screen, run: StoredRun) -> Iterator[str]:
    if run.end != "finished":
        yield f"run {run.token} was shown as finished and is stored as {run.end or 'open'}"
    right = sum(answer.right for answer in run.answers)
    if screen.score is not None and screen.score != (right, run.of):
        yield f"run {run.token} was shown as {screen.score} and is stored as {(right, run.of)}"


def _verdicts(story: Story, runs: Mapping[str, StoredRun]) -> Iterator[str]:
    """An answer whose verdict was shown is stored once, with that option."""
    texts = {
        (screen.run, screen.position): screen.options
        for screen in story.screens
        if screen.is_question
    }
    shown: dict[tuple[str, int], set[str]] = {}
    for screen in story.screens:
        if screen.is_verdict and screen.run is not None:
            assert screen.given is not None, f"whose answer is this? {screen}"
            shown.setdefault((screen.run, screen.position), set()).add(screen.given)
    for (token, position), letters in shown.items():
        where = f"run {token}, question {position}"
        if len(letters) > 1:
            yield f"{where}: was shown verdicts on {' and '.join(sorted(letters))}"
            continue
        [letter] = letters
        run = runs.get(token)
        stored = run.at(position) if run else []
        option = texts.get((token, position), {}).get(letter)
        said = f"{where}: was shown the verdict on {letter} ({option})"
        if len(stored) != 1:
            yield f"{said}, and {len(stored) or 'no'} answers are stored"
        elif stored[0].option != option:
            yield f"{said}, and {stored[0].letter} ({stored[0].option}) is stored"


def _answers(story: Story, runs: Mapping[str, StoredRun]) -> Iterator[str]:
    """No position has two answers, none is skipped, and nothing is stored that nobody pressed."""
    pressed = {(press.token, press.option) for press in story.presses}
    for run in _of(story, runs):
        where = f"run {run.token}"
        for position, times in Counter(answer.position for answer in run.answers).items():
            if times > 1:
                yield f"{where}, question {position}: {times} answers are stored"
        done = run.position if run.end == "finished" else run.position - 1
        for position in range(1, done + 1):
            if not run.at(position):
                yield f"{where}, question {position}: moved past, and no answer is stored"
        for answer in run.answers:
            token = RunToken(run.token, answer.position, answer.letter).wire
            if (token, answer.option) not in pressed:
                yield (
                    f"{where}, question {answer.position}: {answer.letter} ({answer.option}) is "
                    "stored and was never pressed"
                )


def _runs(story: Story, runs: Mapping[str, StoredRun]) -> Iterator[str]:
    """Nobody has a run that they did not ask for, nor one quiz open twice."""
    mine = list(_of(story, runs))
    if len(mine) > story.started:
        yield f"{len(mine)} runs are stored, and {story.started} were asked for"
    for quiz, times in Counter(run.quiz for run in mine if run.end is None).items():
        if times > 1:
            yield f"{quiz} is open {times} times"


def _of(story: Story, runs: Mapping[str, StoredRun]) -> Iterator[StoredRun]:
    return (run for run in runs.values() if run.owner == story.identity)


def starts_a_run(token: str) -> bool:
    """Whether pressing this may open a new run."""
    match parse(token):
        case RunToken(verb="review"):
            return True
        case RunToken():
            return False
        case menu:
            return menu is not None and menu.verb == "start"


def is_answer(token: str) -> bool:
    found = parse(token)
    return isinstance(found, RunToken) and found.verb in _LETTERS
