"""AlphaZero: rounds of self-play in lock-step, and learning from the positions of the last rounds.

What is common to all networks: rounds with a checkpoint after each, the positions that are kept, the curve
and the files. From time to time the network is written to the folder, where its younger selves stay, and
plays against one of them and against plain Monte-Carlo tree search. It does not know how a round is played
and learned from (`dense.py`, `residual.py`).
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.policy.files import SUFFIX, Network, write_network
from gambito.evaluate.policy.places import find_places
from gambito.learn.base import Progress, Stepwise, Tell, Training
from gambito.learn.checkpoints import read_arrays, save_arrays
from gambito.learn.zero.measure import Measure, draw_curve, measure
from gambito.learn.zero.recipe import METHOD, ZeroRecipe, gear_of, look
from gambito.learn.zero.symmetries import find_symmetries
from gambito.native.files import put_file
from gambito.words import count, say

MINUTE = 60.0
PAIR = 2  # players of a match
MOST_LINES = 60  # of the curve in a file
CURVE = ("minutes", "games", "positions", "policy", "value", "younger", "mcts")  # a line of the curve


class ZeroTraining(Training, Stepwise):
    """The training of a network in its folder. The steps are rounds."""

    recipe: ZeroRecipe

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
        self.places = find_places(self.game, self.seen.sight, self.seen.packed, self.seen.movers)
        self.symmetries = find_symmetries(self.game, self.seen, self.places) if recipe.views else None
        self.done, self.spent = 0, 0.0  # rounds, and seconds of all runs
        self.counted = np.zeros(4, np.int64)  # games, simulations, decisions, games cut off
        self.positions, self.held_back = 0, []  # type: int, list[dict[str, Any]]
        self.losses, self.curve = (0.0, 0.0), []  # type: tuple[float, float], list[list[float]]

    # ---- what differs ----------------------------------------------------------------------------
    @abstractmethod
    def play_and_learn(self) -> list[dict[str, Any]]:
        """Play the games of a round and learn; return the new positions in parts."""

    @abstractmethod
    def network(self) -> Network:
        """The network of now."""

    @abstractmethod
    def weights_held(self) -> dict[str, Any]:
        """What a checkpoint holds of the network and of its learning."""

    @abstractmethod
    def take_up_weights(self, held: Mapping[str, Any]) -> None:
        """Continue from what a checkpoint holds; `held_back` has the positions."""

    @abstractmethod
    def all_rounds(self, rounds: Any, tell: Tell | None) -> None:
        """Call `rounds`, which does all rounds, with what they need."""

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

    @property
    def rate(self) -> float:
        """The learning rate of now."""
        high, low = self.recipe.rates
        return low + (high - low) * (1.0 + math.cos(math.pi * self.share)) / 2.0

    def held(self) -> dict[str, Any]:
        return {
            "numbers": np.array([self.done, self.positions], np.int64),
            "counted": self.counted,
            "spent": np.array([self.spent, *self.losses]),
            "curve": np.array(self.curve, np.float64).reshape(-1, len(CURVE)),
            **self.weights_held(),
        }

    def take_up(self, held: Mapping[str, Any]) -> None:
        self.done, self.positions = (int(number) for number in held["numbers"])
        self.counted, self.curve = held["counted"].copy(), held["curve"].tolist()
        self.spent, *losses = (float(number) for number in held["spent"])
        self.losses = (losses[0], losses[1])
        stored = (read_arrays(self._path(number), self.mark) for number in range(self.done))
        self.held_back = [part for part in stored if part is not None]
        self._forget()
        self.take_up_weights(held)

    def _path(self, number: int) -> Path:
        return self.folder / f"positions-{number:05}.npz"

    def step(self) -> None:
        """Do one round."""
        began = time.monotonic()
        self._clear_away()
        played = self.play_and_learn()
        whole = {name: np.concatenate([part[name] for part in played]) for name in played[0]}
        counted = whole.pop("counted").reshape(-1, len(self.counted)).sum(axis=0)
        if counted[3] == counted[0] > 0:
            raise EvaluationError(
                "no game of {} ended within {} plies, so nothing can be learned from its results",
                self.label,
                self.recipe.search.longest,
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
            self.take_stock()
            self.spent += time.monotonic() - began

    @property
    def window(self) -> int:
        """The most positions that are learned from: early on half of all."""
        return min(self.recipe.window, max(self.positions // 2, self.recipe.window // 20))

    def _forget(self) -> None:
        """Drop the oldest positions."""
        counts = [len(part["movers"]) for part in self.held_back]
        while len(counts) > 1 and sum(counts) - counts[0] >= self.window:
            del self.held_back[0], counts[0]

    def _clear_away(self) -> None:
        """Remove the files of forgotten positions; the checkpoint of now does not need them any more."""
        for number in range(self.done - len(self.held_back) - 1, -1, -1):
            if not self._path(number).exists():
                break
            self._path(number).unlink()

    # ---- the curve -------------------------------------------------------------------------------
    def _is_due(self) -> bool:
        if self.recipe.rounds:
            return self.done % self.recipe.every == 0 or self.is_over
        last = self.curve[-1][0] if self.curve else 0.0
        return self.spent >= MINUTE * (math.floor(last) + 1) or self.is_over

    def take_stock(self) -> None:
        """Write the network of now beside its younger selves, and play against one and against mcts."""
        path, line = self.write_age()
        self.curve.append([*line, *self.contest(path)])

    def write_age(self) -> tuple[Path, list[float]]:
        """Write the network of now beside its younger selves; return its file, and the line of the curve."""
        path = self._age(len(self.curve) + 1)
        self._write_network(path)
        spent = 0.0 if self.recipe.rounds else self.spent / MINUTE
        line = [spent or self.done, self.counted[0], self.positions, *self.losses]
        return path, [float(number) for number in line]

    def contest(self, path: Path) -> tuple[float, float]:
        """The Elo of a network over its younger self and over mcts; NaN where nothing is measured."""
        found, age = Measure(), len(self.curve) + 1
        if self.recipe.contest and self.game.players == PAIR:
            younger = self._age(age - 1) if age > 1 else None
            found = measure(self.spec, path, younger, self.recipe.contest, self.seed + age)
        return found.younger, found.mcts

    def _age(self, number: int) -> Path:
        return self.folder / f"age-{number}{SUFFIX}"

    def _write_network(self, path: Path) -> None:
        write_network(path, self.game, self.network(), self.seed)

    # ---- the whole -------------------------------------------------------------------------------
    def _train(self, output: Path, progress: Progress | None, tell: Tell | None) -> dict[str, Any]:
        recipe = self.recipe

        def show() -> None:
            if progress is not None:
                done = self.done if recipe.rounds else round(self.spent)
                total = recipe.rounds or round(MINUTE * recipe.minutes)
                progress("rounds" if recipe.rounds else "seconds", done, total, self.news())

        self.all_rounds(lambda: self.go_on(self.folder / "network.npz", show), tell)
        self._write_network(output)
        if any(not math.isnan(line[-1]) for line in self.curve):
            put_file(self.folder / "curve.svg", [draw_curve(self.label, self.curve, recipe.rounds).encode()])
        return self._facts()

    def trained(self) -> dict[str, Any]:
        """What the file of a network says about its training."""
        return {**asdict(self.recipe), **self._facts()}

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
        told = f"{count(int(self.counted[0]), 'game')}, {count(self.positions, 'position')}"
        told += say(", losses {:.3f} and {:.3f}", *self.losses[:2])
        younger, mcts = self.curve[-1][5:] if self.curve else (math.nan, math.nan)
        if not math.isnan(younger):
            told += say(", {:+.0f} Elo over its younger self", younger)
        if not math.isnan(mcts):
            told += say(", {:+.0f} Elo over mcts", mcts)
        return told

    def told(self, trained: dict[str, Any]) -> str:
        return self.news()
