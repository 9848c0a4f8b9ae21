"""The evaluation that a player judges by: one of the game's own, or a function from a file."""

from __future__ import annotations

import re
from pathlib import Path
from types import FunctionType

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import FILE_SPEC, module_of
from gambito.words.sentence import Sentence


def judged(game: Game, evaluation: str) -> Game:
    """The same game with another evaluation: a name, or `mine.py:judge`, a function (state, player)."""
    found = re.fullmatch(FILE_SPEC, evaluation)
    if found is None:
        return game.judged_by(evaluation)
    module = module_of(Path(found[1]))
    function = vars(module).get(found[2] or "")
    if not isinstance(function, FunctionType):
        own = [v for v in vars(module).values() if isinstance(v, FunctionType)]
        listed = [function.__name__ for function in own if function.__module__ == module.__name__]
        some = ", ".join(listed) or Sentence("none")
        raise PlayerError("{} has no function '{}'; the functions in it: {}", found[1], found[2] or "", some)
    other = type(game)(**game.parameters())
    other.evaluate = function  # type: ignore[method-assign]
    return other
