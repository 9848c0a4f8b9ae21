"""What a search is given and what it returns: two immutable records, and its visible state in between."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from gambito.game.contract import Game
from gambito.native import Constant
from gambito.native.functions import compile_seconds
from gambito.search.limits import Stop
from gambito.search.monitor import Monitor
from gambito.search.search_result import ActionStatistics
from gambito.search.session import Session


class Stopped(Exception):
    """The search was ended while something was being prepared or valued that has no answer yet."""


@dataclass(frozen=True)
class TaskResult:
    """The result of one search."""

    value: Any = None  # for the player to move
    action: int | None = None  # if there is no line
    line: list[int] | None = None  # None: the monitor holds it
    low: Any = None  # the bounds of the value that are known, if the search gives bounds
    high: Any = None
    confidence: float | None = None  # the probability that the value lies in them; None: they are proved
    values: list[Any] = field(default_factory=list)  # for every player, if the search knows them
    exact: bool = True  # False: the value is not that of the whole game, even if no horizon was seen
    ends_in: int | None = None  # plies to a forced end, if one was seen
    depth: int = 0  # plies that an anytime search looked ahead
    candidates: list[ActionStatistics] = field(default_factory=list)  # what is known about every action
    policy: dict[int, float] = field(default_factory=dict)  # the probability of each action, if it is mixed
    exploitability: float | None = None  # what best responses would gain on average, if that is known
    iterations: int | None = None  # of an algorithm that learns strategies
    strategy: Any = None  # what such an algorithm has learned
    cost: Any = None  # in a puzzle: the cost of the whole line; None: no way to a goal
    expanded: int | None = None  # in a puzzle: states whose children were generated
    nodes: int = 0  # states visited by other threads, which the task's monitor does not count
    evaluations: int = 0


@dataclass
class Ongoing:
    """What other threads see of a running search. Nothing else in a question changes."""

    is_ended: bool = False  # set by the runner: the search should end
    is_late: Callable[[], bool] = lambda: False  # asked before the clock runs: should it not even begin?
    seconds: float | None = None  # set by the runner: the limit of the search
    stop: Stop = field(default_factory=Stop)  # of searches inside this one, which end with it
    prepared: float = 0.0  # seconds that were spent on what the search needs; compilation does not count
    answer: Callable[[], TaskResult] | None = None  # set by an anytime search: its answer so far
    unit: int = (
        1  # set by the search: 1 in the game's values is this much in the monitor's bounds of the root
    )
    inner: list[Monitor] = field(default_factory=list)  # of searches inside this one, which end with it
    until_end: ExitStack = field(default_factory=ExitStack)  # what the runner closes when the search is over
    helpers: Any = None  # set by the engine: its helper threads

    def check(self) -> None:
        """Raise `Stopped` if the search should end. Preparations ask this every few milliseconds."""
        if self.is_ended or self.is_late():
            raise Stopped

    @contextlib.contextmanager
    def preparing(self) -> Iterator[Callable[[], None]]:
        """A context for preparations, such as a list of all states; what it gives is `check`."""
        began, compiled = time.perf_counter(), compile_seconds()
        try:
            yield self.check
        finally:
            self.prepared += time.perf_counter() - began - (compile_seconds() - compiled)


@dataclass(frozen=True)
class SearchTask:
    """A search to run: from a state, to a depth, in one gear."""

    game: Any  # in its gear: a Game, or a Constant
    rules: Game  # always the plain game
    state: Any
    depth: int
    alpha: Any
    beta: Any
    monitor: Monitor
    options: Mapping[str, Any]
    session: Session = field(default_factory=Session)  # what searches keep for the next one
    threads: int = 1
    guess: Any = 0  # the value of the previous search, of the game's type
    endings: Any = None  # the game's endgame tables, if the search should use them
    is_sure: bool = False  # the tables hold the root, so no horizon lies between it and the end
    guide: Any = None  # a policy and value function, as `monte_carlo.guide` describes it
    past_states: Sequence[int] = ()  # keys of the positions before the root, the newest last
    root_actions: Sequence[int] = ()  # the root's actions that count; none: all of them
    lines: int = 1  # how many of the root's actions get a value and a line of their own
    is_line: bool = False  # the value is known to lie within the window, and its line is wanted
    asks_each: bool = False  # the children of the root are searched one by one, not the root
    ongoing: Ongoing = field(default_factory=Ongoing)

    @property
    def root(self) -> tuple[Any, Any, int]:
        """The game, the state and the depth: the first arguments of a search."""
        return self.game, self.state, self.depth

    @property
    def window(self) -> tuple[Any, Any]:
        return self.alpha, self.beta

    @property
    def gear(self) -> str:
        return "native" if isinstance(self.game, Constant) else "python"

    @property
    def is_max(self) -> bool:
        return self.rules.player(self.state) <= 0  # at a chance node values are player 0's

    def for_mover(self, value: Any) -> Any:
        """A value for MAX, turned to the player to move."""
        return value if self.is_max else -value
