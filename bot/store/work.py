"""What a unit of work can do inside its transaction, in the domain's words."""

from bot.store.people_rows import PeopleRows
from bot.store.run_rows import RunRows
from bot.store.word_rows import WordRows


class Work(PeopleRows, RunRows, WordRows):
    """All verbs of the store."""
