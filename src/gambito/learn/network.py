"""Training a network from nothing: rounds of games against oneself on a few streams, their weights averaged.

In a round every stream begins with the same weights and plays games of its own; then the mean of the streams'
weights is what the next round begins with. What a stream plays depends on the seed, the round and its number
alone: how many of them run at the same time does not matter. After each round the weights are kept in the
training's folder; a training that was killed goes on there, and ends with the same bytes. The network that is
kept in the end is the mean of those after the last rounds: the noise of single games is averaged away.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate import write_evaluation
from gambito.evaluate.files import BLANK, HAND
from gambito.evaluate.network import NetworkForm, quantise
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.learner import OUTPUTS, Learner, new_learner, random_weights
from gambito.learn.td import contest, look_ahead, new_diary, play_games
from gambito.native.files import put_file
from gambito.native.random import new_random

METHOD = "td"
PLAY, AHEAD = "play", "ahead"
Progress = Callable[[str, int, int, str], None]  # what is done, how much of how much, news


@dataclass(frozen=True)
class Phase:
    """So many rounds, of so many games on each stream."""

    rounds: int
    games: int
    way: str = PLAY  # from whole games; AHEAD: from all rolls and the best answers
    rates: tuple[float, float] = (0.05, 0.005)  # of learning: in the first round, and in the last
    traces: tuple[float, float] = (0.5, 0.0)  # how much a game's end counts
    explore: float = 0.0  # how often a move is random


@dataclass(frozen=True)
class NetworkRecipe:
    """How the network of a game is trained."""

    phases: tuple[Phase, ...]
    streams: int = 2
    averaged: int = 100  # of the last rounds
    contest: int = 0  # games against the hand-made evaluation, now and then
    every: int = 10  # rounds between two such contests


def read_network_recipe(game: Game, **said: Any) -> NetworkRecipe:
    """The game's recipe, with the rounds of each phase and their games as somebody said."""
    if not isinstance(game.form, NetworkForm):
        raise EvaluationError("{} has no network that could be trained", game.label())
    own = dict(game.recipe)
    given = {name: value for name, value in said.items() if value is not None}
    method = given.pop("method", METHOD)
    if method != METHOD:
        raise EvaluationError("{} has a network, which learns by {}, not by {}", game.label(), METHOD, method)
    wrong = ", ".join(sorted(given.keys() - {"rounds", "games"}))
    if wrong:
        raise EvaluationError("a network is not trained by {}; accepted: rounds, games", wrong)
    phases = tuple(
        Phase(**{**phase, **given}) for phase in own.pop("phases", ({"rounds": 100, "games": 100},))
    )
    return NetworkRecipe(phases, **own)


class NetworkTraining:
    """One training in its folder."""

    def __init__(
        self, game: Game, folder: Path, recipe: NetworkRecipe, seed: int = 0, jobs: int | None = None
    ) -> None:
        self.game, self.folder, self.recipe, self.seed = game, folder, recipe, seed
        self.form: NetworkForm = game.form
        self.jobs = min(jobs or os.cpu_count() or 1, recipe.streams)
        self.label = game.label(without="evaluation")
        self.rounds = sum(phase.rounds for phase in recipe.phases)
        self.done, self.curve = 0, []  # type: int, list[tuple[int, float]]
        self.weights = random_weights(self.form, seed)
        self.mean = {name: np.zeros(len(array)) for name, array in self.weights.items()}
        self._claim()

    # ---- the folder ------------------------------------------------------------------------------
    def _claim(self) -> None:
        """The folder is this training's; another's is refused. What it holds is taken up."""
        mark = self.folder / "training.json"
        mine = {"game": self.label, "form": self.form.description, "seed": self.seed, **asdict(self.recipe)}
        text = json.dumps(mine, indent=1)
        if not mark.exists():
            put_file(mark, [text.encode()])
        elif mark.read_text() != text:
            raise EvaluationError(
                "{} holds another training; take another folder, or the same words", self.folder
            )
        if self._kept.exists():
            with np.load(self._kept) as kept:
                self.done = int(kept["done"])
                self.curve = [(int(games), float(points)) for games, points in kept["curve"]]
                self.weights = {name: kept[name] for name in self.weights}
                self.mean = {name: kept[f"mean_{name}"] for name in self.mean}

    @property
    def _kept(self) -> Path:
        return self.folder / "weights.npz"

    def _keep(self) -> None:
        held = {**self.weights, **{f"mean_{name}": array for name, array in self.mean.items()}}
        file = io.BytesIO()
        curve = np.array(self.curve, np.float64).reshape(-1, 2)
        np.savez(file, done=np.array(self.done), curve=curve, **held)
        put_file(self._kept, [file.getvalue()], lasting=False)

    # ---- rounds ----------------------------------------------------------------------------------
    def run(self, output: Path, progress: Progress | None = None) -> dict[str, Any]:
        """Train, and write the evaluation; what it says of itself."""
        game: Any = self.game.judged_by(BLANK)
        rules = gears(game)
        inner, start = rules.shift("native"), rules.enter(game.initial())
        diaries = [new_diary(self.form.most) for _ in range(self.recipe.streams)]
        with ThreadPoolExecutor(self.jobs) as pool:
            while self.done < self.rounds:
                phase, share = self._phase()
                rate, trace = _between(phase.rates, share, True), _between(phase.traces, share, False)

                def learn(number: int, phase: Phase = phase, rate: Any = rate, trace: Any = trace) -> Any:
                    learner = self._learner()
                    rng = new_random((self.seed, self.done, number))
                    if phase.way == AHEAD:
                        told = look_ahead(
                            inner, start, learner, diaries[number], rng, phase.games, rate, phase.explore
                        )
                    else:
                        told = play_games(
                            inner,
                            start,
                            learner,
                            diaries[number],
                            rng,
                            phase.games,
                            rate,
                            trace,
                            phase.explore,
                        )
                    return learner, told

                found = list(pool.map(learn, range(self.recipe.streams)))
                self._merge([learner for learner, _ in found])
                error = sum(told[0] for _, told in found) / max(1, sum(told[1] for _, told in found))
                if self.recipe.contest and self.done % self.recipe.every == 0:
                    self.curve.append((self.games(), self._contest()))
                self._keep()
                if progress:
                    told = f", {self.curve[-1][1]:+.3f} points a game" if self.curve else ""
                    progress("rounds", self.done, self.rounds, f"error {error:.5f}{told}")
        return self._write(output, game)

    def told(self, trained: dict[str, Any]) -> str:
        """What came of it, in a line."""
        last = (
            f"; {self.curve[-1][1]:+.3f} points a game against the hand-made evaluation" if self.curve else ""
        )
        return f"{trained['games']:,} games{last}"

    def games(self) -> int:
        """How many games were played so far."""
        left, total = self.done, 0
        for phase in self.recipe.phases:
            total += min(left, phase.rounds) * phase.games * self.recipe.streams
            left -= min(left, phase.rounds)
        return total

    def _phase(self) -> tuple[Phase, float]:
        """The phase of the next round, and how far it is, from 0 to 1."""
        number = self.done
        for phase in self.recipe.phases:
            if number < phase.rounds:
                return phase, number / max(1, phase.rounds - 1)
            number -= phase.rounds
        raise IndexError(self.done)

    def _learner(self) -> Learner:
        return new_learner(self.form, {name: array.copy() for name, array in self.weights.items()})

    def _merge(self, learners: list[Learner]) -> None:
        """The mean of the streams; and of the last rounds."""
        for name in self.weights:
            total = sum(getattr(learner, name).astype(np.float64) for learner in learners)
            self.weights[name] = (total / len(learners)).astype(np.float32)
        self.done += 1
        number = self.done - max(0, self.rounds - self.recipe.averaged)
        if number > 0:
            for name, array in self.mean.items():
                array += (self.weights[name] - array) / number

    def _contest(self) -> float:
        """Points a game against the hand-made evaluation, both by their first choice."""
        game = self.game.judged_by(HAND)
        rules = gears(game)
        rng, start = new_random((self.seed, self.done, -1)), rules.enter(game.initial())
        return contest(rules.shift("native"), start, self._learner(), rng, self.recipe.contest)

    def _write(self, output: Path, game: Any) -> dict[str, Any]:
        form = self.form

        def part(name: str) -> Any:
            return self.mean[name].reshape(form.stages, OUTPUTS, -1)[:, : form.outputs]

        game.weights.array[:] = quantise(
            form, self.mean["first"], self.mean["bias"], part("second"), part("last")
        )
        trained = {
            "method": METHOD, "games": self.games(), "curve": self.curve, **asdict(self.recipe)
        }  # fmt: skip
        trained = json.loads(json.dumps(trained))
        arrays = {"weights": game.weights.array}
        write_evaluation(output, game, form.description, arrays, trained, self.seed)
        if self.curve:
            put_file(self.folder / "curve.svg", [draw_curve(self.label, self.curve).encode()])
        return trained


def draw_curve(label: str, curve: Sequence[tuple[int, float]]) -> str:
    """How strong the network was after so many games."""
    from gambito.draw.chart import Line, draw_chart  # not needed by most commands

    below = "Points a game against the hand-made evaluation, both looking at their own move only"
    lines = [Line("network", [(games / 1000, points) for games, points in curve], 1)]
    return draw_chart(f"Learning {label}", below, "thousands of games", "points", lines, kind="plain")


def _between(ends: tuple[float, float], share: float, is_rate: bool) -> Any:
    """From the first to the second; rates by equal factors."""
    first, last = ends
    return np.float32(first * (last / first) ** share if is_rate else first + (last - first) * share)
