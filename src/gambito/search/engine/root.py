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
from gambito.search.engine.options import setting_values
from gambito.search.engine.probcut import probcut_table, read_probcut_model
from gambito.search.engine.search import EXTRA
from gambito.search.engine.settings import Context, new_settings
from gambito.search.engine.table import entry_action, key_and_view
from gambito.search.engine.windows import ASPIRATION, BISECTION, DRIVERS, search_windows
from gambito.search.question import Question
from gambito.search.watch import DECISION

HURRY = 1024  # one unit of value in plies, where a sooner win counts for more
FORESEEN, FORESEEN_PART = 12, 4  # plies to look ahead before a search to the end: at most, and of those left


class RootSearch:
    """What one thread of a search works with; the table is shared by all of them."""

    def __init__(self, question: Question) -> None:
        self.question = question
        options, rules = question.options, question.rules
        self.scale = HURRY if rules.hurries else 1
        self.driver = DRIVERS.index(options["driver"])
        gear = question.gear
        asked = (rules.label(), gear, options, question.endings is not None)
        if question.memory.get("asked") != asked:  # kept memory may be that of another question
            rows = read_probcut_model(options["probcut_model"]) or rules.probcut_model
            model, stages = probcut_table(rows)
            given = {**options, "endings": question.endings is not None}
            values = setting_values(given, self.scale, stages, rules.orders_itself)
            question.memory["settings"] = new_settings(values, model, gear, options["live"])
            question.memory["asked"] = asked
        if "table" not in question.memory:
            question.memory["table"] = new_table(options["memory"])
        if "ordering" not in question.memory:
            question.memory["ordering"] = new_ordering()
        memory = question.memory
        self.settings, self.table, self.ordering = memory["settings"], memory["table"], memory["ordering"]
        self.table.words[TABLES_AT] = question.endings.address if question.endings is not None else 0

    def search(self) -> int:
        """The value of the root, in the engine's own units."""
        question, guess = self.question, int(self.question.guess)
        if self.driver != BISECTION:
            return self._search_windows(self.driver, question.depth, guess, -LARGEST, LARGEST)
        foreseen = self._foresee(guess)
        if foreseen is not None:
            return self._search_windows(ASPIRATION, question.depth, foreseen, -LARGEST, LARGEST)
        low, high = (int(v) * self.scale for v in question.rules.bounds(question.state))
        # From one below the lowest value: only a value that is shown to be reached comes with its action.
        return self._search_windows(BISECTION, question.depth, guess, low - 1, high)

    def _search_windows(self, driver: int, depth: int, guess: int, low: int, high: int) -> int:
        question, row = self.question, depth + EXTRA
        window = (guess * self.scale, question.options["aspiration"] * self.scale, low, high)
        context = Context(self.settings, self.table, self.ordering, question.watch)
        return int(search_windows(question.game, question.state, depth, driver, *window, row, context))

    def _foresee(self, guess: int) -> int | None:
        """Before a search to the end of a game that has an evaluation: what do shallow searches say?

        Their value is a better guess than a draw, and the table keeps their actions. None: none was made.
        """
        question, whole = self.question, self.question.depth
        most = min(FORESEEN, whole // FORESEEN_PART)
        if type(question.rules).evaluate is Game.evaluate or most < 1 or question.watch.is_stopped():
            return None
        for depth in range(1, most + 1):
            question.watch.start(depth + EXTRA, [])
            guess = self._search_windows(ASPIRATION, depth, guess, -LARGEST, LARGEST) // self.scale
            if question.watch.is_stopped():
                break
        question.watch.start(whole + EXTRA, [])
        return guess

    def line(self) -> list[int]:
        """The principal variation: what the search kept, and what the table knows exactly below it."""
        question, rules = self.question, self.question.rules
        line = question.watch.line(question.depth + EXTRA)
        decision = int(question.watch.data[DECISION])
        if line[:1] != [decision] and decision != NO_ACTION:
            line = [decision]
        line = line or list(question.among or rules.legal(question.state))[:1]
        state, seen = question.state, set()
        for action in line:
            state = rules.result(state, action)
        python = self.settings if not isinstance(self.settings, Constant) else self.settings.subject
        while len(line) < question.depth and not rules.is_terminal(state):
            left = question.depth - len(line)
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
