"""Evaluations with weights: what a value is made of, and the file that weights are kept in.

Games use them; how weights are found is told in `learn/`. It knows no search.
"""

from gambito.errors import EvaluationError
from gambito.evaluate.files import USUAL, prepare, read_evaluation, shipped, write_evaluation

__all__ = ["USUAL", "EvaluationError", "prepare", "read_evaluation", "shipped", "write_evaluation"]
