"""What machines ask of a running bot: whether it lives, whether it can serve, and how it does."""

from bot.health.metrics import Metrics
from bot.health.pages import pages

__all__ = ["Metrics", "pages"]
