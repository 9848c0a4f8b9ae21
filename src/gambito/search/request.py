"""One call of a search in three steps: `resolve` what was asked, make its `task`, `run` it.

Resolving finds the game, the algorithm, its settings and the gear, and refuses in one sentence what does not
fit.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gambito.errors import GameError, PositionError, SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.first_check import FirstCheck, first_check
from gambito.game.game_view import cached_view
from gambito.game.gears import GEARS, gears
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load, spec_of
from gambito.game.with_evaluation import with_evaluation
from gambito.memory.endgame_tables import endings_of
from gambito.native import below
from gambito.search import background_compile
from gambito.search.algorithm import (
    Algorithm,
    AnytimeSearch,
    DepthSearch,
    PuzzleSearch,
    StrategySearch,
    find,
)
from gambito.search.chooser import strongest
from gambito.search.deepening import DepthRunner
from gambito.search.engine.endgame_tables import best_tablebase_actions, check_whole, line_to_the_end
from gambito.search.limits import Limits, Progress, Stop, fitting_memory
from gambito.search.monitor import NO_LIMIT, Monitor, new_monitor
from gambito.search.running import AnytimeRunner, PuzzleRunner, Runner, StrategyRunner, check_value
from gambito.search.search_result import SearchResult
from gambito.search.session import Session
from gambito.search.task import SearchTask
from gambito.search.thread import DEEPEST

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


@dataclass(frozen=True)
class Request:
    """What a caller asks; the fields are explained at `api.search`."""

    game: Any
    state: Any = None
    algorithm: Any = None
    limits: Limits = field(default_factory=Limits)
    threads: int = 1
    gear: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    stop: Stop | None = None
    progress: Callable[[Progress], Any] | None = None
    session: Session | None = None
    kind: Callable[..., Monitor] = Monitor  # makes the monitor
    past_states: Sequence[Any] = ()
    root_actions: Sequence[int] = ()
    lines: int = 1
    guide: Callable[[Sequence[Any]], Any] | None = None
    evaluate: Callable[..., Any] | str | None = None


@dataclass(frozen=True)
class Resolved:
    """What a request comes to."""

    request: Request
    given: Game  # the game that was asked for
    whole: Game  # with the evaluation that was asked for
    rules: Game  # what is searched: this, or a view of it
    state: Any
    position: str
    algorithm: Algorithm
    settings: dict[str, Any]
    gear: str  # at the end of the search, if it lasts
    game: Any  # in that gear
    check: FirstCheck
    is_ahead: bool  # the Python gear may begin while a child process compiles


def answer(request: Request) -> SearchResult:
    """The answer to a request."""
    resolved = resolve(request)
    if resolved.rules.is_terminal(resolved.state):
        return _over(resolved)
    return run(resolved, task(resolved))


def resolve(request: Request) -> Resolved:
    """Find out what a request means, and refuse what cannot be searched."""
    given, state, position = game_and_state(load(request.game), request.state)
    whole = given if request.evaluate is None else cached_view(given, with_evaluation, request.evaluate)
    algorithm = find(request.algorithm or strongest(whole))
    request.limits.check()
    _check(algorithm, whole, request)
    settings = algorithm.read_options(request.options, whole)
    rules = whole
    if algorithm.view is not None:
        rules = cached_view(whole, algorithm.view, max(int(whole.player(state)), 0))
    check = first_check(given)
    check.rules()
    gear = request.gear
    if gear is None and isinstance(algorithm, PuzzleSearch) and not algorithm.compiles(rules, settings):
        gear = "python"
    is_ahead = gear == background_compile.BOTH or (gear is None and background_compile.is_enabled())
    # A function is known to this process alone.
    is_ahead = is_ahead and isinstance(request.algorithm, str | None)
    is_ahead = is_ahead and isinstance(request.evaluate, str | None)
    gear = final_gear(rules, gear)
    both = gears(rules)
    game = both.in_gear(gear)
    state = both.cast(state)
    settings = algorithm.read_values(settings, rules)
    return Resolved(
        request, given, whole, rules, state, position, algorithm, settings, gear, game, check, is_ahead
    )


def task(resolved: Resolved) -> SearchTask:
    """What the algorithm is given."""
    if isinstance(resolved.algorithm, PuzzleSearch):
        return _puzzle_task(resolved)
    request, rules, state, settings = resolved.request, resolved.rules, resolved.state, resolved.settings
    algorithm, root_actions = resolved.algorithm, request.root_actions
    _check_actions(rules, state, resolved.position)
    deepest = _deepest(resolved)
    _check_choice(rules, state, root_actions)
    alpha, beta = _window(rules, settings)
    if (request.lines > 1 or root_actions) and any(
        settings.get(name) is not None for name in ("alpha", "beta", "gamma")
    ):
        raise SearchError("a window is for one search of the root, not for several lines or `root_actions`")
    keys = _keys(rules, state, request.past_states)
    tables = endings_of(rules) if settings.get("endings") else None
    can_choose = isinstance(algorithm, DepthSearch) and algorithm.chooses
    choices = [] if rules.player(state) == CHANCE else list(root_actions or rules.legal(state))
    lines = max(1, min(request.lines, len(choices)))
    # If every action gets a value, its children are searched: no search of the root has to exclude some.
    is_all = lines > 1 and lines == len(choices) and rules.players <= PAIR
    asks_each = is_all if can_choose else lines > 1 or bool(root_actions)
    if asks_each and rules.cycles:
        keys += 2 * [int(rules.key(state))]  # its children are searched, and must not come back to it
    best: Sequence[int] = []
    if can_choose and not root_actions and lines == 1:
        best = best_tablebase_actions(resolved.game, rules, state, tables)
    rows = deepest + (algorithm.extra_plies if isinstance(algorithm, DepthSearch) else 0)
    most = min(request.limits.nodes or NO_LIMIT, NO_LIMIT)
    chosen = best or root_actions
    monitor = new_monitor(
        request.kind, resolved.gear, rows, most, keys, chosen, len(choices) if lines > 1 else 0
    )
    _fit_memory(resolved)
    return SearchTask(
        resolved.game,
        rules,
        state,
        deepest,
        alpha,
        beta,
        monitor,
        settings,
        Session() if request.session is None else request.session,
        request.threads,
        guess=rules.value(0) if settings.get("guess") is None else settings["guess"],
        endings=tables,
        is_sure=bool(best),
        guide=request.guide,
        past_states=keys,
        root_actions=chosen,
        lines=lines,
        asks_each=asks_each and isinstance(algorithm, DepthSearch),
    )


def _puzzle_task(resolved: Resolved) -> SearchTask:
    request = resolved.request
    if request.root_actions:
        raise SearchError(
            "{} looks at all actions and cannot be limited to some of them", resolved.algorithm.name
        )
    monitor = new_monitor(request.kind, resolved.gear, 0, min(request.limits.nodes or NO_LIMIT, NO_LIMIT))
    depth = request.limits.depth or 0
    return SearchTask(resolved.game, resolved.rules, resolved.state, depth, 0, 0, monitor, resolved.settings)


def run(resolved: Resolved, task: SearchTask) -> SearchResult:
    """Run the task, and tell its result about the game that was asked for."""
    request, whole = resolved.request, resolved.whole
    progress = request.progress
    if resolved.rules is not whole and progress is not None:
        progress = partial(_tell_unviewed, whole, progress)
    runner = RUNNERS[type(resolved.algorithm)](
        resolved.algorithm, task, _limits(resolved), resolved.position, request.stop, progress
    )
    runner.check_gears = resolved.check.gears
    if resolved.is_ahead and request.kind is Monitor and request.guide is None:
        runner.compile_ahead = partial(_compile_ahead, resolved)
    found = runner.run()
    if task.endings is not None and found.exact and found.ends_in is not None:
        more = line_to_the_end(resolved.game, resolved.rules, resolved.state, found.line, task.endings)
        found.line = [*found.line, *more]
    check_whole(task.endings)
    return found if resolved.rules is whole else _unviewed(found, whole)


def _limits(resolved: Resolved) -> Limits:
    """The limits of a search: those that were asked for, or the usual ones."""
    limits, settings = resolved.request.limits, resolved.settings
    if isinstance(resolved.algorithm, PuzzleSearch):
        return limits
    if not limits.given() and not ends_by_itself(settings):
        limits = usual_limits(resolved.rules)
    return _for_anytime(limits, settings) if isinstance(resolved.algorithm, AnytimeSearch) else limits


def _deepest(resolved: Resolved) -> int:
    """The most plies that the search may look ahead."""
    rules, depth = resolved.rules, _limits(resolved).depth
    if depth is not None and depth > DEEPEST and (rules.longest or depth) > DEEPEST:
        raise SearchError("depth must be at most {} plies, not {}", DEEPEST, depth)
    left = rules.plies_left(resolved.state)
    return max(1, min(depth or DEEPEST, rules.longest or DEEPEST, left, DEEPEST))


def _fit_memory(resolved: Resolved) -> None:
    """A short search that keeps nothing for the next one needs a small table only."""
    request, seconds = resolved.request, _limits(resolved).seconds
    is_usual = "memory" in resolved.settings and "memory" not in request.options
    if request.session is None and is_usual and seconds is not None:
        resolved.settings["memory"] = fitting_memory(seconds, resolved.settings["memory"])


def _compile_ahead(resolved: Resolved, mark: Any) -> Future[Any] | None:
    """Begin to compile a search in a child process; None if that is no way."""
    request, chosen = resolved.request, resolved.algorithm
    options = {**request.options, "evaluate": request.evaluate, "threads": request.threads}
    try:
        spec = spec_of(resolved.given)
    except GameError:  # only this process knows the game
        return None
    return background_compile.child(
        mark, _compile, spec, resolved.position, chosen.spec or chosen.name, options
    )


def _compile(spec: str, position: str, algorithm: str, options: dict[str, Any]) -> None:
    """In the child process: compile what a search needs."""
    given = {name: options.pop(name) for name in ("evaluate", "threads")}
    answer(Request(spec, position, algorithm, Limits(nodes=1), gear="native", options=options, **given))


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


def _check(algorithm: Algorithm, game: Game, request: Request) -> None:
    """Do the arguments fit each other?"""
    threads, guide, lines = request.threads, request.guide, request.lines
    check_gear(request.gear, (*GEARS, background_compile.BOTH))
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise SearchError("threads must be a whole number from 1 to {}, not {}", MOST_THREADS, threads)
    if threads > 1 and not algorithm.shares:
        raise SearchError("{} runs on one thread, not on {}", algorithm.name, threads)
    if reason := algorithm.misfit(game):
        raise SearchError(reason)
    if guide is not None and (not isinstance(algorithm, AnytimeSearch) or threads > 1 or not callable(guide)):
        raise SearchError("a guide must be a function, and needs mcts on one thread")
    if isinstance(lines, bool) or not isinstance(lines, int) or lines < 1:
        raise SearchError("lines must be a whole number above zero, not {}", lines)
    if lines > 1 and not (isinstance(algorithm, DepthSearch) and algorithm.gives_value):
        raise SearchError("{} finds one line, not {}", algorithm.name, lines)


def _check_actions(game: Game, state: Any, position: str) -> None:
    """Are there actions, and are they what the contract says?"""
    least = min(game.actions(state), default=None)
    if least is None:
        raise SearchError("no action is legal here, but the game is not over: {}", position or state)
    if least < 0:
        raise SearchError("{} has the action {}, and actions are ints of 0 or more", game.label(), least)


def _check_choice(game: Game, state: Any, root_actions: Sequence[int]) -> None:
    if root_actions and game.player(state) == CHANCE:
        raise SearchError("chance decides here, so `root_actions` has nothing to choose from")
    legal = game.legal(state) if root_actions else []
    wrong = [action for action in root_actions if action not in legal]
    if wrong:
        raise SearchError("`root_actions` has the action {}, which is not legal here", wrong[0])


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


def _keys(game: Game, state: Any, past_states: Sequence[Any]) -> list[int]:
    """The keys of the positions before the root that can still come back."""
    if not game.cycles:
        return []
    most = min(game.reversible(state), len(past_states))
    return [int(game.key(before)) for before in past_states[len(past_states) - most :]]


def check_gear(gear: str | None, known: tuple[str, ...] = GEARS) -> None:
    if gear is not None and gear not in known:
        raise SearchError("unknown gear '{}'; accepted: {}", gear, ", ".join(known))


def final_gear(game: Game, gear: str | None) -> str:
    """The gear that a search has at its end, if it lasts."""
    return gears(game).default() if gear is None or gear == background_compile.BOTH else gear


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


def _over(resolved: Resolved) -> SearchResult:
    """The answer if the game is over and there is nothing to search."""
    rules, state = resolved.whole, resolved.state
    value = rules.utility(state, max(rules.player(state), 0))
    check_value(rules, None if isinstance(rules, Puzzle) else value)
    found = SearchResult(rules, state, resolved.position, resolved.algorithm.name, resolved.gear)
    found.value = found.low = found.high = value
    found.cost = rules.value(0) if isinstance(rules, Puzzle) else None
    found.nodes = found.evaluations = 1
    found.exact = True
    return found


def _unviewed(found: SearchResult, game: Game) -> SearchResult:
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
