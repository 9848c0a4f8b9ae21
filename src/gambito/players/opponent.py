"""A player of one game, for programs: `Player("chess", level=3).move(state)`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.players import player as kinds
from gambito.players.custom import as_player
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.players.player_text import read_player
from gambito.players.running_game import seen
from gambito.search.limits import Stop
from gambito.search.request import game_and_state


class Player:
    """A player of one game. It may be asked from any thread; it thinks about one move at a time.

    level    from 1, a beginner, to 8, full strength: the levels of the web page
    player   instead of a level: a text as for `gambito match` ("engine:seconds=0.1"), or your own object
    seconds  the most time for a move of a level
    seed     the same seed gives the same choices of a level
    """

    def __init__(
        self,
        game: Any,
        level: int | None = None,
        *,
        player: Any = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        if level is not None and player is not None:
            raise PlayerError("a player has a level or a text, not both")
        if player is not None and (seconds is not None or seed is not None):
            raise PlayerError("seconds and seed are for levels; the text of a player has its own")
        self.game: Game = load(game)
        chosen: kinds.Player
        if isinstance(player, str):
            chosen = read_player(player)
        elif player is not None:
            chosen = as_player(player)
        else:
            strength = len(LEVELS) if level is None else level
            if isinstance(strength, bool) or not isinstance(strength, int):
                raise PlayerError("a level must be a whole number from 1 to {}, not {}", len(LEVELS), level)
            chosen = LevelPlayer(strength, seed, seconds=seconds)
        self.player = chosen
        self._has_begun = False
        self._turn = threading.Lock()  # held by the move that it thinks about
        self._stop: Stop | None = None  # ends that move

    @property
    def name(self) -> str:
        return self.player.name

    def prepare(self, state: Any = None) -> None:
        """Compile what the first move needs, which can take some seconds the first time."""
        game, state, _ = game_and_state(self.game, state)
        self.player.prepare(game, state)

    def move(self, state: Any = None, past_states: Sequence[Any] = ()) -> int:
        """The action that the player chooses in a state, which may be a text; without one, in the first.

        `past_states` are the earlier states of the game, for games in which positions can come back.
        """
        return self._move(state, past_states, Stop())

    choose = move  # its name in version 0.1

    async def move_async(self, state: Any = None, past_states: Sequence[Any] = ()) -> int:
        """The same for asyncio: the event loop goes on while a thread thinks. If the task is cancelled, so
        is the search."""
        stop = Stop()
        thinking = asyncio.ensure_future(asyncio.to_thread(self._move, state, past_states, stop))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            stop.set()
            thinking.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    def stop(self) -> None:
        """End the move that the player thinks about, from another thread: it plays the best so far.

        Levels and searches can be ended; a player of your own or another program ends by itself.
        """
        stop = self._stop
        if stop is not None:
            stop.set()

    def restart(self) -> None:
        """Forget the game so far: the next move is one of a new game."""
        with self._turn:
            self._has_begun = False

    def _move(self, state: Any, past_states: Sequence[Any], stop: Stop) -> int:
        game, state, position = game_and_state(self.game, state)
        if game.is_terminal(state):
            raise PlayerError("the game is over in the position {}", position)
        mover = game.player(state)
        told = [seen(game, before, mover) for before in past_states]
        with self._turn:
            self._stop = stop
            if hasattr(self.player, "stop"):
                self.player.stop = stop
            try:
                if not self._has_begun:
                    self.player.begin(game)
                    self._has_begun = True
                action = self.player.choose(game, seen(game, state, mover), None, told).action
            finally:
                self._stop = None
        if action is None or action not in game.legal(state):
            raise PlayerError(
                "{} chose {}, which is not legal in the position {}", self.name, action, position
            )
        return action
