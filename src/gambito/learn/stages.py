"""Fits of the stages of a game, each to its own positions.

Patterns have all their tables once for each stage, so the stages share no weight. Every fit is smaller than
one of the whole, and several run at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gambito.jobs import choose_executor, done
from gambito.learn.fit import Examples, Fit, FitProgress, Fitting, Positions, read_examples, read_stages


class StagedFit:
    """The fits of all stages. `jobs` stages are fitted at a time; their number does not change the result."""

    def __init__(
        self, game: Any, positions: Positions, fitting: Fitting, seed: int, jobs: int | None = None
    ) -> None:
        self.game, self.positions, self.fitting, self.seed, self.jobs = game, positions, fitting, seed, jobs
        self.mark, self.courses = "", {}  # type: str, dict[int, FitProgress]
        self.stages = read_stages(game, positions)

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def advance(self) -> tuple[int, int]:
        """Return the number of steps done, and of all: a step is a stage."""
        return len(self.courses), self.game.form.stages

    @property
    def course(self) -> FitProgress:
        """Return the mean errors of the stages that are done, each with its number of positions."""
        epochs = max((len(course.held) for course in self.courses.values()), default=0)
        weights = [len(self.own_held(stage)) for stage in self.courses]
        total: FitProgress = FitProgress()
        for name in ("fitted", "held") if sum(weights) else ():
            rows = [getattr(course, name) for course in self.courses.values()]
            rows = [row + row[-1:] * (epochs - len(row)) for row in rows]
            getattr(total, name).extend(np.average(rows, 0, weights).tolist())
        return total

    def own_held(self, stage: int) -> Any:
        """Return the positions of a stage that are held back."""
        return np.flatnonzero((self.stages == stage) & self.positions.held)

    def run(self, path: Path, progress: Callable[[FitProgress], None] | None = None) -> Any:
        """Run all fits, and return the weights. `progress` is called after each stage."""
        form = self.game.form
        weights = np.zeros((form.stages, form.table))
        executor = choose_executor(self.jobs).at_most(form.stages).here

        def work(stage: int) -> Fit:
            fit = Fit(self.game, self.examples(stage), self.fitting, self.seed, np.zeros(form.table))
            fit.mark = self.mark
            fit.run(path.with_name(f"{path.stem}-{stage}{path.suffix}"))
            return fit

        with contextlib.closing(done(executor, work, range(form.stages))) as results:
            for stage, fit in results:
                weights[stage], self.courses[stage] = fit.kept, fit.course
                if progress is not None:
                    progress(self.course)
        return weights.ravel()

    def examples(self, stage: int) -> Examples:
        """Return the positions of a stage, numbered as those of the first one."""
        examples = read_examples(self.game, self.positions.where(self.stages == stage), self.fitting)
        examples.rows.numbers[:] %= self.game.form.table
        return examples
