"""A position of a game that is played elsewhere: its state, and what a whole game needs of its past.

A game ends where its rules say so, when a position has come three times, and after the most plies. It is an
immutable value, so copies cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.players.play import MOST_PLIES
from gambito.players.running_game import REPEATS


@dataclass(frozen=True)
class Position:
    """A state and its past."""

    game: Game
    state: Any
    most_plies: int
    plies: int = 0
    keys: tuple[int, ...] = ()  # of the states so far, in games with cycles

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def after(self, action: int) -> Self:
        state = self.game.result(self.state, action)
        return replace(self, state=state, plies=self.plies + 1, keys=self.keys + _keys(self.game, state))

    @property
    def is_chance(self) -> bool:
        return bool(self.game.player(self.state) == CHANCE)

    @property
    def is_cut(self) -> bool:
        """Does the game end here although its rules would let it go on?"""
        return not self.game.is_terminal(self.state) and (self.plies >= self.most_plies or self._is_repeated)

    @property
    def is_over(self) -> bool:
        return bool(self.game.is_terminal(self.state)) or self.is_cut

    def returns(self) -> list[float]:
        """What each player has in the end; nothing as long as the game goes on."""
        game, everybody = self.game, range(self.game.players)
        if game.is_terminal(self.state):
            return [float(game.utility(self.state, player)) for player in everybody]
        if self._is_repeated:
            return [float(game.repetition(self.state, player)) for player in everybody]
        return [0.0 for _ in everybody]

    @property
    def _is_repeated(self) -> bool:
        return bool(self.keys) and self.keys.count(self.keys[-1]) >= REPEATS


def first_position(game: Game, state: Any = None, most_plies: int | None = None) -> Position:
    """A position without a past: the first one, or another."""
    state = game.initial() if state is None else state
    return Position(game, state, most_plies or game.longest or MOST_PLIES, 0, _keys(game, state))


def _keys(game: Game, state: Any) -> tuple[int, ...]:
    return (int(game.key(state)),) if game.cycles and not isinstance(game, Puzzle) else ()
