"""The store over real databases, and the server that the tests bring for it."""
