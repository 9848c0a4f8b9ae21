"""The functions that users call: `search`, `solve`, `perft` and `trace`, for any game and any algorithm.

This module checks the arguments and prepares the game for its gear; a runner does the search.
"""

from __future__ import annotations

import math
import numbers
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gambito.errors import GameError, PositionError, SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.first_check import first_check
from gambito.game.gears import GEARS, gears
from gambito.game.judged import judged
from gambito.game.overlay import kept_view
from gambito.game.perft import count_leaves
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load, spec_of
from gambito.memory.endings import endings_of, list_endings
from gambito.native import Constant, below
from gambito.native.functions import compile_seconds
from gambito.search import ahead
from gambito.search.algorithm import (
    Algorithm,
    AnytimeSearch,
    DepthSearch,
    PuzzleSearch,
    StrategySearch,
    find,
)
from gambito.search.chooser import lesson, solver, strongest
from gambito.search.deepening import DepthRunner
from gambito.search.engine.endings import ask, best_actions, check_whole, line_to_the_end
from gambito.search.found import Found
from gambito.search.limits import Limits, Progress, Stop, fitting_memory
from gambito.search.question import Question
from gambito.search.running import AnytimeRunner, PuzzleRunner, Runner, StrategyRunner, check_value
from gambito.search.session import Session
from gambito.search.thread import DEEPEST, DeepThread
from gambito.search.trace.record import Record
from gambito.search.trace.recorder import recording
from gambito.search.watch import NO_LIMIT, Watch, new_watch

if TYPE_CHECKING:
    from concurrent.futures import Future

RUNNERS: dict[type[Algorithm], Callable[..., Runner]] = {
    DepthSearch: DepthRunner,
    AnytimeSearch: AnytimeRunner,
    StrategySearch: StrategyRunner,
    PuzzleSearch: PuzzleRunner,
}
LATER = 1.5  # a search without iterations may take this many times its soft limit
USUAL_SECONDS = 2.0  # the time of a search without any limit
MOST_THREADS = 256
PAIR = 2  # players: the value of the one is minus that of the other
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
    past: Sequence[Any] = (),
    among: Sequence[int] = (),
    lines: int = 1,
    guide: Callable[[Sequence[Any]], Any] | None = None,
    evaluate: Callable[..., Any] | str | None = None,
    **options: Any,
) -> Found:
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
    given: dict[str, Any] = {"past": past, "among": among, "lines": lines, "guide": guide}
    given["evaluate"] = evaluate
    return _search(game, state, algorithm, limits, threads, gear, options, stop, progress, session, **given)


def solve(
    game: Any,
    state: Any = None,
    algorithm: str | None = None,
    threads: int = 1,
    gear: str | None = None,
    **options: Any,
) -> Found:
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
    is_limited = any(options.get(name) for name in ("depth", "seconds", "nodes", "soft", "past", "among"))
    if is_limited or algorithm != "engine":
        return search(game, state, algorithm, **given)
    if game.cycles:
        found = search(game, state, algorithm, nodes=FIRST_NODES[_final_gear(game, gear)], **given)
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


def _solve_listed(found: Found, is_ended: Callable[[], bool]) -> Found | None:
    """The answer from a table of all positions, if the game has so few that it can be made."""
    rules, state, began = found.game, found.state, time.perf_counter()
    spent = compile_seconds()
    most = MOST_LISTED[found.gear]
    tables = list_endings(rules, state, most, found.gear, is_ended)
    if tables is None:
        return None
    inner = gears(rules).shift(found.gear)
    known = ask(inner, tables, state)
    assert known is not None
    solved = Found(rules, state, found.position, found.algorithm, found.gear, exact=True)
    solved.value = solved.low = solved.high = rules.value((known > 0) - (known < 0)) * rules.highest
    solved.line = line_to_the_end(inner, rules, state, [], tables)
    solved.line = solved.line or best_actions(inner, rules, state, tables)[:1]
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
    _check_gear(gear)
    turning = gears(rules)
    inner, start = turning.shift(gear or turning.default()), turning.enter(state)
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
    given: dict[str, Any] = {"kind": recorder, "evaluate": evaluate}
    found = _search(game, state, algorithm, limits, 1, "python", options, stop, **given)
    record: Record = recorder.finished(found, found.depth == 0 and recorder.recorder is not None)
    settings = chosen.read_options(options, game)
    record.options = {o.name: settings[o.name] for o in chosen.options if settings[o.name] != o.default}
    is_stopped = stop is not None and stop.is_set()
    if isinstance(chosen, AnytimeSearch) and not record.nodes and not is_stopped:
        raise SearchError("{} keeps no record of its search", algorithm)
    return record


def _search(
    game: Any,
    state: Any,
    algorithm: str | None,
    limits: Limits,
    threads: int,
    gear: str | None,
    options: dict[str, Any],
    stop: Stop | None = None,
    progress: Callable[[Progress], Any] | None = None,
    session: Session | None = None,
    kind: Callable[..., Watch] = Watch,
    past: Sequence[Any] = (),
    among: Sequence[int] = (),
    lines: int = 1,
    guide: Callable[[Sequence[Any]], Any] | None = None,
    evaluate: Callable[..., Any] | str | None = None,
) -> Found:
    rules, state, position = game_and_state(load(game), state)
    plain = rules
    if evaluate is not None:
        rules = kept_view(plain, judged, evaluate)
    chosen = find(algorithm or strongest(rules))
    limits.check()
    _check(chosen, rules, threads, gear)
    if guide is not None and (not isinstance(chosen, AnytimeSearch) or threads > 1 or not callable(guide)):
        raise SearchError("a guide must be a function, and needs mcts on one thread")
    _check_lines(chosen, lines)
    settings = chosen.read_options(options, rules)
    whole = rules
    if chosen.view is not None:
        rules = kept_view(whole, chosen.view, max(int(whole.player(state)), 0))
    checking = first_check(plain)
    checking.rules()
    turning = gears(rules)
    if gear is None and isinstance(chosen, PuzzleSearch) and not chosen.compiles(rules, settings):
        gear = "python"
    is_ahead = gear == ahead.BOTH or (gear is None and ahead.is_usual())
    # A function is known to this process alone.
    is_ahead = is_ahead and isinstance(algorithm, str | None) and isinstance(evaluate, str | None)
    gear = _final_gear(rules, gear)
    inner = turning.shift(gear)
    state = turning.enter(state)
    settings = chosen.read_values(settings, rules)
    compile_ahead = partial(
        _compile_ahead,
        plain,
        position,
        chosen.spec or chosen.name,
        {**options, "evaluate": evaluate, "threads": threads},
    )
    if rules.is_terminal(state):
        return _over(whole, state, position, chosen.name, gear)
    start, most = RUNNERS[type(chosen)], min(limits.nodes or NO_LIMIT, NO_LIMIT)
    if isinstance(chosen, PuzzleSearch):
        watch = new_watch(kind, gear, 0, most)
        if among:
            raise SearchError("{} looks at all actions and cannot be limited to some of them", chosen.name)
        puzzle = Question(inner, rules, state, limits.depth or 0, 0, 0, watch, settings)
        runner = start(chosen, puzzle, limits, position, stop, progress)
        runner.check_gears = checking.gears
        if is_ahead and kind is Watch:
            runner.compile_ahead = compile_ahead
        return runner.run()
    _check_actions(rules, state, position)

    if not limits.given() and not ends_by_itself(settings):
        limits = usual_limits(rules)
    if isinstance(chosen, AnytimeSearch):
        limits = _for_anytime(limits, settings)
    depth = limits.depth
    deepest = max(1, min(depth or DEEPEST, rules.longest or DEEPEST, rules.plies_left(state), DEEPEST))
    if depth is not None and depth > DEEPEST and (rules.longest or depth) > DEEPEST:
        raise SearchError("depth must be at most {} plies, not {}", DEEPEST, depth)

    _check_choice(rules, state, among)
    alpha, beta = _window(rules, settings)
    if (lines > 1 or among) and any(settings.get(name) is not None for name in ("alpha", "beta", "gamma")):
        raise SearchError("a window is for one search of the root, not for several lines or `among`")
    keys = _keys(rules, state, past)
    tables = endings_of(rules) if settings.get("endings") else None
    can_choose = isinstance(chosen, DepthSearch) and chosen.chooses
    choices = [] if rules.player(state) == CHANCE else list(among or rules.legal(state))
    lines = max(1, min(lines, len(choices)))
    # If every action gets a value, its children are searched: no search of the root has to exclude some.
    is_all = lines > 1 and lines == len(choices) and rules.players <= PAIR
    asks_each = is_all if can_choose else lines > 1 or bool(among)
    if asks_each and rules.cycles:
        keys += 2 * [int(rules.key(state))]  # its children are searched, and must not come back to it
    best = best_actions(inner, rules, state, tables) if can_choose and not among and lines == 1 else []
    rows = deepest + (chosen.extra_plies if isinstance(chosen, DepthSearch) else 0)
    watch = new_watch(kind, gear, rows, most, keys, best or among, len(choices) if lines > 1 else 0)
    if session is None and "memory" in settings and "memory" not in options and limits.seconds is not None:
        settings["memory"] = fitting_memory(limits.seconds, settings["memory"])
    question = Question(
        inner,
        rules,
        state,
        deepest,
        alpha,
        beta,
        watch,
        settings,
        Session() if session is None else session,
        threads,
        guess=rules.value(0) if settings.get("guess") is None else settings["guess"],
        endings=tables,
        is_sure=bool(best),
        guide=guide,
        past=keys,
        among=best or among,
        lines=lines,
        asks_each=asks_each and isinstance(chosen, DepthSearch),
    )
    if rules is not whole and progress is not None:
        progress = partial(_tell_unviewed, whole, progress)
    runner = start(chosen, question, limits, position, stop, progress)
    runner.check_gears = checking.gears
    if is_ahead and kind is Watch and guide is None:
        runner.compile_ahead = compile_ahead
    found = runner.run()
    if tables is not None and found.exact and found.ends_in is not None:
        found.line = [*found.line, *line_to_the_end(inner, rules, state, found.line, tables)]
    check_whole(tables)
    return found if rules is whole else _unviewed(found, whole)


def _compile_ahead(
    game: Game, position: str, algorithm: str, options: dict[str, Any], mark: Any
) -> Future[Any] | None:
    """Begin to compile a search in a child process; None if that is no way."""
    try:
        return ahead.child(mark, _compile, spec_of(game), position, algorithm, options)
    except GameError:  # only this process knows the game
        return None


def _compile(spec: str, position: str, algorithm: str, options: dict[str, Any]) -> None:
    """In the child process: compile what a search needs."""
    search(spec, position, algorithm, nodes=1, gear="native", **options)


def _unviewed(found: Found, game: Game) -> Found:
    """The answer of a search of a view, about the game itself: a line with moves out of turn is cut short,
    and no value is that of the game, in which the others do not play as one."""

    def in_turn(line: list[int]) -> list[int]:
        state = found.state
        for place, action in enumerate(line):
            if action not in game.legal(state):
                return line[:place]
            state = game.result(state, action)
        return line

    found.line, found.game, found.exact = in_turn(found.line), game, False
    found.lines = [replace(each, line=in_turn(each.line), exact=False) for each in found.lines]
    return found


def _tell_unviewed(game: Game, progress: Callable[[Progress], Any], news: Progress) -> None:
    """Tell the progress of a search of a view as that of a search of the game."""
    found = None if news.found is None else _unviewed(replace(news.found), game)
    progress(replace(news, found=found))


def ends_by_itself(settings: dict[str, Any]) -> bool:
    """Does an algorithm with these options end without a limit?"""
    return bool(settings.get("iterations") or settings.get("target"))


def usual_limits(game: Game) -> Limits:
    """The limits of a search without given limits: the same for the API, the terminal and the page."""
    if isinstance(game, Puzzle):
        return Limits()  # until it is solved
    return Limits(seconds=USUAL_SECONDS) if game.usual_depth is None else Limits(depth=game.usual_depth)


def _for_anytime(limits: Limits, settings: dict[str, Any]) -> Limits:
    """The limits of a search without deepening: it ends a little after the soft limit."""
    if not limits.deepens and ends_by_itself(settings):
        return limits
    if not limits.deepens:
        return replace(limits, seconds=USUAL_SECONDS)
    if limits.soft is None:
        return limits
    return replace(limits, seconds=min(limits.seconds or math.inf, LATER * limits.soft), soft=None)


def _over(rules: Game, state: Any, position: str, algorithm: str, gear: str) -> Found:
    """The answer if the game is over and there is nothing to search."""
    value = rules.utility(state, max(rules.player(state), 0))
    check_value(rules, None if isinstance(rules, Puzzle) else value)
    found = Found(rules, state, position, algorithm, gear)
    found.value = found.low = found.high = value
    found.cost = rules.value(0) if isinstance(rules, Puzzle) else None
    found.nodes = found.evaluations = 1
    found.exact = True
    return found


def game_and_state(game: Game, state: Any) -> tuple[Game, Any, str]:
    """The game from the given state on, that state, and its position as text."""
    if state is None:
        state = game.initial()
    position = ""
    if isinstance(state, numbers.Number) and not isinstance(game.initial(), numbers.Number):
        raise PositionError(
            "{} is no state of {}; accepted: a state, its text, or nothing", state, game.label()
        )
    if isinstance(state, str) and not isinstance(game.initial(), str):
        position, state = state, game.parse(state)
    game = game.at(state)
    return game, state, position or game.text(state)


def _check(chosen: Algorithm, game: Game, threads: int, gear: str | None) -> None:
    _check_gear(gear, (*GEARS, ahead.BOTH))
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise SearchError("threads must be a whole number from 1 to {}, not {}", MOST_THREADS, threads)
    if threads > 1 and not chosen.shares:
        raise SearchError("{} runs on one thread, not on {}", chosen.name, threads)
    if reason := chosen.misfit(game):
        raise SearchError(reason)


def _check_actions(game: Game, state: Any, position: str) -> None:
    """Are there actions, and are they what the contract says?"""
    least = min(game.actions(state), default=None)
    if least is None:
        raise SearchError("no action is legal here, but the game is not over: {}", position or state)
    if least < 0:
        raise SearchError("{} has the action {}, and actions are ints of 0 or more", game.label(), least)


def _check_choice(game: Game, state: Any, among: Sequence[int]) -> None:
    if among and game.player(state) == CHANCE:
        raise SearchError("chance decides here, so `among` has nothing to choose from")
    legal = game.legal(state) if among else []
    wrong = [action for action in among if action not in legal]
    if wrong:
        raise SearchError("`among` has the action {}, which is not legal here", wrong[0])


def _window(game: Game, settings: dict[str, Any]) -> tuple[Any, Any]:
    """The window at the root: what the options say, without an end where they say nothing."""
    if "gamma" in settings:
        return below(settings["gamma"], game.step), settings["gamma"]
    alpha, beta = settings.get("alpha"), settings.get("beta")
    alpha = -game.infinity if alpha is None else alpha
    beta = game.infinity if beta is None else beta
    if not alpha < beta:
        raise SearchError("alpha must be below beta, and {} is not below {}", alpha, beta)
    return alpha, beta


def _check_lines(chosen: Algorithm, lines: int) -> None:
    if isinstance(lines, bool) or not isinstance(lines, int) or lines < 1:
        raise SearchError("lines must be a whole number above zero, not {}", lines)
    if lines > 1 and not (isinstance(chosen, DepthSearch) and chosen.gives_value):
        raise SearchError("{} finds one line, not {}", chosen.name, lines)


def _keys(game: Game, state: Any, past: Sequence[Any]) -> list[int]:
    """The keys of the positions before the root that can still come back."""
    if not game.cycles:
        return []
    most = min(game.reversible(state), len(past))
    return [int(game.key(before)) for before in past[len(past) - most :]]


def _final_gear(game: Game, gear: str | None) -> str:
    """The gear that a search has at its end, if it lasts."""
    return gears(game).default() if gear is None or gear == ahead.BOTH else gear


def _check_gear(gear: str | None, known: tuple[str, ...] = GEARS) -> None:
    if gear is not None and gear not in known:
        raise SearchError("unknown gear '{}'; accepted: {}", gear, ", ".join(known))
