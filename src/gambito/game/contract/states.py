"""One door between Gambito and the rules in Python: states and actions are the numbers that rules expect.

A rule may write `State(0, 1 << 63)` where the fields are `np.uint64`. Compiled code casts what a rule returns
to the type of the initial state, and so does Python here: whoever asks a game for a state gets one that its
own rules can compute with. An action that a search kept in an array arrives as a plain `int`, as `actions`
gave it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types as python
from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from gambito.game.contract.kinds import State
from gambito.game.contract.rules import Rules
from gambito.native.values import Door, declared

_KEPT = "_gambito_door"  # the attribute in which a game keeps its door
OPEN = Door(None)  # for games that do not compile, whose states may be anything


def cast_states(kind: Any, contract: tuple[type, ...]) -> None:
    """Have the rules that a class of games defines, or takes from a class that is no game, cast.

    The annotations of the contract say which rules give states and which ones take an action.
    """
    for name, wrap in _wrappers(contract).items():
        owner = next(base for base in kind.__mro__ if name in vars(base))
        rule = vars(owner)[name]
        is_new = owner is kind or not issubclass(owner, Rules)
        if is_new and isinstance(rule, python.FunctionType) and not hasattr(rule, "plain"):
            setattr(kind, name, _cast(wrap, rule))


def cast_rule(name: str, rule: Any, contract: tuple[type, ...]) -> Any:
    """A rule that a class has under another name, cast as the contract's rule of that name is."""
    wrap = _wrappers(contract).get(name)
    return rule if wrap is None or hasattr(rule, "plain") else _cast(wrap, rule)


def _cast(wrap: Callable[..., Any], rule: Any) -> Any:
    cast: Any = functools.update_wrapper(wrap(rule), rule)
    cast.plain = rule  # what is compiled
    return cast


@functools.cache
def _wrappers(contract: tuple[type, ...]) -> dict[str, Callable[..., Any]]:
    """The rules of the contract that give states or take an action, each with what casts them."""
    found: dict[str, Callable[..., Any]] = {}
    seen: set[Any] = set()  # a group has the rules of those that it extends
    for group in contract:
        for name, rule in inspect.getmembers(group, inspect.isfunction):
            if rule in seen:
                continue
            seen.add(rule)
            given = get_type_hints(rule, include_extras=True).get("return")
            names = list(inspect.signature(rule).parameters)
            if names == ["self", "state", "action"]:
                found[name] = _next_state if given == State else _about_action
            elif given == State:
                found[name] = _one
            elif get_args(given)[:1] == (State,) and get_origin(given) in (tuple, Iterable):
                found[name] = _first if get_origin(given) is tuple else _each
    return found


def _next_state(rule: Callable[..., Any]) -> Callable[..., Any]:
    def cast(self: Any, state: Any, action: Any) -> Any:
        door = self.__dict__.get(_KEPT) or _door(self)
        return door(rule(self, state, int(action) if type(action) is np.int64 else action))

    return cast


def _about_action(rule: Callable[..., Any]) -> Callable[..., Any]:
    def cast(self: Any, state: Any, action: Any) -> Any:
        return rule(self, state, int(action) if type(action) is np.int64 else action)

    return cast


def _one(rule: Callable[..., Any]) -> Callable[..., Any]:
    def cast(self: Any, *args: Any, **given: Any) -> Any:
        return _door(self)(rule(self, *args, **given))

    return cast


def _first(rule: Callable[..., Any]) -> Callable[..., Any]:
    def cast(self: Any, *args: Any, **given: Any) -> Any:
        answer = rule(self, *args, **given)
        return (_door(self)(answer[0]), *answer[1:]) if isinstance(answer, tuple) and answer else answer

    return cast


def _each(rule: Callable[..., Any]) -> Callable[..., Any]:
    def cast(self: Any, *args: Any, **given: Any) -> Iterator[Any]:
        door = _door(self)
        for state in rule(self, *args, **given):
            yield door(state)

    return cast


def _door(game: Any) -> Door:
    """The door of a game object, made once."""
    kept: Door | None = game.__dict__.get(_KEPT)
    if kept is not None:
        return kept
    if not game.compiles:
        return OPEN
    game.__dict__[_KEPT] = OPEN  # for `initial`, which may ask other rules
    initial = type(game).initial
    try:
        start = getattr(initial, "plain", initial)(game)
    except Exception:  # what is wrong with `initial`, its caller learns
        del game.__dict__[_KEPT]
        return OPEN
    with contextlib.suppress(TypeError):  # its states cannot be compiled
        game.__dict__[_KEPT] = Door(declared(start))
    return _door(game)
