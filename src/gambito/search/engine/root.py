"""The search of a root by one thread: its value and its line."""

from __future__ import annotations

from gambito.game.contract import NO_ACTION, UNKNOWN, Game
from gambito.memory.table import (
    EXACT,
    LARGEST,
    bound_of,
    depth_of,
)
from gambito.native import Constant, uint64
from gambito.search.engine.distance import hurried_bounds
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import EngineSession
from gambito.search.engine.table import entry_action, key_and_view
from gambito.search.engine.windows import ASPIRATION, BISECTION, DRIVERS, search_windows
from gambito.search.question import Question
from gambito.search.watch import DECISION

FORESEEN, FORESEEN_PART = 12, 4  # look ahead before a search to the end: most plies, and part of those left


class RootSearch:
    """The search of a root by one thread."""

    def __init__(self, question: Question, session: EngineSession) -> None:
        self.question, self.session, self.scale = question, session, session.scale
        self.driver = DRIVERS.index(question.options["driver"])

    def search(self) -> int:
        """The value of the root, in the engine's units."""
        question, guess = self.question, int(self.question.guess)
        if self.driver != BISECTION:
            return self._search_windows(self.driver, question.depth, guess, -LARGEST, LARGEST)
        foreseen = self._foresee(guess)
        if foreseen is not None:
            return self._search_windows(ASPIRATION, question.depth, foreseen, -LARGEST, LARGEST)
        rules = question.rules
        low, high = rules.bounds(question.state)
        if question.among:
            low = rules.lowest  # what the game promises needs all of its actions
        # Begin one below the lowest value: only a value that is shown to be reached has an action.
        low, high = hurried_bounds(int(low), int(high), 0, UNKNOWN, self.scale)
        return self._search_windows(BISECTION, question.depth, guess, low - 1, high)

    def _search_windows(self, driver: int, depth: int, guess: int, low: int, high: int) -> int:
        question, row = self.question, depth + EXTRA
        window = (guess * self.scale, question.options["aspiration"] * self.scale, low, high)
        context = self.session.context(question.watch)
        return int(search_windows(question.game, question.state, depth, driver, *window, row, context))

    def _foresee(self, guess: int) -> int | None:
        """The value of shallow searches, before a search to the end of a game that has an evaluation.

        It is a better guess than a draw, and the table keeps their actions. None if no search was made.
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
        """The principal variation: the line of the search, extended with exact entries of the table."""
        question, rules = self.question, self.question.rules
        line = question.watch.line(question.depth + EXTRA)
        decision = int(question.watch.data[DECISION])
        if line[:1] != [decision] and decision != NO_ACTION:
            line = [decision]
        line = line or list(question.among or rules.legal(question.state))[:1]
        if len(line) >= question.depth:
            return line
        state, seen = question.state, set()
        for action in line:
            state = rules.result(state, action)
        settings = self.session.settings
        python = settings.subject if isinstance(settings, Constant) else settings
        while len(line) < question.depth and not rules.is_terminal(state):
            left = question.depth - len(line)
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
