"""A game as a student's function sees it: only the rules, with every call counted.

player(state)            0 is MAX, 1 is MIN, -1 is chance; with more than two players, their numbers
actions(state)           a list; empty if the game is over
result(state, action)    the next state
is_terminal(state)       is the game over?
utility(state, player)   the final score for that player; only for terminal states
evaluate(state, player)  the static value for that player; only for other states
noisy(state)             a list of the actions that quiescence follows
chances(state)           a list of (outcome, probability); an outcome is an action of chance
key(state)               a number that stands for the state
give_turn(state, player) the state with that player to move, if the game allows it
pass_turn(state)         the state with the other player to move; the same state if there is no pass
observe(state, player)   what that player sees of the state: a state with blanks
show(state), text(state) the state for a person to read
players                  how many there are
infinity, lowest, highest, step    more than every value; bounds of all values; the smallest difference
"""

from __future__ import annotations

from typing import Any

from gambito.exercises.exercise import plain
from gambito.game.contract import CHANCE, Game
from gambito.words.sentence import Sentence

STEPS = 100_000  # calls for one position
TOO_MANY = Sentence("it calls the rules more than {:,} times and does not end", STEPS)


class TooManySteps(BaseException):
    """The rules were called too often; the message says how. No `except Exception` of a student stops it."""


class CountedGame:
    """The game, and how often its rules were called."""

    def __init__(self, game: Game, most: int = STEPS) -> None:
        self._game, self._left, self._valued = game, most, None
        self.infinity, self.lowest, self.highest = game.infinity, game.lowest, game.highest
        self.step, self.players = game.step, game.players
        self.leaves = 0  # valued by utility or evaluate; a state valued twice in a row counts once
        self.results = 0  # states that were made
        self.seen: set[int] = set()  # the leaves valued, if states are distinct objects

    def initial(self) -> Any:
        return self._game.initial()

    def player(self, state: Any) -> int:
        self._ask()
        return int(self._game.player(state))

    def actions(self, state: Any) -> list[int]:
        self._ask()
        return self._game.legal(state)

    def result(self, state: Any, action: int) -> Any:
        self._ask()
        self.results += 1
        self._valued = None
        if action not in self._game.legal(state):
            raise ValueError(Sentence("{} is no action of this state", repr(action)))
        return self._game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        self._ask()
        return bool(self._game.is_terminal(state))

    def utility(self, state: Any, player: int) -> Any:
        if not self._game.is_terminal(state):
            raise ValueError(Sentence("utility is for terminal states, and this one is not"))
        self._value(state)
        return plain(self._game.utility(state, self._side(player)))

    def evaluate(self, state: Any, player: int) -> Any:
        if self._game.is_terminal(state):
            raise ValueError(
                Sentence("evaluate is for states that are not terminal: is_terminal comes first")
            )
        self._value(state)
        return plain(self._game.evaluate(state, self._side(player)))

    def noisy(self, state: Any) -> list[int]:
        self._ask()
        return list(self._game.noisy(state))

    def chances(self, state: Any) -> list[tuple[int, float]]:
        self._ask()
        return list(self._game.chances(state))

    def key(self, state: Any) -> int:
        self._ask()
        return int(self._game.key(state))

    def give_turn(self, state: Any, player: int) -> Any:
        self._ask()
        return self._game.give_turn(state, self._side(player))

    def pass_turn(self, state: Any) -> Any:
        self._ask()
        return self._game.pass_turn(state)

    def observe(self, state: Any, player: int) -> Any:
        self._ask()
        return self._game.observe(state, self._side(player))

    def show(self, state: Any) -> str:
        return self._game.show(state)

    def text(self, state: Any) -> str:
        return self._game.text(state)

    def _ask(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManySteps(TOO_MANY)

    def _value(self, state: Any) -> None:
        self._ask()
        if self._valued is not state:
            self.leaves += 1
            self.seen.add(id(state))
        self._valued = state

    def _side(self, player: int) -> int:
        if player not in range(self.players) and player != CHANCE:
            if self.players > 2:
                raise ValueError(
                    Sentence("a player is a number from 0 to {}, not {}", self.players - 1, repr(player))
                )
            raise ValueError(Sentence("a player is 0 or 1, not {}", repr(player)))
        return max(player, 0)
