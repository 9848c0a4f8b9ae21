"""One search from beginning to end: compilation, the clock, the answer. Iterations are in `deepening`.

The search runs in its own thread. The calling thread keeps the time, reports progress and receives Ctrl-C.
To end the search, it sets the monitor's limit to STOP, which compiled code reads at every node.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.native import Constant, functions, process
from gambito.search.algorithm import Algorithm
from gambito.search.limits import Limits, Progress, Stop
from gambito.search.monitor import (
    DECISION,
    EVALUATIONS,
    FAULTS,
    HIGH,
    LIMIT,
    LOW,
    NODES,
    OUT_OF_RANGE,
    REACH,
    ROOT,
    STOP,
)
from gambito.search.search_result import SearchResult
from gambito.search.session import Session
from gambito.search.task import Ongoing, SearchTask, Stopped, TaskResult
from gambito.search.thread import DeepThread

if TYPE_CHECKING:
    from concurrent.futures import Future

PROGRESS_SECONDS = 0.1  # seconds between two calls of `progress`
GRACE_SECONDS = 0.04  # seconds that the first iteration may be late: without it no action is known to be good
COMPILER_POLL_SECONDS = 0.05  # seconds between two looks at a child process that compiles
MAX_WAIT_SECONDS = 1.0  # the longest single wait: some systems deliver Ctrl-C only between two waits
UNRESPONSIVE_SECONDS = 10.0  # seconds that an algorithm of one's own may go on after its end
STALLED_SECONDS = 30.0  # seconds in which it may count no state, if states are its limit
ROUNDING = 1e-9  # the part of a game's range by which sums of fractions may leave it
_WARM: set[Any] = set()  # what has been compiled or loaded in this process


class Runner:
    """One call of `search`: compilation, the thread and the clock. Each kind of algorithm has a subclass."""

    deepens = False  # it runs one search after another, each deeper than the last

    def __init__(
        self,
        chosen: Algorithm,
        task: SearchTask,
        limits: Limits,
        position: str = "",
        stop: Stop | None = None,
        progress: Callable[[Progress], Any] | None = None,
    ) -> None:
        self.chosen, self.task, self.limits = chosen, task, limits
        self.position, self.stop, self.progress = position, stop, progress
        self.best: SearchResult | None = None
        self.worker: DeepThread | None = None
        self.seconds = 0.0
        # Begins to compile in a child process, while the Python gear searches; None: compile first.
        self.compile_ahead: Callable[[Any], Future[Any] | None] | None = None
        # Checks that compiled rules say the same, before an answer relies on them. A child has done so.
        self.check_gears: Callable[[], None] | None = None
        self._child: Future[Any] | None = None
        self._compiled: SearchTask | None = None  # the task in the native gear, which waits for the child
        self._next: SearchTask | None = None  # the same, as soon as there is compiled code
        self._is_over = False  # somebody has ended the search
        self._began = 0.0
        self._prepared = 0.0  # seconds of preparations before the search began
        self._counted = -1, 0.0  # states so far, and since when there are as many
        self._answer = TaskResult()  # of the last search
        self._others = {NODES: 0, EVALUATIONS: 0}  # counted by threads other than the one with the monitor

    def run(self) -> SearchResult:
        compiled = functions.compile_seconds()
        try:
            compile_seconds = 0.0 if self._goes_ahead() else self._prepare()
            self._run()
        except Stopped:  # it took too long to prepare the search
            compile_seconds = functions.compile_seconds() - compiled
        found = self.best or self._fallback()
        self._check_values(found)
        self._charge(found, self.seconds)
        found.compile_seconds = compile_seconds
        return found

    def _run(self) -> None:
        """Search in another thread, and keep its time."""
        self._began = time.perf_counter() - self._prepared
        self.task.ongoing.seconds = self.limits.seconds
        with self.stop.calling(self.end) if self.stop is not None else contextlib.nullcontext():
            self.worker = DeepThread(self._work)
            try:
                self._wait(self.worker)
            except BaseException:  # Ctrl-C, or `progress` raised
                self.end()
                self._finish(self.worker)
                raise
            self._finish(self.worker)

    def _prepare(self) -> float:
        """Compile what the search needs, and check it; return the seconds that compilation took."""
        took, before = self._warm_up(self.task), functions.compile_seconds()
        if self.check_gears is not None and isinstance(self.task.game, Constant):
            self.check_gears()
        return took + functions.compile_seconds() - before

    def _check_values(self, found: SearchResult) -> None:
        """Raise an error if the rules gave a value that the game does not have: then nothing is known."""
        is_estimate = found.confidence is not None  # by chance it may lie outside
        check_value(self.task.rules, None if is_estimate else found.value)

    def _charge(self, found: SearchResult, seconds: float) -> None:
        """Write down what the search has cost so far."""
        found.seconds = seconds
        found.nodes, found.evaluations = self._count(NODES), self._count(EVALUATIONS)

    def _count(self, place: int) -> int:
        return int(self.task.monitor.data[place]) + self._others[place]

    def _goes_ahead(self) -> bool:
        """Does the Python gear begin, because the code must be compiled first and a child process does it?"""
        if self.compile_ahead is None or not isinstance(self.task.game, Constant):
            return False
        try:
            with functions.finding():
                self._warm_up(self.task)
            return False
        except functions.NotCompiled:
            self._child = self.compile_ahead(self._mark(self.task))
        if self._child is None:
            return False
        self._compiled = native = self.task
        plain = type(native.monitor)(data=native.monitor.data.tolist())
        self.task = replace(native, game=native.rules, monitor=plain, session=Session(), threads=1)
        return True

    def _mark(self, task: SearchTask) -> Any:
        """What the compiled code of a question depends on."""
        inner, smallest = task.game, self._smallest(task)
        shape = (smallest.threads > 1, smallest.endings is None)
        search = (self.chosen.name, self.chosen.run)  # one's own functions may share a name
        return (*search, inner.label, inner.key, frozenset(smallest.options.items()), *shape)

    def _warm_up(self, task: SearchTask) -> float:
        """Compile everything before the clock starts, with a search that is stopped before it begins.

        This runs in the calling thread: another one could not compile while a module is being imported.
        """
        if not isinstance(task.game, Constant) or (mark := self._mark(task)) in _WARM:
            return 0.0
        monitor, before, began = task.monitor, functions.compile_seconds(), time.perf_counter()

        def is_late() -> bool:
            spent = time.perf_counter() - began - (functions.compile_seconds() - before)
            is_stopped = self.stop is not None and self.stop.is_set()
            return is_stopped or spent > (self.limits.seconds or float("inf"))

        ongoing = Ongoing(is_late=is_late, seconds=self.limits.seconds)
        smallest = replace(self._smallest(task), ongoing=ongoing)
        limit = monitor.data[LIMIT]
        monitor.data[LIMIT] = STOP
        monitor.start(self._row(smallest), [])
        try:
            self.chosen.run(smallest)
        finally:
            monitor.data[LIMIT], monitor.data[NODES], monitor.data[EVALUATIONS] = limit, 0, 0
        self._prepared += smallest.ongoing.prepared
        _WARM.add(mark)
        took = functions.compile_seconds() - before
        if took > 0:
            process.settle()
        return took

    def _row(self, task: SearchTask) -> int:
        """The row of the root in the monitor."""
        return task.depth

    def _smallest(self, task: SearchTask) -> SearchTask:
        """A small question that needs the same compiled code as this one."""
        return replace(task, depth=1, session=Session(), ongoing=Ongoing())

    # ---- the calling thread ----------------------------------------------------------------------
    def _finish(self, worker: DeepThread) -> None:
        """Wait for the search; one of one's own that does not end is left behind."""
        latest = time.perf_counter() + UNRESPONSIVE_SECONDS
        while self.chosen.is_own and not worker.is_done:
            if time.perf_counter() > latest:
                raise SearchError(
                    "{} goes on after its limit; it must count its states and ask `watch.is_stopped()`",
                    self.chosen.name,
                )
            worker.wait(COMPILER_POLL_SECONDS)
        worker.finish()

    def _is_stalled(self, now: float) -> bool:
        """Has an algorithm of one's own counted no state for long, though states are its limit?"""
        count = self._count(NODES)
        if self.limits.nodes is None or not self.chosen.is_own or count != self._counted[0]:
            self._counted = count, now
        return now - self._counted[1] > STALLED_SECONDS

    def _wait(self, worker: DeepThread) -> None:
        """Keep the time and report progress until the search is done."""
        end = self._began + (self.limits.seconds or float("inf"))
        tick = self._began + PROGRESS_SECONDS if self.progress is not None else float("inf")
        told = None
        while not worker.is_done:
            if self._child is not None and self._child.done():
                self._call_compiled()
            now = time.perf_counter()
            is_graced = self.deepens and self.best is None
            if now >= end + GRACE_SECONDS or (now >= end and not is_graced) or self._is_stalled(now):
                self.end()
                return
            if self.progress is not None and (now >= tick or told is not self.best):
                told, tick = self.best, now + PROGRESS_SECONDS
                self.progress(self._progress())
            nap = MAX_WAIT_SECONDS if self._child is None else COMPILER_POLL_SECONDS
            latest = end + GRACE_SECONDS if now >= end else end
            worker.wait(min(latest, tick, now + nap) - time.perf_counter())

    def _call_compiled(self) -> None:
        """The child process has ended: stop the search in the Python gear, so that the compiled code takes
        over. If the child has failed, the Python gear goes on; the next search will tell why."""
        assert self._child is not None and self._compiled is not None
        failed, self._child = self._child.exception(), None
        if failed is None:
            self._warm_up(self._compiled)
            self._next = replace(self._compiled, ongoing=Ongoing())
            _stop(self.task)

    def _progress(self) -> Progress:
        data, unit = self.task.monitor.data, self.task.ongoing.unit
        seconds = time.perf_counter() - self._began
        found, low, high = self._so_far()
        if data[LOW] <= data[HIGH]:
            low, high = -(-int(data[LOW]) // unit), int(data[HIGH]) // unit
        is_ahead = self._child is not None
        return Progress(self.task.depth, self._count(NODES), seconds, found, low, high, is_ahead)

    def _so_far(self) -> tuple[SearchResult | None, Any, Any]:
        """The best result so far, and the known bounds of the value."""
        return self.best, self._answer.low, self._answer.high

    def end(self) -> None:
        """Stop the search; it ends at its next node. Any thread may call this."""
        self._is_over = True
        for task in (self.task, self._next):
            if task is not None:
                _stop(task)

    # ---- the searching thread --------------------------------------------------------------------
    def _work(self) -> None:
        began = time.perf_counter()
        try:
            with self.task.ongoing.until_end:
                self._search()
            if self._is_replaced():
                self._search()
        finally:
            self.seconds = time.perf_counter() - began

    def _search(self) -> None:
        """Run the whole search, or go on after the iterations that are done; its result becomes `best`."""
        raise NotImplementedError

    def _is_replaced(self) -> bool:
        """Was the search stopped for compiled code? Then that is the task from now on."""
        if self._next is None or self._is_over or (self.best is not None and self.best.exact):
            return False
        before, data = self.task.monitor.data, self._next.monitor.data
        data[NODES], data[EVALUATIONS] = before[NODES], before[EVALUATIONS]
        self.task = replace(self._next, guess=self.task.guess)
        return True

    def _ask(self, guide: list[int]) -> TaskResult:
        """Run one search and add up what other threads counted in it."""
        self.task.monitor.start(self._row(self.task), guide)
        try:
            answer = self.chosen.run(self.task)
        except Stopped:
            answer = TaskResult(exact=False)
        self._answer = answer
        self.task.monitor.complain()
        self._others[NODES] += answer.nodes
        self._others[EVALUATIONS] += answer.evaluations
        return answer

    def _is_stopped(self) -> bool:
        return bool(self.task.monitor.data[LIMIT] == STOP)

    # ---- the answer ------------------------------------------------------------------------------
    def _actions(self) -> list[int]:
        """The actions to choose from at the root; none if chance decides there."""
        rules, state = self.task.rules, self.task.state
        return [] if rules.player(state) == CHANCE else list(self.task.root_actions or rules.legal(state))

    def _fallback(self) -> SearchResult:
        """The best that is known if the search was stopped before its first iteration was done."""
        task, rules, monitor = self.task, self.task.rules, self.task.monitor
        actions = self._actions()
        begun = [int(monitor.data[DECISION]), *monitor.line(self._row(task))[:1], self._answer.action]
        line = [action for action in begun if action in actions][:1] or self._glance(actions)
        value = rules.evaluate(task.state, max(rules.player(task.state), 0))
        return self._found(self._answer, line, value, 0, False, None, None)

    def _glance(self, actions: list[int]) -> list[int]:
        """An action to take if the search has said nothing yet, as a line."""
        return actions[:1]

    def _found(
        self, answer: TaskResult, line: list[int], value: Any, depth: int, exact: bool, low: Any, high: Any
    ) -> SearchResult:
        task, monitor = self.task, self.task.monitor
        found = SearchResult(task.rules, task.state, self.position, self.chosen.name, task.gear)
        is_known = value is not None and abs(value) < task.rules.infinity
        found.action = line[0] if line and line[0] != NO_ACTION else None
        found.value, found.line = self._number(value) if is_known else None, line
        found.depth, found.exact, found.values = depth, exact, answer.values
        found.low, found.high = (None if bound is None else bound + 0 for bound in (low, high))
        found.ends_in, found.expanded = answer.ends_in, answer.expanded
        found.confidence = None if low is None or low == high else answer.confidence
        found.reach = max(depth, int(monitor.data[ROOT] - monitor.data[REACH]))
        return found

    def _number(self, value: Any) -> Any:
        """A value with the game's type."""
        return float(value) + 0.0 if self.task.rules.value is float else int(value)  # 0 has no sign


def _stop(task: SearchTask) -> None:
    task.ongoing.is_ended = True
    task.ongoing.stop.set()
    for monitor in (task.monitor, *task.ongoing.inner):
        monitor.data[LIMIT] = STOP


def check_value(rules: Game, value: Any) -> None:
    """Raise an error if a value of the root lies outside the game's range."""
    is_float = isinstance(value, float)
    spare = ROUNDING * max(1.0, abs(rules.lowest), abs(rules.highest)) if is_float else 0
    if value is not None and not rules.lowest - spare <= value <= rules.highest + spare:
        raise SearchError(FAULTS[OUT_OF_RANGE])


class AnytimeRunner(Runner):
    """Runs one search that has an answer at any time."""

    def _search(self) -> None:
        before, self.best = self.best, None
        self.best = self._read(self._ask([])) or before

    def _so_far(self) -> tuple[SearchResult | None, Any, Any]:
        ask = self.task.ongoing.answer
        if self.best is not None or ask is None:
            return super()._so_far()
        answer = ask()
        return self._read(answer), answer.low, answer.high

    def _read(self, answer: TaskResult) -> SearchResult | None:
        if answer.action is None:
            return None
        known = (answer.value, answer.depth, answer.exact, answer.low, answer.high)
        found = self._found(answer, answer.line or [], *known)
        found.candidates, found.policy = answer.candidates, answer.policy
        return found

    def _number(self, value: Any) -> Any:
        return float(value) + 0.0


class StrategyRunner(AnytimeRunner):
    """Runs an algorithm that learns strategies, which has an answer even where chance decides."""

    def _read(self, answer: TaskResult) -> SearchResult | None:
        if answer.iterations is None:  # it was ended before it began to learn
            return None
        known = (answer.value, answer.depth, answer.exact, answer.low, answer.high)
        found = self._found(answer, answer.line or [], *known)
        found.policy, found.strategy = answer.policy, answer.strategy
        found.exploitability, found.iterations = answer.exploitability, answer.iterations
        return found

    def _fallback(self) -> SearchResult:
        """An action at least, if a player has to decide; nothing was learned."""
        return replace(super()._fallback(), value=None, iterations=0)


class PuzzleRunner(Runner):
    """Runs one search for a goal."""

    def _row(self, task: SearchTask) -> int:
        return 0  # these searches keep their own path

    def _smallest(self, task: SearchTask) -> SearchTask:
        return replace(task, session=Session(), ongoing=Ongoing())

    def _search(self) -> None:
        answer = self._ask([])
        if not self._is_stopped():
            line, exact = answer.line or [], answer.exact
            value = None if answer.cost is None else -answer.cost
            self.best = self._found(answer, line, value, len(line), exact, value, value if exact else None)
            self.best.cost = answer.cost

    def _check_values(self, found: SearchResult) -> None:
        """Costs have no range."""

    def _fallback(self) -> SearchResult:
        return self._found(self._answer, [], None, 0, False, None, None)
