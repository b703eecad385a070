"""Adapters: each translates one surface to the port in `bot.chat`, and nothing more."""
