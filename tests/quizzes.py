"""Small quizzes made in code, for tests that are about something else."""

from bot.engine.language import Language, Text
from bot.engine.quiz import Level, Option, Question, Quiz, QuizKind, Source

EN, ID = Language.EN, Language.ID


def both(english: str, indonesian: str) -> Text:
    return Text({EN: english, ID: indonesian})


def question(name: str = "q1", key: str = "b", *, options: str = "abcd") -> Question:
    """A question whose texts name themselves, so that a test can say where each is seen."""
    return Question(
        id=name,
        level=Level.MEDIUM,
        stem=both(f"Stem of {name}?", f"Soal {name}?"),
        options=tuple(
            Option(
                letter,
                both(f"{name} option {letter}", f"{name} pilihan {letter}"),
                None
                if letter == key
                else both(f"{name} {letter} is wrong", f"{name} {letter} keliru"),
            )
            for letter in options
        ),
        key=(key,),
        languages=(EN, ID),
        explanation=both(f"{name} explained", f"{name} dijelaskan"),
        sources=(Source(f"{name} source", "https://example.org/docs"),),
        tags=("sharding",),
    )


def quiz(name: str = "shards", questions: int = 3, *, then: str | None = None) -> Quiz:
    return Quiz(
        id=name,
        title=both(f"About {name}", f"Tentang {name}"),
        level=Level.MEDIUM,
        questions=tuple(
            question(f"{name}-{number}", "abcd"[number % 4]) for number in range(1, questions + 1)
        ),
        languages=(EN, ID),
        kind=QuizKind.GUIDE,
        description=both(f"What {name} are", f"Apa itu {name}"),
        reading=(Source("The guide", "https://example.org/guide"), Source("A book")),
        next=then,
    )


def small_quizzes() -> tuple[Quiz, ...]:
    return (quiz("shards", 3, then="resume-well"), quiz("resume-well", 2))
