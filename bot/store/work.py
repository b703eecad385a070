"""What a unit of work can do inside its transaction, in the domain's words."""

from sqlalchemy import false, insert, literal, select

from bot.store.lease_rows import LeaseRows
from bot.store.people_rows import PeopleRows
from bot.store.run_rows import RunRows
from bot.store.schema import workspaces
from bot.store.word_rows import WordRows

_NOTHING = insert(workspaces).from_select(
    [workspaces.c.surface, workspaces.c.external],
    select(literal(""), literal("")).where(false()),
)


class Work(PeopleRows, RunRows, WordRows, LeaseRows):
    """All verbs of the store."""

    def try_to_write(self) -> None:
        """Fail where a write would; change nothing."""
        self._connection.execute(_NOTHING)
