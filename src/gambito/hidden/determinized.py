"""What searches over imagined worlds share: the worlds of a question, and the values of open states.

An open state is valued by any algorithm for games without hidden information, as if everybody saw everything.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.game_view import cached_view
from gambito.game.gears import gears
from gambito.game.perfect_information import with_perfect_information
from gambito.hidden.worlds import with_worlds
from gambito.native.random import new_random
from gambito.native.values import as_key
from gambito.search.algorithm import EITHER, WITH, Fits, Option, find
from gambito.search.api import search
from gambito.search.chooser import strongest
from gambito.search.classic.partition import PartitionSolver
from gambito.search.monitor import LIMIT, NO_LIMIT, STOP
from gambito.search.search_result import ActionStatistics
from gambito.search.session import Session
from gambito.search.task import SearchTask, Stopped, TaskResult
from gambito.words.sentence import Sentence

PAIR = 2
TRIES = 24  # worlds that are drawn for one that is likely
TABLE_MEBIBYTES = 64  # MiB of the table of another game that solves open states
OPTIONS = (
    Option("worlds", 20, "worlds that are imagined", low=1, high=1 << 20, technique=False),
    Option("seed", 1, "seed of the random numbers", low=0, high=(1 << 62), technique=False),
    Option("inner", "", "the algorithm that values open worlds; none: the strongest", technique=False),
    Option("each", 2000, "nodes for each open state", low=1, high=1 << 40, technique=False),
)


def fits(name: str) -> Fits:
    """The games for a search over imagined worlds: for two, or for more that value open states themselves."""

    def refuses(game: Game) -> str:
        if game.players == PAIR or type(game).open_value is not Game.open_value:
            return ""
        return Sentence(
            "{} is for {}, and {} has {}", name, Sentence("two players"), game.label(), game.players
        )

    return Fits(EITHER, players=(), hidden=WITH, refuses=refuses)


def likely_world(rules: Game, seen: Any, player: int, rng: Any) -> Any:
    """A world that looks like `seen` to a player; where choices tell something, a likely one of several."""
    best, highest = None, -1.0
    for _ in range(TRIES):
        world = gears(rules).cast(rules.imagine(seen, player, rng))
        likelihood = rules.likelihood(world, player)
        if likelihood >= 1.0 or rng.fraction() < likelihood:
            return world
        if likelihood > highest:
            best, highest = world, likelihood
    return best


class Worlds:
    """The worlds that the player to move imagines, and the values of open states for that player."""

    def __init__(self, task: SearchTask) -> None:
        task = with_worlds(task)
        self.task, self.rules = task, task.rules
        self.open: Game = cached_view(task.rules, with_perfect_information)
        self.algorithm = task.options["inner"] or strongest(self.open)
        self.is_solved = type(task.rules).open_value is not Game.open_value  # open states, exactly
        if not self.is_solved and (reason := find(self.algorithm).misfit(self.open)):
            raise SearchError(reason)
        self.player = self.rules.player(task.state)
        if self.player == CHANCE:
            raise SearchError("chance decides here; ask where a player is to move")
        self.seen = gears(self.rules).cast(self.rules.observe(task.state, self.player))
        self.session = Session()
        self.known: dict[Any, float] = {}  # values of open states
        self.solvers: dict[str, PartitionSolver] = {}  # of other games that value them
        self.rng = new_random(task.options["seed"])

    def is_warmed_up(self) -> bool:
        """Compile everything, if that is all that is asked for."""
        if self.task.monitor.data[LIMIT] != STOP:
            return False
        with contextlib.suppress(Stopped):
            self.value(self.imagine())
        return True

    def imagine(self) -> Any:
        """One more world."""
        return likely_world(self.rules, self.seen, self.player, self.rng)

    def agreed(self) -> TaskResult | None:
        """The answer that needs no search, because partners have agreed on it."""
        action = self.rules.agreed(self.seen, self.player)
        if action is None or (self.task.root_actions and action not in self.task.root_actions):
            return None
        known = [ActionStatistics(action, 0, None, None, None, 0.0)]
        return TaskResult(action=action, line=[action], exact=False, candidates=known, policy={action: 1.0})

    def actions(self) -> Sequence[int]:
        return self.task.root_actions or self.rules.legal(self.seen)

    def is_partner(self, other: int) -> bool:
        """Does another player play with the player of the root?"""
        teams = self.rules.teams
        return bool(teams) and teams[other] == teams[self.player]

    def is_stopped(self) -> bool:
        return bool(self.task.monitor.is_stopped()) or self.task.ongoing.is_ended

    def check(self) -> None:
        """Raise `Stopped` if the search was ended."""
        if self.task.ongoing.is_ended:
            raise Stopped

    def value(self, state: Any) -> float:
        """The value of a state for the player of the root, if everybody sees everything; it may be
        `Stopped`."""
        name = as_key(state)
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = self._search(state)
        return found

    def _search(self, state: Any) -> float:
        rules, monitor = self.rules, self.task.monitor
        if rules.is_terminal(state):
            monitor.visit(1)
            return float(rules.utility(state, self.player))
        elsewhere = rules.open_value(state, self.player, self._solve)
        if elsewhere is not None:
            return float(elsewhere)
        is_warming = monitor.data[LIMIT] == STOP
        given: dict[str, Any] = {
            "gear": self.task.gear,
            "session": self.session,
            "stop": self.task.ongoing.stop,
        }
        given["nodes"] = 1 if is_warming else self.task.options["each"]
        found = search(self.open, state, self.algorithm, **given)
        monitor.visit(max(found.nodes, 1))
        self.check()
        mover = max(rules.player(state), 0)
        # A search of a few states may choose an action that it has not tried: then it knows no value.
        value = float(rules.evaluate(state, mover) if found.value is None else found.value)
        return value if mover == self.player else -value

    def _solve(self, game: Game, state: Any) -> int:
        """The value of a state of another game for its player 0."""
        solver = self.solvers.get(game.label())
        if solver is None:
            solver = self.solvers[game.label()] = self._solver(game)
        before = solver.nodes
        value = solver.value(state)
        self.task.monitor.visit(max(solver.nodes - before, 1))
        if solver.monitor.is_stopped():
            raise Stopped
        return value

    def _solver(self, game: Game) -> PartitionSolver:
        """The solver of another game, which the session keeps; it ends when this search is ended."""
        kept: dict[str, PartitionSolver] = self.task.session.keep("open solvers", dict)
        solver = kept.get(game.label())
        if solver is None:
            solver = kept[game.label()] = PartitionSolver(game, TABLE_MEBIBYTES)
        ongoing = self.task.ongoing
        is_warming = self.task.monitor.data[LIMIT] == STOP
        solver.monitor.data[LIMIT] = STOP if is_warming else NO_LIMIT
        ongoing.inner.append(solver.monitor)
        if ongoing.is_ended:
            raise Stopped
        return solver
