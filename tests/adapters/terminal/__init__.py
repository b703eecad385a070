"""The terminal, from keys and lines to what stands on the screen."""
