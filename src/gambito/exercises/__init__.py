"""Exercises with automatic checks: a student's function is tried on small positions and compared with the
package's search. No code here depends on a screen or on the module of a game; games are loaded by name.

To write a check, make a `Trial` over cases: `Question` for plain arguments, `Position` for states of games.
"""

from gambito.exercises.exercise import Exercise, Verdict, Wrong
from gambito.exercises.positions import Position, judge_value, positions
from gambito.exercises.trees import trees
from gambito.exercises.trial import PlainArguments, StudentAnswer, Trial, trying

__all__ = [
    "Exercise",
    "PlainArguments",
    "Position",
    "StudentAnswer",
    "Trial",
    "Verdict",
    "Wrong",
    "judge_value",
    "positions",
    "trees",
    "trying",
]
