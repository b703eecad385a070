"""Stateful stand-ins of the platforms, strict where the platforms are strict."""
