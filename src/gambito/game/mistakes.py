"""What is often wrong in a first game, in words that say what to write instead.

The parts of the conformance check ask here when something is amiss: they know that it is, and this file knows
what is usually meant. It also finds the author's line of a problem.
"""

from __future__ import annotations

import enum
import re
import types as python
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import CompileError
from gambito.game.check_asking import Broken, after, ask, ask_plain, enter, plain, short
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.names import placed
from gambito.native import kinds
from gambito.native.values import conform, declared, other_shape
from gambito.words.sentence import Sentence

_OWN = Path(__file__).resolve().parent  # rules in this folder are Gambito's own
# How sentences begin that do not begin with their rule.
_BEGINNINGS = {
    "the utilities": "utility",
    "a state that is not terminal": "actions",
    "the probabilities of chances": "chances",
    "there are": "actions",
    "parse(": "parse",
    "write(": "write",
    "result(": "result",
    "the game is longer": "plies_left",
}

# ---- rules -----------------------------------------------------------------------------------------------


def range_problem(game: Game) -> Sentence | None:
    """What is wrong with the traits that say which values a game has."""
    lowest, highest, step = game.lowest, game.highest, game.step
    if not lowest <= highest:
        return Sentence("lowest is {} and highest is {}; the lower one comes first", lowest, highest)
    if game.value is int and not -game.infinity < lowest <= highest < game.infinity:
        return Sentence(
            "lowest is {} and highest is {}, and whole numbers must lie between {} and {}",
            lowest, highest, -game.infinity, game.infinity,
        )  # fmt: skip
    if not step > 0 or (game.value is int and step != int(step)):
        return Sentence("step is {}, and must be above zero, and whole if values are", step)
    return None


def _function(game: Game, name: str) -> python.FunctionType | None:
    """The function that an author has written for a rule."""
    held = vars(game).get(name) or getattr(type(game), name, None)
    held = getattr(held, "plain", getattr(held, "__func__", held))
    if not isinstance(held, python.FunctionType):
        return None
    return None if Path(held.__code__.co_filename).resolve().is_relative_to(_OWN) else held


def located(game: Game, problem: Sentence) -> Sentence:
    """A problem with the file and line of the rule that it is about, if it tells none."""
    said = problem.removeprefix("the native gear: ")
    named = re.match(r"'(\w+)' is the name of a rule", said)
    if named:
        said = named[1]
    rule = next((rule for start, rule in _BEGINNINGS.items() if said.startswith(start)), None)
    function = _function(game, rule or re.split(r"\W", said)[0])
    if function is None or re.search(r", line [0-9]+\)", problem):
        return problem
    return placed(problem, function)


def check_again(game: Game, state: Any, actions: list[Any], path: list[str]) -> None:
    """Broken if a rule answers otherwise when it is asked again about the same state."""
    again = ask(game, path, "actions", state)
    if list(again) != list(actions):
        raise _unsteady("actions", list(actions), list(again), path)
    key, other_key = (ask(game, path, "key", state) for _ in range(2))
    if key != other_key:
        raise _unsteady("key", key, other_key, path)
    for action in actions[:1]:
        one, other = (entered(game, path, "result", state, action) for _ in range(2))
        if _differ(one, other):
            raise _unsteady("result", one, other, path)


def _differ(one: Any, other: Any) -> bool:
    """Do two states differ, as far as can be told? Objects of other libraries may know no equality."""
    if plain(one) == plain(other):
        return False
    told = repr(plain(one))
    return told != repr(plain(other)) and " at 0x" not in told  # an address tells nothing


def _unsteady(rule: str, one: Any, other: Any, path: list[str]) -> Broken:
    return Broken(
        "{} gives {}, and then {} for the same state; a rule keeps nothing between calls, "
        "as in a list that is the default of an argument, and draws no random numbers: "
        "dice and cards are moves of CHANCE, {}",
        rule, short(one), short(other), after(path),
    )  # fmt: skip


# ---- states ----------------------------------------------------------------------------------------------


def entered(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """The state that a rule gives, with the type that both gears need; Broken says what is wrong with it."""
    try:
        state = enter(game, path, rule, *args)
        if state is None:
            raise Broken("{}, {}", _none_given(rule), after(path))
        return state
    except Broken as broken:
        if rule == "parse" or not isinstance(broken.__context__, CompileError):
            raise
        kind = gears(game).state
        told = None if kind is None else _wrong_state(rule, ask_plain(game, path, rule, *args), kind)
        if told is None:
            raise
        raise Broken("{}, {}", told, after(path)) from broken


def _none_given(rule: str) -> Sentence:
    return Sentence("{} gives None, not a state; every way must end in `return` with one", rule)


def _wrong_state(rule: str, given: Any, kind: kinds.Kind) -> Sentence | None:
    """What is wrong with a state that is not of that type."""
    if given is None:
        return _none_given(rule)
    if not isinstance(kind, kinds.Tuple):
        return _wrong_part(rule, "", given, kind)
    if isinstance(given, tuple) and len(given) == len(kind):
        names = getattr(kind.cls, "_fields", ()) if isinstance(kind, kinds.Named) else ()
        for place, (part, wanted) in enumerate(zip(given, kind.parts, strict=True)):
            if told := _wrong_part(rule, names[place] if names else str(place), part, wanted):
                return told
        return None
    if isinstance(given, tuple):
        return None
    first = kind.cls.__name__ if isinstance(kind, kinds.Named) else "tuple"
    return Sentence("{} gives a {}, and the initial state is a {}", rule, type(given).__name__, first)


def _wrong_part(rule: str, name: str, value: Any, kind: kinds.Kind) -> Sentence | None:
    try:
        conform(value, kind)
    except OverflowError:
        if 1 << 63 <= value < 1 << 64 and kind == kinds.int64:
            return Sentence(
                "{} gives the number {} in '{}', an int, which has 63 bits and a sign; "
                "write np.uint64 for all bits of the state, also in `initial`",
                rule, value, name,
            )  # fmt: skip
        return Sentence(
            "{} gives the number {} in '{}', which has more than 64 bits; "
            "keep it in several numbers, or in a NumPy array",
            rule, value, name,
        )  # fmt: skip
    except (TypeError, ValueError):
        wanted = {"int64": "int", "float64": "float"}.get(kind.text, kind.text)
        return Sentence(
            "{} gives {} in '{}', which is of type {}; {}",
            rule, short(repr(value)), name, wanted, _longer(value, kind) or _instead_of(value),
        )  # fmt: skip
    return None


def _longer(value: Any, kind: kinds.Kind) -> Sentence | None:
    """What to write if an array or a tuple has another length than in the initial state."""
    if isinstance(value, np.ndarray) and isinstance(kind, kinds.Fixed) and value.shape != kind.shape:
        return other_shape(kind.shape)
    if isinstance(value, tuple) and isinstance(kind, kinds.Tuple) and len(value) != len(kind):
        return Sentence(
            "a tuple in a state keeps its length, {}: give it the greatest length it can need, "
            "and the state a count of what is used",
            len(kind),
        )
    return None


def _instead_of(value: Any) -> Sentence:
    """What to write in a state instead of a value that cannot be compiled."""
    if value is None:
        return Sentence("write a number that means nothing, such as -1")
    if isinstance(value, enum.Enum):
        return Sentence("write its number")
    if isinstance(value, str):
        return Sentence("write numbers for letters")
    if isinstance(value, list):
        return Sentence("write a tuple of numbers, a NumPy array, or the bits of a np.uint64")
    if isinstance(value, set | frozenset):
        return Sentence("write the bits of a np.uint64, or a NumPy array of bools")
    if isinstance(value, dict):
        return Sentence("write a NamedTuple, or a NumPy array whose places are the keys")
    if isinstance(value, float):
        return Sentence("write a whole number, with // instead of /")
    if type(value).__module__ != "builtins" and hasattr(value, "__dict__"):
        return Sentence("write a NamedTuple with the same fields")
    return Sentence("write numbers, NamedTuples, tuples or NumPy arrays")


def reason_of_python(game: Game) -> Sentence | None:
    """Why a game runs in the Python gear only; None if it does not."""
    if not game.compiles:
        return Sentence("compiles = False in the class")
    start = game.initial()
    names = getattr(type(start), "_fields", ())
    parts = [(n, getattr(start, n)) for n in names] or [("", start)]
    for name, value in parts:
        try:
            declared(value)
        except TypeError:
            kind = type(value).__name__
            if name:
                return Sentence(
                    "the field '{}' of a state is a {}, which cannot be compiled; {}",
                    name, kind, _instead_of(value),
                )  # fmt: skip
            return Sentence("a state is a {}, which cannot be compiled; {}", kind, _instead_of(value))
    problem = gears(game).problem
    return None if problem is None else Sentence(problem)
