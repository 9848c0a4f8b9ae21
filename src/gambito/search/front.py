"""The front door: `search`, `solve` and `trace` for any game and any algorithm.

Here the game is put into gear, the limits are kept, iterative deepening is driven, and the answer becomes
a `Found`. A search runs in a thread of its own with a stack deep enough, so that Ctrl-C and the clock reach
it: both turn the watch's limit to STOP.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from gambito.game.contract import NO_ACTION, Game
from gambito.game.gears import GEARS, gears
from gambito.game.perft import count_leaves
from gambito.game.registry import load
from gambito.native import Constant, functions
from gambito.search.algorithm import Algorithm, SearchError, Task, find
from gambito.search.found import Found
from gambito.search.record import Record
from gambito.search.recorder import recording
from gambito.search.watch import EVALUATIONS, HORIZON, LIMIT, NO_LIMIT, NODES, STOP, Watch, new_watch

DEEPEST = 1000  # plies; the stack below holds that many frames
STACK = 512 << 20
USUAL_SECONDS = 1.0  # where nobody gives a limit
DEFAULT = "alpha-beta"
MOST_THREADS = 256
TRACE_DEPTH = 3  # of a drawn search, where nobody says and the game has no usual depth


def search(
    game: Any,
    state: Any = None,
    algorithm: str = DEFAULT,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    gear: str | None = None,
    **options: Any,
) -> Found:
    """The best action of a state.

    A depth alone is one search to that depth. A limit in seconds or nodes deepens iteratively until it is
    reached, or until the whole game is seen. Without any limit: the game's usual depth, or one second.
    """
    return _search(game, state, algorithm, depth, seconds, nodes, threads, gear, options)


def solve(
    game: Any,
    state: Any = None,
    algorithm: str | None = None,
    threads: int = 1,
    gear: str | None = None,
    **options: Any,
) -> Found:
    """The exact value of a state and a best action, however long it takes.

    By null windows over the engine; by MTD(f) where the engine does not fit.
    """
    game = load(game)
    if algorithm is None:
        algorithm = "mtd-f" if find("engine").misfit(game) else "engine"
    if algorithm == "engine":
        options = {"driver": "bisection", **options}
    depth = min(game.longest or DEEPEST, DEEPEST)
    return search(game, state, algorithm, depth=depth, threads=threads, gear=gear, **options)


def perft(game: Any, state: Any = None, depth: int = 1, gear: str | None = None) -> int:
    """How many sequences of exactly `depth` plies the rules allow."""
    rules, state, _ = _at_the_door(load(game), state)
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= DEEPEST:
        raise SearchError(f"depth must be a whole number from 0 to {DEEPEST}, not {depth}")
    _check_gear(gear)
    turning = gears(rules)
    inner, start = turning.shift(gear or turning.default()), turning.enter(state)
    counts: list[int] = []
    if isinstance(inner, Constant):
        count_leaves.prepare(inner, start, depth)
    _in_thread(lambda: counts.append(int(count_leaves(inner, start, depth))), None, None)
    return counts[0]


def trace(
    game: Any, state: Any = None, algorithm: str = DEFAULT, depth: int | None = None, **options: Any
) -> Record:
    """The record of one search in the Python gear: every node, window, conclusion and cut."""
    game, state, _ = _at_the_door(load(game), state)
    recorder = recording(find(algorithm))
    depth = depth or game.usual_depth or TRACE_DEPTH
    found = _search(game, state, algorithm, depth, None, None, 1, "python", options, recorder)
    return recorder.finished(found)


def _search(
    game: Any,
    state: Any,
    algorithm: str,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    gear: str | None,
    options: dict[str, Any],
    kind: Callable[..., Watch] = Watch,
) -> Found:
    rules, state, position = _at_the_door(load(game), state)
    chosen = find(algorithm)
    _check(chosen, rules, depth, seconds, nodes, threads, gear)
    settings = chosen.read_options(options, rules)
    turning = gears(rules)
    gear = gear or turning.default()
    inner = turning.shift(gear)
    state = turning.enter(state)
    if rules.is_terminal(state):
        return _over(rules, state, position, chosen.name, gear)
    if not rules.legal(state):
        raise SearchError(f"no action is legal here, though the game is not over: {position or state}")

    if depth is None and seconds is None and nodes is None:
        depth = rules.usual_depth
        seconds = None if depth is not None else USUAL_SECONDS
    deepens = chosen.deepens and (seconds is not None or nodes is not None or settings["deepen"])
    deepest = max(1, min(depth or DEEPEST, rules.longest or DEEPEST, rules.plies_left(state), DEEPEST))
    if depth is not None and depth > DEEPEST and (rules.longest or depth) > DEEPEST:
        raise SearchError(f"depth is at most {DEEPEST} plies, not {depth}")

    watch = new_watch(kind, gear, deepest + chosen.extra_plies, min(nodes or NO_LIMIT, NO_LIMIT))
    task = Task(inner, rules, state, deepest, -rules.infinity, rules.infinity, watch, settings)
    task.guess, task.threads = rules.value(0), threads
    drive = _Drive(chosen, task, deepens, seconds, gear)
    found = drive.run()
    found.position = position
    return found


def _over(rules: Game, state: Any, position: str, algorithm: str, gear: str) -> Found:
    """The answer where the game is over: nothing to search."""
    value = rules.utility(state, rules.player(state))
    found = Found(rules, state, position, algorithm, gear)
    found.value = found.low = found.high = value
    found.nodes = found.evaluations = 1
    found.exact = True
    return found


def _at_the_door(game: Game, state: Any) -> tuple[Game, Any, str]:
    """The game as it is from the state on, the state, and the position in words."""
    if state is None:
        state = game.initial()
    position = ""
    if isinstance(state, str) and not isinstance(game.initial(), str):
        position, state = state, game.parse(state)
    game = game.at(state)
    return game, state, position or game.text(state)


def _check(
    chosen: Algorithm,
    game: Game,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    gear: str | None,
) -> None:
    for name, limit, kinds in (
        ("depth", depth, int),
        ("nodes", nodes, int),
        ("seconds", seconds, (int, float)),
    ):
        if limit is None:
            continue
        if isinstance(limit, bool) or not isinstance(limit, kinds) or not limit > 0 or limit == math.inf:
            raise SearchError(f"{name} must be a number above zero, not {limit}")
    _check_gear(gear)
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise SearchError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads}")
    if threads > 1 and not chosen.shares:
        raise SearchError(f"{chosen.name} runs on one thread, not on {threads}")
    reason = chosen.misfit(game)
    if reason:
        raise SearchError(reason)


def _check_gear(gear: str | None) -> None:
    if gear is not None and gear not in GEARS:
        raise SearchError(f"unknown gear '{gear}'; accepted: {', '.join(GEARS)}")


class _Drive:
    """One call of `search`: the deepening loop and the clock around an algorithm."""

    def __init__(
        self, chosen: Algorithm, task: Task, deepens: bool, seconds: float | None, gear: str
    ) -> None:
        self.chosen, self.task, self.deepens, self.seconds, self.gear = chosen, task, deepens, seconds, gear
        self.deepest = task.depth
        self.best: Found | None = None

    def run(self) -> Found:
        watch = self.task.watch
        compile_seconds = self._warm_up()
        began = time.perf_counter()
        _in_thread(self._deepen if self.deepens else self._once, self._stop, self.seconds)
        took = time.perf_counter() - began
        found = self.best or self._fallback()
        found.seconds, found.compile_seconds = took, compile_seconds
        found.nodes = int(watch.data[NODES]) + self.task.memory.get("nodes", 0)
        found.evaluations = int(watch.data[EVALUATIONS]) + self.task.memory.get("evaluations", 0)
        return found

    def _warm_up(self) -> float:
        """Have everything compiled before the clock starts: a search that is stopped before it begins.

        In the calling thread: another one could not compile while a module is being imported.
        """
        if self.gear == "python":
            return 0.0
        watch, before = self.task.watch, functions.compile_seconds()
        limit = watch.data[LIMIT]
        watch.data[LIMIT] = STOP
        watch.start(1 + self.chosen.extra_plies, [])
        self.chosen.run(dataclasses.replace(self.task, depth=1, threads=1, memory={}))
        watch.data[LIMIT], watch.data[NODES], watch.data[EVALUATIONS] = limit, 0, 0
        return functions.compile_seconds() - before

    def _stop(self) -> None:
        self.task.watch.data[LIMIT] = STOP

    def _deepen(self) -> None:
        """Iterative deepening: the line of one iteration is tried first in the next."""
        guide: list[int] = []
        for depth in range(1, self.deepest + 1):
            found = self._iterate(depth, guide)
            if found is None:
                return
            self.best, guide = found, found.line
            self.task.guess = found.value if found.value is not None else self.task.guess
            if found.exact:
                return

    def _once(self) -> None:
        self.best = self._iterate(self.deepest, [])

    def _iterate(self, depth: int, guide: list[int]) -> Found | None:
        """One search to a depth; None if it was stopped."""
        task, watch = self.task, self.task.watch
        task.depth = depth
        row = depth + self.chosen.extra_plies
        watch.start(row, guide)
        value = self.chosen.run(task)
        if watch.data[LIMIT] == STOP:
            return None
        whole = int(watch.data[HORIZON]) == 0
        line = watch.line(row) if self.chosen.gives_line else []
        line = task.line if task.line is not None else line
        if task.action is not None and line[:1] != [task.action]:
            line = [task.action]
        if self.chosen.gives_value and self.chosen.gives_line and self.chosen.reads_out:
            line = self._whole_line(line, value, depth)
        low, high = (value, value) if self.chosen.gives_value else (task.low, task.high)
        exact = whole and task.exact
        return self._found(line, value, depth, exact, low, high)

    def _whole_line(self, line: list[int], value: Any, depth: int) -> list[int]:
        """Some searches know the value of a line before its end: the rest is searched with the value known.

        The nodes of this reading-out are not counted, nor watched.
        """
        if len(line) == depth:
            return line
        task, rules = self.task, self.task.rules
        root, watch = task.state, task.watch
        task.watch = new_watch(Watch, self.gear, depth - len(line))
        state, sign = root, 1
        for action in line:
            child = rules.result(state, action)
            sign = sign if rules.player(child) == rules.player(state) else -sign
            state = child
        while len(line) < depth and not rules.is_terminal(state) and not _repeats(rules, root, line):
            known = sign * value
            task.state, task.depth = gears(rules).enter(state), depth - len(line)
            task.alpha, task.beta, task.guess = known - rules.step, known + rules.step, known
            task.watch.start(task.depth, [])
            self.chosen.run(task)
            more = task.watch.line(task.depth)
            if not more:
                break
            for action in more:
                child = rules.result(state, action)
                sign = sign if rules.player(child) == rules.player(state) else -sign
                state = child
            line = line + more
        task.state, task.watch, task.depth = root, watch, depth
        task.alpha, task.beta = -rules.infinity, rules.infinity
        return line

    def _fallback(self) -> Found:
        """The search was stopped before its first iteration was done: the first action, unsearched."""
        task, rules = self.task, self.task.rules
        actions = rules.legal(task.state)
        begun = task.watch.line(task.depth + self.chosen.extra_plies)
        line = begun or actions[:1]
        value = rules.evaluate(task.state, rules.player(task.state))
        return self._found(line, value, 0, False, None, None)

    def _found(self, line: list[int], value: Any, depth: int, exact: bool, low: Any, high: Any) -> Found:
        task = self.task
        action = line[0] if line and line[0] != NO_ACTION else None
        kind = float if task.rules.value is float else int
        value = None if value is None or abs(value) >= task.rules.infinity else kind(value)
        found = Found(task.rules, task.state, "", self.chosen.name, self.gear)
        found.action, found.value, found.line = action, value, line
        found.depth, found.exact, found.low, found.high = depth, exact, low, high
        return found


def _repeats(rules: Game, root: Any, line: list[int]) -> bool:
    """Does the line come back to a position? Then it ends there."""
    if not rules.cycles:
        return False
    state, keys = root, [rules.key(root)]
    for action in line:
        state = rules.result(state, action)
        keys.append(rules.key(state))
    return len(set(map(int, keys))) < len(keys)


_STACKS = threading.Lock()


def _in_thread(work: Callable[[], Any], stop: Callable[[], None] | None, seconds: float | None) -> None:
    """Do the work in a thread with a deep stack; stop it after `seconds`, or when Ctrl-C is pressed.

    Work that nothing can stop is left behind on Ctrl-C.
    """
    problems: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as problem:
            problems.append(problem)

    with _STACKS:
        before = threading.stack_size(STACK)
        if sys.getrecursionlimit() < 20 * DEEPEST:
            sys.setrecursionlimit(20 * DEEPEST)
        worker = threading.Thread(target=guarded, daemon=True)
        worker.start()
        threading.stack_size(before)
    try:
        worker.join(None if seconds is None else min(seconds, threading.TIMEOUT_MAX))
        if worker.is_alive() and stop is not None:
            stop()
            worker.join()
    except KeyboardInterrupt:
        if stop is not None:
            stop()
            worker.join()
        raise
    if problems:
        raise problems[0]
