"""What a unit of work can do inside its transaction, in the domain's words."""

from bot.store.people_rows import PeopleRows
from bot.store.run_rows import RunRows


class Work(PeopleRows, RunRows):
    """All verbs of the store."""
