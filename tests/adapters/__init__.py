"""The chat adapters, driven against the stand-ins of their platforms."""
