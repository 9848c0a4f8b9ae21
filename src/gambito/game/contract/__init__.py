"""What a game is: six rules, and all that it may add to them.

A game is a class. Its rules are plain methods on an immutable state; its parameters are those of
`__init__`; whatever `__init__` puts on the object is a constant that the rules may read. The words are
Russell and Norvig's. The contract does not depend on any search, file or screen.

Begin with `rules.py`: a game needs no more. Each of the other files holds what one kind of caller may also
ask, and every default there is neutral:

    rules.py        the six rules
    parameters.py   how a game object is made, named and prepared
    searching.py    every search: values, keys, repetitions, symmetries
    ordering.py     the engine and quiescence: ordering and pruning
    chance.py       games with dice or cards
    hidden.py       games in which a player does not see everything
    many.py         more than two players, and points that add up
    playouts.py     Monte Carlo
    partitions.py   partition search: what a value depends on
    numbers.py      endgame tables
    learning.py     evaluations that are trained
    equipment.py    board games: the board and its pieces
    picture.py      the web page
    text.py         the command line, books and protocols

What rules give is cast to the numbers that the initial state declares (`states.py`).
"""

from __future__ import annotations

import math
from typing import Any

from gambito.errors import quoted
from gambito.game.contract.chance import Chance
from gambito.game.contract.equipment import Equipped
from gambito.game.contract.hidden import Hidden
from gambito.game.contract.kinds import CHANCE, MOST_ACTIONS, NO_ACTION, NOBODY, UNKNOWN
from gambito.game.contract.learning import Learning
from gambito.game.contract.many import Many
from gambito.game.contract.numbers import Numbers
from gambito.game.contract.ordering import Ordering
from gambito.game.contract.parameters import Parameters, game_name
from gambito.game.contract.partitions import Partitions
from gambito.game.contract.picture import Picture
from gambito.game.contract.playouts import Playouts
from gambito.game.contract.rules import RULES, Rules
from gambito.game.contract.searching import Searching
from gambito.game.contract.states import cast_states
from gambito.game.contract.text import Text

__all__ = [
    "CHANCE",
    "GROUPS",
    "MOST_ACTIONS",
    "NOBODY",
    "NO_ACTION",
    "RULES",
    "UNKNOWN",
    "Game",
    "adapt",
    "game_name",
    "quoted",
]

# The parts of the contract in the order of learning them.
GROUPS = (
    Rules,
    Parameters,
    Searching,
    Ordering,
    Chance,
    Hidden,
    Many,
    Playouts,
    Partitions,
    Numbers,
    Learning,
    Equipped,
    Picture,
    Text,
)

_ADDED: list[type] = []  # what adds rules to the contract, as puzzles do


class Game(
    Ordering,
    Learning,
    Searching,
    Playouts,
    Chance,
    Hidden,
    Many,
    Partitions,
    Numbers,
    Text,
    Picture,
    Equipped,
    Parameters,
    Rules,
):
    """The contract. A game gives the six rules; everything else has a neutral default."""

    def __init_subclass__(cls, is_contract: bool = False, **given: Any) -> None:
        """Prepare a class of games, or one that adds rules to the contract."""
        super().__init_subclass__(**given)
        if cls.value is float:
            cls.step = float(cls.step)
            if "infinity" not in vars(cls):
                cls.infinity = math.inf
        elif cls.value is int:  # the class that it extends may have fractions
            if "infinity" not in vars(cls) and isinstance(cls.infinity, float):
                cls.infinity = Rules.infinity
            if "step" not in vars(cls) and isinstance(cls.step, float):
                cls.step = Rules.step
        if is_contract:
            _ADDED.append(cls)
        else:
            cast_states(cls, (*GROUPS, *(added for added in _ADDED if issubclass(cls, added))))


def adapt(thing: Any) -> Game:
    """Any object with the rules of a game or a puzzle, as a game: what it lacks has its neutral default."""
    from gambito.game.puzzle import PUZZLE_RULES, Puzzle

    if isinstance(thing, type):
        thing = thing()
    if isinstance(thing, Game):
        return thing
    base, rules = (Puzzle, PUZZLE_RULES) if hasattr(thing, "is_goal") else (Game, RULES)
    missing = [rule for rule in rules if not callable(getattr(thing, rule, None))]
    if missing:
        raise TypeError(f"{type(thing).__name__} is not a game: it has no rule {', '.join(missing)}")
    given = type(thing)
    own = {"__module__": given.__module__, "name": vars(given).get("name", ""), "__reduce__": _reduce_adapted}
    kind = type(given.__name__, (given, base), own)
    game: Game = object.__new__(kind)
    vars(game).update(vars(thing))
    return game


def _reduce_adapted(game: Game) -> tuple[Any, ...]:
    """How an adapted object is pickled and copied: as the object that it was, which is adapted again."""
    given = type(game).__mro__[1]
    thing: Any = object.__new__(given)
    vars(thing).update(game.__getstate__())
    return adapt, (thing,)
