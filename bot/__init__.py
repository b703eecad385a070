"""Latih: a quiz bot that teams of engineers learn with."""
