"""The same game with another evaluation: one of its own by name, a function, or a function in a file."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from gambito.errors import EvaluationError
from gambito.game.contract import Game
from gambito.game.registry import FILE_SPEC, module_of
from gambito.words.sentence import Sentence

PARAMETERS = 2  # of an evaluation: (state, player)


def with_evaluation(game: Game, evaluation: str | Callable[..., Any]) -> Game:
    """The game as an evaluation judges it: a name, a function (state, player), or `mine.py:judge`."""
    if not isinstance(evaluation, str):
        return _with_function(game, evaluation)
    found = re.fullmatch(FILE_SPEC, evaluation)
    if found is None:
        return game.judged_by(evaluation)
    module = module_of(Path(found[1]))
    function = vars(module).get(found[2] or "")
    if not isinstance(function, FunctionType):
        own = [v for v in vars(module).values() if isinstance(v, FunctionType)]
        listed = [function.__name__ for function in own if function.__module__ == module.__name__]
        some = ", ".join(listed) or Sentence("none")
        raise EvaluationError(
            "{} has no function '{}'; the functions in it: {}", found[1], found[2] or "", some
        )
    return _with_function(game, function)


def _with_function(game: Game, function: Any) -> Game:
    if not isinstance(function, FunctionType) or function.__code__.co_argcount != PARAMETERS:
        name = getattr(function, "__name__", None) or repr(function)
        raise EvaluationError("{} is no evaluation; accepted: a function of (state, player)", name)
    other: Any = copy.copy(game)
    other.evaluate = function
    other.is_learned = other.is_wide = False  # the engine carries no sums of a network that is not asked
    return other
