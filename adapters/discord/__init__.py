"""Discord, by discord.py over the gateway."""
