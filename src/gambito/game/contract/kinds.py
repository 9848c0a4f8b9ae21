"""The kinds of values that the contract's annotations name, and its special numbers.

A reader sees what a rule takes and gives; the compiler reads the same annotations (`game/compiled.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

State = Annotated[Any, "state"]  # a position, of the type that `initial` gives
Value = Annotated[Any, "value"]  # a score: an int or a float, as the trait `value` says
Key = Annotated[Any, "key"]  # an unsigned number of 64 bits
Probability = Annotated[float, "probability"]
Sets = Annotated[Any, "sets"]  # a tuple of sets of squares, each an unsigned number of 64 bits
Buffer = Annotated[Any, "buffer"]  # an array of ints that a rule writes into
Random = Annotated[Any, "random"]  # random numbers: `below(n)` from 0 to n - 1, `fraction()` from 0 to 1
Costs = Annotated[Any, "costs"]  # tables of exact costs, for the heuristics of a puzzle

_T = TypeVar("_T")
PythonOnly = Annotated[_T, "python only"]  # a trait that compiled code never reads

CHANCE = -1  # the player in a state where dice or cards decide
NOBODY = -1  # a spectator, who sees only what every player sees
NO_ACTION = -1  # actions are 0 or more
MOST_ACTIONS = 1 << 15  # the most actions of a state; a search that lists more ends with an error
UNKNOWN = 1 << 30  # plies, if the number is not known: more than any depth
