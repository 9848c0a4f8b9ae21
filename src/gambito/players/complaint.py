"""An exception as one sentence for a person: what was wrong, and what is accepted."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType

import gambito
from gambito.evaluate import EvaluationError
from gambito.native import functions
from gambito.players.error import PlayerError

_HOME = Path(gambito.__file__).parent
_TOLD = (
    gambito.BookError,
    gambito.CompileError,
    gambito.EndgameError,
    gambito.GameError,
    gambito.PositionError,
    gambito.SearchError,
    gambito.UnknownValue,
    EvaluationError,
    PlayerError,
)


def sentence(problem: Exception) -> str:
    """One line, without a full stop at its end."""
    return " ".join(_words(problem).split()).rstrip(".")


def _words(problem: Exception) -> str:
    if isinstance(problem, _TOLD):
        return str(problem)
    what = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    return (
        _rule_words(problem, what)
        or _system_words(problem)
        or (f"this is a mistake in Gambito itself ({what}); GAMBITO_DEBUG=1 shows where")
    )


def _rule_words(problem: Exception, what: str) -> str:
    """If a rule of a game raised: which one, and where; "" otherwise."""
    steps = list(traceback.walk_tb(problem.__traceback__))
    rules = [(frame.f_code, line) for frame, line in steps if _is_rule(frame)]
    if not rules and _was_compiled(steps):
        rules = [(steps[-1][0].f_code, steps[-1][1])]
    if not rules:
        return ""
    code, line = rules[-1]
    return f"the rule '{code.co_name}' raises {what} ({Path(code.co_filename).name}, line {line})"


def _is_rule(frame: FrameType) -> bool:
    """Is this a method of a game, or a function of a file of rules?"""
    is_from_file = str(frame.f_globals.get("__name__", "")).startswith("gambito_rules_")
    return is_from_file or isinstance(frame.f_locals.get("self"), gambito.Game)


def _was_compiled(steps: list[tuple[FrameType, int]]) -> bool:
    """Did compiled rules raise? Then the step behind the call has the place and no variables."""
    if len(steps) < 2 or steps[-2][0].f_code is not functions.native.__call__.__code__:
        return False
    place = Path(steps[-1][0].f_code.co_filename)
    return not place.is_relative_to(_HOME) or place.is_relative_to(_HOME / "games")


def _system_words(problem: Exception) -> str:
    """What the machine refuses; "" if it is something else."""
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this"
    if isinstance(problem, RecursionError):
        return "this goes deeper than Python can; give a smaller depth"
    if isinstance(problem, OSError):
        where = f"{problem.filename}: " if problem.filename is not None else ""
        return f"{where}{problem.strerror or problem}"
    return ""
