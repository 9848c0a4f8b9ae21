"""A game seen through another: a class made at run time puts some rules and traits in front of a game's own.

A lens is a plain class with the rules that a view has instead. They reach the game's own rules as
`self.own_player`, `self.own_utility` and so on. The game's own code means its own rules and traits too, so
where it says `self.player`, a copy of it says `self.own_player`; `state.player` stays as it is. A view is a
game like any other: it compiles, and every search takes it. This module does not depend on any search.
"""

from __future__ import annotations

import dis
import sys
import types as python
from collections.abc import Callable
from typing import Any

from gambito.game.contract import GROUPS, Game, game_name
from gambito.game.contract.states import cast_rule
from gambito.native.digest import class_items

_ATTRIBUTES = "LOAD_ATTR", "LOAD_METHOD"
_VARIABLES = "LOAD_FAST", "LOAD_DEREF"
_KEPT = "_gambito_views"  # the attribute in which a game keeps its views


def view_of(game: Game, lens: type, make: Callable[..., Game], *given: Any, **traits: Any) -> Game:
    """The game with the rules of a lens and these traits in front of its own.

    `make(game, *given)` is how a copy of the view is made in another process.
    """
    kind = type(game)
    lent = {n: rule for n, rule in vars(lens).items() if isinstance(rule, python.FunctionType)}
    fronted = {*lent, *traits}
    own: dict[str, Any] = {f"own_{n}": _plain(getattr(Game, n)) for n in lent if hasattr(Game, n)}
    for name, value in class_items(kind, Game):
        rule = _plain(value)
        is_touched = isinstance(rule, python.FunctionType) and _mentions(rule.__code__, fronted)
        if name in lent:
            own[f"own_{name}"] = _renamed(rule, fronted)
        elif is_touched:
            own[name] = _renamed(rule, fronted)
    own = {n: cast_rule(n.removeprefix("own_"), rule, GROUPS) for n, rule in own.items()}
    own |= {"__module__": kind.__module__, "name": game_name(kind)}
    own |= {"__reduce__": _reduce, "parameters": _parameters}
    made = type(kind.__name__, (kind,), {**own, **lent, "__doc__": kind.__doc__})
    view: Any = object.__new__(made)
    vars(view).update(game.__getstate__())
    vars(view).update({f"own_{name}": getattr(game, name) for name in traits if hasattr(game, name)})
    vars(view).update(traits)
    view.viewed = (make, (game, *given))
    return view


def cached_view(game: Game, make: Callable[..., Game], *given: Any) -> Game:
    """The view that `make(game, *given)` gives, made once for each game object."""
    views: dict[Any, Game] = vars(game).setdefault(_KEPT, {})
    if (make, *given) not in views:
        views[(make, *given)] = make(game, *given)
    return views[(make, *given)]


def _reduce(view: Any) -> tuple[Any, ...]:
    return view.viewed


def _parameters(view: Any) -> dict[str, Any]:
    """The parameters of the game itself: a view is called like its game."""
    _, (game, *_) = view.viewed
    return game.parameters()


def _plain(rule: Any) -> Any:
    return getattr(rule, "plain", rule)


def _mentions(code: python.CodeType, names: set[str]) -> bool:
    """Does the code, or that of a function in it, mention one of these names?"""
    parts = [part for part in code.co_consts if isinstance(part, python.CodeType)]
    return not names.isdisjoint(code.co_names) or any(_mentions(part, names) for part in parts)


def _renamed(rule: python.FunctionType, names: set[str]) -> python.FunctionType:
    """A copy of a function that asks for the game's own rules and traits."""
    game = rule.__code__.co_varnames[0] if rule.__code__.co_argcount else ""
    code = _recoded(rule.__code__, names, game)
    made = python.FunctionType(code, rule.__globals__, rule.__name__, rule.__defaults__, rule.__closure__)
    made.__kwdefaults__, made.__doc__ = rule.__kwdefaults__, rule.__doc__
    made.__module__, made.__qualname__ = rule.__module__, rule.__qualname__
    return made


def _recoded(code: python.CodeType, names: set[str], game: str) -> python.CodeType:
    """A copy of code in which the attributes of the variable `game` with these names get others.

    A state may have a field of such a name, so an attribute of anything else stays as it is.
    """
    parts = (_recoded(p, names, game) if isinstance(p, python.CodeType) else p for p in code.co_consts)
    uses: dict[str, tuple[list[int], list[int]]] = {}  # by name: the places with the game, and the others
    loaded = None
    for step in dis.get_instructions(code):
        if step.opname in _ATTRIBUTES and step.argval in names:
            uses.setdefault(step.argval, ([], []))[loaded != game].append(step.offset)
        loaded = None
        if step.opname.startswith(_VARIABLES):
            loaded = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    called, told = bytearray(code.co_code), [*code.co_names]
    for name, (of_game, others) in uses.items():
        if of_game and not others:
            told[told.index(name)] = f"own_{name}"
        elif of_game:
            by = (len(told) - told.index(name)) << (sys.version_info >= (3, 12))
            for place in of_game:
                called[place + 1] += by
            told.append(f"own_{name}")
    return code.replace(co_code=bytes(called), co_names=tuple(told), co_consts=tuple(parts))
