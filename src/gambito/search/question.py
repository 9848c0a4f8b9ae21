"""What a search is asked and what it answers: two records that do not change, and what is seen in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambito.game.contract import Game
from gambito.native import Constant
from gambito.search.found import ActionStatistics
from gambito.search.session import Session
from gambito.search.watch import Watch


@dataclass(frozen=True)
class Answer:
    """What one search found."""

    value: Any = None  # for the player to move
    action: int | None = None  # where there is no line
    line: list[int] | None = None  # None: the watch holds it
    low: Any = None  # what is known of the value, where the search gives bounds
    high: Any = None
    exact: bool = True  # False: the value is not that of the whole game, whatever the horizon
    ends_in: int | None = None  # plies to a forced end, where one was seen
    depth: int = 0  # plies that an anytime search looked ahead
    candidates: list[ActionStatistics] = field(default_factory=list)  # what is known of every action
    cost: Any = None  # of a puzzle: what the whole line costs; None: no way to a goal
    expanded: int | None = None  # of a puzzle: states whose children were looked at
    nodes: int = 0  # visited by other threads, which the watch of the question does not count
    evaluations: int = 0


@dataclass
class Ongoing:
    """What can be seen of a search while it runs. This is all that changes in a question."""

    is_ended: bool = False  # set by the runner: the search should end
    answer: Callable[[], Answer] | None = None  # set by an anytime search: its answer so far
    unit: int = 1  # set by the search: this much in the watch's bounds of the root is 1 in the game's values


@dataclass(frozen=True)
class Question:
    """One search to do: from a state, to a depth, in one gear."""

    game: Any  # in its gear: a Game, or a Constant
    rules: Game  # always the plain game
    state: Any
    depth: int
    alpha: Any
    beta: Any
    watch: Watch
    options: Mapping[str, Any]
    session: Session = field(default_factory=Session)  # what is handed on from search to search
    threads: int = 1
    guess: Any = 0  # the value of the search before, of the game's type as all values are
    endings: Any = None  # the game's endgame tables, if they are to be looked into
    is_sure: bool = False  # they hold the root: no horizon is between it and the end
    guide: Any = None  # a policy and value function, as `monte_carlo.guide` describes it
    past: Sequence[int] = ()  # keys of the positions before the root, the newest last
    among: Sequence[int] = ()  # the root's actions that count; none: all of them
    ongoing: Ongoing = field(default_factory=Ongoing)

    @property
    def root(self) -> tuple[Any, Any, int]:
        """The game, the state and the depth, as a search takes them."""
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
        """A value for MAX as the player to move sees it."""
        return value if self.is_max else -value
