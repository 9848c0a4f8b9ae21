"""What every training has: a folder of its own, checkpoints in it, and the file that it ends with.

What takes long is kept in the folder when it is done. A training that was killed goes on there, and ends with
the same bytes. How the weights are learned is left to the strategies: `train` fits sums of weights to games,
`network` learns from each game by TD.
"""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from gambito.evaluate import EvaluationError, write_evaluation
from gambito.game.contract import Game
from gambito.native.files import put_file

Progress = Callable[[str, int, int, str], None]  # what is done, how much of how much, news


class Stepwise(ABC):
    """Work in steps. After each of them a checkpoint is kept; the work goes on from it after a kill."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Were all steps done?"""

    @abstractmethod
    def step(self) -> None:
        """Do the next step; the same one from the same checkpoint."""

    @abstractmethod
    def held(self) -> dict[str, Any]:
        """What a checkpoint holds, as arrays by name."""

    @abstractmethod
    def take_up(self, held: Mapping[str, Any]) -> None:
        """Go on from what a checkpoint holds."""

    def save(self, path: Path) -> None:
        """Put a checkpoint in place."""
        text = io.BytesIO()
        np.savez(text, **self.held())
        put_file(path, [text.getvalue()], lasting=False)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint, if there is one."""
        if path.exists():
            with np.load(path) as held:
                self.take_up(held)

    def go_on(self, path: Path | None, tell: Callable[[], None] | None = None) -> None:
        """Do all the steps that are left; `tell` is called after each."""
        if path is not None:
            self.resume(path)
        while not self.is_over:
            self.step()
            if path is not None:
                self.save(path)
            if tell is not None:
                tell()


class Training(ABC):
    """One training in its folder."""

    def __init__(self, game: Game, folder: Path, recipe: Any, seed: int, jobs: int) -> None:
        self.game, self.folder, self.recipe, self.seed, self.jobs = game, folder, recipe, seed, jobs
        self.label = game.label(without="evaluation")
        self._claim()

    @abstractmethod
    def run(self, output: Path, progress: Progress | None = None) -> dict[str, Any]:
        """Train, and write the evaluation; what it says of itself."""

    @abstractmethod
    def told(self, trained: dict[str, Any]) -> str:
        """What came of it, in a line."""

    def facts(self) -> dict[str, Any]:
        """What the training depends on: the same facts end with the same bytes."""
        return {"game": self.label, "seed": self.seed, **asdict(self.recipe)}

    def _claim(self) -> None:
        """The folder is this training's; another's is refused."""
        mark = self.folder / "training.json"
        text = json.dumps(self.facts(), indent=1)
        if not mark.exists():
            put_file(mark, [text.encode()])
        elif json.loads(mark.read_text()) != json.loads(text):
            raise EvaluationError(
                "{} holds another training; take another folder, or the same words", self.folder
            )

    def _write(self, path: Path, game: Any, trained: dict[str, Any]) -> dict[str, Any]:
        """Write the weights of a game, with what is told of them, as a reader will find it."""
        trained = json.loads(json.dumps(trained))
        write_evaluation(
            path, game, game.form.description, {"weights": game.weights.array}, trained, self.seed
        )
        return trained
