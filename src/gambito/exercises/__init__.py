"""Exercises with automatic checks: a student's function is tried on small positions and compared with the
package's own search. It knows no screen and no game by its module; games are loaded by name."""

from gambito.exercises.exercise import Exercise, Verdict, Wrong
from gambito.exercises.trial import Answer, Question, Trial, trying

__all__ = ["Answer", "Exercise", "Question", "Trial", "Verdict", "Wrong", "trying"]
