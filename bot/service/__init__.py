"""The imperative shell: each event becomes one transaction, and its outcome a reply."""

from bot.service.catalog import Catalog
from bot.service.kit import Dice, Kit
from bot.service.service import Service

__all__ = ["Catalog", "Dice", "Kit", "Service"]
