"""Any game as an environment of Gymnasium, for one agent: the other seats are played by Gambito's players."""

from __future__ import annotations

import random
from typing import Any

from gambito.adapters.environment import EpisodeState
from gambito.adapters.peers import peer
from gambito.errors import GameError
from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load
from gambito.players.custom import as_player
from gambito.players.player_text import read_player
from gambito.players.running_game import seen

EXTRA = "gymnasium"
RENDER = "ansi"  # the way of rendering: as text
PUZZLE_PLIES = 200  # after which a puzzle is given up


def env(
    game: Any,
    seat: int = 0,
    opponent: Any = "random",
    most_plies: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """A game as an environment: `env("connect-four", opponent="level:strength=3")`.

    seat          the player that the agent is, from 0
    opponent      who plays the other seats: a text as for `gambito match`, or your own object
    most_plies    a longer game is cut off; by default the longest that the rules allow, or 1000
    render_mode   "ansi": `render` returns the board as text

    The reward comes at the end: the utility of the game. In a puzzle every action costs what it costs there.
    """
    own = load(game)
    if not 0 <= seat < own.players:
        raise GameError("{} has seats from 0 to {}, not {}", own.label(), own.players - 1, seat)
    is_puzzle = isinstance(own, Puzzle)
    others = None if own.players == 1 else read_player(opponent) if isinstance(opponent, str) else as_player(
        opponent
    )  # fmt: skip
    if others is not None:
        others.prepare(own, own.initial())
        if getattr(others, "seed", 0) is None:
            vars(others)["seed"] = 0  # its choices then depend on the number of the game alone
    base = peer("gymnasium", "Gymnasium", EXTRA).Env

    class GambitoEnv(base):  # type: ignore[misc, valid-type]
        """A game of Gambito."""

        metadata = {"render_modes": [RENDER]}  # noqa: RUF012

        def __init__(self) -> None:
            self.render_mode = render_mode
            self.course = EpisodeState(own, most_plies or (PUZZLE_PLIES if is_puzzle else None))
            self.observation_space, self.action_space = self.course.spaces()
            self.number = random.randrange(1 << 30)  # of the game, for the choices of the others

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
            super().reset(seed=seed)
            if seed is not None:
                self.number = seed
            self.course.restart(seed)
            if others is not None:
                others.begin(own, self.number)
            self.number += 1
            _reply(own, self.course, others, seat)
            return self.course.observe(seat), {}

        def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            course, info = self.course, dict[str, Any]()
            if course.is_over:
                raise GameError("the game is over; call reset")
            cost = _cost(own, course, int(action)) if isinstance(own, Puzzle) else 0.0
            course.play(int(action))
            if course.fault is not None:
                info["illegal"] = int(action)
            _reply(own, course, others, seat)
            is_cut = course.is_cut
            reward = 0.0
            if isinstance(own, Puzzle):
                reward = -cost
            elif course.is_over:
                reward = course.returns()[seat]
            return course.observe(seat), reward, course.is_over and not is_cut, is_cut, info

        def render(self) -> str | None:
            return own.show(self.course.position.state) if self.render_mode == RENDER else None

    return GambitoEnv()


def _reply(game: Game, course: EpisodeState, others: Any, seat: int) -> None:
    """Let the others move until it is the agent's turn or the game is over."""
    while not course.is_over and course.mover != seat:
        state = course.position.state
        course.play_own(int(others.choose(game, seen(game, state, course.mover)).action))


def _cost(game: Puzzle, course: EpisodeState, action: int) -> float:
    """What an action of a puzzle costs; one that is not legal costs as much as giving up."""
    state = course.position.state
    chosen = course.numbering.legal(state).get(action)
    return float(course.position.most_plies if chosen is None else game.cost(state, chosen))
