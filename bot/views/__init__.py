"""Presenters: what is true becomes a card; pure, given the words to say."""
