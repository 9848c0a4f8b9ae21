"""The check before the first search of an author's game: a short part of `gambito check`.

A search believes the rules. Where a rule breaks the contract, as a utility of one half in a game of whole
numbers, an answer would be false and called proven. So a few random games are played before the first
search, and compared in both gears before the first answer of the native one. What is wrong is told as `check`
tells it. A game that passed is known by its rules and parameters, in this process and on disk, and is not
checked again. Gambito's own games are not checked.
"""

from __future__ import annotations

import os
import random
import time
from typing import Any
from weakref import WeakKeyDictionary

from gambito.errors import SearchError
from gambito.game.check_asking import Broken, ask
from gambito.game.check_gears import first_gear_problems
from gambito.game.check_play import (
    Report,
    check_costs,
    check_end,
    check_inner,
    check_key,
    check_length,
    check_state,
    choose,
)
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.mistakes import check_again, entered, located, range_problem
from gambito.game.puzzle import Puzzle
from gambito.native import cache
from gambito.native.digest import class_items, digest
from gambito.words.sentence import Sentence

VARIABLE = "GAMBITO_CHECK"  # 0: no game is checked before a search
SECONDS = 0.08  # of processor time for random games in the Python gear; the first takes half of it at most
PATIENCE = 0.15  # seconds of any kind for the same: the machine may be busy, or a rule may wait
REPLAYED = 0.02  # seconds in which the Python gear replays what it has played
GAMES, PLIES = 4, 2000
WALK_ACTIONS = 50  # actions of a random walk through a puzzle

_KEPT = "_gambito_first_check"
_passed: set[str] = set()  # what this process knows
_classes: WeakKeyDictionary[type, str] = WeakKeyDictionary()  # digests of the rules of classes


class FirstCheck:
    """The check of one game object before its first search."""

    def __init__(self, game: Game) -> None:
        self.game, self._mark = game, ""
        self._played: list[int] | None = None
        self._states, self._seconds = 1, 0.0  # states that were asked about, and the seconds that took

    def rules(self) -> None:
        """Check the rules in the Python gear; SearchError if they break the contract."""
        self._played = None  # an earlier game may be none now: what the rules read may have been written anew
        if not self._is_due("rules"):
            return
        if not isinstance(self.game, Puzzle) and (told := range_problem(self.game)):
            self._refuse(told)
        report = self._play()
        if report.problems:
            self._refuse(Sentence(report.problems[0]))
        if self._states:  # on a very busy machine there may have been no time for questions
            self._pass("rules")

    def gears(self) -> None:
        """Check that both gears say the same; SearchError if they do not."""
        if not self._is_due("gears"):
            return
        if self._played is None:
            self._play()
        assert self._played is not None
        step = 1 + int(len(self._played) * self._seconds / max(self._states, 1) / REPLAYED)
        for problem in first_gear_problems(self.game, self._played, step):
            self._refuse(problem)
        self._pass("gears")

    def _is_due(self, part: str) -> bool:
        module = type(self.game).__module__
        if module.partition(".")[0] == "gambito" or os.environ.get(VARIABLE) == "0":
            return False
        self._mark = self._mark or _mark(self.game)
        name = f"checked-{part}-{self._mark}"
        if name not in _passed and cache.kept(name) is not None:
            _passed.add(name)
        return name not in _passed

    def _pass(self, part: str) -> None:
        name = f"checked-{part}-{self._mark}"
        _passed.add(name)
        cache.keep(name, b"")

    def _refuse(self, problem: Sentence) -> None:
        raise SearchError(
            "{} cannot be searched: {}; `gambito check` tells more, and GAMBITO_CHECK=0 leaves the check out",
            self.game.label(),
            located(self.game, problem),
        )

    def _play(self) -> Report:
        """Play random games: one quickly to its end, and then others with questions about every state."""
        report, rng, watch = Report(self.game.label()), random.Random(0), _Stopwatch()
        self._played = self._play_one(rng, report, watch, is_quick=True)
        report.states, since = 0, time.perf_counter()
        for _ in range(GAMES - 1):
            if report.problems or watch.passed() > 1:
                break
            self._play_one(rng, report, watch, is_quick=False)
        self._states, self._seconds = report.states, time.perf_counter() - since
        return report

    def _play_one(self, rng: random.Random, report: Report, watch: _Stopwatch, is_quick: bool) -> list[int]:
        """Play one game until it is over, or until its part of the time is."""
        game, path, played = self.game, list[str](), list[int]()
        latest: int | None = None
        try:
            state = entered(game, path, "initial")
            while True:
                report.states += 1
                is_over = check_state(game, state, len(played), path, report)
                if not is_quick:
                    latest = check_length(game, state, len(played), latest, path, report)
                    check_key(game, state, path, report)
                if is_over:
                    check_end(game, state, path, report)
                    return played
                if isinstance(game, Puzzle):
                    if not is_quick:
                        check_costs(game, state, path, report)
                    if len(played) >= WALK_ACTIONS or not ask(game, path, "actions", state):
                        return played
                if len(played) >= PLIES or watch.passed() > (0.5 if is_quick else 1.0):
                    return played
                action, actions = choose(game, state, path, rng, report)
                if actions and not (is_quick and played):
                    check_again(game, state, actions, path)
                if actions and not is_quick:
                    check_inner(game, state, actions, path, report)
                path.append(str(ask(game, path, "write", state, action)) if actions else str(action))
                played.append(action)
                state = entered(game, path, "result", state, action)
        except Broken as broken:
            report.tell(broken.sentence)
            return played


class _Stopwatch:
    """How much of the time for random games has passed."""

    def __init__(self) -> None:
        self._began, self._spent = time.perf_counter(), time.thread_time()

    def passed(self) -> float:
        """The part that has passed; above 1 the time is over."""
        worked, waited = time.thread_time() - self._spent, time.perf_counter() - self._began
        return max(worked / SECONDS, waited / PATIENCE)


def _mark(game: Game) -> str:
    """A digest of the rules of a game object and of all that they read."""
    kind = type(game)
    if kind not in _classes:
        _classes[kind] = digest(list(class_items(kind, Game)))
    own = [(name, held) for name, held in sorted(vars(game).items()) if not name.startswith("_gambito_")]
    state = gears(game).state
    return digest(_classes[kind], own, "" if state is None else state.lasting)


def first_check(game: Game) -> FirstCheck:
    """The check of a game object, which lives as long as the game."""
    held: Any = vars(game).get(_KEPT)
    if held is None or held.game is not game:  # it belongs to the game that this one was copied from
        vars(game)[_KEPT] = held = FirstCheck(game)
    return held
