"""A book that grows by analysis: drop-out expansion.

Lincke, Strategies for the automatic construction of opening books (2000).

A position is in the book when all its moves have values. To grow, the search looks for the cheapest move that
leads out of the book: each ply costs 1, plus more for a move that is worse than the best one. The position
after that move is added to the book, the engine values its moves, and the values are propagated to all
positions that lead to it. So lines that are good for both sides grow deep, and doubtful lines stay short. Of
positions that are symmetric to each other, one is in the book. The file of the book is enough to continue.

The moves of a position are asked together, so several workers can answer. Every question begins with an empty
table: a value depends on the position and the limits, not on who asked before, or how many ask.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gambito.books.book import Book, start_text
from gambito.books.choice import word_of
from gambito.books.entries import BACK, EXACT, combined, entries_of
from gambito.books.files import Pages
from gambito.errors import BookError
from gambito.game.contract import Game
from gambito.game.views import view_of

WEIGHT = 10.0  # cost in plies of a move that is worse than the best by the game's unit


@dataclass(eq=False)
class Move:
    """A move of a position in the book."""

    action: int
    value: Any = None  # for the player to move
    depth: int = 1  # plies searched; for a forced end, the plies to it
    is_exact: bool = False
    leads_to: Position | None = field(default=None, repr=False)  # another position of the book
    is_back: bool = False  # the move leads to an earlier position of the game
    is_taken: bool = False  # the position that it leads to is about to be added

    @property
    def haste(self) -> int:
        return -self.depth if self.is_exact and self.value > 0 else self.depth


@dataclass(eq=False)
class Position:
    """A position in the book: every move has a value."""

    state: Any
    key: int
    moves: list[Move]
    before: list[Position] = field(default_factory=list, repr=False)
    value: Any = None  # for the player to move
    depth: int = 0
    is_exact: bool = False
    cost: float = 0.0  # of the cheapest way out of the book; infinite if nothing is left to find

    @property
    def best(self) -> Move:
        """Among equal values, prefer an exact one, a sooner win, and a deeper search."""
        return max(self.moves, key=lambda move: (move.value, move.is_exact, move.haste))


Value = tuple[Any, int, bool]  # for the player to move, the plies searched, is it exact?
Ask = Callable[[list[Any]], list[Value]]


class Growth:
    """The analysed part of a book, from one position on.

    ask       a function that returns the engine's values of non-terminal states
    together  positions that are added at a time; the book depends on it
    """

    def __init__(
        self,
        game: Game,
        pages: Pages,
        ask: Ask,
        start: Any = None,
        weight: float = WEIGHT,
        together: int = 1,
    ) -> None:
        if game.chance:
            raise BookError("{} has dice or cards; a book grows where no chance decides", game.label())
        self.game, self.pages, self.ask, self.weight, self.together = game, pages, ask, weight, together
        self.start = game.initial() if start is None else start
        self._first = view_of(game, self.start)[1]
        self.positions: dict[int, Position] = {}
        self._asked: dict[int, Value] = {}  # values of positions outside the book
        self._leaving: dict[int, list[tuple[Position, Move]]] = {}  # moves out of the book, by their end
        begins = start_text(game, self.start)
        if begins is None:
            raise BookError("{} cannot write where the book begins", game.label())
        if game.is_terminal(self.start):
            raise BookError("the game is over where the book should grow")
        if begins not in pages.facts.starts:
            pages.facts.starts.append(begins)
        self._load()

    # ---- the book as it is -----------------------------------------------------------------------
    def _load(self) -> None:
        """Load the positions of the book that can be reached, and minimax their values."""
        book = Book(self.pages)
        waiting = deque([self._first])
        while waiting:
            state = waiting.popleft()
            key = word_of(self.game, state)
            if key in self.positions or self.game.is_terminal(state):
                continue
            found = book.find(self.game, state)
            found = found[~np.isnan(found["value"])]
            if len(found) < len(self.game.legal(state)):
                continue
            kind = self.game.value
            moves = [
                Move(int(e["action"]), kind(e["value"]), int(e["depth"]), bool(e["flags"] & EXACT))
                for e in found
            ]
            for move, flags in zip(moves, found["flags"], strict=True):
                move.is_back = bool(flags & BACK)
            self.positions[key] = Position(state, key, moves)
            waiting.extend(self._after(state, move.action) for move in moves)
        for position in self.positions.values():
            self._join(position)
        for position in reversed(self.positions.values()):  # from the last to the start
            self._judge(position)
        self._raise(list(reversed(self.positions.values())))

    def _after(self, state: Any, action: int) -> Any:
        """The state after an action; of states symmetric to it, always the same one."""
        return view_of(self.game, self.game.result(state, action))[1]

    def _join(self, position: Position) -> None:
        """Connect the moves of a position to the positions that they lead to.

        A move that leads back to an earlier position gets the value of a repetition by the rules.
        """
        mover = self.game.player(position.state)
        for move in position.moves:
            child = self._after(position.state, move.action)
            key = word_of(self.game, child)
            known = self.positions.get(key)
            if self.game.is_terminal(child) or move.is_back:
                continue
            if known is None:
                self._leaving.setdefault(key, []).append((position, move))
                own = move.value if self.game.player(child) == mover else -move.value
                self._asked[key] = own, move.depth - 1, move.is_exact
            elif self.game.cycles and self._reaches(known, position):
                move.value, move.depth, move.is_exact = self.game.repetition(child, mover), 1, False
                move.is_back = True
            else:
                move.leads_to = known
                known.before.append(position)

    def _reaches(self, position: Position, other: Position) -> bool:
        seen, waiting = {position}, [position]
        while waiting:
            here = waiting.pop()
            if here is other:
                return True
            new = {move.leads_to for move in here.moves if move.leads_to is not None} - seen
            seen |= new
            waiting += new
        return False

    # ---- growing ---------------------------------------------------------------------------------
    def grow(self, count: int | None = None) -> Iterator[Position]:
        """Add positions to the book, until there are so many more or nothing is left to find.

        They are added up to the next multiple of `together`, so that a book goes on as if it had never
        stopped there.
        """
        left = sys.maxsize if count is None else count
        while left > 0:
            most = self.together - len(self.positions) % self.together
            found = self._dropouts(min(most, left))
            if not found:
                return
            added = [self._add(state, moves) for state, moves in zip(found, self._valued(found), strict=True)]
            left -= len(added)
            yield from added

    def _add(self, state: Any, moves: list[Move]) -> Position:
        position = Position(state, word_of(self.game, state), moves)
        self.positions[position.key] = position
        for parent, move in self._leaving.pop(position.key, []):
            move.leads_to = position
            position.before.append(parent)
        self._join(position)
        self._raise([position])
        return position

    @property
    def root(self) -> Position | None:
        return self.positions.get(word_of(self.game, self._first))

    def _dropouts(self, count: int) -> list[Any]:
        """The positions outside the book at the ends of the cheapest ways, up to so many."""
        root = self.root
        if root is None:
            return [self._first]
        found: list[Any] = []
        taken: list[tuple[Position, Move]] = []
        while (state := self._dropout(root)) is not None:
            found.append(state)
            if len(found) == count:
                break
            leading = self._leaving[word_of(self.game, state)]  # other ways are sought beside these moves
            taken += leading
            self._take(leading, True)
        self._take(taken, False)
        return found

    def _take(self, leading: list[tuple[Position, Move]], is_taken: bool) -> None:
        for _, move in leading:
            move.is_taken = is_taken
        self._raise([position for position, _ in leading])

    def _dropout(self, position: Position) -> Any:
        """The position outside the book at the end of the cheapest way; None if there is none."""
        while position.cost < math.inf:
            costs = [self._cost(position, move) for move in position.moves]
            move = position.moves[costs.index(min(costs))]
            if move.leads_to is None:
                return self._after(position.state, move.action)
            position = move.leads_to
        return None

    def _cost(self, position: Position, move: Move) -> float:
        is_closed = move.is_exact or move.is_back or move.is_taken
        beyond = move.leads_to.cost if move.leads_to is not None else math.inf if is_closed else 0.0
        return 1.0 + self.weight * (position.value - move.value) / self.game.unit() + beyond

    def _valued(self, states: list[Any]) -> list[list[Move]]:
        """The moves of new positions, in the order of a book's file, which decides between equal ones. Those
        that lead out of the book are valued, each position once."""
        after = [[(a, self._after(state, a)) for a in sorted(self.game.legal(state))] for state in states]
        unknown: dict[int, Any] = {}
        for _, child in itertools.chain(*after):
            key = word_of(self.game, child)
            if not (self.game.is_terminal(child) or key in self.positions or key in self._asked):
                unknown[key] = child
        self._asked.update(zip(unknown, self.ask(list(unknown.values())), strict=True))
        return [self._moves(state, ways) for state, ways in zip(states, after, strict=True)]

    def _moves(self, state: Any, after: list[tuple[int, Any]]) -> list[Move]:
        mover, moves = self.game.player(state), []
        for action, child in after:
            move, key = Move(action), word_of(self.game, child)
            if self.game.is_terminal(child):
                move.value, move.is_exact = self.game.utility(child, mover), True
            elif key not in self.positions:
                value, depth, move.is_exact = self._asked[key]
                move.value = value if self.game.player(child) == mover else -value
                move.depth = depth + 1
            moves.append(move)
        return moves

    def _raise(self, changed: list[Position]) -> None:
        """Propagate values and costs from new positions upward, as long as they change something."""
        waiting = deque(changed)
        while waiting:
            position = waiting.popleft()
            if self._judge(position):
                waiting.extend(position.before)

    def _judge(self, position: Position) -> bool:
        """Set the value of a position from its moves; has it changed?"""
        mover = self.game.player(position.state)
        for move in position.moves:
            child = move.leads_to
            if child is not None and child.value is not None:
                sign = 1 if self.game.player(child.state) == mover else -1
                move.value, move.depth, move.is_exact = sign * child.value, child.depth + 1, child.is_exact
        before = position.value, position.depth, position.is_exact, position.cost
        best = position.best
        position.value, position.depth = best.value, best.depth
        is_most = best.value >= self.game.bounds(position.state)[1]
        position.is_exact = best.is_exact and (is_most or all(move.is_exact for move in position.moves))
        position.cost = min(self._cost(position, move) for move in position.moves)
        return before != (position.value, position.depth, position.is_exact, position.cost)

    # ---- what is kept ----------------------------------------------------------------------------
    def line(self) -> list[int]:
        """The best moves of both sides, as far as the book goes."""
        state, position, line = self.start, self.root, []
        while position is not None:
            view, best = view_of(self.game, state)[0], position.best
            line.append(self.game.turn(best.action, view, True) if view else best.action)
            state, position = self.game.result(state, line[-1]), best.leads_to
        return line

    def kept(self) -> Pages:
        """The book with everything that was found."""
        rows = [
            (p.key, m.action, float(m.value), 0, 0, 0, 0, m.depth, EXACT * m.is_exact | BACK * m.is_back)
            for p in self.positions.values()
            for m in p.moves
        ]
        if not rows:
            return self.pages
        old = self.pages.entries.copy()
        is_new = np.isin(old["key"], np.fromiter(self.positions, np.uint64, len(self.positions)))
        old["value"][is_new], old["depth"][is_new], old["flags"][is_new] = math.nan, 0, 0
        return Pages(self.pages.facts, combined(np.concatenate([old, entries_of(rows)])))


def settled(game: Game, pages: Pages) -> Pages:
    """The book with its values minimaxed again, for example after merging books."""
    for start in Book(pages).starts(game):
        pages = Growth(game, pages, _no_engine, start).kept()
    return pages


def _no_engine(states: list[Any]) -> list[Value]:
    raise BookError("a book that does not grow asks no engine")
