"""A game in one of its two gears: as plain Python, or as a constant of the compiler.

Every state is cast to its declared type once, so that both gears compute with the same numbers, and compiled
code exists for one type of state only.
"""

from __future__ import annotations

import time
import types as python
from collections import deque
from collections.abc import Iterable
from functools import cached_property, partial
from typing import Any

from gambito.errors import CompileError, GambitoError
from gambito.game.compiled import common, contract_of, python_only, returned, yielded
from gambito.game.contract import Game
from gambito.game.contract.numbers import Numbers
from gambito.game.contract.rules import Rules
from gambito.game.puzzle import Puzzle
from gambito.native import Constant, Memory, kinds
from gambito.native.bounds import ALWAYS
from gambito.native.digest import class_items, digest, lasting_digest
from gambito.native.values import as_key, conform, constant_type, declared
from gambito.words.sentence import Sentence

GEARS = ("native", "python")
_KEPT = "_gambito_gears"  # the attribute in which a game keeps its gears
# The rules and traits that decide the value of every position, and its key and number.
_DECISIVE = frozenset([*vars(Rules), *vars(Numbers), "is_goal", "size", "symmetric", "key", "repetition"])


def default_gear(game: Game) -> str:
    """The gear of a search if none is named; unlike `gears`, this prepares nothing."""
    if not game.compiles:
        return "python"
    try:
        declared(game.initial())
    except TypeError:
        return "python"
    return game.usual_gear


class Burst:
    """Many calls in a short time, for which it pays to compile."""

    def __init__(self, calls: int, seconds: float) -> None:
        self.seconds = seconds
        self._times = deque[float](maxlen=calls)  # of the last calls

    def goes_on(self) -> bool:
        """Note a call; return whether there were as many as a burst has, in its time."""
        now, times = time.monotonic(), self._times
        times.append(now)
        return len(times) == times.maxlen and now - times[0] < self.seconds


class Gears:
    """The two gears of one game object."""

    digested = ""  # where a game is part of a digest, its gears do not count

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problem: Sentence | None = None  # why the game cannot be compiled
        self.state: kinds.Kind | None = None
        if not game.compiles:
            self.problem = Sentence("{} runs in the python gear only", game.label())
            return
        game.prepare()
        start = game.initial()
        try:
            self.state = declared(start)
        except TypeError as problem:
            self.problem = Sentence("the states of {} run in the python gear only: {}", game.label(), problem)
        self._native: dict[bool, Constant] = {}  # without and with bounds checks

    @cached_property
    def rules_digest(self) -> str:
        """A digest of all that decides the values of positions, so not of evaluations, hints or texts."""
        return self._digest(_DECISIVE)

    @cached_property
    def strategy_digest(self) -> str:
        """A digest of all that decides the worth of strategies: also of chance, and of what players see."""
        return self._digest(_DECISIVE | {"chances", "observe"})

    def _digest(self, names: frozenset[str]) -> str:
        kind, own = type(self.game), vars(self.game)
        attributes: dict[str, list[Any]] = {}
        for base in kind.__mro__:
            if base not in Game.__mro__ and base is not Puzzle:
                for name, value in vars(base).items():
                    if not (name.startswith("__") and name.endswith("__")):
                        attributes.setdefault(name, []).append(value)
        for name, value in own.items():
            if name != _KEPT:
                attributes.setdefault(name, []).append(value)
        return lasting_digest(names, attributes)

    def default(self) -> str:
        return "python" if self.problem else self.game.usual_gear

    def in_gear(self, gear: str, is_checked: bool = ALWAYS) -> Any:
        """The game in that gear: the first argument of a native function. With `is_checked`, compiled code
        raises IndexError for an index out of range."""
        if gear == "python":
            return self.game
        if self.problem is not None:
            raise CompileError(self.problem)
        assert self.state is not None
        if is_checked not in self._native:
            self._native[is_checked] = _constant(self.game, self.state, is_checked)
        return self._native[is_checked]

    def cast(self, state: Any) -> Any:
        """A state with the type that both gears need."""
        if self.state is None:
            return state
        try:
            return conform(state, self.state)
        except GambitoError:  # not of the state: the work was ended meanwhile
            raise
        except (TypeError, ValueError, OverflowError) as problem:
            raise CompileError(
                "a state of {} is not of the initial state's type: {}; "
                "a game with `compiles = False` may have any states",
                self.game.label(),
                problem,
            ) from None


def is_initial(game: Game, state: Any) -> bool:
    """Is it the initial state?"""
    both = gears(game)
    return bool(as_key(both.cast(state)) == as_key(both.cast(game.initial())))


def _constant(game: Game, state: kinds.Kind, is_checked: bool) -> Constant:
    value = kinds.float64 if game.value is float else kinds.int64
    kind = type(game)
    rules = list(_compiled(kind).items())
    traits = [(n, v) for n, v in sorted(vars(game).items()) if _is_readable(v)]
    return Constant(
        game,
        f"{kind.__module__}.{kind.__qualname__}",
        digest(rules, traits, state.lasting, str(value)),
        _also_own(returned(state, value, contract_of(kind))),
        _also_own(yielded(state, value, contract_of(kind))),
        inline=frozenset({"result", "own_result"}),
        is_checked=is_checked,
        common=partial(common, contract_of(kind), state, value),
    )


def _also_own(casts: dict[str, kinds.Kind]) -> dict[str, kinds.Kind]:
    """The casts of the rules, and of a game's own rules in a view of it (`game/game_view.py`)."""
    return casts | {f"own_{name}": kind for name, kind in casts.items()}


def _compiled(kind: type[Game]) -> dict[str, Any]:
    """The attributes of a class that compiled code may use: all except the Python-only ones, and the helpers
    that only these use."""
    every, contract = dict(class_items(kind, Game)), contract_of(kind)
    hidden = python_only(contract)
    helpers = _reached(every, hidden) - (set(dir(contract)) - hidden)
    rules = [n for n in every if n not in hidden and (n not in helpers or not _codes(every[n]))]
    return {n: every[n] for n in sorted(_reached(every, rules).union(rules).difference(hidden))}


def _reached(every: dict[str, Any], names: Iterable[str]) -> set[str]:
    """The attributes of a class that the functions of these names read, directly or through each other."""
    found: set[str] = set()
    waiting = [every[n] for n in names if n in every]
    while waiting:
        for code in _codes(waiting.pop()):
            new = {n for n in code.co_names if n in every} - found
            found |= new
            waiting += [every[n] for n in new]
    return found


def _codes(value: Any) -> list[python.CodeType]:
    """The code of a function and of the functions in it; none for anything else."""
    value = getattr(value, "plain", getattr(value, "fget", getattr(value, "__func__", value)))
    waiting = [value.__code__] if isinstance(value, python.FunctionType) else []
    for code in waiting:  # the loop extends this list
        waiting += [part for part in code.co_consts if isinstance(part, python.CodeType)]
    return waiting


def _is_readable(value: Any) -> bool:
    """Can compiled code read this attribute of a game?"""
    return isinstance(value, python.FunctionType | Memory) or constant_type(value) is not None


def gears(game: Game) -> Gears:
    """The gears of a game object, made once if it compiles; they live as long as the game."""
    if not game.compiles:
        return Gears(game)
    held: Gears | None = vars(game).get(_KEPT)
    if held is None or held.game is not game:  # these belong to the game that this one was copied from
        vars(game)[_KEPT] = held = Gears(game)
    return held
