"""One door between Gambito and the rules in Python: states, actions and numbers are what compiled code has.

A rule may write `State(0, 1 << 63)` where the fields are `np.uint64`. Compiled code casts what a rule returns
to the type of the initial state, and so does Python here: whoever asks a game for a state gets one that its
own rules can compute with. An action that a search kept in an array arrives as a plain `int`. A number that a
rule takes out of an array has few bits, and would overflow where compiled code has 64 of them: it leaves as
an `int` or a `float`, as the annotation of the rule and the trait `value` say.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import types as python
from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from gambito.game.contract.kinds import Key, Probability, State, Value
from gambito.game.contract.rules import Rules
from gambito.native import mix
from gambito.native.values import Door, declared

_KEPT = "_gambito_door"  # the attribute in which a game keeps its door
OPEN = Door(None)  # for games that do not compile, whose states may be anything

Give = Callable[[Any, Any], Any]  # casts what a rule of a game has returned


def cast_states(kind: Any, contract: tuple[type, ...]) -> None:
    """Have the rules that a class of games defines, or takes from a class that is no game, cast.

    The annotations of the contract say which rules give states and which ones take an action.
    """
    for name, wrap in _wrappers(contract).items():
        owner = next(base for base in kind.__mro__ if name in vars(base))
        rule = vars(owner)[name]
        is_default = any(vars(group).get(name) is rule for group in contract)  # `unmoves = Game.unmoves`
        is_new = (owner is kind or not issubclass(owner, Rules)) and not is_default
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
    """The rules of the contract that give states or numbers, or take an action, each with what casts them."""
    found: dict[str, Callable[..., Any]] = {}
    seen: set[Any] = set()  # a group has the rules of those that it extends
    for group in contract:
        for name, rule in inspect.getmembers(group, inspect.isfunction):
            if rule in seen:
                continue
            seen.add(rule)
            give = _giver(get_type_hints(rule, include_extras=True).get("return"))
            names = list(inspect.signature(rule).parameters)
            if give is not None or names == _ABOUT_ACTION:
                found[name] = functools.partial(_wrap, names, give or _unchanged)
    return found


_ABOUT_STATE, _ABOUT_ACTION = ["self", "state"], ["self", "state", "action"]
_ABOUT_PLAYER = ["self", "state", "player"]


def _wrap(names: list[str], give: Give, rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule whose parameters have these names in the contract, and whose answer `give` casts.

    The first three ways are quicker. An `int` is what most numbers are, if they need not be a float.
    """
    fits = int if give is _give_whole else None

    def about_state(self: Any, state: Any) -> Any:
        answer = rule(self, state)
        return answer if type(answer) is fits else give(self, answer)

    def about_player(self: Any, state: Any, player: Any) -> Any:
        answer = rule(self, state, player)
        return answer if type(answer) is self.value else give(self, answer)

    def about_action(self: Any, state: Any, action: Any) -> Any:
        answer = rule(self, state, action if type(action) is int else whole(action))
        return answer if type(answer) is fits else give(self, answer)

    def about_more(self: Any, *args: Any, **given: Any) -> Any:
        return give(self, rule(self, *args, **given))

    if names == _ABOUT_PLAYER and give is _give_value:
        return about_player
    return about_state if names == _ABOUT_STATE else about_action if names == _ABOUT_ACTION else about_more


# ---- what is returned --------------------------------------------------------------------------------


def _giver(kind: Any) -> Give | None:
    """What casts the answer of a rule with this annotation; None: nothing does."""
    if kind in _GIVERS:
        return _GIVERS[kind]
    parts = get_args(kind)
    if get_origin(kind) is Iterable:
        return _give_actions if parts == (int,) else _give_each(_giver(parts[0]))
    if get_origin(kind) is tuple and any(_giver(part) for part in parts):
        return _give_tuple([_giver(part) or _unchanged for part in parts])
    return None


def _unchanged(game: Any, answer: Any) -> Any:
    return answer


def whole(answer: Any) -> Any:
    """A whole number as a plain `int`; anything else passes unchanged."""
    return int(answer) if isinstance(answer, np.integer) else answer


def _give_whole(game: Any, answer: Any) -> Any:
    return whole(answer)


def _give_value(game: Any, answer: Any) -> Any:
    """A value as compiled code casts it; what is no number, or cannot be one, passes unchanged."""
    if type(answer) is game.value or not isinstance(answer, int | float | np.number | np.bool_):
        return answer
    try:
        return game.value(answer)
    except (OverflowError, ValueError, TypeError):
        return answer


def _give_key(game: Any, answer: Any) -> Any:
    """A key with the 64 bits of compiled code: a sign is its highest bit, and a wider number is mixed."""
    if type(answer) is np.uint64 or not isinstance(answer, int | np.integer):
        return answer
    number = int(answer)
    return number % (1 << 64) if -(1 << 63) <= number < 1 << 64 else mix(number)


def _give_float(game: Any, answer: Any) -> Any:
    return float(answer) if isinstance(answer, np.number) else answer


def _give_state(game: Any, answer: Any) -> Any:
    return (game.__dict__.get(_KEPT) or _door(game))(answer)


def _give_tuple(casts: list[Give]) -> Give:
    def give(game: Any, answer: Any) -> Any:
        if not isinstance(answer, tuple) or len(answer) != len(casts):
            return answer
        return tuple(cast(game, part) for cast, part in zip(casts, answer, strict=True))

    return give


def _give_each(cast: Give | None) -> Give | None:
    """For rules that yield: each item is cast when it is asked for."""

    def give(game: Any, answer: Any) -> Iterator[Any]:
        assert cast is not None
        for item in answer:
            yield cast(game, item)

    return None if cast is None else give


def _give_actions(game: Any, answer: Any) -> Any:
    """The actions; of a game that does not compile they may be a list or an array, and stay one."""
    if isinstance(answer, python.GeneratorType):
        return _whole_items(answer)
    if isinstance(answer, list | tuple):
        return answer if all(type(item) is int for item in answer) else type(answer)(map(whole, answer))
    if isinstance(answer, np.ndarray) and answer.dtype.kind in "iu":
        return answer.astype(np.int64, copy=False)
    return answer


def _whole_items(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        yield item if type(item) is int else whole(item)


_GIVERS: dict[Any, Give] = {
    State: _give_state,
    Value: _give_value,
    Key: _give_key,
    Probability: _give_float,
    int: _give_whole,
}


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
