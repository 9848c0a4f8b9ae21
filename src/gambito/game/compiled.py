"""What compiled code knows about the contract, read from the annotations of its rules and traits.

A rule is compiled if it takes and gives what compiled code can hold: numbers, states, values, keys, buffers.
What it returns is cast to the type that its annotation names, so that compiled code exists for one type only.
Any other rule, such as one that takes or returns text, and every trait marked `PythonOnly` stay in Python:
they may change without a compilation.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable
from typing import Any, get_args, get_origin, get_type_hints

from gambito.game.contract import Game
from gambito.game.contract.kinds import (
    Buffer,
    Costs,
    Key,
    Probability,
    PythonOnly,
    Random,
    Sets,
    State,
    Value,
)
from gambito.game.puzzle import Puzzle
from gambito.native.kinds import NOTHING, STATE, Kind, Tuple, boolean, float64, int64, uint64
from gambito.native.objects import Common

_UNCAST = (Any, Buffer, Costs, Probability, Random, Sets)  # compiled code takes them without a cast


def _is_held(kind: Any) -> bool:
    """Can compiled code hold the type that this annotation names?"""
    if get_origin(kind) in (tuple, Iterable):
        return all(_is_held(part) for part in get_args(kind))
    return kind in (*_UNCAST, *_types(NOTHING, NOTHING))


def _types(state: Kind, value: Kind) -> dict[Any, Kind]:
    """The compiled types of annotations, for a game with these types of states and values."""
    return {
        int: int64,
        bool: boolean,
        Key: uint64,
        State: state,
        Value: value,
        int | State: int64,  # a state that compiled code knows by its number
    }


def contract_of(kind: type) -> type:
    """The contract of a class of games: a game may use the names that only puzzles have."""
    return Puzzle if issubclass(kind, Puzzle) else Game


@functools.cache
def _rules(contract: type) -> dict[str, dict[str, Any]]:
    """The rules of a contract by name, each with its annotations."""
    public = {n: getattr(contract, n) for n in dir(contract) if not n.startswith("_")}
    return {
        name: get_type_hints(rule, include_extras=True)
        for name, rule in public.items()
        if inspect.isfunction(rule)
    }


@functools.cache
def python_only(contract: type = Puzzle) -> frozenset[str]:
    """The names of the contract that compiled code never uses."""
    traits = get_type_hints(contract, include_extras=True).items()
    marked = [name for name, kind in traits if getattr(kind, "__metadata__", None) == PythonOnly.__metadata__]
    spoken = [name for name, kinds in _rules(contract).items() if not all(map(_is_held, kinds.values()))]
    return frozenset([*marked, *spoken])


def returned(state: Kind, value: Kind, contract: type = Puzzle) -> dict[str, Kind]:
    """The type that compiled code casts the result of each rule to."""
    return _cast_to({n: k["return"] for n, k in _compiled_rules(contract).items()}, _types(state, value))


def yielded(state: Kind, value: Kind, contract: type = Puzzle) -> dict[str, Kind]:
    """The type that compiled code casts each item to, for rules that yield several."""
    kinds = {n: k["return"] for n, k in _compiled_rules(contract).items()}
    items = {n: get_args(k)[0] for n, k in kinds.items() if get_origin(k) is Iterable}
    return _cast_to(items, _types(state, value))


@functools.cache
def _compiled_rules(contract: type) -> dict[str, dict[str, Any]]:
    hidden = python_only(contract)
    return {name: kinds for name, kinds in _rules(contract).items() if name not in hidden}


def _cast_to(kinds: dict[str, Any], known: dict[Any, Kind]) -> dict[str, Kind]:
    """The types of the annotations that name one, or a tuple of them."""
    found = {}
    for name, kind in kinds.items():
        parts = get_args(kind) if get_origin(kind) is tuple else (kind,)
        if all(part in known for part in parts):
            made = [known[part] for part in parts]
            found[name] = Tuple(made) if get_origin(kind) is tuple else made[0]
    return found


def common(contract: type, state: Kind, value: Kind) -> Common:
    """What all games with this kind of values have in common."""
    known = {**_types(STATE, value), Probability: float64}
    hints = get_type_hints(contract, include_extras=True).items()
    kinds = {n: k["return"] for n, k in _compiled_rules(contract).items()}
    items = {n: get_args(k)[0] for n, k in kinds.items() if get_origin(k) is Iterable}
    return Common(
        f"{contract.__name__} {value}",
        {name: known[kind] for name, kind in hints if kind in (int, bool, Value)},
        _cast_to(kinds, known),
        _cast_to(items, known),
        state,
        functools.partial(_default, contract),
    )


def _default(contract: type, name: str) -> Any:
    """A rule as the contract gives it."""
    return vars(next(base for base in contract.__mro__ if name in vars(base)))[name]
