"""Depth searches: one search or iterative deepening, and the completion of the line that was found."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from gambito.game.contract import NO_ACTION, Game
from gambito.game.gears import gears
from gambito.native import above, below
from gambito.search.algorithm import BOUNDS, LINE, NEVER, DepthSearch
from gambito.search.limits import expected_seconds, patience
from gambito.search.monitor import DECISION, HORIZON, LIMIT, STOP, Monitor, new_monitor
from gambito.search.running import Runner
from gambito.search.search_result import RankedLine, SearchResult
from gambito.search.task import SearchTask, TaskResult

GLANCE = 0.005  # seconds for a look at the actions if the first search was stopped before it saw any
LEAP = 8  # this many plies before half the way, a search of a game that solves its ending goes to the end


class DepthRunner(Runner):
    """Runs a search to one depth, or to one depth after another."""

    chosen: DepthSearch

    def __init__(self, chosen: DepthSearch, task: SearchTask, *given: Any, **more: Any) -> None:
        super().__init__(chosen, task, *given, **more)
        self.deepens = chosen.deepening != NEVER and (self.limits.deepens or task.options["deepen"])
        self.deepest = task.depth
        # A search that uses a table may not see the horizon, even if there is one.
        self.remembers = not task.session.is_empty()
        self._reading: Monitor | None = None  # the monitor of a line that is being completed
        self._steady, self._fall = (
            0,
            0.0,
        )  # iterations with the same action; what the last one lost of the value
        self._ranked: list[RankedLine] = []  # what the last finished iteration ranked

    def _row(self, task: SearchTask) -> int:
        return task.depth + self.chosen.extra_plies

    def _smallest(self, task: SearchTask) -> SearchTask:
        return replace(super()._smallest(task), threads=1)  # the other threads run the same compiled code

    def end(self) -> None:
        super().end()
        reading = self._reading
        if reading is not None:
            reading.data[LIMIT] = STOP

    def _search(self) -> None:
        if self.deepens:
            self._deepen()
        else:
            self.best = self._iterate(self.deepest, [])

    def _deepen(self) -> None:
        """Deepen iteratively; each iteration tries the line of the previous one first."""
        guide = [] if self.best is None else self.best.line
        times: list[float] = []
        depth = 0 if self.best is None else self.best.depth
        while depth < self.deepest:
            depth = self._next_depth(depth)
            before = time.perf_counter()
            found = self._iterate(depth, guide)
            if found is None:
                self._take_over()
                return
            self._charge(found, time.perf_counter() - self._began)
            self._compare(self.best, found)
            self.best, guide = found, found.line
            if found.exact and all(each.exact for each in found.lines):
                return
            if found.value is not None:
                self.task = replace(self.task, guess=found.value)
            times.append(time.perf_counter() - before)
            if self._is_enough(times) or self._is_seen(found):
                return
            if self.worker is not None and (self.progress is not None or depth == 1):
                self.worker.wake()

    def _next_depth(self, depth: int) -> int:
        """The depth of the next iteration: one ply more, or two if a roll comes between; or the end of the
        game, if it is near and the game can solve it."""
        rules = self.task.rules
        can_solve = type(rules).solve_ending is not Game.solve_ending
        if can_solve and self.deepest == rules.plies_left(self.task.state):
            if depth >= max(self.deepest // 2 - LEAP, 1):
                return self.deepest
        return min(depth + (2 if rules.rolls_between and depth else 1), self.deepest)

    def _take_over(self) -> None:
        """Use the action of a stopped iteration: it tried the previous best action first, so what it prefers
        to that is better."""
        decision = int(self.task.monitor.data[DECISION])
        if self.best is None or self.best.lines or self.task.asks_each:
            return
        if decision not in (NO_ACTION, self.best.action):
            self.best = replace(self.best, action=decision, line=[decision])

    def _compare(self, before: SearchResult | None, found: SearchResult) -> None:
        """Note how long the action has stayed the same, and how far the value has fallen."""
        is_same = before is not None and before.action == found.action
        self._steady = self._steady + 1 if is_same else 0
        self._fall = 0.0
        if before is not None and before.value is not None and found.value is not None:
            self._fall = (before.value - found.value) / self.task.rules.unit()

    def _is_enough(self, times: list[float]) -> bool:
        """Should no more iterations begin, after iterations that took these times?"""
        if self.limits.soft is None:
            return False
        passed = time.perf_counter() - self._began
        left = (self.limits.seconds or float("inf")) - passed
        soft = self.limits.soft * patience(self._steady, self._fall)
        return passed >= soft or expected_seconds(times) > left

    def _is_seen(self, found: SearchResult) -> bool:
        """Did the search go twice as deep as a forced end? Then a search on a clock does not look for a
        sooner one."""
        return self.limits.soft is not None and found.ends_in is not None and found.depth > 2 * found.ends_in

    def _iterate(self, depth: int, guide: list[int]) -> SearchResult | None:
        """One search to a depth; None if it was stopped."""
        self.task = replace(self.task, depth=depth)
        if self.task.lines > 1 or self.task.asks_each:
            return self._rank(depth)
        answer = self._ask(guide)
        if self._is_stopped():
            return None
        exact = (self._is_whole(depth) or self.task.is_sure) and answer.exact
        if not self.task.alpha < answer.value < self.task.beta and answer.action is None:
            return self._found_bound(answer, depth)
        if self.chosen.holds == BOUNDS:
            line = [answer.action] if answer.action is not None else answer.line or []
            return self._found(answer, line, answer.value, depth, exact, answer.low, answer.high)
        line = self.task.monitor.line(self._row(self.task)) if answer.line is None else answer.line
        if self.chosen.holds == LINE and len(line) < depth:
            line, is_proven = self._whole_line(line, answer.value, depth)
            exact = exact and is_proven
            if not line and answer.action is not None:
                line = [answer.action]
            if not line and self.task.ongoing.is_ended:
                return None  # stopped before the action with this value was known
        line = line or self._actions()[:1]  # the value was known without a search: every action is worth it
        return self._found(answer, line, answer.value, depth, exact, answer.value, answer.value)

    def _found_bound(self, answer: TaskResult, depth: int) -> SearchResult:
        """The result of a search whose value lies outside its window: a bound, and the action that shows a
        lower one; the nodes of the search for that action are neither counted nor recorded."""
        task, rules = self.task, self.task.rules
        value = min(max(answer.value, rules.lowest), rules.highest)  # an end may lie beyond them
        if value <= task.alpha:
            return self._found(answer, [], value, depth, False, None, value)
        self._reading = reading = new_monitor(Monitor, task.gear, depth)
        mover, shown = max(rules.player(task.state), 0), list[int]()
        for action in self._actions():
            child = gears(rules).cast(rules.result(task.state, action))
            is_same = max(rules.player(child), 0) == mover
            low, high = (value - rules.step, value) if is_same else (-value, rules.step - value)
            reading.start(depth - 1, [])
            below = {"state": child, "depth": depth - 1, "monitor": reading, "alpha": low, "beta": high}
            found = self.chosen.run(replace(task, **below)).value
            if task.ongoing.is_ended:
                break
            if (found if is_same else -found) >= value:
                shown = [action]
                break
        self._reading = None
        return self._found(answer, shown, value, depth, False, value, None)

    def _rank(self, depth: int) -> SearchResult | None:
        """One search to a depth for the values of several actions; None if it was stopped."""
        whole = self.task
        ranked = self._search_each() if whole.asks_each else self._search_best()
        self.task = whole
        whole.monitor.limit_to(whole.root_actions)
        if self._is_stopped():
            return None
        exact = all(each.exact for each in ranked) if whole.asks_each else ranked[0].exact
        self._ranked = sorted(ranked, key=lambda each: each.rank)
        best = self._ranked[0]
        found = self._found(self._answer, best.line, best.value, depth, exact, best.value, best.value)
        found.ends_in = best.ends_in
        found.lines = self._ranked[: whole.lines] if whole.lines > 1 else []
        return found

    def _search_best(self) -> list[RankedLine]:
        """Search the root for its best action, then among the others, and so on.

        Each search tries what was ranked there before first. Proven lines at the top stay as they are.
        """
        whole, actions, ranked = self.task, self._actions(), list[RankedLine]()
        for before in self._ranked:
            if not before.exact:
                break
            ranked.append(before)
        while len(ranked) < whole.lines and not self._is_stopped():
            taken = {each.action for each in ranked}
            root_actions = (
                [action for action in actions if action not in taken] if taken else whole.root_actions
            )
            guide = next((each for each in self._ranked if each.action not in taken), None)
            guess = whole.guess if guide is None else guide.value
            self.task = replace(whole, root_actions=root_actions, guess=guess)
            whole.monitor.limit_to(root_actions)
            answer = self._ask(guide.line if guide is not None else [])
            if self._is_stopped():
                break
            line = whole.monitor.line(self._row(whole)) if answer.line is None else answer.line
            line = line or list(root_actions or actions)[:1]
            exact = self._is_whole(whole.depth) and answer.exact
            ranked.append(RankedLine(line[0], self._number(answer.value), line, exact, answer.ends_in))
        return ranked

    def _search_each(self) -> list[RankedLine]:
        """Search the children of the actions to choose from one by one, what was ranked best first."""
        whole, before = self.task, {each.action: each for each in self._ranked}
        ranked = list[RankedLine]()
        for action in [*before, *(action for action in self._actions() if action not in before)]:
            each = before.get(action)
            if each is None or not each.exact:
                each = self._search_child(whole, action, each)
            ranked.append(each)
            if self._is_stopped():
                break
        return ranked

    def _search_child(self, whole: SearchTask, action: int, before: RankedLine | None) -> RankedLine:
        """Search the state after an action of the root, one ply less deep."""
        rules, depth = whole.rules, whole.depth - 1
        mover = max(rules.player(whole.state), 0)  # at a chance node values are player 0's
        child = gears(rules).cast(rules.result(whole.state, action))
        if rules.is_terminal(child):
            value = self._number(rules.utility(child, mover))
            return RankedLine(action, value, [action], True, 1 if value else None)  # a draw is no forced end
        if rules.cycles and list(whole.past_states).count(int(rules.key(child))) > 1:
            return RankedLine(action, self._number(rules.repetition(child, mover)), [action], True, None)
        sign = 1 if max(rules.player(child), 0) == mover else -1
        guess = whole.guess if before is None else before.value
        self.task = replace(whole, state=child, depth=depth, root_actions=(), guess=sign * guess)
        whole.monitor.limit_to(())
        answer = self._ask(before.line[1:] if before is not None else [])
        line = whole.monitor.line(self._row(self.task)) if answer.line is None else answer.line
        exact = self._is_whole(depth) and answer.exact
        if self._is_stopped():
            return RankedLine(action, 0, [action], False, None)
        if self.chosen.holds == LINE and len(line) < depth:
            line, is_proven = self._whole_line(line, answer.value, depth)
            exact = exact and is_proven
        value = answer.values[mover] if answer.values else sign * answer.value
        ends_in = None if answer.ends_in is None else answer.ends_in + 1
        return RankedLine(action, self._number(value), [action, *line], exact, ends_in)

    def _glance(self, actions: list[int]) -> list[int]:
        """The action with the best static value after it, as far as a short look goes."""
        rules, state, until = self.task.rules, self.task.state, time.perf_counter() + GLANCE
        mover, best, chosen = max(rules.player(state), 0), -rules.infinity, actions[:1]
        for action in actions:
            child = gears(rules).cast(rules.result(state, action))
            value = (rules.utility if rules.is_terminal(child) else rules.evaluate)(child, mover)
            if value > best:
                best, chosen = value, [action]
            if time.perf_counter() > until:
                break
        return chosen

    def _is_whole(self, depth: int) -> bool:
        """Was the game searched to its end in all lines?"""
        rules, state = self.task.rules, self.task.state
        if int(self.task.monitor.data[HORIZON]) > 0:
            return False
        return not self.remembers or depth >= min(rules.longest or depth + 1, rules.plies_left(state))

    def _whole_line(self, line: list[int], value: Any, depth: int) -> tuple[list[int], bool]:
        """Complete a line whose value was known before its end: search the rest with the known value.

        The nodes of this search are neither counted nor recorded. If it is stopped, the line stays as it is.
        Return also whether its first action is proven: without the horizon, as the value is.
        """
        is_proven = True
        task, rules = self.task, self.task.rules
        root = task.state
        self._reading = reading = new_monitor(Monitor, task.gear, depth - len(line))
        state, sign = root, 1
        for action in line:
            child = rules.result(state, action)
            sign = sign if rules.player(child) == rules.player(state) else -sign
            state = child
        while len(line) < depth and not rules.is_terminal(state) and not _repeats(rules, root, line):
            if task.ongoing.is_ended:
                break
            known, here, left = sign * value, gears(rules).cast(state), depth - len(line)
            window = {
                "alpha": below(known, rules.step),
                "beta": above(known, rules.step),
                "guess": known,
                "is_line": True,
            }
            reading.start(left, [])
            self.chosen.run(replace(task, state=here, depth=left, monitor=reading, root_actions=(), **window))
            is_proven = is_proven and (line != [] or reading.data[HORIZON] == 0)
            more = [] if task.ongoing.is_ended else reading.line(left)
            if not more:
                break
            for action in more:
                child = rules.result(state, action)
                sign = sign if rules.player(child) == rules.player(state) else -sign
                state = child
            line = line + more
        self._reading = None
        return line, is_proven


def _repeats(rules: Game, root: Any, line: list[int]) -> bool:
    """Does the line come back to an earlier position? Then it ends there."""
    if not rules.cycles:
        return False
    state, keys = root, [rules.key(root)]
    for action in line:
        state = rules.result(state, action)
        keys.append(rules.key(state))
    return len(set(map(int, keys))) < len(keys)
