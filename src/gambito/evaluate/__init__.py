"""Evaluations with weights: their forms, and the file format for weights.

Games use them; `learn/` finds the weights. This package does not depend on search.
"""

from gambito.errors import EvaluationError
from gambito.evaluate.files import USUAL, arrays_of, prepare, read_evaluation, shipped, write_evaluation

__all__ = [
    "USUAL",
    "EvaluationError",
    "arrays_of",
    "prepare",
    "read_evaluation",
    "shipped",
    "write_evaluation",
]
