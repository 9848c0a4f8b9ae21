"""The result of a search: one small record, the same for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gambito.game.contract import Game
from gambito.game.line import write_line
from gambito.game.puzzle import Puzzle


@dataclass(frozen=True)
class ActionStatistics:
    """What a search by simulations knows about an action of the root."""

    action: int
    visits: int  # simulations
    value: float | None  # on the game's scale, for the player to move; None: no visits
    low: float | None  # its 95 % confidence interval
    high: float | None
    mean: float  # the mean of the rewards, from -1 to 1
    at_least: float = -1.0  # proved bounds of the reward
    at_most: float = 1.0
    prior: float | None = None  # what a network or a guide said before any visit, from 0 to 1


@dataclass(frozen=True)
class RankedLine:
    """One of the best actions of the root, with its own value and line."""

    action: int
    value: Any  # for the player to move
    line: list[int]  # beginning with the action
    exact: bool  # the value is that of the whole game
    ends_in: int | None  # plies to a forced end

    @property
    def rank(self) -> tuple[Any, int]:
        """A key to sort by, the best first: among equals, a sooner win or a later loss is better."""
        far = self.ends_in or 0
        return -self.value, far if self.value > 0 else -far


@dataclass
class SearchResult:
    """The result of a search."""

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    position: str  # as it was written, or the game's own text
    algorithm: str
    gear: str
    action: int | None = None  # None if the game is over
    value: Any = None  # for the player to move, or player 0 if chance decides; None: the algorithm finds none
    values: list[Any] = field(default_factory=list)  # for every player, from an algorithm for many players
    line: list[int] = field(default_factory=list)  # the principal variation, beginning with the action
    depth: int = 0  # plies searched
    nodes: int = 0  # states visited
    evaluations: int = 0  # leaves valued
    seconds: float = 0.0  # without compilation
    compile_seconds: float = 0.0
    exact: bool = False  # the value is that of the whole game, not of a horizon
    low: Any = None  # the bounds of the value that are known
    high: Any = None
    confidence: float | None = None  # the probability that the value lies in them; None: they are proved
    ends_in: int | None = None  # plies to the end, if a forced win or loss was seen
    lines: list[RankedLine] = field(default_factory=list)  # the best first, if more than one was asked for
    candidates: list[ActionStatistics] = field(default_factory=list)  # most visited first, if visits count
    policy: dict[int, float] = field(default_factory=dict)  # the probability of each action, if it is mixed
    exploitability: float | None = None  # what best responses would gain on average, if that is known
    iterations: int | None = None  # of an algorithm that learns strategies
    strategy: Any = field(default=None, repr=False)  # what such an algorithm has learned
    reach: int = 0  # plies of the longest line, if the algorithm reports it
    expanded: int | None = None  # in a puzzle: states whose children were generated
    cost: Any = None  # in a puzzle: the cost of the whole line; None if no way to a goal was found

    def words(self) -> list[str]:
        """The line in the game's notation."""
        return write_line(self.game, self.state, self.line)

    def as_dict(self) -> dict[str, Any]:
        """The record as the command line prints it: actions in the game's notation."""
        puzzle = (
            {"cost": _number(self.cost), "expanded": self.expanded} if isinstance(self.game, Puzzle) else {}
        )
        return {
            "game": self.game.label(),
            "position": self.position,
            "algorithm": self.algorithm,
            "action": None if self.action is None else self.game.write(self.state, self.action),
            "value": _number(self.value),
            "line": self.words(),
            "depth": self.depth,
            "nodes": self.nodes,
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "exact": self.exact,
            "gear": self.gear,
            "low": _number(self.low),
            "high": _number(self.high),
            "confidence": self.confidence,
            "ends_in": self.ends_in,
            "player": int(self.game.player(self.state)),
            **puzzle,
            **({"policy": self._policy()} if self.policy else {}),
            **({"values": [_number(value) for value in self.values]} if self.values else {}),
            **(
                {"exploitability": _number(self.exploitability), "iterations": self.iterations}
                if self.iterations is not None
                else {}
            ),
            **({"lines": [self._ranked(each) for each in self.lines]} if self.lines else {}),
            **({"candidates": [self._candidate(c) for c in self.candidates]} if self.candidates else {}),
        }

    def _policy(self) -> dict[str, float]:
        return {self.game.write(self.state, action): share for action, share in self.policy.items()}

    def _ranked(self, ranked: RankedLine) -> dict[str, Any]:
        return {
            "action": self.game.write(self.state, ranked.action),
            "value": _number(ranked.value),
            "line": write_line(self.game, self.state, ranked.line),
            "exact": ranked.exact,
            "ends_in": ranked.ends_in,
        }

    def _candidate(self, candidate: ActionStatistics) -> dict[str, Any]:
        return {
            "action": self.game.write(self.state, candidate.action),
            "visits": candidate.visits,
            "value": _number(candidate.value),
            "low": _number(candidate.low),
            "high": _number(candidate.high),
            **({} if candidate.prior is None else {"prior": candidate.prior}),
        }


def _number(value: Any) -> Any:
    """A plain number for JSON, which has neither NumPy's types nor infinity; 0 has no sign."""
    if value is None or value in (float("inf"), float("-inf")):
        return None
    return float(value) + 0.0 if isinstance(value, float) else int(value)
