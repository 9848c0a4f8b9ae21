"""The record of one search, from which every picture of a search is drawn.

It is plain data; its only methods count and write JSON. All values and windows are for MAX (player 0), so
that a bound reads the same at every node. An infinite end of a window is `None`. The record does not depend
on any algorithm or screen.

A search without windows writes the same record, with its own kinds of steps, and facts instead of bounds:

    Monte Carlo    select, expand, simulate, backup; facts such as visits, mean, UCB1
    best-first     open, close, path; facts f, g, h; nodes with a cell of the record's board
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

STEP_KINDS = ("enter", "leaf", "alpha", "beta", "value", "bounds", "cut", "leave", "note")
CUTS = frozenset({"cut", "pass cut", "fail high cut", "fail low cut"})  # the kinds of steps that cut off
ALONE = -2
INFINITE = 1 << 39  # the ends of a window beyond this are no values, and shown as infinite


@dataclass(slots=True)
class Visit:
    """One visit of the search to a node; a node that is searched again has several."""

    order: int  # 1 for the first visit of the whole search, then 2, 3 …
    depth: int  # plies left to the horizon
    alpha: float | None  # window at entry, for MAX; None is infinite
    beta: float | None
    value: float | None = None  # the value that the visit returned, for MAX; None if it never returned
    bound: str = ""  # "exact", "lower" (true value >= value), "upper" (true value <= value)
    leaf: str = ""  # why the search did not look below: "terminal", "horizon", "repetition", "table", …
    values: list[float] = field(default_factory=list)  # for each player, if the search knows them all
    again: bool = False  # this is not the first visit to the node: a re-search


@dataclass(slots=True)
class Cut:
    """Why a branch was never entered."""

    reason: str  # "alpha", "beta", "window", "table", "bounds", "proven", …
    at: int  # the node whose remaining branches were dropped
    by: int | None  # the ancestor whose bound cut them; None: the window the search was given
    deep: bool  # the ancestor is not the parent of `at`: a deep cut-off
    text: str  # one sentence for a person


@dataclass(slots=True)
class Node:
    """A state in the drawn tree, reached by one path."""

    id: int
    parent: int | None
    action: str  # the move that leads here, in the game's notation; "" at the root
    player: int  # who moves: 0 is MAX, 1 is MIN, -1 is chance, ALONE is the only agent of a puzzle
    label: str = ""  # the text in the node before the search: a name, or the number of a leaf
    board: str = ""  # the position drawn as text; "" if there is only the label
    children: list[int] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    cut: Cut | None = None  # set on the root of every branch that was never entered
    chance: float | None = None  # the probability of the move that leads here, if chance makes it
    cell: int | None = None  # the cell of the state on the record's board, if it has one


@dataclass(slots=True)
class Step:
    """One thing that the search did; the arrow keys step through them in order."""

    kind: str  # one of STEP_KINDS, or another that the record's `titles` may name
    node: int
    text: str  # one sentence for a person
    conclusion: int | None = None  # 1, 2, 3 … for each tightening of alpha, beta or a value; else None
    value: float | None = None  # the node's best value so far, for MAX
    alpha: float | None = None  # the node's window now, for MAX
    beta: float | None = None
    cut: list[int] = field(default_factory=list)  # nodes dropped by this step
    facts: dict[str, float] = field(default_factory=dict)  # named numbers of the node now: visits, f, g, h …


@dataclass(slots=True)
class Record:
    """A whole recorded search."""

    game: str
    position: str
    algorithm: str
    depth: int
    value: float | None = None  # for MAX
    action: str = ""
    line: list[str] = field(default_factory=list)
    visited: int = 0  # states visited, as the search counts them
    evaluations: int = 0  # leaves valued
    cutoffs: int = 0
    nodes: list[Node] = field(default_factory=list)  # nodes[i].id == i; nodes[0] is the root
    steps: list[Step] = field(default_factory=list)
    interval: str = "window"  # what alpha and beta of a step are: a "window", or "bounds" of the value
    is_many: bool = False  # every node is of a player for itself: nobody is MAX or MIN
    options: dict[str, Any] = field(default_factory=dict)  # of the algorithm, those that are not as usual
    note: str = ""  # says whether the tree was too large to keep whole
    titles: dict[str, str] = field(default_factory=dict)  # of the kinds of steps: "select": "Selection"
    board: dict[str, Any] | None = None  # a picture's Board as a dictionary, for nodes that have a cell

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)
