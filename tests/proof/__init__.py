"""The proof: the real program, killed and started again."""
