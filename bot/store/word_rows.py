"""The words that were seen, by version."""

import json
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, select

from bot.engine.quiz import Question
from bot.store.rows import Rows, per_dialect
from bot.store.schema import question_versions

_KEEP = per_dialect(
    question_versions,
    lambda row: row.on_conflict_do_nothing(index_elements=[question_versions.c.version]),
)
_SEEN = select(question_versions.c.seen).where(question_versions.c.version == bindparam("version"))


class WordRows(Rows):
    """The verbs of what people were asked, kept as it was."""

    def keep(self, questions: Iterable[Question], at: datetime) -> None:
        """Keep the words of questions that may now be seen."""
        rows = [
            {
                "version": question.version,
                "question_id": question.id,
                "seen": json.dumps(question.seen(), ensure_ascii=False),
                "first_kept_at": at,
            }
            for question in questions
        ]
        if rows:
            self._connection.execute(_KEEP[self._dialect], rows)

    def question(self, version: str) -> Question:
        """The words of a question as they were seen; `LookupError` when they were never kept."""
        seen = self._connection.execute(_SEEN, {"version": version}).scalar_one_or_none()
        if seen is None:
            raise LookupError(version)
        return Question.from_seen(json.loads(seen))
