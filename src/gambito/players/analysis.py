"""The value of every action of a state: each action is searched separately, deeper and deeper.

Values of different depths cannot be compared: in many games the player who moved last looks better. So the
values of a depth replace those of the depth before only when all actions have one; a proven value counts at
once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    seconds: float = 0.0  # without compilation
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
    progress  called after each candidate, with the values of the last finished depth
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
        self.began, self.compile_seconds = time.perf_counter(), 0.0
        self.end = self.began + (limits.seconds if limits.seconds is not None else float("inf"))
        self.nodes = limits.nodes if limits.nodes is not None else float("inf")
        self.mover = game.player(state)
        self.found = Analysis([Candidate(action) for action in game.legal(state)], algorithm=algorithm)

    def deepen(self, depth: int) -> bool:
        """Search every candidate to a depth; return False if the analysis should end.

        The first depth is one look at each child, and nothing ends it: there is always a value.
        """
        searched: dict[int, Candidate] = {}
        for candidate in list(self.found.candidates):
            if candidate.exact:
                continue
            found = None if self.stop.is_set() and depth > 1 else self._look(candidate.action, depth)
            if found is None:
                return False
            searched[found.action] = found
            self._use({found.action: found} if found.exact else {})
        self.found.depth = depth
        self._use(searched)
        return any(not candidate.exact for candidate in searched.values())

    def result(self) -> Analysis:
        seconds = time.perf_counter() - self.began - self.compile_seconds
        return replace(self.found, seconds=seconds)

    def _use(self, searched: dict[int, Candidate]) -> None:
        """Take over what was found about these actions."""
        self.found.candidates = [searched.get(c.action, c) for c in self.found.candidates]
        self._sort()
        if self.progress is not None:
            self.progress(self.result())

    def _look(self, action: int, depth: int) -> Candidate | None:
        """Search one action; return None if the time or the nodes were not enough."""
        child = self.game.result(self.state, action)
        if depth == 1:
            is_over, is_repeat = bool(self.game.is_terminal(child)), is_repeated(self.game, child, self.past)
            worth = self.game.evaluate
            if is_over or is_repeat:
                worth = self.game.utility if is_over else self.game.repetition
            value, is_known = worth(child, self.mover), is_over or is_repeat
            return Candidate(action, value, 1, [action], is_known, 1 if is_over else None)
        left, nodes = self.end - time.perf_counter(), self.nodes - self.found.nodes
        if left <= 0 or nodes <= 0:
            return None
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
        self.compile_seconds += found.compile_seconds
        self.found.nodes += found.nodes
        if found.value is None or (found.depth < depth - 1 and not found.exact):
            return None
        sign = 1 if max(self.game.player(child), 0) == self.mover else -1  # player 0's at a chance node
        ends_in = None if found.ends_in is None else found.ends_in + 1
        line = [action, *found.line]
        return Candidate(action, sign * found.value, found.depth + 1, line, found.exact, ends_in)

    def _sort(self) -> None:
        """Sort the best first; among equals, a sooner win or a later loss first; unsearched ones last."""
        self.found.candidates.sort(key=lambda c: (c.value is None, -(c.value or 0), _haste(c)))


def _haste(candidate: Candidate) -> int:
    """The plies to a forced end as a sort key: fewer are better in a win, and worse in a loss."""
    far = candidate.ends_in or 0
    return far if (candidate.value or 0) > 0 else -far
