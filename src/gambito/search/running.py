"""One search from its beginning to its end: compilation, iterative deepening, the clock, the answer.

The search runs in a thread of its own. The calling thread keeps the time, tells of progress and hears Ctrl-C;
whatever ends the search turns the watch's limit to STOP, which compiled code reads at every node.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from typing import Any

from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.game.gears import gears
from gambito.native import Constant, functions, process
from gambito.search.algorithm import Algorithm, Task
from gambito.search.found import Found
from gambito.search.limits import Limits, Progress, Stop, expected_seconds
from gambito.search.thread import DeepThread
from gambito.search.watch import (
    DECISION,
    EVALUATIONS,
    HIGH,
    HORIZON,
    LIMIT,
    LOW,
    NODES,
    REACH,
    ROOT,
    STOP,
    Watch,
    new_watch,
)

TICK = 0.1  # seconds between two calls of `progress`
LEAP = (
    8  # plies: so much short of half the way the rest of a game that can solve its ending is searched at once
)
GRACE = 0.01  # seconds, at most as many as were given, that the first iteration may be late
NAP = 1.0  # the longest wait in one piece: some systems hear Ctrl-C only between two
_WARM: set[Any] = set()  # what has been compiled or loaded in this process


class Drive:
    """One call of `search`: the deepening loop and the clock around an algorithm."""

    def __init__(
        self,
        chosen: Algorithm,
        task: Task,
        deepens: bool,
        limits: Limits,
        gear: str,
        position: str = "",
        stop: Stop | None = None,
        progress: Callable[[Progress], Any] | None = None,
    ) -> None:
        self.chosen, self.task, self.deepens, self.limits, self.gear = chosen, task, deepens, limits, gear
        self.position, self.stop, self.progress = position, stop, progress
        self.deepest = task.depth
        self.remembers = bool(task.memory)  # then no horizon seen does not mean that none was there
        self.best: Found | None = None
        self.worker: DeepThread | None = None
        self.seconds = 0.0
        self._began = 0.0
        self._is_stopped = False
        task.is_ended = lambda: self._is_stopped
        self._reading: Watch | None = None  # the watch of a line that is read out

    def run(self) -> Found:
        compile_seconds = self._warm_up()
        self._began = time.perf_counter()
        with self.stop.calling(self.end) if self.stop is not None else contextlib.nullcontext():
            self.worker = DeepThread(self._work)
            try:
                self._wait(self.worker)
            except BaseException:  # Ctrl-C, or `progress` raised
                self.end()
                self.worker.finish()
                raise
            self.worker.finish()
        found = self.best or self._fallback()
        self._charge(found, self.seconds)
        found.compile_seconds = compile_seconds
        return found

    def _charge(self, found: Found, seconds: float) -> None:
        """What the search has cost so far."""
        found.seconds = seconds
        found.nodes, found.evaluations = self._count("nodes", NODES), self._count("evaluations", EVALUATIONS)

    def _count(self, name: str, place: int) -> int:
        return int(self.task.watch.data[place]) + int(self.task.memory.get(name, 0))

    def _warm_up(self) -> float:
        """Have everything compiled before the clock starts: a search that is stopped before it begins.

        In the calling thread: another one could not compile while a module is being imported.
        """
        inner = self.task.game
        if not isinstance(inner, Constant):
            return 0.0
        threads = self.task.threads if self.chosen.anytime else 1  # others share what one thread runs
        shape = (threads > 1, self.task.endings is None)
        mark = (self.chosen.name, inner.label, inner.key, frozenset(self.task.options.items()), *shape)
        if mark in _WARM:
            return 0.0
        watch, before = self.task.watch, functions.compile_seconds()
        limit = watch.data[LIMIT]
        watch.data[LIMIT] = STOP
        if self.chosen.one_agent:
            watch.start(0, [])
            self.chosen.run(dataclasses.replace(self.task, memory={}))
        else:
            watch.start(1 + self.chosen.extra_plies, [])
            self.chosen.run(dataclasses.replace(self.task, depth=1, threads=threads, memory={}))
        watch.data[LIMIT], watch.data[NODES], watch.data[EVALUATIONS] = limit, 0, 0
        _WARM.add(mark)
        took = functions.compile_seconds() - before
        if took > 0:
            process.settle()
        return took

    # ---- the calling thread ----------------------------------------------------------------------
    def _wait(self, worker: DeepThread) -> None:
        """Keep the time and tell of progress until the search is done."""
        end = self._began + (self.limits.seconds or float("inf"))
        tick = self._began + TICK if self.progress is not None else float("inf")
        told, is_graced = None, False
        while not worker.is_done:
            now = time.perf_counter()
            if now >= end:
                if is_graced or self.best is not None or not self.deepens:
                    self.end()
                    return
                end, is_graced = now + min(GRACE, self.limits.seconds or 0), True
            if self.progress is not None and (now >= tick or told is not self.best):
                told, tick = self.best, now + TICK
                self.progress(self._progress())
            worker.wait(min(end, tick, now + NAP) - time.perf_counter())

    def _progress(self) -> Progress:
        task = self.task
        seconds = time.perf_counter() - self._began
        found = self.best
        if found is None and task.peek is not None:
            task.peek()
            found = self._so_far()
        low, high = task.low, task.high
        if task.watch.data[LOW] <= task.watch.data[HIGH]:
            low, high = -(-int(task.watch.data[LOW]) // task.unit), int(task.watch.data[HIGH]) // task.unit
        return Progress(task.depth, self._count("nodes", NODES), seconds, found, low, high)

    def end(self) -> None:
        """Stop the search; it leaves at its next node. May be called by any thread."""
        self._is_stopped = True
        for watch in (self.task.watch, self._reading):
            if watch is not None:
                watch.data[LIMIT] = STOP

    # ---- the searching thread --------------------------------------------------------------------
    def _work(self) -> None:
        began = time.perf_counter()
        try:
            if self.deepens:
                self._deepen()
            else:
                self.best = self._solve() if self.chosen.one_agent else self._iterate(self.deepest, [])
        finally:
            self.seconds = time.perf_counter() - began

    def _deepen(self) -> None:
        """Iterative deepening: the line of one iteration is tried first in the next."""
        guide: list[int] = []
        times: list[float] = []
        depth = 0
        while depth < self.deepest:
            depth = self._next_depth(depth)
            before = time.perf_counter()
            found = self._iterate(depth, guide)
            if found is None:
                self._take_over()
                return
            self._charge(found, time.perf_counter() - self._began)
            self.best, guide = found, found.line
            if found.exact:
                return
            self.task.guess = found.value if found.value is not None else self.task.guess
            times.append(time.perf_counter() - before)
            if self._is_enough(times) or self._is_seen(found):
                return
            if self.worker is not None and (self.progress is not None or depth == 1):
                self.worker.wake()

    def _next_depth(self, depth: int) -> int:
        """The next ply, or the one after a roll; or the end of the game, where that is near and the game can
        play it out itself."""
        rules = self.task.rules
        if type(rules).solve_ending is not Game.solve_ending and self.deepest == rules.plies_left(
            self.task.state
        ):
            if depth >= max(self.deepest // 2 - LEAP, 1):
                return self.deepest
        return min(depth + (2 if rules.rolls_between and depth else 1), self.deepest)

    def _take_over(self) -> None:
        """What a stopped iteration has found better than the last one's action is better: that came first."""
        decision = int(self.task.watch.data[DECISION])
        if self.best is not None and decision not in (NO_ACTION, self.best.action):
            self.best = dataclasses.replace(self.best, action=decision, line=[decision])

    def _is_enough(self, times: list[float]) -> bool:
        """Should no iteration begin after those that took these times?"""
        if self.limits.soft is None:
            return False
        passed = time.perf_counter() - self._began
        left = (self.limits.seconds or float("inf")) - passed
        return passed >= self.limits.soft or expected_seconds(times) > left

    def _is_seen(self, found: Found) -> bool:
        """Was a forced end seen twice as far off as it is? On a clock no sooner one is looked for."""
        return self.limits.soft is not None and found.ends_in is not None and found.depth > 2 * found.ends_in

    def _iterate(self, depth: int, guide: list[int]) -> Found | None:
        """One search to a depth; None if it was stopped."""
        task, watch = self.task, self.task.watch
        task.depth = depth
        row = depth + self.chosen.extra_plies
        watch.start(row, guide)
        value = self.chosen.run(task)
        if watch.data[LIMIT] == STOP and not self.chosen.anytime:
            return None
        if self.chosen.anytime:
            return self._so_far()
        whole = int(watch.data[HORIZON]) == 0 and not (
            self.remembers and depth < min(task.rules.longest or depth + 1, task.rules.plies_left(task.state))
        )
        line = watch.line(row) if self.chosen.gives_line else []
        line = task.line if task.line is not None else line
        if task.action is not None and line[:1] != [task.action]:
            line = [task.action]
        if self.chosen.gives_value and self.chosen.gives_line:
            line = self._whole_line(line, value, depth) if self.chosen.reads_out else line
            line = line or self._actions()[:1]  # known without a look: every action is worth it
        low, high = (value, value) if self.chosen.gives_value else (task.low, task.high)
        exact = (whole or task.is_sure) and task.exact
        return self._found(line, value, depth, exact, low, high)

    def _solve(self) -> Found | None:
        """One search of a puzzle; None if it was stopped."""
        task, watch = self.task, self.task.watch
        watch.start(0, [])
        cost = self.chosen.run(task)
        if watch.data[LIMIT] == STOP:
            return None
        line = task.line or []
        value = None if cost is None else -cost
        found = self._found(line, value, len(line), task.exact, value, value if task.exact else None)
        found.cost = cost
        return found

    def _so_far(self) -> Found | None:
        """The answer of a search that is anytime."""
        task = self.task
        if task.action is None:
            return None
        found = self._found(task.line or [], task.value, task.reached, task.exact, task.low, task.high)
        found.candidates = task.candidates
        return found

    def _whole_line(self, line: list[int], value: Any, depth: int) -> list[int]:
        """Some searches know the value of a line before its end: the rest is searched with the value known.

        The nodes of this reading-out are not counted, nor watched; a stopped one leaves the line as it is.
        """
        if len(line) == depth:
            return line
        task, rules = self.task, self.task.rules
        root = task.state
        self._reading = reading = new_watch(Watch, self.gear, depth - len(line))
        reader = dataclasses.replace(task, watch=reading)
        state, sign = root, 1
        for action in line:
            child = rules.result(state, action)
            sign = sign if rules.player(child) == rules.player(state) else -sign
            state = child
        while len(line) < depth and not rules.is_terminal(state) and not _repeats(rules, root, line):
            if self._is_stopped:
                break
            known = sign * value
            reader.state, reader.depth = gears(rules).enter(state), depth - len(line)
            reader.alpha, reader.beta, reader.guess = known - rules.step, known + rules.step, known
            reading.start(reader.depth, [])
            self.chosen.run(reader)
            more = [] if self._is_stopped else reading.line(reader.depth)
            if not more:
                break
            for action in more:
                child = rules.result(state, action)
                sign = sign if rules.player(child) == rules.player(state) else -sign
                state = child
            line = line + more
        self._reading = None
        return line

    # ---- the answer ------------------------------------------------------------------------------
    def _actions(self) -> list[int]:
        """What can be chosen at the root: nothing where chance decides."""
        rules, state = self.task.rules, self.task.state
        return [] if rules.player(state) == CHANCE else rules.legal(state)

    def _fallback(self) -> Found:
        """The search was stopped before its first iteration was done: the first action, unsearched."""
        task, rules = self.task, self.task.rules
        if self.chosen.one_agent:
            return self._found([], None, 0, False, None, None)
        actions = list(task.among or self._actions())
        begun = [int(task.watch.data[DECISION]), *task.watch.line(task.depth + self.chosen.extra_plies)[:1]]
        line = [action for action in begun if action in actions][:1] or actions[:1]
        value = rules.evaluate(task.state, max(rules.player(task.state), 0))
        return self._found(line, value, 0, False, None, None)

    def _found(self, line: list[int], value: Any, depth: int, exact: bool, low: Any, high: Any) -> Found:
        task = self.task
        action = line[0] if line and line[0] != NO_ACTION else None
        kind = float if task.rules.value is float or self.chosen.expects else int
        value = None if value is None or abs(value) >= task.rules.infinity else kind(value)
        found = Found(task.rules, task.state, self.position, self.chosen.name, self.gear)
        found.action, found.value, found.line = action, value, line
        found.depth, found.exact, found.low, found.high = depth, exact, low, high
        found.ends_in, found.expanded = task.ends_in, task.memory.get("expanded")
        found.reach = max(depth, int(task.watch.data[ROOT] - task.watch.data[REACH]))
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
