"""The values of the actions of a state: of all of them, or of the best ones, from one search.

Values of different depths cannot be compared: in many games the player who moved last looks better. So the
values of a depth replace those of the depth before only when all of them are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.players.running_game import is_repeated
from gambito.search.algorithm import AnytimeSearch, find
from gambito.search.api import search
from gambito.search.chooser import strongest
from gambito.search.limits import Limits, Progress, Stop
from gambito.search.search_result import RankedLine, SearchResult
from gambito.search.thread import DEEPEST


@dataclass
class Candidate:
    """An action and its value."""

    action: int
    value: Any = None  # for the player to move
    depth: int = 0  # plies, the action itself included
    line: list[int] = field(default_factory=list)  # beginning with the action
    exact: bool = False
    ends_in: int | None = None  # plies to a forced end
    prior: float | None = None  # what a network said before any visit, from 0 to 1


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
    lines: int | None = None,
    threads: int = 1,
    past_states: Sequence[Any] = (),
    stop: Stop | None = None,
    progress: Callable[[Analysis], Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Analysis:
    """Find the values and lines of actions, to a depth or as deep as the limits allow; without limits, to
    the end of the game.

    The first depth is one look at every action, and nothing ends it: there is always a value.

    lines     how many actions, the best ones; None: all of them
    nodes     the limit for all candidates together
    past      the earlier states of the game; if positions can come back, the third occurrence ends the game
    progress  called with the values of the last finished depth
    """
    algorithm = algorithm or strongest(game)
    chosen = find(algorithm)
    if reason := chosen.misfit(game):
        raise SearchError(reason)
    if not chosen.gives_value:
        raise SearchError("{} finds an action, not its value", algorithm)
    given = {"threads": threads, "past_states": past_states, "stop": stop, **(options or {})}
    if isinstance(chosen, AnytimeSearch):
        limits, read = Limits(seconds=seconds, nodes=nodes), _simulated
    else:
        looked = _look(game, state, past_states)
        most = len(looked) if lines is None else lines
        limits, read = Limits(depth or DEEPEST, seconds, nodes), _ranked
        given = {"deepen": True, **given, "lines": 1 if game.player(state) == CHANCE else most}
        first = Analysis(looked[:most], 1, algorithm=algorithm)
        if progress is not None:
            progress(first)
        if depth == 1 or (stop is not None and stop.is_set()) or all(c.exact for c in looked):
            return first

    def told(found: SearchResult, seconds: float, nodes: int) -> Analysis:
        return Analysis(read(found), found.depth, nodes, seconds, algorithm)

    def tell(news: Progress) -> None:
        if progress is not None and news.found is not None:
            progress(told(news.found, news.seconds, news.nodes))

    found = search(game, state, algorithm, **limits.given(), progress=tell, **given)
    if found.depth == 0 and read is _ranked:
        return first
    result = told(found, found.seconds, found.nodes)
    if progress is not None:
        progress(result)
    return result


def _look(game: Game, state: Any, past_states: Sequence[Any]) -> list[Candidate]:
    """The actions by the values of the states after them, without a search."""
    mover, past_states, looked = max(game.player(state), 0), [*past_states, state], []
    for action in game.legal(state):
        child = game.result(state, action)
        is_over, is_repeat = bool(game.is_terminal(child)), is_repeated(game, child, past_states)
        worth = game.utility if is_over else game.repetition if is_repeat else game.evaluate
        ends_in = 1 if is_over else None
        looked.append(RankedLine(action, worth(child, mover), [action], is_over or is_repeat, ends_in))
    return [_candidate(each, 1) for each in sorted(looked, key=lambda each: each.rank)]


def _candidate(ranked: RankedLine, depth: int) -> Candidate:
    return Candidate(ranked.action, ranked.value, depth, ranked.line, ranked.exact, ranked.ends_in)


def _ranked(found: SearchResult) -> list[Candidate]:
    """The candidates of a search to a depth."""
    if found.lines:
        return [_candidate(each, found.depth) for each in found.lines]
    only = RankedLine(found.line[0], found.value, found.line, found.exact, found.ends_in)
    return [_candidate(only, found.depth)]


def _simulated(found: SearchResult) -> list[Candidate]:
    """The candidates of a search that counts visits, which covers all actions."""
    return [
        Candidate(
            c.action,
            c.value,
            found.depth,
            found.line if c.action == found.action else [c.action],
            found.exact and c.action == found.action,
            prior=c.prior,
        )
        for c in sorted(found.candidates, key=lambda c: (c.action != found.action, -c.visits))
    ]
