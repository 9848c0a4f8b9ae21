"""An exception as one sentence for a user: what is wrong, and what is accepted."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from types import FrameType

from gambito.errors import GambitoError
from gambito.game.contract import Game
from gambito.game.registry import RULES_FILE
from gambito.native import functions
from gambito.native.entries import NOTHING_GIVEN
from gambito.words.sentence import Sentence, reason_of, sentence_of

NOT_LOADED = re.compile(r"cannot allocate memory|failed to map segment|Could not find/load shared object")
NO_THREAD = "can't start new thread"  # what Python says
_HOME = Path(__file__).resolve().parent.parent


def sentence(problem: Exception) -> Sentence:
    """What went wrong, on one line."""
    return _on_one_line(_words(problem))


def _words(problem: Exception) -> Sentence:
    if isinstance(problem, GambitoError):
        return problem.sentence
    said = sentence_of(problem)
    what = Sentence("{}: {}", type(problem).__name__, said) if said else Sentence(type(problem).__name__)
    return (
        _rule_words(problem, what)
        or _system_words(problem)
        or Sentence("this is a mistake in Gambito itself ({}); GAMBITO_DEBUG=1 shows where", what)
    )


def _on_one_line(said: Sentence) -> Sentence:
    """The same sentence without line breaks and a final full stop, which messages of other code may have."""
    if not said.parts:
        return Sentence(" ".join(said.split()).rstrip("."))
    return Sentence(said.template, *map(_part_on_one_line, said.parts))


def _part_on_one_line(part: str | int | float) -> str | int | float:
    if isinstance(part, Sentence):
        return _on_one_line(part)
    return " ".join(part.split()) if isinstance(part, str) and "\n" in part else part


def _rule_words(problem: Exception, what: Sentence) -> Sentence | None:
    """If a rule of a game raised, a sentence with the rule and the place."""
    steps = list(traceback.walk_tb(problem.__traceback__))
    rules = [(frame.f_code, line) for frame, line in steps if _is_rule(frame)]
    if not rules and _was_compiled(steps):
        rules = [(steps[-1][0].f_code, steps[-1][1])]
    if not rules:
        return None
    code, line = rules[-1]
    place = Path(code.co_filename).name
    if type(problem) is TypeError and str(problem) == NOTHING_GIVEN:
        return Sentence(
            "the rule '{}' gives None; every way must end in `return` with a value ({}, line {})",
            code.co_name, place, line,
        )  # fmt: skip
    return Sentence("the rule '{}' raises {} ({}, line {})", code.co_name, what, place, line)


def _is_rule(frame: FrameType) -> bool:
    """Is this a method of a game, or a function of a rules file?"""
    return RULES_FILE in frame.f_globals or isinstance(frame.f_locals.get("self"), Game)


def _was_compiled(steps: list[tuple[FrameType, int]]) -> bool:
    """Did compiled rules raise? Then the last step, after the call, has a place but no variables."""
    called = [frame.f_code is functions.native.__call__.__code__ for frame, _ in steps[:-1]]
    if not any(called) or steps[-1][0].f_locals:
        return False
    place = Path(steps[-1][0].f_code.co_filename)
    return not place.is_relative_to(_HOME) or place.is_relative_to(_HOME / "games")


def _system_words(problem: Exception) -> Sentence | None:
    """A sentence for errors of the system: memory, recursion, files."""
    if isinstance(problem, MemoryError):
        return Sentence("there is not enough memory for this")
    if type(problem) is RuntimeError and str(problem) == NO_THREAD:
        return Sentence(
            "the system starts no more threads; its limits are those of `ulimit -v` and `ulimit -u`"
        )
    if NOT_LOADED.search(str(problem)):
        return Sentence("a library cannot be loaded; there may be too little memory, see `ulimit -v`")
    if isinstance(problem, RecursionError):
        return Sentence("this is too deep for Python; give a smaller depth")
    if isinstance(problem, OSError):
        reason = Sentence(reason_of(problem))
        return reason if problem.filename is None else Sentence("{}: {}", problem.filename, reason)
    return None
