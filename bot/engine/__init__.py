"""The functional core: frozen values and plain functions, with no clock, dice, chat or database."""
