"""Quiz files: what loads, what is refused and how it is said, and the authors' commands."""
