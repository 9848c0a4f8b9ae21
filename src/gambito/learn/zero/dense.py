"""AlphaZero with a dense network: streams of games in processes, and NumPy.

In a round, streams play games with the weights of the last round, while the network learns from the positions
of the rounds before. So a round does not depend on how many processes play, and the same seed gives the same
network.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from gambito.evaluate.policy.dense import Dense, Shape, new_dense
from gambito.evaluate.policy.encoding import GameSample, effects_of, values_of
from gambito.evaluate.policy.files import Network, rounded
from gambito.evaluate.policy.shared_weights import Ties
from gambito.game.registry import load_kept
from gambito.game.remote_files import files_of_job
from gambito.jobs import Rounds, choose_executor
from gambito.jobs.blas import one_blas_thread
from gambito.learn.base import Tell
from gambito.learn.zero.optimiser import Adam, Positions, learn
from gambito.learn.zero.recipe import gear_of, look
from gambito.learn.zero.search_trees import Search
from gambito.learn.zero.streams import Stream
from gambito.learn.zero.training import ZeroTraining

DECISIONS, FEWEST, MOST = 5000, 32, 1024  # moves of a stream in a round, and its games
GROWN, GROWING = 4, 25  # late rounds have so many times the games; after so many rounds it is one time more


class DenseTraining(ZeroTraining):
    """The training of a dense network."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        recipe = self.recipe
        self.games = recipe.games or usual_games(self.seen)
        self.executor = choose_executor(self.jobs, self.cluster).at_most(recipe.streams)
        self.ties = None if self.places is None or not recipe.channels else Ties(self.places)
        board = {} if self.ties is None else {"channels": recipe.channels, "free": recipe.free}
        outputs = {"slots": self.seen.slots, "values": values_of(self.game)}
        self.shape = Shape(self.seen.sight.inputs, recipe.units, recipe.layers, **outputs, **board)
        effects = effects_of(self.seen) if recipe.effects else None
        self.layers = new_dense(self.shape, self.seed, self.ties, effects)
        self.adam = Adam(self.layers.weights)
        self.streams: Rounds | None = None

    def network(self) -> Network:
        places = None if self.ties is None else self.places
        layers = Dense(self.playing(), self.seen.slots, self.ties)
        return Network(self.seen.sight, self.seen.outputs, places, self.shape, layers, self.trained())

    def playing(self) -> dict[str, Any]:
        """The weights that play: the means of those of the last steps."""
        return Dense(self.adam.mean, self.seen.slots, self.ties, self.layers.effects).plain()

    def weights_held(self) -> dict[str, Any]:
        kept = {f"{name}.{part}": array for part, arrays in self._parts() for name, array in arrays.items()}
        return {"steps": np.array(self.adam.steps), **kept}

    def _parts(self) -> list[tuple[str, dict[str, Any]]]:
        adam = self.adam
        moments = [("first", adam.first), ("second", adam.second), ("mean", adam.mean)]
        return [("weights", self.layers.weights), *moments]

    def take_up_weights(self, held: Mapping[str, Any]) -> None:
        self.adam.steps = int(held["steps"])
        for part, arrays in self._parts():
            for name in arrays:
                arrays[name] = held[f"{name}.{part}"]
        self.layers = Dense(self.layers.weights, self.seen.slots, self.ties, self.layers.effects)

    def all_rounds(self, rounds: Any, tell: Tell | None) -> None:
        stream_of(self.spec, GROWN * self.games, self.recipe.search, self.seed).compile()
        work = functools.partial(play_stream_here, threading.Lock()) if self.executor.is_here else play_stream
        with one_blas_thread(), Rounds(self.executor, work, tell, files=files_of_job) as self.streams:
            rounds()

    def play_and_learn(self) -> list[dict[str, Any]]:
        """Streams play while the network learns from the rounds before."""
        recipe, streams = self.recipe, self.streams
        assert streams is not None
        weights = {name: array.copy() for name, array in self.playing().items()}
        job = {"game": self.spec, "recipe": asdict(recipe), "seed": self.seed, "round": self.done}
        job |= {
            "most": GROWN * self.games,
            "games": self.games * min(GROWING + self.done, GROWN * GROWING) // GROWING,
        }
        job |= {"places": None if self.ties is None else self.places}
        jobs = [{**job, "weights": weights, "stream": number} for number in range(recipe.streams)]
        played: list[dict[str, Any]] = []
        problems: list[BaseException] = []

        def play() -> None:
            try:
                played.extend(streams.do(jobs))
            except BaseException as problem:  # raised again by the thread that waits
                problems.append(problem)

        playing = threading.Thread(target=play, daemon=True)
        playing.start()
        try:
            if self.held_back:
                self._learn()
        finally:
            playing.join()  # also if the training is stopped: the streams cannot be closed while they play
        if problems:
            raise problems[0]
        return played

    def _learn(self) -> None:
        recipe = self.recipe
        held = Positions(self.held_back, self.seen.sight, self.seen.slots, self.symmetries)
        if not len(held):
            return
        steps = max(1, round(recipe.reuse * len(self.held_back[-1]["movers"]) / recipe.batch))
        rng = np.random.default_rng((self.seed, self.done))
        given = (steps, recipe.batch, self.rate, recipe.found, rng)
        self.losses = learn(self.layers, self.adam, held, *given)


def usual_games(seen: GameSample) -> int:
    """The games of a stream in a round, from the length of random games."""
    return max(FEWEST, min(MOST, round(DECISIONS / seen.length)))


@functools.lru_cache(2)
def stream_of(spec: str, games: int, search: Search, seed: int) -> Stream:
    """The stream of this process."""
    game: Any = load_kept(spec)
    gear = gear_of(game)
    return Stream(game, look(game, gear, seed), search, games, gear)


def play_stream_here(lock: threading.Lock, job: dict[str, Any]) -> dict[str, Any]:
    """Do a job in a thread of this process, one at a time."""
    with lock:
        return play_stream(job)


def play_stream(job: dict[str, Any]) -> dict[str, Any]:
    """Play the games of one stream in a round; return their positions."""
    stream = stream_of(job["game"], job["most"], Search(**job["recipe"]["search"]), job["seed"])
    weights = {name: rounded(array) for name, array in job["weights"].items()}
    ties = None if job["places"] is None else Ties(job["places"])
    with one_blas_thread():
        network, seed = Dense(weights, stream.seen.slots, ties), (job["seed"], job["round"], job["stream"])
        return stream.play(network, seed, job["games"])
