"""What the environments of PettingZoo and Gymnasium share: seats, spaces, chance, masks of legal actions.

An observation is a dictionary: `observation` has the numbers of `adapters/vectors.py`, `action_mask` a 1 for
each legal action of the player to move. Chance is played by the environment. An action that the mask excludes
loses the game at once.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from gambito.adapters.numbering import numbering_of
from gambito.adapters.peers import peer
from gambito.adapters.position import Position, first_position
from gambito.adapters.vectors import vector_of
from gambito.game.contract import CHANCE, Game


class EpisodeState:
    """One game as it is played in an environment."""

    def __init__(self, game: Game, most_plies: int | None) -> None:
        self.game, self.most_plies = game, most_plies
        self.numbering, self.vector = numbering_of(game), vector_of(game)
        self.dice = random.Random()
        self.fault: int | None = None  # the player who tried an action that is not legal
        self.position: Position = first_position(game, most_plies=most_plies)

    def spaces(self) -> tuple[Any, Any]:
        """The spaces of observations and of actions."""
        spaces = peer("gymnasium.spaces", "Gymnasium", "gymnasium")
        seen = spaces.Box(self.vector.low, self.vector.high, dtype=np.float32)
        mask = spaces.Box(0, 1, (self.numbering.count,), np.int8)
        return spaces.Dict({"observation": seen, "action_mask": mask}), spaces.Discrete(self.numbering.count)

    def restart(self, seed: int | None) -> None:
        """Begin a game; without a seed, the dice go on."""
        if seed is not None:
            self.dice.seed(seed)
        self.fault = None
        self.position = first_position(self.game, most_plies=self.most_plies)
        self._roll()

    @property
    def is_over(self) -> bool:
        return self.fault is not None or self.position.is_over

    @property
    def is_cut(self) -> bool:
        """Does the environment end the game, and not its rules?"""
        return self.fault is None and self.position.is_cut

    @property
    def mover(self) -> int:
        return int(self.game.player(self.position.state))

    def play(self, action: int) -> None:
        """Play an action by its number; chance goes on from there."""
        chosen = self.numbering.legal(self.position.state).get(action)
        if chosen is None:
            self.fault = self.mover
        else:
            self.play_own(chosen)

    def play_own(self, action: int) -> None:
        """Play an action by the number that it has in the game."""
        self.position = self.position.after(action)
        self._roll()

    def _roll(self) -> None:
        while not self.position.is_over and self.game.player(self.position.state) == CHANCE:
            outcomes = list(self.game.chances(self.position.state))
            drawn = self.dice.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            self.position = self.position.after(int(drawn))

    def returns(self) -> list[float]:
        """What each player has in the end; a fault costs the lowest value, which the others share."""
        if self.fault is None:
            return self.position.returns()
        lost, others = -abs(float(self.game.lowest)), max(1, self.game.players - 1)
        gain = -lost / others if self.game.zero_sum else 0.0
        return [lost if seat == self.fault else gain for seat in range(self.game.players)]

    def observe(self, player: int) -> dict[str, Any]:
        """What a player sees, and its legal actions; none, if another one is to move."""
        mask = np.zeros(self.numbering.count, np.int8)
        if not self.is_over and self.mover == player:
            mask[list(self.numbering.legal(self.position.state))] = 1
        return {"observation": self.vector.of(self.position.state, player), "action_mask": mask}
