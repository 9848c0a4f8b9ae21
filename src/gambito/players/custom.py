"""Players of one's own: any object that can choose an action, also from a file (`mine.py:MyPlayer`).

An algorithm of one's own in a file (`mine.py:my_search:depth=4`) plays as the built-in ones do.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from operator import index
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import FILE_SPEC, module_of
from gambito.players.clock import Clock
from gambito.players.player import Choice, Engine, Player, RandomPlayer
from gambito.search.algorithm import algorithms
from gambito.search.custom import own_functions
from gambito.words.sentence import Sentence


class OwnPlayer:
    """An object with a method `choose(game, state)`, as a player.

    `choose` returns an action or a `Choice`. It may take a clock and the past as well. The object may have
    the other methods of a player, and they are called if they are there.
    """

    def __init__(self, own: Any, label: str = "") -> None:
        if not callable(getattr(own, "choose", None)):
            raise PlayerError("{} is no player: it has no method choose(game, state)", _kind(own))
        self.own, self.label = own, label

    @property
    def name(self) -> str:
        return self.label or str(getattr(self.own, "name", "") or _kind(self.own))

    def prepare(self, game: Game, state: Any) -> None:
        if hasattr(self.own, "prepare"):
            _call(self.own.prepare, game, state)

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        if hasattr(self.own, "begin"):
            _call(self.own.begin, game, number, clock)

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        chosen = _call(self.own.choose, game, state, clock, past_states)
        if isinstance(chosen, Choice):
            return chosen
        try:
            return Choice(index(chosen))
        except TypeError:
            accepted = Sentence("an action, which is a whole number, or a Choice")
            raise PlayerError("{} chose {!r}; accepted: {}", self.name, chosen, accepted) from None


def as_player(who: Any) -> Player:
    """The object as a player: itself if it is one of Gambito's, which return a `Choice`."""
    is_ours = type(who).__module__.startswith("gambito.") or isinstance(who, Engine | RandomPlayer)
    return who if is_ours else OwnPlayer(who)


def is_own(text: str) -> bool:
    """Does a player's text name a file?"""
    return text.strip().partition(":")[0].endswith(".py")


def split_player(text: str) -> tuple[str, str]:
    """The name of a player and the settings that follow; the name of one in a file has two parts."""
    file = re.fullmatch(FILE_SPEC, text.strip())
    if file is not None and is_own(text):
        return (f"{file[1]}:{file[2]}" if file[2] else file[1]), file[3] or ""
    name, _, given = text.strip().partition(":")
    return name, given


def is_search(name: str) -> bool:
    """Does a player's name stand for an algorithm, perhaps of one's own?"""
    file, _, function = name.partition(":")
    if not is_own(name):
        return name in algorithms()
    own = own_functions(file)
    return function in own if function else bool(own) and not _kinds(file)


def _kinds(file: str) -> dict[str, type]:
    """The classes of players that a file defines, by name."""
    module = module_of(Path(file))
    return {
        n: k
        for n, k in vars(module).items()
        if isinstance(k, type) and k.__module__ == module.__name__ and callable(getattr(k, "choose", None))
    }


def read_own(text: str) -> Player:
    """The player that `FILE.py:CLASS` names, made without arguments."""
    found = re.fullmatch(FILE_SPEC, text.strip())
    assert found is not None
    path, name = Path(found[1]), found[2] or ""
    kinds = _kinds(found[1])
    some = ", ".join((*kinds, *own_functions(found[1]))) or Sentence("none")
    if not name and len(kinds) != 1:
        raise PlayerError("{} holds {} players ({}); say which: {}:CLASS", path, len(kinds), some, path)
    if name and name not in kinds:
        raise PlayerError("{} has no player '{}'; the players in it: {}", path, name, some)
    kind = kinds[name] if name else next(iter(kinds.values()))
    try:
        return OwnPlayer(kind(), text.strip())
    except Exception as problem:  # its `__init__` may raise anything
        raise PlayerError(
            "{} cannot be made: {}: {}", text.strip(), type(problem).__name__, problem
        ) from None


def _call(method: Callable[..., Any], *given: Any) -> Any:
    """Call a method with as many of the arguments as it takes."""
    try:
        known = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):
        return method(*given)
    if any(p.kind is p.VAR_POSITIONAL for p in known):
        return method(*given)
    return method(*given[: sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in known)])


def _kind(own: Any) -> str:
    return own.__name__ if isinstance(own, type) else type(own).__name__
