"""Train a network from self-play: rounds of games on a few streams, whose weights are averaged.

In a round, every stream begins with the same weights and plays its own games. The next round begins with the
mean of the streams' weights. The round of a stream is a job, which brings the weights along and returns those
that it has learned. Its games depend only on the seed, the round and the number of the stream, not on how
many streams run at the same time. The final network is the mean of those after the last rounds, which
averages out the noise of single games.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.files import BLANK, HAND
from gambito.evaluate.network import NetworkForm, quantise
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.registry import load, load_kept, respell
from gambito.game.remote_files import files_of_job
from gambito.jobs import Rounds, choose_executor
from gambito.learn.base import Progress, Stepwise, Tell, Training
from gambito.learn.td_lambda import contest, look_ahead, new_recorded_game, play_games
from gambito.learn.trainable_network import OUTPUTS, TrainableNetwork, new_trainable_network, random_weights
from gambito.native.files import put_file
from gambito.native.random import new_random
from gambito.words import count, say

METHOD = "td"
PLAY, AHEAD = "play", "ahead"
WIDE = 20  # times that a game takes longer if it looks ahead: one for each roll of two dice


@dataclass(frozen=True)
class Phase:
    """A number of rounds with the same settings."""

    rounds: int
    games: int
    way: str = PLAY  # learn from whole games; AHEAD: from all rolls and the best replies
    rates: tuple[float, float] = (0.05, 0.005)  # learning rates of the first and the last round
    traces: tuple[float, float] = (0.5, 0.0)  # weight of the result of a game
    explore: float = 0.0  # share of random moves


@dataclass(frozen=True)
class NetworkRecipe:
    """The settings of the training of a network."""

    phases: tuple[Phase, ...]
    streams: int = 2
    averaged: int = 100  # number of last rounds to average
    contest: int = 0  # games of each contest against the hand-made evaluation
    every: int = 10  # rounds between two contests


def read_network_recipe(game: Game, **said: Any) -> NetworkRecipe:
    """Return the game's recipe, with the given numbers of rounds and games."""
    if not isinstance(game.form, NetworkForm):
        raise EvaluationError("{} has no network that could be trained", game.label())
    own = dict(game.recipe)
    given = {name: value for name, value in said.items() if value is not None}
    method = given.pop("method", METHOD)
    if method != METHOD:
        raise EvaluationError(
            "{} has a network, which learns with {}, not with {}", game.label(), METHOD, method
        )
    wrong = ", ".join(sorted(given.keys() - {"rounds", "games"}))
    if wrong:
        raise EvaluationError(
            "{} is not an option of the training of a network; accepted: rounds, games", wrong
        )
    phases = tuple(
        Phase(**{**phase, **given}) for phase in own.pop("phases", ({"rounds": 100, "games": 100},))
    )
    return NetworkRecipe(phases, **own)


class NetworkTraining(Training, Stepwise):
    """The training of a network. A step is a round of games on all streams."""

    def __init__(
        self,
        spec: str,
        folder: Path,
        recipe: NetworkRecipe,
        seed: int = 0,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:
        self.form: NetworkForm = load(spec).form
        super().__init__(spec, folder, recipe, seed, jobs, cluster)
        self.executor = choose_executor(jobs, cluster).at_most(recipe.streams)
        self.rounds = sum(phase.rounds for phase in recipe.phases)
        self.done, self.error, self.curve = 0, 0.0, []  # type: int, float, list[tuple[int, float]]
        self.weights = random_weights(self.form, seed)
        self.mean = {name: np.zeros(len(array)) for name, array in self.weights.items()}
        self.pupil = self.game.judged_by(BLANK)  # the game to play
        self.streams: Rounds | None = None  # while it runs

    def facts(self) -> dict[str, Any]:
        return {"game": self.label, "form": self.form.description, "seed": self.seed, **asdict(self.recipe)}

    # ---- rounds ----------------------------------------------------------------------------------
    @property
    def is_over(self) -> bool:
        return self.done >= self.rounds

    def held(self) -> dict[str, Any]:
        means = {f"mean_{name}": array for name, array in self.mean.items()}
        curve = np.array(self.curve, np.float64).reshape(-1, 2)
        return {"done": np.array(self.done), "curve": curve, **self.weights, **means}

    def take_up(self, held: Mapping[str, Any]) -> None:
        self.done = int(held["done"])
        self.curve = [(int(games), float(points)) for games, points in held["curve"]]
        self.weights = {name: held[name] for name in self.weights}
        self.mean = {name: held[f"mean_{name}"] for name in self.mean}

    def step(self) -> None:
        """Do one round: all streams play and learn, and their weights are averaged."""
        assert self.streams is not None
        phase, share = self._phase()
        rate, trace = _between(phase.rates, share, True), _between(phase.traces, share, False)
        how = {**self._job(phase), "rate": rate, "trace": trace}
        found = self.streams.do([{**how, "stream": number} for number in range(self.recipe.streams)])
        self._merge([one["weights"] for one in found])
        self.error = sum(one["error"] for one in found) / max(1, sum(one["seen"] for one in found))
        if self.recipe.contest and self.done % self.recipe.every == 0:
            self.curve.append((self.games(), self._contest()))

    def _job(self, phase: Phase) -> dict[str, Any]:
        """Return what the jobs of all streams have in common in the next round."""
        kept = {name: getattr(phase, name) for name in ("way", "games", "explore")}
        label = respell(self.spec, BLANK)
        return {"game": label, "seed": self.seed, "round": self.done, "weights": self.weights, **kept}

    def _compile(self) -> None:
        """Compile, or load what is compiled, before any worker needs it."""
        for way in sorted({phase.way for phase in self.recipe.phases}):
            nothing = {"way": way, "games": 0, "rate": np.float32(0), "trace": np.float32(0), "stream": 0}
            play_stream_of(self.pupil, {**self._job(self.recipe.phases[0]), **nothing})

    def _train(self, output: Path, progress: Progress | None, tell: Tell | None) -> dict[str, Any]:
        def show() -> None:
            if progress is not None:
                told = say(", {:+.3f} points per game", self.curve[-1][1]) if self.curve else ""
                progress("rounds", self.done, self.rounds, say("error {:.5f}{}", self.error, told))

        self._compile()
        work = functools.partial(play_stream_of, self.pupil) if self.executor.is_here else play_stream
        with Rounds(self.executor, work, tell, weight_of, files_of_job) as self.streams:
            self.go_on(self.folder / "weights.npz", show)
        return self._finish(output)

    def told(self, trained: dict[str, Any]) -> str:
        last = (
            say("; {:+.3f} points per game against the hand-made evaluation", self.curve[-1][1])
            if self.curve
            else ""
        )
        return count(trained["games"], "game") + last

    def games(self) -> int:
        """Return the number of games played so far."""
        left, total = self.done, 0
        for phase in self.recipe.phases:
            total += min(left, phase.rounds) * phase.games * self.recipe.streams
            left -= min(left, phase.rounds)
        return total

    def _phase(self) -> tuple[Phase, float]:
        """Return the phase of the next round, and its progress from 0 to 1."""
        number = self.done
        for phase in self.recipe.phases:
            if number < phase.rounds:
                return phase, number / max(1, phase.rounds - 1)
            number -= phase.rounds
        raise IndexError(self.done)

    def _merge(self, learned: list[dict[str, Any]]) -> None:
        """Average the streams, and the last rounds."""
        for name in self.weights:
            total = sum(weights[name].astype(np.float64) for weights in learned)
            self.weights[name] = (total / len(learned)).astype(np.float32)
        self.done += 1
        number = self.done - max(0, self.rounds - self.recipe.averaged)
        if number > 0:
            for name, array in self.mean.items():
                array += (self.weights[name] - array) / number

    def _contest(self) -> float:
        """Return the points per game against the hand-made evaluation, both without a search."""
        game = self.game.judged_by(HAND)
        rules = gears(game)
        rng, start = new_random((self.seed, self.done, -1)), rules.cast(game.initial())
        learner = learner_from(self.form, self.weights)
        return contest(rules.in_gear("native"), start, learner, rng, self.recipe.contest)

    def _finish(self, output: Path) -> dict[str, Any]:
        """Write the mean of the last rounds, and draw the strength of the network."""
        form = self.form

        def part(name: str) -> Any:
            return self.mean[name].reshape(form.stages, OUTPUTS, -1)[:, : form.outputs]

        self.pupil.weights.array[:] = quantise(
            form, self.mean["first"], self.mean["bias"], part("second"), part("last")
        )
        facts = {"method": METHOD, "games": self.games(), "curve": self.curve, **asdict(self.recipe)}
        trained = self._write(output, self.pupil, facts)
        if self.curve:
            put_file(self.folder / "curve.svg", [draw_curve(self.label, self.curve).encode()])
        return trained


def play_stream(job: dict[str, Any]) -> dict[str, Any]:
    """Do a job of `NetworkTraining`, in a worker."""
    return play_stream_of(load_kept(job["game"]), job)


def play_stream_of(game: Game, job: dict[str, Any]) -> dict[str, Any]:
    """Play the games of one stream in a round; return its weights, the squared errors and the positions."""
    rules, learner = gears(game), learner_from(game.form, job["weights"])
    rng = new_random((job["seed"], job["round"], job["stream"]))
    begin = (
        rules.in_gear("native"),
        rules.cast(game.initial()),
        learner,
        new_recorded_game(game.form.most),
        rng,
    )
    if job["way"] == AHEAD:
        error, seen = look_ahead(*begin, job["games"], job["rate"], job["explore"])
    else:
        error, seen = play_games(*begin, job["games"], job["rate"], job["trace"], job["explore"])
    learned = {name: getattr(learner, name) for name in job["weights"]}
    return {"weights": learned, "error": float(error), "seen": int(seen)}


def weight_of(job: dict[str, Any]) -> float:
    """Return how long a job takes, in games of the usual way."""
    return job["games"] * (WIDE if job["way"] == AHEAD else 1)


def learner_from(form: NetworkForm, weights: Mapping[str, Any]) -> TrainableNetwork:
    """Return a learner that begins with these weights and leaves them as they are."""
    return new_trainable_network(form, {name: array.copy() for name, array in weights.items()})


def draw_curve(label: str, curve: Sequence[tuple[int, float]]) -> str:
    """Draw the strength of the network over the number of games."""
    from gambito.draw.chart import Line, draw_chart  # not needed by most commands

    below = say("Points a game against the hand-made evaluation, both looking at their own move only")
    lines = [Line("network", [(games / 1000, points) for games, points in curve], 1)]
    return draw_chart(
        say("Learning {}", label), below, say("thousands of games"), say("points"), lines, kind="plain"
    )


def _between(ends: tuple[float, float], share: float, is_rate: bool) -> Any:
    """Interpolate between two numbers; rates change by equal factors."""
    first, last = ends
    return np.float32(first * (last / first) ** share if is_rate else first + (last - first) * share)
