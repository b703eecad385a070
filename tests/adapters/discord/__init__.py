"""Discord: the real discord.py against a stand-in of Discord."""
