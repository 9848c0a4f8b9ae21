"""What every action of a state is worth: each one searched by itself, deeper and deeper."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gambito.game.contract import Game
from gambito.search.algorithm import AnytimeSearch, SearchError, find
from gambito.search.api import search
from gambito.search.found import Found
from gambito.search.limits import Progress, Stop
from gambito.search.session import Session
from gambito.search.thread import DEEPEST

SURE = 0.999  # of the time that is left a search may take; the rest is for ending it


@dataclass
class Candidate:
    """An action and what it is worth."""

    action: int
    value: Any = None  # for the player who may choose it; None: not searched yet
    depth: int = 0  # plies, the action itself included
    line: list[int] = field(default_factory=list)  # beginning with the action
    exact: bool = False
    ends_in: int | None = None  # plies to a forced end


@dataclass
class Analysis:
    """The candidates, the best first, and what they cost."""

    candidates: list[Candidate]
    depth: int = 0  # all candidates were searched so deep, or to the end
    nodes: int = 0
    seconds: float = 0.0


def analyse(
    game: Game,
    state: Any,
    algorithm: str = "engine",
    depth: int | None = None,
    seconds: float | None = None,
    *,
    stop: Stop | None = None,
    progress: Callable[[Analysis], Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Analysis:
    """Every action's value and line, to a depth or as deep as the time allows; without either, to the end.

    progress  called after each depth, and when a candidate's value changes
    """
    chosen = find(algorithm)
    if chosen.misfit(game):
        raise SearchError(chosen.misfit(game))
    if not chosen.gives_value:
        raise SearchError(f"{algorithm} finds an action, not its value")
    if isinstance(chosen, AnytimeSearch):
        return _simulated(game, state, algorithm, seconds, stop, progress, dict(options or {}))
    work = _Work(game, state, algorithm, seconds, stop or Stop(), progress, dict(options or {}))
    for ply in range(1, min(depth or DEEPEST, game.longest or DEEPEST, DEEPEST) + 1):
        if not work.deepen(ply):
            break
    return work.result()


def _simulated(
    game: Game,
    state: Any,
    algorithm: str,
    seconds: float | None,
    stop: Stop | None,
    progress: Callable[[Analysis], Any] | None,
    options: dict[str, Any],
) -> Analysis:
    """One search that counts its visits knows all candidates."""

    def told(found: Found, seconds: float, nodes: int) -> Analysis:
        listed = [
            Candidate(
                c.action,
                c.value,
                found.depth,
                found.line if c.action == found.action else [c.action],
                found.exact and c.action == found.action,
            )
            for c in sorted(found.candidates, key=lambda c: (c.action != found.action, -c.visits))
        ]
        return Analysis(listed, found.depth, nodes, seconds)

    def tell(news: Progress) -> None:
        if progress is not None and news.found is not None:
            progress(told(news.found, news.seconds, news.nodes))

    found = search(game, state, algorithm, seconds=seconds, stop=stop, progress=tell, **options)
    result = told(found, found.seconds, found.nodes)
    if progress is not None:
        progress(result)
    return result


class _Work:
    """One analysis while it runs."""

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: str,
        seconds: float | None,
        stop: Stop,
        progress: Callable[[Analysis], Any] | None,
        options: dict[str, Any],
    ) -> None:
        self.game, self.state, self.algorithm, self.options = game, state, algorithm, options
        self.stop, self.progress = stop, progress
        self.session = Session()
        self.began = time.perf_counter()
        self.end = self.began + seconds if seconds is not None else float("inf")
        self.mover = game.player(state)
        self.found = Analysis([Candidate(action) for action in game.legal(state)])

    def deepen(self, depth: int) -> bool:
        """Search every candidate to a depth; False: it is enough."""
        is_open = False
        for candidate in list(self.found.candidates):
            if candidate.exact:
                continue
            if self.stop.is_set() or not self._look(candidate, depth):
                return False
            is_open = is_open or not candidate.exact
            self._sort()
            self._tell()
        self.found.depth = depth
        self._tell()
        return is_open

    def result(self) -> Analysis:
        self.found.seconds = time.perf_counter() - self.began
        return self.found

    def _look(self, candidate: Candidate, depth: int) -> bool:
        """Search one candidate; False: there was no time."""
        child = self.game.result(self.state, candidate.action)
        if depth == 1:
            is_over = bool(self.game.is_terminal(child))
            worth = self.game.utility if is_over else self.game.evaluate
            candidate.value, candidate.exact = worth(child, self.mover), is_over
            candidate.line, candidate.depth, candidate.ends_in = [candidate.action], 1, 1 if is_over else None
            return True
        left = self.end - time.perf_counter()
        if left <= 0:
            return False
        limits: dict[str, Any] = {"seconds": left * SURE} if left < float("inf") else {}
        found = search(
            self.game,
            child,
            self.algorithm,
            depth - 1,
            **limits,
            stop=self.stop,
            session=self.session,
            **self.options,
        )
        self.end += found.compile_seconds  # that is no thinking
        self.found.nodes += found.nodes
        if found.value is None or (found.depth < depth - 1 and not found.exact):
            return False
        sign = 1 if max(self.game.player(child), 0) == self.mover else -1  # at a chance node it is player 0's
        candidate.value, candidate.exact = sign * found.value, found.exact
        candidate.line, candidate.depth = [candidate.action, *found.line], found.depth + 1
        candidate.ends_in = None if found.ends_in is None else found.ends_in + 1
        return True

    def _sort(self) -> None:
        """The best first, among equals a sooner win and a later loss; those not searched yet last."""
        self.found.candidates.sort(key=lambda c: (c.value is None, -(c.value or 0), _haste(c)))

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.result())


def _haste(candidate: Candidate) -> int:
    """The plies to a forced end: few of them are good in a win, bad in a loss."""
    far = candidate.ends_in or 0
    return far if (candidate.value or 0) > 0 else -far
