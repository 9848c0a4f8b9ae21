"""What several evaluations of a game say about a position, and about each of its moves.

All values are for the player to move. A move is worth what the evaluation says of the position after it: the
utility if the game is over there, the expectation if dice or cards decide next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gambito.errors import GameError, PositionError
from gambito.evaluate.files import HAND, LEARNED, NETWORK, shipped
from gambito.game.contract import CHANCE, Game


@dataclass(frozen=True)
class Opinion:
    """What one evaluation says: the value of the position, and of each of its moves."""

    evaluation: str
    value: float
    moves: dict[int, float]


def evaluations_of(game: Game) -> list[str]:
    """The names of the evaluations that come with Gambito for this game, the weakest first."""
    if "evaluation" not in game.parameters():
        return []
    known = [*game.schools, HAND]
    if game.form is not None and shipped(game).exists():
        known.append(LEARNED)
    if game.network is not None and shipped(game, True).exists():
        known.append(NETWORK)
    return known


def compare(game: Game, state: Any, names: list[str]) -> list[Opinion]:
    """What each of these evaluations, by name or by file, says about a state that is not terminal."""
    if game.hidden or game.players != 2 or "evaluation" not in game.parameters():
        raise GameError("{} has no evaluations to compare", game.label(without="evaluation"))
    if game.is_terminal(state) or game.player(state) == CHANCE:
        raise PositionError("a position in which a player is to move has evaluations to compare")
    return [_opinion(game.judged_by(name), state, name) for name in names]


def _opinion(game: Any, state: Any, name: str) -> Opinion:
    player = game.player(state)
    moves = {action: _value(game, game.result(state, action), player) for action in game.legal(state)}
    return Opinion(name, game.evaluate(state, player), moves)


def _value(game: Any, state: Any, player: int) -> float:
    if game.is_terminal(state):
        return game.utility(state, player)
    if game.player(state) == CHANCE:
        outcomes = game.chances(state)
        return sum(share * _value(game, game.result(state, action), player) for action, share in outcomes)
    return game.evaluate(state, player)
