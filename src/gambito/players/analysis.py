"""The value of every action of a state: each action is searched separately, deeper and deeper."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.players.match import is_repeated
from gambito.search.algorithm import AnytimeSearch, find
from gambito.search.api import search
from gambito.search.chooser import strongest
from gambito.search.found import Found
from gambito.search.limits import Limits, Progress, Stop
from gambito.search.session import Session
from gambito.search.thread import DEEPEST

SURE = 0.999  # the part of the remaining time that a search may take; the rest is for ending it


@dataclass
class Candidate:
    """An action and its value."""

    action: int
    value: Any = None  # for the player to move; None: not searched yet
    depth: int = 0  # plies, the action itself included
    line: list[int] = field(default_factory=list)  # beginning with the action
    exact: bool = False
    ends_in: int | None = None  # plies to a forced end


@dataclass
class Analysis:
    """The candidates, the best first, and the cost of the analysis."""

    candidates: list[Candidate]
    depth: int = 0  # all candidates were searched to this depth, or to the end
    nodes: int = 0
    seconds: float = 0.0
    algorithm: str = ""  # the algorithm that searched them


def analyse(
    game: Game,
    state: Any,
    algorithm: str | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    *,
    threads: int = 1,
    past: Sequence[Any] = (),
    stop: Stop | None = None,
    progress: Callable[[Analysis], Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Analysis:
    """Find the value and line of every action, to a depth or as deep as the limits allow; without limits, to
    the end of the game.

    nodes     the limit for all candidates together
    past      the earlier states of the game; if positions can come back, the third occurrence ends the game
    progress  called after each depth, and when a candidate's value changes
    """
    algorithm = algorithm or strongest(game)
    chosen = find(algorithm)
    if reason := chosen.misfit(game):
        raise SearchError(reason)
    if not chosen.gives_value:
        raise SearchError("{} finds an action, not its value", algorithm)
    given = {"threads": threads, **(options or {})}
    if isinstance(chosen, AnytimeSearch):
        limits = Limits(seconds=seconds, nodes=nodes)
        return _simulated(game, state, algorithm, limits, past, stop, progress, given)
    limits = Limits(depth, seconds, nodes)
    work = _Work(game, state, algorithm, limits, past, stop or Stop(), progress, given)
    for ply in range(1, min(depth or DEEPEST, game.longest or DEEPEST, DEEPEST) + 1):
        if not work.deepen(ply):
            break
    return work.result()


def _simulated(
    game: Game,
    state: Any,
    algorithm: str,
    limits: Limits,
    past: Sequence[Any],
    stop: Stop | None,
    progress: Callable[[Analysis], Any] | None,
    options: dict[str, Any],
) -> Analysis:
    """Analyse with one search that counts visits, which covers all candidates."""

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
        return Analysis(listed, found.depth, nodes, seconds, algorithm)

    def tell(news: Progress) -> None:
        if progress is not None and news.found is not None:
            progress(told(news.found, news.seconds, news.nodes))

    found = search(game, state, algorithm, **limits.given(), past=past, stop=stop, progress=tell, **options)
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
        limits: Limits,
        past: Sequence[Any],
        stop: Stop,
        progress: Callable[[Analysis], Any] | None,
        options: dict[str, Any],
    ) -> None:
        self.game, self.state, self.algorithm, self.options = game, state, algorithm, options
        self.past, self.stop, self.progress = [*past, state], stop, progress
        self.session = Session()
        self.began = time.perf_counter()
        self.end = self.began + (limits.seconds if limits.seconds is not None else float("inf"))
        self.nodes = limits.nodes if limits.nodes is not None else float("inf")
        self.mover = game.player(state)
        self.found = Analysis([Candidate(action) for action in game.legal(state)], algorithm=algorithm)

    def deepen(self, depth: int) -> bool:
        """Search every candidate to a depth; return False if the analysis should end."""
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
        """Search one candidate; return False if its time or its nodes were not enough."""
        child = self.game.result(self.state, candidate.action)
        if depth == 1:
            is_over, is_repeat = bool(self.game.is_terminal(child)), is_repeated(self.game, child, self.past)
            worth = self.game.evaluate
            if is_over or is_repeat:
                worth = self.game.utility if is_over else self.game.repetition
            candidate.value, candidate.exact = worth(child, self.mover), is_over or is_repeat
            candidate.line, candidate.depth, candidate.ends_in = [candidate.action], 1, 1 if is_over else None
            return True
        left, nodes = self.end - time.perf_counter(), self.nodes - self.found.nodes
        if left <= 0 or nodes <= 0:
            return False
        limits: dict[str, Any] = {"seconds": left * SURE} if left < float("inf") else {}
        if nodes < float("inf"):
            limits["nodes"] = int(nodes)
        found = search(
            self.game,
            child,
            self.algorithm,
            depth - 1,
            **limits,
            stop=self.stop,
            session=self.session,
            past=self.past,
            **self.options,
        )
        self.end += found.compile_seconds  # compilation does not count as thinking
        self.found.nodes += found.nodes
        if found.value is None or (found.depth < depth - 1 and not found.exact):
            return False
        sign = 1 if max(self.game.player(child), 0) == self.mover else -1  # player 0's at a chance node
        candidate.value, candidate.exact = sign * found.value, found.exact
        candidate.line, candidate.depth = [candidate.action, *found.line], found.depth + 1
        candidate.ends_in = None if found.ends_in is None else found.ends_in + 1
        return True

    def _sort(self) -> None:
        """Sort the best first; among equals, a sooner win or a later loss first; unsearched ones last."""
        self.found.candidates.sort(key=lambda c: (c.value is None, -(c.value or 0), _haste(c)))

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.result())


def _haste(candidate: Candidate) -> int:
    """The plies to a forced end as a sort key: fewer are better in a win, and worse in a loss."""
    far = candidate.ends_in or 0
    return far if (candidate.value or 0) > 0 else -far
