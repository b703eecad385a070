"""Latih: a quiz bot that teams of engineers learn with."""

__version__ = "0.1.0"
