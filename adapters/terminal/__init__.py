"""The terminal: quizzes by keys, or by lines from a pipe."""
