"""The functions that users call: `search`, `solve`, `perft` and `trace`, for any game and any algorithm.

What a search comes to is found out in `request`; a runner does it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.perft import count_leaves
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load
from gambito.memory.endgame_tables import list_endings
from gambito.native import Constant
from gambito.native.functions import compile_seconds
from gambito.search.algorithm import AnytimeSearch, PuzzleSearch, StrategySearch, find
from gambito.search.chooser import lesson, solver
from gambito.search.engine.endgame_tables import best_tablebase_actions, line_to_the_end, probe_tables
from gambito.search.limits import Limits, Progress, Stop
from gambito.search.request import Request, answer, check_gear, final_gear, game_and_state
from gambito.search.search_result import SearchResult
from gambito.search.session import Session
from gambito.search.thread import DEEPEST, DeepThread
from gambito.search.trace.record import Record
from gambito.search.trace.recorder import recording

# Of `solve`, by gear: nodes in a game with cycles before its positions are listed, and positions in a list.
FIRST_NODES = {"native": 1 << 20, "python": 1 << 12}
MOST_LISTED = {"native": 1 << 20, "python": 1 << 12}
LEARNING = 1000  # iterations of `solve` in a game that hides something, if no number is given
TRACE_STATES = 20_000  # the most states of a recorded puzzle search
TRACE_SIMULATIONS = 60
TRACE_DEPTH = 3  # the depth of a recorded search if none is given and the game has no usual depth


def search(
    game: Any,
    state: Any = None,
    algorithm: Any = None,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    gear: str | None = None,
    *,
    soft: float | None = None,
    stop: Stop | None = None,
    progress: Callable[[Progress], Any] | None = None,
    session: Session | None = None,
    past_states: Sequence[Any] = (),
    root_actions: Sequence[int] = (),
    lines: int = 1,
    guide: Callable[[Sequence[Any]], Any] | None = None,
    evaluate: Callable[..., Any] | str | None = None,
    **options: Any,
) -> SearchResult:
    """Find the best action of a state. If no algorithm is named, the one that plays the game best searches.
    A function that `@algorithm` has decorated can be given itself, or by its file: `search.py:my_search`.

    With a depth alone, there is one search to that depth, unless the algorithm always deepens. With a limit
    in seconds or nodes, the search deepens iteratively until it reaches the limit or has seen the whole game.
    Without any limit, it goes to the game's usual depth, or takes two seconds. A puzzle is searched until it
    is solved; its depth is the most actions that a solution may have.

    gear      "native", "python", or "both": the Python gear searches while a child process compiles
    soft      seconds after which no iteration begins; one that would not end before `seconds` never begins
    stop      ends the search from another thread
    progress  called by the calling thread after each iteration and about ten times a second
    session   keeps what the next search of the same game can use again, such as the table
    past      the earlier states of the game; if positions can come back, the third occurrence ends the game
    among     the actions to choose from, for every algorithm but those of puzzles, and not with a window at
              the root; none: all that are legal
    lines     how many of the best actions get a value and a line of their own, in `lines` of the result; for
              algorithms that search to a depth and find values
    guide     a policy and value function that steers mcts: it takes a list of states and returns for each a
              dictionary with the probabilities of its actions, and a value from -1 to 1 for its player
    evaluate  a function (state, player) in place of the game's own evaluation; as text `mine.py:judge`, or
              the name of another evaluation of the game
    """
    limits = Limits(depth, seconds, nodes, soft)
    if not isinstance(stop, Stop | None):
        raise SearchError("stop must be a gambito.Stop, not {}", type(stop).__name__)
    if not isinstance(session, Session | None):
        raise SearchError("session must be a gambito.Session, not {}", type(session).__name__)
    return answer(
        Request(
            game, state, algorithm, limits, threads, gear, options, stop, progress, session,
            past_states=past_states, root_actions=root_actions, lines=lines, guide=guide, evaluate=evaluate,
        )
    )  # fmt: skip


def solve(
    game: Any,
    state: Any = None,
    algorithm: str | None = None,
    threads: int = 1,
    gear: str | None = None,
    **options: Any,
) -> SearchResult:
    """Find the exact value of a state and a best action, however long it takes.

    The engine searches with null windows, or MTD(f) does; games of chance are solved by value iteration. In
    games that hide something, strategies are learned by CFR+, whose bounds of the value draw together. In a
    game with cycles the search deepens; if that takes long and the positions are few, all of them are listed
    and solved from the end, and so are those of a game longer than 1,000 plies, the most that a search looks
    ahead. If nothing proves the value, `exact` is false. The other arguments are those of `search`.
    """
    game, state, _ = game_and_state(load(game), state)
    if isinstance(game, Puzzle):
        return search(game, state, algorithm, threads=threads, gear=gear, **options)
    algorithm = algorithm or solver(game)
    if isinstance(find(algorithm), StrategySearch):
        limited = any(options.get(name) for name in ("seconds", "nodes", "soft", "target"))
        usual = {} if limited else {"iterations": LEARNING}
        return search(game, state, algorithm, threads=threads, gear=gear, **{**usual, **options})
    if algorithm == "engine":
        options = {"driver": "bisection", **find("engine").sound_options(), **options}
    depth = min(game.longest or DEEPEST, DEEPEST)
    given = {"depth": depth, "threads": threads, "gear": gear, "deepen": game.cycles, **options}
    is_limited = any(
        options.get(name) for name in ("depth", "seconds", "nodes", "soft", "past_states", "root_actions")
    )
    if is_limited or algorithm != "engine":
        return search(game, state, algorithm, **given)
    if game.cycles:
        found = search(game, state, algorithm, nodes=FIRST_NODES[final_gear(game, gear)], **given)
        if found.exact or _is_stopped(options):
            return found
    else:
        found = search(game, state, algorithm, **given)
    if not found.exact and not _is_stopped(options):
        found = _solve_listed(found, lambda: _is_stopped(options)) or found
    if found.exact or not game.cycles or _is_stopped(options):
        return found
    return search(game, state, algorithm, **given)


def _is_stopped(options: dict[str, Any]) -> bool:
    stop = options.get("stop")
    return stop is not None and stop.is_set()


def _solve_listed(found: SearchResult, is_ended: Callable[[], bool]) -> SearchResult | None:
    """The answer from a table of all positions, if the game has so few that it can be made."""
    rules, state, began = found.game, found.state, time.perf_counter()
    spent = compile_seconds()
    most = MOST_LISTED[found.gear]
    tables = list_endings(rules, state, most, found.gear, is_ended)
    if tables is None:
        return None
    inner = gears(rules).in_gear(found.gear)
    known = probe_tables(inner, tables, state)
    assert known is not None
    solved = SearchResult(rules, state, found.position, found.algorithm, found.gear, exact=True)
    solved.value = solved.low = solved.high = rules.value((known > 0) - (known < 0)) * rules.highest
    solved.line = line_to_the_end(inner, rules, state, [], tables)
    solved.line = solved.line or best_tablebase_actions(inner, rules, state, tables)[:1]
    solved.action = solved.line[0]
    solved.ends_in = abs(known) - 1 if known else None
    solved.depth = solved.reach = solved.ends_in or 0
    solved.nodes = solved.evaluations = sum(len(table.keys) for table in tables.tables)
    solved.compile_seconds = found.compile_seconds + compile_seconds() - spent
    solved.seconds = found.seconds + time.perf_counter() - began - (compile_seconds() - spent)
    return solved


def perft(game: Any, state: Any = None, depth: int = 1, gear: str | None = None) -> int:
    """Count the sequences of exactly `depth` plies that the rules allow."""
    rules, state, _ = game_and_state(load(game), state)
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= DEEPEST:
        raise SearchError("depth must be a whole number from 0 to {}, not {}", DEEPEST, depth)
    check_gear(gear)
    both = gears(rules)
    inner, start = both.in_gear(gear or both.default()), both.cast(state)
    counts: list[int] = []
    if isinstance(inner, Constant):
        count_leaves.prepare(inner, start, depth)
    DeepThread(lambda: counts.append(int(count_leaves(inner, start, depth)))).finish()
    return counts[0]


def trace(
    game: Any,
    state: Any = None,
    algorithm: str | None = None,
    depth: int | None = None,
    *,
    stop: Stop | None = None,
    evaluate: Callable[..., Any] | str | None = None,
    **options: Any,
) -> Record:
    """Record one search in the Python gear: every node, window, conclusion and cut.

    If `stop` ends the search, the record holds what it did until then. `evaluate` is that of `search`. Of an
    algorithm that learns a strategy for a whole game, `depth` iterations are recorded.
    """
    game, state, _ = game_and_state(load(game), state)
    algorithm = algorithm or lesson(game)
    chosen = find(algorithm)
    if isinstance(chosen, StrategySearch):
        if misfit := chosen.misfit(game):
            raise SearchError(misfit)
        learned: Record = chosen.record(game, state, chosen.read_options(options), depth, stop)
        return learned
    recorder = (chosen.recorder if isinstance(chosen, PuzzleSearch) else recording)(chosen)
    if isinstance(chosen, PuzzleSearch):
        limits = Limits(depth, nodes=TRACE_STATES)
    else:
        counts = isinstance(chosen, AnytimeSearch) and not any(o.name == "worlds" for o in chosen.options)
        simulations = TRACE_SIMULATIONS if counts else None  # else its worlds are counted
        limits = Limits(depth or game.usual_depth or TRACE_DEPTH, nodes=simulations)
        options = {"deepen": False, **options}
    given: dict[str, Any] = {"stop": stop, "kind": recorder, "evaluate": evaluate}
    found = answer(Request(game, state, algorithm, limits, 1, "python", options, **given))
    record: Record = recorder.finished(found, found.depth == 0 and recorder.recorder is not None)
    settings = chosen.read_options(options, game)
    record.options = {o.name: settings[o.name] for o in chosen.options if settings[o.name] != o.default}
    is_stopped = stop is not None and stop.is_set()
    if isinstance(chosen, AnytimeSearch) and not record.nodes and not is_stopped:
        raise SearchError("{} keeps no record of its search", algorithm)
    return record
