"""The tests of Latih."""
