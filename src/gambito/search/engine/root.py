"""The search of a root by one thread: its value and its line."""

from __future__ import annotations

from gambito.game.contract import NO_ACTION, UNKNOWN, Game
from gambito.memory.table import (
    EXACT,
    LARGEST_VALUE,
    bound_of,
    depth_of,
)
from gambito.native import Constant, uint64
from gambito.search.engine.aspiration import ASPIRATION, BISECTION, DRIVERS, search_windows
from gambito.search.engine.mate_distance import hurried_bounds
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import EngineSession
from gambito.search.engine.table import entry_action, key_and_view
from gambito.search.monitor import DECISION
from gambito.search.task import SearchTask

FORESEEN, FORESEEN_PART = 12, 4  # look ahead before a search to the end: most plies, and part of those left


class RootSearch:
    """The search of a root by one thread."""

    def __init__(self, task: SearchTask, session: EngineSession) -> None:
        self.task, self.session, self.scale = task, session, session.scale
        self.driver = DRIVERS.index(task.options["driver"])

    def search(self) -> int:
        """The value of the root, in the engine's units."""
        task, guess = self.task, int(self.task.guess)
        if self.driver != BISECTION:
            return self._search_windows(self.driver, task.depth, guess, -LARGEST_VALUE, LARGEST_VALUE)
        foreseen = self._foresee(guess)
        if foreseen is not None:
            return self._search_windows(ASPIRATION, task.depth, foreseen, -LARGEST_VALUE, LARGEST_VALUE)
        rules = task.rules
        low, high = rules.bounds(task.state)
        if task.root_actions:
            low = rules.lowest  # what the game promises needs all of its actions
        # Begin one below the lowest value: only a value that is shown to be reached has an action.
        low, high = hurried_bounds(int(low), int(high), 0, UNKNOWN, self.scale)
        return self._search_windows(BISECTION, task.depth, guess, low - 1, high)

    def _search_windows(self, driver: int, depth: int, guess: int, low: int, high: int) -> int:
        task, row = self.task, depth + EXTRA
        window = (guess * self.scale, task.options["aspiration"] * self.scale, low, high)
        context = self.session.context(task.monitor)
        return int(search_windows(task.game, task.state, depth, driver, *window, row, context))

    def _foresee(self, guess: int) -> int | None:
        """The value of shallow searches, before a search to the end of a game that has an evaluation.

        It is a better guess than a draw, and the table keeps their actions. None if no search was made.
        """
        task, whole = self.task, self.task.depth
        most = min(FORESEEN, whole // FORESEEN_PART)
        if type(task.rules).evaluate is Game.evaluate or most < 1 or task.monitor.is_stopped():
            return None
        for depth in range(1, most + 1):
            task.monitor.start(depth + EXTRA, [])
            guess = (
                self._search_windows(ASPIRATION, depth, guess, -LARGEST_VALUE, LARGEST_VALUE) // self.scale
            )
            if task.monitor.is_stopped():
                break
        task.monitor.start(whole + EXTRA, [])
        return guess

    def line(self) -> list[int]:
        """The principal variation: the line of the search, extended with exact entries of the table."""
        task, rules = self.task, self.task.rules
        line = task.monitor.line(task.depth + EXTRA)
        decision = int(task.monitor.data[DECISION])
        if line[:1] != [decision] and decision != NO_ACTION:
            line = [decision]
        line = line or list(task.root_actions or rules.legal(task.state))[:1]
        if len(line) >= task.depth:
            return line
        state, seen = task.state, set()
        for action in line:
            state = rules.result(state, action)
        settings = self.session.settings
        python = settings.subject if isinstance(settings, Constant) else settings
        while len(line) < task.depth and not rules.is_terminal(state):
            left = task.depth - len(line)
            key, view = key_and_view.plain(rules, state, left, python)
            entry = self.session.table.probe(uint64(key), left < python.hot, python.replace)
            is_known = entry != 0 and bound_of(entry) == EXACT and depth_of(entry) == left
            action = int(entry_action(rules, entry, view))
            if not is_known or int(key) in seen or action not in rules.legal(state):
                break
            seen.add(int(key))
            line.append(action)
            state = rules.result(state, action)
        return line
