"""The common part of all trainings: a folder with checkpoints, and the file of the result.

Results that take long are stored in the folder. A training that was interrupted continues there, and ends
with the same bytes. The subclasses define how the weights are learned: `train` fits sums of weights to games,
and `network` learns from each game with TD.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gambito.evaluate import EvaluationError, arrays_of, write_evaluation
from gambito.game.registry import load
from gambito.jobs import JobProgress
from gambito.learn.checkpoints import mark_of, read_arrays, read_facts, save_arrays, save_facts
from gambito.native.files import only_writer

FACTS = "training.json"  # the file that says whose a folder is
Progress = Callable[[str, int, int, str], None]  # the activity, the amount done, the total, news
Tell = Callable[[JobProgress], Any]  # what the workers are doing


class Stepwise(ABC):
    """Work in steps, with a checkpoint after each. Interrupted work continues from the checkpoint."""

    mark: str = ""  # of the training that the work belongs to

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Return whether all steps are done."""

    @abstractmethod
    def step(self) -> None:
        """Do the next step. The same checkpoint always leads to the same step."""

    @abstractmethod
    def held(self) -> dict[str, Any]:
        """Return the content of a checkpoint, as arrays by name."""

    @abstractmethod
    def take_up(self, held: Mapping[str, Any]) -> None:
        """Continue from the content of a checkpoint."""

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        save_arrays(path, self.held(), self.mark)

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint, if there is a whole one."""
        held = read_arrays(path, self.mark)
        if held is not None:
            self.take_up(held)

    def go_on(self, path: Path | None, tell: Callable[[], None] | None = None) -> None:
        """Do all remaining steps. `tell` is called after each one."""
        if path is not None:
            self.resume(path)
        while not self.is_over:
            self.step()
            if path is not None:
                self.save(path)
            if tell is not None:
                tell()


class Training(ABC):
    """A training in its folder. `jobs` and `cluster` say who plays the games, as in `choose_crew`."""

    def __init__(
        self, spec: str, folder: Path, recipe: Any, seed: int, jobs: int | None, cluster: str | None
    ) -> None:
        self.spec, self.game, self.folder, self.recipe = spec, load(spec), folder, recipe
        self.seed, self.jobs, self.cluster = seed, jobs, cluster
        self.label = self.game.label(without="evaluation")
        self._claim()

    def run(self, output: Path, progress: Progress | None = None, tell: Tell | None = None) -> dict[str, Any]:
        """Train, write the evaluation, and return its facts. `tell` hears what the workers are doing.

        One process at a time trains in a folder.
        """
        refusal = EvaluationError("{} is the folder of a training that is running", self.folder)
        with only_writer(self.folder / FACTS, refusal):
            return self._train(output, progress, tell)

    @abstractmethod
    def _train(self, output: Path, progress: Progress | None, tell: Tell | None) -> dict[str, Any]:
        """Train, as `run` says."""

    @abstractmethod
    def told(self, trained: dict[str, Any]) -> str:
        """Describe the result in one line."""

    def facts(self) -> dict[str, Any]:
        """Return everything that the result depends on. The same facts give the same bytes."""
        return {"game": self.label, "seed": self.seed, **asdict(self.recipe)}

    def _claim(self) -> None:
        """Mark the folder as this training's, and refuse the folder of another one.

        If the file that says whose the folder is cannot be read, it is written again: all other files have
        the mark of their training too.
        """
        facts = json.loads(json.dumps(self.facts()))
        self.mark, path = mark_of(facts), self.folder / FACTS
        found = read_facts(path)
        if found is None:
            save_facts(path, facts, self.mark)
        elif found[0] != facts:
            raise EvaluationError(
                "{} belongs to another training; use another folder, or the same options", self.folder
            )

    def _write(self, path: Path, game: Any, trained: dict[str, Any]) -> dict[str, Any]:
        """Write the weights of a game with their facts, and return the facts as a reader finds them."""
        trained = json.loads(json.dumps(trained))
        write_evaluation(path, game, game.form.description, arrays_of(game), trained, self.seed)
        return trained
