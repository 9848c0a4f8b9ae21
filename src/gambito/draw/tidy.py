"""A tidy drawing of a tree: the place of each node on its level.

Walker's rules in the linear time of Buchheim, Jünger and Leipert (2002), for nodes of different widths and
without recursion: children keep their order, a parent is over the middle of its children, a subtree looks the
same wherever it is, and small subtrees between large ones are spread evenly. Only shapes are used here.
"""

from __future__ import annotations

from collections.abc import Sequence


def tidy(
    children: Sequence[Sequence[int]],
    left: Sequence[float],
    right: Sequence[float],
    cousins: float = 0.0,
) -> list[float]:
    """The x of every node of a tree in which node 0 is the root and parents come before their children.

    A node at x takes the space from x - left to x + right. On one level the spaces of two neighbours never
    overlap; between neighbours of different parents there is an additional gap of `cousins`. The leftmost
    space begins at 0.
    """
    if not children:
        return []
    walk = _Walk(children, left, right, cousins)
    for node in range(len(children) - 1, -1, -1):  # children first: all below is placed
        walk.place_below(node)
    return walk.positions()


class _Walk:
    """The state of one drawing; the names are those of the paper."""

    def __init__(
        self,
        children: Sequence[Sequence[int]],
        left: Sequence[float],
        right: Sequence[float],
        cousins: float,
    ) -> None:
        n = len(children)
        self.children, self.left, self.right, self.cousins = children, left, right, cousins
        self.prelim = [0.0] * n  # x relative to the parent's subtree
        self.mod = [0.0] * n  # the shift of everything below
        self.shift = [0.0] * n
        self.change = [0.0] * n
        self.thread = [-1] * n  # the next node of a contour, where it leaves the subtree
        self.ancestor = list(range(n))
        self.parent = [-1] * n
        self.rank = [0] * n  # the place among the siblings
        for node, below in enumerate(children):
            for rank, child in enumerate(below):
                self.parent[child], self.rank[child] = node, rank

    def place_below(self, node: int) -> None:
        """Place the children of `node` beside each other and `node` over their middle."""
        below = self.children[node]
        if not below:
            return
        default = below[0]
        for rank, child in enumerate(below):
            middle = self.prelim[child]
            if rank:
                before = below[rank - 1]
                self.prelim[child] = self.prelim[before] + self.right[before] + self.left[child]
                self.mod[child] = self.prelim[child] - middle
                default = self._apportion(child, before, below[0], default)
        self._spread(below)
        self.prelim[node] = (self.prelim[below[0]] + self.prelim[below[-1]]) / 2

    def positions(self) -> list[float]:
        """Add up the deferred shifts from the root down, and begin at 0."""
        x = list(self.prelim)
        moved = [0.0] * len(x)
        for node, below in enumerate(self.children):
            for child in below:
                x[child] += moved[node] + self.mod[node]
                moved[child] = moved[node] + self.mod[node]
        start = min(at - room for at, room in zip(x, self.left, strict=True))
        return [at - start for at in x]

    def _apportion(self, node: int, before: int, first: int, default: int) -> int:
        """Move the subtree of `node` right until it is clear of all its left siblings' subtrees."""
        mod, thread = self.mod, self.thread
        inner_right = outer_right = node
        inner_left, outer_left = before, first
        s_inner_right = s_outer_right = mod[node]
        s_inner_left, s_outer_left = mod[inner_left], mod[outer_left]
        while (next_left := self._next_right(inner_left)) >= 0 and (
            next_right := self._next_left(inner_right)
        ) >= 0:
            inner_left, inner_right = next_left, next_right
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            self.ancestor[outer_right] = node
            room = self.right[inner_left] + self.left[inner_right] + self.cousins
            shift = self.prelim[inner_left] + s_inner_left + room - self.prelim[inner_right] - s_inner_right
            if shift > 0:
                self._move(self._sibling(inner_left, node, default), node, shift)
                s_inner_right += shift
                s_outer_right += shift
            s_inner_left += mod[inner_left]
            s_inner_right += mod[inner_right]
            s_outer_left += mod[outer_left]
            s_outer_right += mod[outer_right]
        if self._next_right(inner_left) >= 0 and self._next_right(outer_right) < 0:
            thread[outer_right] = self._next_right(inner_left)
            mod[outer_right] += s_inner_left - s_outer_right
        if self._next_left(inner_right) >= 0 and self._next_left(outer_left) < 0:
            thread[outer_left] = self._next_left(inner_right)
            mod[outer_left] += s_inner_right - s_outer_left
            default = node
        return default

    def _sibling(self, inner_left: int, node: int, default: int) -> int:
        """The left sibling of `node` whose subtree is in the way at `inner_left`."""
        found = self.ancestor[inner_left]
        return found if self.parent[found] == self.parent[node] else default

    def _move(self, obstacle: int, node: int, shift: float) -> None:
        """Move `node` now, and note that the siblings between it and the obstacle share the space later."""
        share = shift / (self.rank[node] - self.rank[obstacle])
        self.change[node] -= share
        self.shift[node] += shift
        self.change[obstacle] += share
        self.prelim[node] += shift
        self.mod[node] += shift

    def _spread(self, below: Sequence[int]) -> None:
        """Give every child the share that `_move` deferred."""
        shift = change = 0.0
        for child in reversed(below):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def _next_left(self, node: int) -> int:
        below = self.children[node]
        return below[0] if below else self.thread[node]

    def _next_right(self, node: int) -> int:
        below = self.children[node]
        return below[-1] if below else self.thread[node]
