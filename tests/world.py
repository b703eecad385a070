"""A clock and dice that do as they are told."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Stands still until it is moved; in UTC."""

    def __init__(self, at: datetime = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def pass_(self, **span: float) -> None:
        self.at += timedelta(**span)


class CountingDice:
    """Every throw is new, and the same in every run of a test."""

    def __init__(self) -> None:
        self._thrown = 0

    def token(self) -> str:
        return f"{self._next():016d}"

    def seed(self) -> int:
        return self._next()

    def code(self) -> str:
        return f"CODE{self._next():04d}"

    def reference(self) -> str:
        return f"ref{self._next():04d}"

    def fraction(self) -> float:
        return 0.5

    def _next(self) -> int:
        self._thrown += 1
        return self._thrown
