"""Exceptions that cross rooms. Whatever is lawful is a value; these are what nobody chose."""


class UnavailableError(Exception):
    """Something outside the program could not be had; the message says what, in a sentence."""


class RefusedError(UnavailableError):
    """A platform does not accept a token; the message says why and what to do."""
