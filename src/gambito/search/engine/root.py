"""One search of a root: the settings and memory that one thread works with, its value and its line."""

from __future__ import annotations

from gambito.game.contract import NO_ACTION, Game
from gambito.memory.ordering import new_ordering
from gambito.memory.table import (
    EXACT,
    LARGEST,
    TABLES_AT,
    bound_of,
    depth_of,
    new_table,
)
from gambito.native import Constant, uint64
from gambito.search.algorithm import Task
from gambito.search.engine.options import setting_values
from gambito.search.engine.probcut import probcut_table, read_probcut_model
from gambito.search.engine.search import EXTRA
from gambito.search.engine.settings import Context, new_settings
from gambito.search.engine.table import entry_action, key_and_view
from gambito.search.engine.windows import ASPIRATION, BISECTION, DRIVERS, search_windows
from gambito.search.watch import DECISION

HURRY = 1024  # one unit of value in plies, where a sooner win counts for more
FORESEEN, FORESEEN_PART = 12, 4  # plies to look ahead before a search to the end: at most, and of those left


class RootSearch:
    """What one thread of a search works with; the table is shared by all of them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        options, rules = task.options, task.rules
        self.scale = HURRY if rules.hurries else 1
        self.driver = DRIVERS.index(options["driver"])
        gear = "native" if isinstance(task.game, Constant) else "python"
        asked = (rules.label(), gear, options, task.endings is not None)
        if task.memory.get("asked") != asked:  # kept memory may be that of another question
            rows = read_probcut_model(options["probcut_model"]) or rules.probcut_model
            model, stages = probcut_table(rows)
            given = {**options, "endings": task.endings is not None}
            values = setting_values(given, self.scale, stages, rules.orders_itself)
            task.memory["settings"] = new_settings(values, model, gear, options["live"])
            task.memory["asked"] = asked
        if "table" not in task.memory:
            task.memory["table"] = new_table(options["memory"])
        if "ordering" not in task.memory:
            task.memory["ordering"] = new_ordering()
        memory = task.memory
        self.settings, self.table, self.ordering = memory["settings"], memory["table"], memory["ordering"]
        self.table.words[TABLES_AT] = task.endings.address if task.endings is not None else 0

    def search(self) -> int:
        """The value of the root, in the engine's own units."""
        task = self.task
        if self.driver != BISECTION:
            return self._search_windows(self.driver, task.depth, -LARGEST, LARGEST)
        if self._foresees():
            return self._search_windows(ASPIRATION, task.depth, -LARGEST, LARGEST)
        low, high = (int(v) * self.scale for v in task.rules.bounds(task.state))
        # From one below the lowest value: only a value that is shown to be reached comes with its action.
        return self._search_windows(BISECTION, task.depth, low - 1, high)

    def _search_windows(self, driver: int, depth: int, low: int, high: int) -> int:
        task, row = self.task, depth + EXTRA
        guess, width = int(task.guess) * self.scale, task.options["aspiration"] * self.scale
        context = Context(self.settings, self.table, self.ordering, task.watch)
        window = (guess, width, low, high)
        return int(search_windows(task.game, task.state, depth, driver, *window, row, context))

    def _foresees(self) -> bool:
        """Before a search to the end of a game that has an evaluation: what do shallow searches say?

        Their value is a better guess than a draw, and the table keeps their actions.
        """
        task, whole = self.task, self.task.depth
        most = min(FORESEEN, whole // FORESEEN_PART)
        if type(task.rules).evaluate is Game.evaluate or most < 1 or task.watch.is_stopped():
            return False
        for depth in range(1, most + 1):
            task.watch.start(depth + EXTRA, [])
            task.guess = self._search_windows(ASPIRATION, depth, -LARGEST, LARGEST) // self.scale
            if task.watch.is_stopped():
                break
        task.watch.start(whole + EXTRA, [])
        return True

    def line(self) -> list[int]:
        """The principal variation: what the search kept, and what the table knows exactly below it."""
        task, rules = self.task, self.task.rules
        line = task.watch.line(task.depth + EXTRA)
        decision = int(task.watch.data[DECISION])
        if line[:1] != [decision] and decision != NO_ACTION:
            line = [decision]
        line = line or list(task.among or rules.legal(task.state))[:1]
        state, seen = task.state, set()
        for action in line:
            state = rules.result(state, action)
        python = self.settings if not isinstance(self.settings, Constant) else self.settings.subject
        while len(line) < task.depth and not rules.is_terminal(state):
            left = task.depth - len(line)
            key, view = key_and_view.plain(rules, state, left, python)
            entry = self.table.probe(uint64(key), left < python.hot, python.replace)
            is_known = entry != 0 and bound_of(entry) == EXACT and depth_of(entry) == left
            action = int(entry_action(rules, entry, view))
            if not is_known or int(key) in seen or action not in rules.legal(state):
                break
            seen.add(int(key))
            line.append(action)
            state = rules.result(state, action)
        return line
