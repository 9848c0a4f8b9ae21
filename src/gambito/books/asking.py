"""Questions to the engine about positions of a book, as jobs.

Every question begins with an empty table, so that its answer depends on the position and the limits alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gambito.books.growth import Value
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.registry import load, load_kept, spec_of
from gambito.game.remote_files import files_of_game
from gambito.jobs import Executor, JobProgress, Rounds, choose_executor
from gambito.jobs.files import Needed
from gambito.search.api import search
from gambito.search.limits import Limits


class Asking:
    """A function of several states that gives their values, found by the workers of an executor.

    tell   hears what the workers do
    files  that the searches use besides those that the game names, for a cluster
    """

    def __init__(
        self,
        game: str | Game,
        limits: Limits,
        threads: int = 1,
        algorithm: str = "engine",
        executor: Executor | None = None,
        tell: Callable[[JobProgress], Any] | None = None,
        files: Iterable[Needed] = (),
    ) -> None:
        limits.check()
        self._game, self._crew = load(game), executor or choose_executor(1)
        if limits.seconds is not None:
            self._crew.warn_of_time()
        self._question = {
            "game": None if self._crew.is_here else spec_of(game),
            "algorithm": algorithm,
            "threads": threads,
            "limits": limits.given(),
        }
        self._is_ready = self._crew.is_here
        work = self._answer if self._crew.is_here else answer
        needed = [*files, *files_of_game(spec_of(game))] if self._crew.is_cluster else []
        self._rounds = Rounds(self._crew, work, tell, files=needed)

    def __call__(self, states: list[Any]) -> list[Value]:
        found: list[Value] = []
        if states and not self._is_ready:  # answered here: other processes then find the compiled code
            found.append(find_value(self._game, states[0], self._question))
            self._is_ready = True
        jobs = [{**self._question, "state": self._plain(state)} for state in states[len(found) :]]
        return found + self._rounds.do(jobs)

    def close(self) -> None:
        """End the workers."""
        self._rounds.close()

    def _answer(self, job: dict[str, Any]) -> Value:
        return find_value(self._game, job["state"], job)

    def _plain(self, state: Any) -> Any:
        """A state as tuples of plain numbers, unless it may be anything."""
        return state if self._crew.is_here or gears(self._game).state is None else _numbers(state)


def _numbers(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(map(_numbers, part))
    return part.item() if isinstance(part, np.generic) else part


def find_value(game: Game, state: Any, task: dict[str, Any]) -> Value:
    """The value of a state, the plies searched or to the end, and whether the value is exact."""
    limits, threads = task["limits"], task["threads"]
    found = search(game, state, task["algorithm"], threads=threads, **limits)
    has_end = found.exact and found.ends_in is not None
    return found.value, (found.ends_in or 0) if has_end else found.depth, found.exact


def answer(job: dict[str, Any]) -> Value:
    """The answer of a worker."""
    game = load_kept(job["game"])
    return find_value(game, gears(game).cast(job["state"]), job)
