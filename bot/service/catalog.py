"""The quizzes as loaded, and the words of their questions by version."""

from collections.abc import Collection, Iterable

from bot.engine.quiz import Question, Quiz


class Catalog:
    """The quizzes that can be taken now, in the order of their ids' first letters."""

    def __init__(self, quizzes: Iterable[Quiz]) -> None:
        self.quizzes = tuple(quizzes)
        self._by_id = {quiz.id: quiz for quiz in self.quizzes}
        self._by_version = {q.version: q for quiz in self.quizzes for q in quiz.live}

    @property
    def names(self) -> Collection[str]:
        return self._by_id.keys()

    @property
    def questions(self) -> Collection[Question]:
        return self._by_version.values()

    def quiz(self, quiz_id: str) -> Quiz | None:
        return self._by_id.get(quiz_id)

    def question(self, version: str) -> Question | None:
        return self._by_version.get(version)

    def after(self, quiz_id: str, finished: Collection[str]) -> Quiz | None:
        """The quiz to offer next: the one that a quiz names, else the first not yet finished."""
        quiz = self._by_id.get(quiz_id)
        named = [quiz.next] if quiz and quiz.next else []
        offered = (name for name in [*named, *self._by_id] if name != quiz_id)
        return next(
            (self._by_id[name] for name in offered if name in self._by_id and name not in finished),
            None,
        )
