"""Gambito's games and players as OpenSpiel's games and bots. Importing this imports OpenSpiel.

`gambito.adapters.openspiel` has the functions that users call.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyspiel

import gambito
from gambito.adapters.numbering import numbering_of
from gambito.adapters.openspiel import SpielState, make
from gambito.adapters.position import Position, first_position
from gambito.adapters.vectors import vector_of
from gambito.errors import GameError
from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load

_registered: dict[str, Any] = {}  # the classes of registered games by their names there


def as_pyspiel(game: Any, most_plies: int | None = None) -> Any:
    """Register a game of Gambito with OpenSpiel, under `gambito_` and its name; return it from there."""
    own = load(game)
    if isinstance(own, Puzzle):
        raise GameError("{} is a puzzle, and OpenSpiel has no costs of actions", own.label())
    cut = f" {most_plies}" if most_plies else ""
    name = "gambito_" + re.sub(r"\W+", "_", own.label() + cut).strip("_").lower()
    if name not in _registered:
        kind = _class(own, name, most_plies)
        pyspiel.register_game(kind.game_type, kind)
        _registered[name] = kind
    return pyspiel.load_game(name)


def _class(own: Game, short_name: str, most_plies: int | None) -> Any:
    """The class of one registered game; OpenSpiel makes its objects."""
    modes = pyspiel.GameType
    start = first_position(own, most_plies=most_plies)
    numbering = numbering_of(own)
    try:
        vector_of(own)
        has_tensor = True
    except GameError:
        has_tensor = False
    information = modes.Information
    kind = pyspiel.GameType(
        short_name=short_name,
        long_name=own.title or own.label(),
        dynamics=modes.Dynamics.SEQUENTIAL,
        chance_mode=modes.ChanceMode.EXPLICIT_STOCHASTIC if own.chance else modes.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if own.hidden else information.PERFECT_INFORMATION,
        utility=modes.Utility.ZERO_SUM if own.zero_sum else modes.Utility.GENERAL_SUM,
        reward_model=modes.RewardModel.TERMINAL,
        max_num_players=own.players,
        min_num_players=own.players,
        provides_information_state_string=own.recalls,
        provides_information_state_tensor=own.recalls and has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=has_tensor,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=numbering.count,
        max_chance_outcomes=own.most_outcomes if own.chance else 0,
        num_players=own.players,
        min_utility=float(own.lowest),
        max_utility=float(own.highest),
        utility_sum=0.0 if own.zero_sum else None,
        max_game_length=start.most_plies,
    )

    class Registered(pyspiel.Game):
        """A game of Gambito in OpenSpiel."""

        game_type: Any = kind
        own: Any = None
        start: Any = None

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return RegisteredState(self, self.start)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer(self.own, has_tensor)

        def max_chance_nodes_in_history(self) -> int:
            return self.start.most_plies if self.own.chance else 0

    Registered.own, Registered.start = own, start
    return Registered


class RegisteredState(pyspiel.State):
    """A state of a game of Gambito in OpenSpiel."""

    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        if self.position.is_over:
            return pyspiel.PlayerId.TERMINAL
        if self.position.is_chance:
            return pyspiel.PlayerId.CHANCE
        return int(self.position.game.player(self.position.state))

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._legal())

    def _legal(self) -> dict[int, int]:
        """The legal actions by their numbers; outcomes of chance are numbered by their places."""
        if self.position.is_chance:
            return dict(enumerate(self.position.game.legal(self.position.state)))
        return numbering_of(self.position.game).legal(self.position.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        chances = self.position.game.chances(self.position.state)
        return [(place, float(chance)) for place, (_, chance) in enumerate(chances)]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(self._legal()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        own = self._legal().get(action)
        return f"action {action}" if own is None else self.position.game.write(self.position.state, own)

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        return self.position.returns()

    def __str__(self) -> str:
        return self.position.game.show(self.position.state)


class Observer:
    """What a player sees of a state, as text and as numbers."""

    def __init__(self, game: Game, has_tensor: bool) -> None:
        self.game, self.has_tensor = game, has_tensor
        self.tensor = np.zeros(vector_of(game).size if has_tensor else 0, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        if self.has_tensor:
            self.tensor[:] = vector_of(self.game).of(state.position.state, player)

    def string_from(self, state: Any, player: int) -> str:
        held = state.position.state
        seen = self.game.observe(held, player) if self.game.hidden else held
        return f"{player} {seen}"


class PlayerBot(pyspiel.Bot):
    """A player of Gambito as a bot: of a registered game, or of one of OpenSpiel's own."""

    def __init__(self, game: Any, player: Any = "strongest", level: int | None = None) -> None:
        super().__init__()
        name = game.get_type().short_name
        self.is_registered = name in _registered
        own = _registered[name].own if self.is_registered else make(str(game))
        self.player = gambito.Player(own, level) if level else gambito.Player(own, player=player)

    def step(self, state: Any) -> int:
        if not self.is_registered:
            return self.player.move(SpielState(state.clone(), tuple(state.history())))
        chosen = self.player.move(state.position.state)
        return next(number for number, action in state._legal().items() if action == chosen)

    def restart(self) -> None:
        self.player.restart()

    def restart_at(self, state: Any) -> None:
        self.player.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing: a player is told the whole state."""
