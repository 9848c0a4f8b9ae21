"""AlphaZero: rounds of self-play in lock-step, and learning from the positions of the last rounds.

In a round, streams play games with the weights of the last round, while the network learns from the positions
of the rounds before. So a round does not depend on how many processes play. Every round ends with a
checkpoint. From time to time the network is written to the folder, where its younger selves stay, and plays
against one of them and against plain Monte-Carlo tree search.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.policy.dense import Dense, Shape, new_dense
from gambito.evaluate.policy.files import SUFFIX, Network, rounded, write_network
from gambito.evaluate.policy.local import Ties, find_places
from gambito.evaluate.policy.sight import Glance, Layout, glance, values_of
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load_kept
from gambito.game.travel import files_of_job
from gambito.jobs import Rounds, choose_crew
from gambito.jobs.blas import one_blas_thread
from gambito.learn.base import Progress, Stepwise, Tell, Training
from gambito.learn.keeping import read_arrays, save_arrays
from gambito.learn.zero.forest import Search
from gambito.learn.zero.learning import Adam, Positions, learn
from gambito.learn.zero.measure import Measure, draw_curve, measure
from gambito.learn.zero.streams import Stream
from gambito.native.files import put_file

METHOD = "alphazero"
MINUTE = 60.0
PAIR = 2  # players of a match
DECISIONS, FEWEST, MOST = 5000, 32, 1024  # moves of a stream in a round, and its games
MOST_LINES = 60  # of the curve in a file
CURVE = ("minutes", "games", "positions", "policy", "value", "younger", "mcts")  # a line of the curve


@dataclass(frozen=True)
class ZeroRecipe:
    """The settings of the training of a policy and a value."""

    method: str = METHOD
    minutes: float = 20.0  # time of the training, if the rounds are not given
    rounds: int = 0  # rounds of the training; 0: as many as the minutes allow
    streams: int = 4  # as many processes can play
    games: int = 0  # of each stream in a round; 0: so many that they have about `DECISIONS` moves
    units: int = 256
    layers: int = 2
    channels: int = 16  # units that look at the surroundings of each cell of a board; 0: none
    free: int = 64  # units beside them that see everything
    batch: int = 512
    reuse: float = 8.0  # times that a position is learned from, in the mean
    window: int = 500_000  # the most positions that are remembered; early on half of all
    rates: tuple[float, float] = (2e-3, 1e-4)  # learning rates at the beginning and at the end
    found: float = 0.5  # the share of the values that searches found in what the value learns
    contest: int = 20  # games against each opponent at every measurement; 0: none
    every: int = 10  # rounds between two measurements, if the rounds are given
    search: Search = field(default_factory=Search)


def read_zero_recipe(game: Game, **said: Any) -> ZeroRecipe:
    """The usual recipe with the given changes; refuse games that cannot be learned this way."""
    if isinstance(game, Puzzle):
        raise EvaluationError("{} is for games, and {} is a puzzle", METHOD, game.label())
    if game.hidden:
        raise EvaluationError("{} needs the whole state, and {} hides a part of it", METHOD, game.label())
    given = {name: value for name, value in said.items() if value is not None}
    if given.pop("device", "cpu") == "cuda":
        raise EvaluationError("{} learns a dense network, on the processor: --device cpu", METHOD)
    unknown = given.keys() - ZeroRecipe.__dataclass_fields__.keys()
    if unknown:
        raise EvaluationError("{} has no setting {}", METHOD, ", ".join(sorted(unknown)))
    return ZeroRecipe(**given)


class ZeroTraining(Training, Stepwise):
    """The training of a network in its folder. The steps are rounds."""

    def __init__(
        self,
        spec: str,
        folder: Path,
        recipe: ZeroRecipe,
        seed: int = 0,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:
        super().__init__(spec, folder, recipe, seed, jobs, cluster)
        self.gear = gear_of(self.game)
        self.seen = look(self.game, self.gear, seed)
        self.games = recipe.games or usual_games(self.seen)
        self.crew = choose_crew(jobs, cluster).at_most(recipe.streams)
        self.places = find_places(self.game, self.seen.sight, self.seen.packed, self.seen.movers)
        self.ties = None if self.places is None or not recipe.channels else Ties(self.seen.sight, self.places)
        board = {} if self.ties is None else {"channels": recipe.channels, "free": recipe.free}
        outputs = {"slots": self.seen.slots, "values": values_of(self.game)}
        self.shape = Shape(self.seen.sight.inputs, recipe.units, recipe.layers, **outputs, **board)
        self.network = new_dense(self.shape, seed, self.ties)
        self.adam = Adam(self.network.weights)
        self.done, self.spent = 0, 0.0  # rounds, and seconds of all runs
        self.counted = np.zeros(4, np.int64)  # games, simulations, decisions, games cut off
        self.positions, self.held_back = 0, []  # type: int, list[dict[str, Any]]
        self.losses, self.curve = (0.0, 0.0), []  # type: tuple[float, float], list[list[float]]
        self.streams: Rounds | None = None

    # ---- rounds ----------------------------------------------------------------------------------
    @property
    def share(self) -> float:
        """How much of the training is done, from 0 to 1."""
        if self.recipe.rounds:
            return self.done / self.recipe.rounds
        return min(1.0, self.spent / (MINUTE * self.recipe.minutes))

    @property
    def is_over(self) -> bool:
        return self.share >= 1.0

    def held(self) -> dict[str, Any]:
        numbers = np.array([self.done, self.positions, self.adam.steps], np.int64)
        kept = {f"{name}.{part}": array for part, arrays in self._parts() for name, array in arrays.items()}
        return {
            "numbers": numbers,
            "counted": self.counted,
            "spent": np.array([self.spent, *self.losses]),
            "curve": np.array(self.curve, np.float64).reshape(-1, len(CURVE)),
            **kept,
        }

    def _parts(self) -> list[tuple[str, dict[str, Any]]]:
        adam = self.adam
        return [("weights", self.network.weights), ("first", adam.first), ("second", adam.second)]

    def take_up(self, held: Mapping[str, Any]) -> None:
        self.done, self.positions, self.adam.steps = (int(number) for number in held["numbers"])
        self.counted, self.curve = held["counted"].copy(), held["curve"].tolist()
        self.spent, *losses = (float(number) for number in held["spent"])
        self.losses = (losses[0], losses[1])
        for part, arrays in self._parts():
            for name in arrays:
                arrays[name] = held[f"{name}.{part}"]
        self.network = Dense(self.network.weights, self.seen.slots, self.ties)
        stored = (read_arrays(self._path(number), self.mark) for number in range(self.done))
        self.held_back = [part for part in stored if part is not None]
        self._forget()

    def _path(self, number: int) -> Path:
        return self.folder / f"positions-{number:05}.npz"

    def step(self) -> None:
        """Do one round: streams play while the network learns from the rounds before."""
        recipe, streams, began = self.recipe, self.streams, time.monotonic()
        assert streams is not None
        self._clear_away()
        weights = {name: array.copy() for name, array in self.network.weights.items()}
        job = {"game": self.spec, "recipe": asdict(recipe), "seed": self.seed, "round": self.done}
        job |= {"games": self.games, "places": None if self.ties is None else self.places}
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
        whole = {name: np.concatenate([part[name] for part in played]) for name in played[0]}
        counted = whole.pop("counted").reshape(-1, len(self.counted)).sum(axis=0)
        if counted[3] == counted[0] > 0:
            raise EvaluationError(
                "no game of {} ended within {} plies, so nothing can be learned from its results",
                self.label,
                recipe.search.longest,
            )
        save_arrays(self._path(self.done), whole, self.mark)
        self.counted += counted
        self.positions += len(whole["movers"])
        self.held_back.append(whole)
        self.done += 1
        self._forget()
        self.spent += time.monotonic() - began
        if self._is_due():
            began = time.monotonic()
            self._measure()
            self.spent += time.monotonic() - began

    def _learn(self) -> None:
        recipe = self.recipe
        held = Positions(self.held_back, self.seen.sight, self.seen.slots)
        if not len(held):
            return
        steps = max(1, round(recipe.reuse * len(self.held_back[-1]["movers"]) / recipe.batch))
        low, high = recipe.rates[1], recipe.rates[0]
        rate = low + (high - low) * (1.0 + math.cos(math.pi * self.share)) / 2.0
        rng = np.random.default_rng((self.seed, self.done))
        given = (steps, recipe.batch, rate, recipe.found, rng)
        self.losses = learn(self.network, self.adam, held, *given)

    def _forget(self) -> None:
        """Drop the oldest positions: at most `window` are kept, and early on half of all."""
        most = min(self.recipe.window, max(self.positions // 2, self.recipe.window // 20))
        counts = [len(part["movers"]) for part in self.held_back]
        while len(counts) > 1 and sum(counts) - counts[0] >= most:
            del self.held_back[0], counts[0]

    def _clear_away(self) -> None:
        """Remove the files of forgotten positions; the checkpoint of now does not need them any more."""
        for number in range(self.done - len(self.held_back) - 1, -1, -1):
            if not self._path(number).exists():
                break
            self._path(number).unlink()

    def _is_due(self) -> bool:
        if self.recipe.rounds:
            return self.done % self.recipe.every == 0 or self.is_over
        last = self.curve[-1][0] if self.curve else 0.0
        return self.spent >= MINUTE * (math.floor(last) + 1) or self.is_over

    def _measure(self) -> None:
        """Write the network of now beside its younger selves, and play against one and against mcts."""
        age = len(self.curve) + 1
        path, before = self.folder / f"age-{age}{SUFFIX}", self.folder / f"age-{age - 1}{SUFFIX}"
        self._write_network(path)
        found = Measure()
        if self.recipe.contest and self.game.players == PAIR:
            younger = before if age > 1 else None
            found = measure(self.spec, path, younger, self.recipe.contest, self.seed + age)
        spent = 0.0 if self.recipe.rounds else self.spent / MINUTE
        line = [spent or self.done, self.counted[0], self.positions, *self.losses, found.younger, found.mcts]
        self.curve.append([float(number) for number in line])

    def _write_network(self, path: Path) -> None:
        trained = {**asdict(self.recipe), **self._facts()}
        places = None if self.ties is None else self.places
        network = Network(self.seen.sight, places, self.shape, self.network, trained)
        write_network(path, self.game, network, self.seed)

    # ---- the whole -------------------------------------------------------------------------------
    def run(self, output: Path, progress: Progress | None = None, tell: Tell | None = None) -> dict[str, Any]:
        recipe = self.recipe

        def show() -> None:
            if progress is not None:
                done = self.done if recipe.rounds else round(self.spent)
                total = recipe.rounds or round(MINUTE * recipe.minutes)
                progress("rounds" if recipe.rounds else "seconds", done, total, self.news())

        stream_of(self.spec, self.games, recipe.search, self.seed).compile()
        work = functools.partial(play_stream_here, threading.Lock()) if self.crew.is_here else play_stream
        with one_blas_thread(), Rounds(self.crew, work, tell, files=files_of_job) as self.streams:
            self.go_on(self.folder / "network.npz", show)
        self._write_network(output)
        if any(not math.isnan(line[-1]) for line in self.curve):
            put_file(self.folder / "curve.svg", [draw_curve(self.label, self.curve, recipe.rounds).encode()])
        return self._facts()

    def _facts(self) -> dict[str, Any]:
        """What was done and measured; of a long curve, some lines."""
        every = -(-len(self.curve) // MOST_LINES)
        told = [
            {name: None if math.isnan(number) else round(number, 3) for name, number in zip(CURVE, line)}
            for line in self.curve[::-1][:: max(every, 1)][::-1]
        ]
        return {"method": METHOD, "games": int(self.counted[0]), "positions": self.positions, "curve": told}

    def news(self) -> str:
        """What has happened so far, in a line."""
        told = f"{self.counted[0]:,} games, {self.positions:,} positions"
        told += f", losses {self.losses[0]:.3f} and {self.losses[1]:.3f}"
        younger, mcts = self.curve[-1][5:] if self.curve else (math.nan, math.nan)
        if not math.isnan(younger):
            told += f", {younger:+.0f} Elo over its younger self"
        if not math.isnan(mcts):
            told += f", {mcts:+.0f} Elo over mcts"
        return told

    def told(self, trained: dict[str, Any]) -> str:
        return self.news()


def gear_of(game: Game) -> str:
    """The native gear, if the states can be stored by compiled code."""
    return "native" if gears(game).default() == "native" and Layout(game).is_stored else "python"


def look(game: Game, gear: str, seed: int) -> Glance:
    """What random games show; refuse a game whose games never end."""
    seen = glance(game, gear, seed) if gear == "native" else glance(game, gear, seed, 40, 4000)
    if seen.is_endless:
        raise EvaluationError(
            "no random game of {} came to an end, so nothing can be learned from results", game.label()
        )
    return seen


def usual_games(seen: Glance) -> int:
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
    stream = stream_of(job["game"], job["games"], Search(**job["recipe"]["search"]), job["seed"])
    weights = {name: rounded(array) for name, array in job["weights"].items()}
    ties = None if job["places"] is None else Ties(stream.seen.sight, job["places"])
    with one_blas_thread():
        return stream.play(
            Dense(weights, stream.seen.slots, ties), (job["seed"], job["round"], job["stream"])
        )
