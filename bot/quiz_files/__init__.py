"""Quizzes as code: quiz files in, quizzes out, or every fault at once with its line and column."""

from bot.quiz_files.faults import Fault, Severity
from bot.quiz_files.loading import Loaded, load
from bot.quiz_files.schema import schema
from bot.quiz_files.template import template
from bot.quiz_files.values import is_quiz_id

__all__ = ["Fault", "Loaded", "Severity", "is_quiz_id", "load", "schema", "template"]
