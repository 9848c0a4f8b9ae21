"""The names that Gambito uses: an attribute of an author's game that means something else is found at once.

A game may have any attributes of its own. Only the names of the contract have a meaning already: a rule must
be a function with the rule's parameters, and a trait a value of the trait's type. A rule that every game
gives may be there under another name.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import types as python
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from gambito.errors import GameError
from gambito.game.compiled import contract_of
from gambito.game.contract import RULES, Game
from gambito.game.contract.kinds import Value
from gambito.game.puzzle import PUZZLE_RULES
from gambito.words.sentence import Sentence

_FREE = frozenset({"parameters", "judged_by", "prepare"})  # rules that a game may give other parameters

ALIKE = 0.7  # names that are as similar as this may be meant for each other
# What the rules are called elsewhere.
ELSEWHERE = {
    "initial": ("start", "initial_state", "new_game", "reset"),
    "player": ("to_move", "current_player", "next_player", "whose_turn"),
    "actions": ("moves", "legal_moves", "legal_actions", "possible_moves", "get_moves"),
    "result": ("apply", "apply_action", "move", "make_move", "play", "next_state", "successor"),
    "is_terminal": ("is_over", "game_over", "is_game_over", "terminal", "terminal_test", "is_finished"),
    "utility": ("payoff", "reward", "returns", "score_of", "winner"),
    "is_goal": ("goal", "goal_test", "is_solved", "solved"),
}

Trait = tuple[Sentence, Callable[[Any], bool]]  # what a trait is, and whether a value is that


def check_names(game: Game) -> None:
    """Raise GameError if an attribute of the game has the name of a rule or trait and is something else."""
    for problem in name_problems(game):
        raise GameError(problem)


def name_problems(game: Game) -> Iterator[Sentence]:
    """The attributes that have the name of a rule or trait and are something else, each as one sentence."""
    kind: Any = type(game)
    contract, own = contract_of(kind), vars(game)
    rules, traits = contract_rules(contract), _traits(contract)
    problems, given = _of_class(kind)
    yield from problems
    for name in sorted(own.keys() & rules.keys()):
        yield from _rule_problems(kind.__name__, name, own[name], rules[name], is_of_class=False)
    for name in sorted(given | (own.keys() & traits.keys())):
        yield from _trait_problems(kind.__name__, name, getattr(game, name), *traits[name])


def _missing_rules(kind: type, contract: type) -> Iterator[Sentence]:
    """The rules that every game gives and this one does not, or gives under another name."""
    rules = PUZZLE_RULES if "is_goal" in vars(contract) else RULES
    missing = [rule for rule in rules if getattr(kind, rule) is getattr(contract, rule)]
    if not missing:
        return
    own = {
        name: getattr(held, "plain", held)
        for base in kind.__mro__
        if base not in contract.__mro__
        for name, held in vars(base).items()
    }
    named = own.keys() - set(dir(contract))
    alike = difflib.get_close_matches(missing[0], named, 1, ALIKE)
    meant = next((name for name in ELSEWHERE.get(missing[0], ()) if name in named), *alike[:1] or [""])
    if isinstance(own.get(meant), python.FunctionType):
        problem = Sentence("the game has no rule {}; is '{}' meant for it?", missing[0], meant)
        yield placed(problem, own[meant])
        return
    problem = Sentence("the game has no rule {}", ", ".join(missing))
    functions = [held for held in own.values() if isinstance(held, python.FunctionType)]
    yield placed(problem, functions[-1]) if functions else problem


def _rule_problems(
    owner: str, name: str, held: Any, parameters: list[str], is_of_class: bool
) -> Iterator[Sentence]:
    function = getattr(held, "plain", getattr(held, "__func__", held))
    if not callable(function):
        kind = type(held).__name__
        yield Sentence(
            "'{}' is the name of a rule of Gambito, but in {} it is of type {}; call it '{}'",
            name, owner, kind, f"my_{name}",
        )  # fmt: skip
    elif isinstance(function, python.FunctionType) and name not in _FREE:
        problem = _parameter_problem(
            owner, name, function, parameters, is_of_class and not isinstance(held, staticmethod)
        )
        if problem is not None:
            yield placed(problem, function)


def _parameter_problem(
    owner: str, name: str, function: python.FunctionType, parameters: list[str], is_method: bool
) -> Sentence | None:
    """What is wrong with the parameters of a rule."""
    signature = inspect.signature(function)
    given, wanted = list(signature.parameters), parameters[1:]
    if is_method and given == wanted:
        return Sentence("{} lacks the parameter self: `def {}(self, {})`", name, name, ", ".join(wanted))
    taken = [each for each in given if each != "self"]
    told = ", ".join(wanted), owner, ", ".join(taken)
    if taken != wanted and sorted(taken) == sorted(wanted):
        return Sentence("{} takes ({}), in this order, but in {} it takes ({})", name, *told)
    try:
        signature.bind(*parameters[given[:1] != ["self"] :])
    except TypeError:
        if name in (*RULES, *PUZZLE_RULES):
            return Sentence("{} takes ({}), but in {} it takes ({})", name, *told)
        return Sentence(
            "'{}' is the name of a rule of Gambito, which takes ({}), but in {} it takes ({}); call it '{}'",
            name, *told, f"my_{name}",
        )  # fmt: skip
    return None


def placed(problem: Sentence, function: python.FunctionType) -> Sentence:
    """A problem with the file and line of the function that it is about."""
    code = function.__code__
    return Sentence("{} ({}, line {})", problem, Path(code.co_filename).name, code.co_firstlineno)


def _trait_problems(
    owner: str, name: str, held: Any, what: Sentence, fits: Callable[[Any], bool]
) -> Iterator[Sentence]:
    if not fits(held):
        yield Sentence(
            "'{}' is the name of a trait of Gambito, which is {}, but in {} it is of type {}; "
            "call yours '{}'",
            name, what, owner, type(held).__name__, f"my_{name}",
        )  # fmt: skip


@functools.cache
def contract_rules(contract: type) -> dict[str, list[str]]:
    """The rules of a contract, each with the names of its parameters."""
    return {
        name: list(inspect.signature(rule).parameters)
        for name, rule in inspect.getmembers(contract, inspect.isfunction)
        if not name.startswith("_")
    }


@functools.cache
def _traits(contract: type) -> dict[str, Trait]:
    hints = get_type_hints(contract, include_extras=True)
    return {name: trait for name, hint in hints.items() if (trait := _trait(hint)) is not None}


_CLASSES: weakref.WeakKeyDictionary[type, tuple[list[Sentence], set[str]]] = weakref.WeakKeyDictionary()


def _of_class(kind: type) -> tuple[list[Sentence], set[str]]:
    """The problems of the rules that a class of games defines, and the names of its traits."""
    if kind not in _CLASSES:
        contract = contract_of(kind)
        own = {name for base in kind.__mro__ if base not in contract.__mro__ for name in vars(base)}
        problems = [
            problem
            for name, parameters in contract_rules(contract).items()
            if name in own
            for problem in _rule_problems(
                kind.__name__, name, inspect.getattr_static(kind, name), parameters, is_of_class=True
            )
        ]
        problems += _missing_rules(kind, contract)
        _CLASSES[kind] = problems, own & _traits(contract).keys()
    return _CLASSES[kind]


def _trait(hint: Any) -> Trait | None:
    """The trait with this annotation; None if it may be anything."""
    if hint == Value:
        return _KINDS[float]
    if getattr(hint, "__metadata__", None):  # a trait that compiled code does not read
        hint = get_args(hint)[0]
    parts = get_args(hint) if isinstance(hint, python.UnionType) else (hint,)
    wanted = get_origin(parts[0]) or parts[0]
    if wanted not in _KINDS:
        return None
    what, fits = _KINDS[wanted]
    return what, (lambda held: held is None or fits(held)) if python.NoneType in parts else fits


def is_number(held: Any) -> bool:
    return isinstance(held, int | float | np.number) and not isinstance(held, bool)


def _is_whole(held: Any) -> bool:
    return isinstance(held, int | np.integer) and not isinstance(held, bool)


_KINDS: dict[Any, Trait] = {
    int: (Sentence("a whole number"), _is_whole),
    bool: (Sentence("true or false"), lambda held: isinstance(held, bool | np.bool_)),
    float: (Sentence("a number"), is_number),
    str: (Sentence("a text"), lambda held: isinstance(held, str)),
    tuple: (Sentence("a tuple"), lambda held: isinstance(held, tuple | list | np.ndarray)),
    dict: (Sentence("a dictionary"), lambda held: isinstance(held, dict)),
    type: (Sentence("int or float"), lambda held: held in (int, float)),
}
