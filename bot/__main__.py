"""The program: the one place that reads the clock and throws dice."""

import secrets
import sys
from datetime import UTC, datetime

from bot.cli import main
from bot.cli.tools import Tools

_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


class SystemDice:
    """Chance from the operating system."""

    def token(self) -> str:
        return secrets.token_urlsafe(12)

    def seed(self) -> int:
        return secrets.randbits(62)

    def code(self) -> str:
        """20 letters and digits that cannot be mistaken for each other: 99 bits."""
        letters = "".join(secrets.choice(_ALPHABET) for _ in range(20))
        return "-".join(letters[i : i + 5] for i in range(0, 20, 5))

    def reference(self) -> str:
        return secrets.token_hex(4)

    def fraction(self) -> float:
        return secrets.randbits(32) / 2**32


def now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Tools(now=now, dice=SystemDice())))
