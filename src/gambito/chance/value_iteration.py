"""Value iteration: list every reachable state and pass values back until they no longer change.

It is exact even if games may last forever, as long as chance ends them with probability 1.

Bellman, Dynamic programming (1957); Shapley, Stochastic games (1953).
"""

from __future__ import annotations

from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.memory.positions import reachable
from gambito.native.values import as_key
from gambito.search.algorithm import NEVER, VALUE, WITH, DepthSearch, Fits, Option
from gambito.search.monitor import Monitor
from gambito.search.task import SearchTask, TaskResult

STATES_PER_CHECK = 1 << 10  # states between two looks at the monitor
REST = 1e-12  # smaller changes of values are ignored


class Solution:
    """The states that can be reached from a state, and their values for player 0."""

    def __init__(self, game: Game, state: Any, most: int, monitor: Monitor | None = None) -> None:
        self.game, self.most, self.monitor = game, most, monitor
        self.numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        self.values: list[float] = []
        self.players: list[int | None] = []  # None for a terminal state
        self.below: list[list[tuple[int, float]]] = []  # the number of a child, and its probability or 0
        self.sweeps = 0
        self._list(state)

    def _number(self, state: Any) -> int:
        name = as_key(state, self.game.key)
        if name not in self.numbers:
            self.numbers[name] = len(self.states)
            self.states.append(state)
        return self.numbers[name]

    def _list(self, state: Any) -> None:
        """List all reachable states."""
        game = self.game
        self._number(gears(game).cast(state))
        place = 0
        while place < len(self.states):
            here = self.states[place]
            place += 1
            if self.monitor is not None:
                self.monitor.visit(1)
                if self.monitor.is_stopped():
                    self.monitor.halt()
                    return
            over = game.is_terminal(here)
            player = None if over else int(game.player(here))
            self.players.append(player)
            self.values.append(float(game.utility(here, 0)) if over else 0.0)
            if over and self.monitor is not None:
                self.monitor.final(game, self.values[-1], 1)
            pairs = [] if over else [(a, 0.0) for a in game.actions(here)]
            pairs = list(game.chances(here)) if player == CHANCE else pairs
            children = [(self._number(game.result(here, a)), float(p)) for a, p in pairs]
            self.below.append(children)
            if len(self.states) > self.most:
                raise too_large(game, self.most)

    def solve(self) -> None:
        """Sweep over all states, the last listed first, until no value changes."""
        change = 1.0
        while change > REST and not (self.monitor is not None and self.monitor.is_stopped()):
            change = 0.0
            self.sweeps += 1
            for number in range(len(self.values) - 1, -1, -1):
                if number % STATES_PER_CHECK == 0 and self.monitor is not None and self.monitor.is_stopped():
                    return
                if self.players[number] is not None:
                    value = self._backed_up(number)
                    change = max(change, abs(value - self.values[number]))
                    self.values[number] = value

    def _backed_up(self, number: int) -> float:
        values, below = self.values, self.below[number]
        if self.players[number] == CHANCE:
            return sum(p * values[child] for child, p in below)
        best = min if self.players[number] == 1 else max
        return best(values[child] for child, _ in below)

    def value(self, state: Any) -> float:
        """The value of a state for player 0."""
        return self.values[self.numbers[as_key(gears(self.game).cast(state), self.game.key)]]


def check_size(task: SearchTask) -> None:
    """Refuse a game with too many states at once: compiled code counts them in a moment."""
    kind, most = gears(task.rules).state, task.options["states"]
    if task.gear == "native":
        with task.ongoing.preparing() as check:
            if reachable(task.game, kind, task.state, most, lambda count: check()) is None:
                raise too_large(task.rules, most)


def too_large(game: Game, most: int) -> SearchError:
    return SearchError(
        "value iteration lists at most {} states, and {} has more; accepted: a larger option states",
        most,
        game.label(),
    )


def run(task: SearchTask) -> TaskResult:
    check_size(task)
    solution = Solution(task.rules, task.state, task.options["states"], task.monitor)
    if task.monitor.is_stopped():
        return TaskResult(0.0)
    solution.solve()
    if task.monitor.is_stopped():
        return TaskResult(0.0)
    value = solution.values[0]
    line: list[int] = []
    if solution.players[0] != CHANCE:
        actions, children = task.rules.legal(task.state), solution.below[0]
        values = {a: solution.values[child] for a, (child, _) in zip(actions, children, strict=True)}
        best = (max if task.is_max else min)(task.root_actions or actions, key=lambda a: values[a])
        value, line = values[best], [best]
    return TaskResult(task.for_mover(value), line=line)


ALGORITHM = DepthSearch(
    name="value-iteration",
    summary="the exact value: the values of all reachable states are passed back until nothing changes",
    source="Bellman 1957; Shapley 1953",
    run=run,
    options=(Option("states", 200_000, "the most states that are listed", 1, 100_000_000, technique=False),),
    fits=Fits(WITH, players=(1, 2)),
    deepening=NEVER,
    holds=VALUE,
    chooses=True,
    frame="max",
    windowed=False,
)
