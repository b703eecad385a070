"""Exit codes."""

DONE = 0
FAULTS = 1
ASKED_WRONGLY = 2
COULD_NOT = 3
