"""How a game object is made, named and prepared."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from gambito.game.contract.kinds import PythonOnly, State
from gambito.game.contract.rules import Rules

_FURNISHING = "_gambito_furnishing"  # the attribute that a game has while `prepare` runs


class Parameters(Rules):
    """Name and parameters.

    `load` finds a game by its name and makes it with its parameters, which are those of `__init__`. The
    gears ask whether, and when, the rules are compiled.
    """

    name: str = ""  # the name that `load` finds it by; "": the class's name, MyGame as my-game
    closed: PythonOnly[tuple[str, ...]] = ()  # parameters that visitors of the web page may not set, as files
    compiles: bool = True  # the rules can be compiled; False: the game always runs in the Python gear
    usual_gear: str = "native"  # "python" where a search ends before the rules would be compiled

    def prepare(self) -> None:
        """Make what takes time, such as tables. Called before the first search, or when a rule reads it."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in type(self).prepare.__code__.co_names and not vars(self).get(_FURNISHING):
                vars(self)[_FURNISHING] = True
                try:
                    self.prepare()
                finally:
                    del vars(self)[_FURNISHING]
                if name in vars(self):
                    return vars(self)[name]
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", obj=self)

    def __getstate__(self) -> dict[str, Any]:
        """A game that is pickled or copied takes its own attributes along; the copy makes Gambito's anew."""
        return {name: held for name, held in vars(self).items() if not name.startswith("_gambito_")}

    def parameters(self) -> dict[str, Any]:
        """The parameters that this object was made with."""
        return {n: getattr(self, n) for n in _declared(type(self)) if hasattr(self, n)}

    def label(self, without: str = "") -> str:
        """The name that `load` reads, without parameters that have their default: `connect-four:width=9`."""
        known = _declared(type(self))
        given = [f"{n}={v}" for n, v in self.parameters().items() if n != without and v != known[n].default]
        return game_name(type(self)) + (":" + ",".join(given) if given else "")

    def at(self, state: State) -> Self:
        """The game from this state on; for games whose traits depend on the position."""
        return self


_known: WeakKeyDictionary[type, Mapping[str, inspect.Parameter]] = WeakKeyDictionary()


def _declared(kind: type) -> Mapping[str, inspect.Parameter]:
    """The parameters of a class; it takes long to find them, and a search asks at every depth."""
    found = _known.get(kind)
    if found is None:
        found = _known[kind] = inspect.signature(kind).parameters
    return found


def game_name(kind: type) -> str:
    """The name of a class of games: its own, or `MyGame` as `my-game`."""
    own = vars(kind).get("name", "")
    return own or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind.__name__).lower()
