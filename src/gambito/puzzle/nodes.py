"""The memory of a best-first search: every state reached, the open list, and a hash table of states.

    node[n]   states g h f parent action steps place     place: in the open list, CLOSED, or GONE
    slots     a hash table of node numbers + 1, open addressing; equal states match, keys only locate them
    heap      heap_node heap_f heap_tie heap_order       a binary heap: least f, then least tie, then order

Everything is in arrays, so a search that is full can be given larger ones and continue.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, uint64
from gambito.native.bits import spread
from gambito.native.store import holds, new_memory, put, width
from gambito.native.values import as_key

COUNT, CAPACITY, OPEN, ROOM, SHIFT, GOAL, EXPANDED, REOPENED, CUT, DEAD, SIDE, HALF = range(
    12
)  # places in `head`
HEAD = 12
CLOSED, WAITING = -1, 0  # the `place` of a node; a node in an eager open list has its place there
NOBODY = -1
FIRST_BITS = 10  # the initial arrays have room for 2¹⁰ nodes
NODE_BYTES = 8 * 6 + 4 * 2 + 8  # without the state; two slots of four bytes per node
HEAP_BYTES = 4 + 3 * 8


class Nodes(Handle):
    """The memory of one direction of a search."""

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "states": np.uint8,
        "g": np.float64,
        "h": np.float64,
        "f": np.float64,
        "parent": np.int64,
        "action": np.int64,
        "steps": np.int32,
        "place": np.int32,
        "slots": np.int32,
        "heap_node": np.int32,
        "heap_f": np.float64,
        "heap_tie": np.float64,
        "heap_order": np.int64,
    }

    # ---- states ----------------------------------------------------------------------------------
    def find(self, game, state):
        """The slot of a state: its own, or the empty slot where it belongs."""
        mask = 2 * self.head[CAPACITY] - 1
        slot = int64(spread(uint64(game.key(state))) >> uint64(self.head[SHIFT]))
        while self.slots[slot] != 0:
            if holds(self.states, self.slots[slot] - 1, state):
                return slot
            slot = (slot + 1) & mask
        return slot

    def is_full(self):
        """Is there no room for another state, or for another entry in the open list?"""
        return self.head[COUNT] >= self.head[CAPACITY] or self.head[OPEN] >= self.head[ROOM]

    def add(self, slot, state, parent, action):
        """Add a new node in that slot."""
        node = self.head[COUNT]
        self.head[COUNT] = node + 1
        self.slots[slot] = node + 1
        put(self.states, node, state)
        self.parent[node], self.action[node] = parent, action
        self.steps[node] = 0 if parent == NOBODY else self.steps[parent] + 1
        return node

    # ---- the open list ---------------------------------------------------------------------------
    def push(self, node, tie, order):
        """Add a node to the open list, by its f."""
        at = self.head[OPEN]
        self.head[OPEN] = at + 1
        self.rise(at, node, self.f[node], tie, order)

    def pop(self):
        """Remove and return the first node of the open list."""
        first = self.heap_node[0]
        last = self.head[OPEN] - 1
        self.head[OPEN] = last
        if last > 0:
            self.sink(
                self.heap_node[last], self.heap_f[last], self.heap_tie[last], self.heap_order[last], last
            )
        return int64(first)

    def rise(self, at, node, f, tie, order):
        """Put an entry at `at` or above, where it belongs."""
        while at > 0:
            above = (at - 1) >> 1
            if not self.is_before(f, tie, order, above):
                break
            self.move(above, at)
            at = above
        self.set(at, node, f, tie, order)

    def sink(self, node, f, tie, order, count):
        """Put an entry at the top or below, where it belongs."""
        at = 0
        while 2 * at + 1 < count:
            below = 2 * at + 1
            if below + 1 < count and self.is_before(
                self.heap_f[below + 1], self.heap_tie[below + 1], self.heap_order[below + 1], below
            ):
                below += 1
            if self.is_before(f, tie, order, below):
                break
            self.move(below, at)
            at = below
        self.set(at, node, f, tie, order)

    def is_before(self, f, tie, order, other):
        """Does this entry come before another one?"""
        if f != self.heap_f[other]:
            return f < self.heap_f[other]
        if tie != self.heap_tie[other]:
            return tie < self.heap_tie[other]
        return order < self.heap_order[other]

    def move(self, source, target):
        self.set(
            target,
            self.heap_node[source],
            self.heap_f[source],
            self.heap_tie[source],
            self.heap_order[source],
        )

    def set(self, at, node, f, tie, order):
        self.heap_node[at], self.heap_f[at] = node, f
        self.heap_tie[at], self.heap_order[at] = tie, order
        self.place[node] = at

    # ---- what drivers call -----------------------------------------------------------------------
    def path(self, node: int) -> list[int]:
        """The actions from the root to a node."""
        actions: list[int] = []
        while self.parent[node] != NOBODY:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return actions[::-1]


class PlainNodes(Nodes):
    """The nodes in the Python gear, where a dictionary finds states."""

    def find(self, game, state):
        return as_key(state, game.key)


class _Slots(dict[Any, int]):
    """Node numbers + 1; 0 for a missing one."""

    def __missing__(self, slot: Any) -> int:
        return 0


def node_bytes(kind: Any) -> int:
    """The bytes that one state takes in total."""
    return NODE_BYTES + HEAP_BYTES + (width(kind) if kind is not None else 8)


def new_nodes(kind: Any, gear: str, bits: int = FIRST_BITS) -> Nodes:
    """Empty memory for 2 to the power of `bits` states of that type."""
    capacity = 1 << bits
    arrays: dict[str, Any] = {}
    for name, dtype in Nodes.arrays.items():
        length = {"head": HEAD, "slots": 2 * capacity}.get(name, capacity)
        arrays[name] = np.zeros(length, dtype) if name in ("head", "slots") else np.empty(length, dtype)
    arrays["states"] = new_memory(kind if gear == "native" else None, capacity)
    head = arrays["head"]
    head[CAPACITY], head[ROOM], head[SHIFT] = capacity, capacity, 64 - bits - 1
    head[GOAL] = head[HALF] = NOBODY
    if gear != "native":
        arrays = {n: a.tolist() if isinstance(a, np.ndarray) else a for n, a in arrays.items()}
        return PlainNodes(**{**arrays, "slots": _Slots()})
    return Nodes(**arrays)


def grown(nodes: Nodes, kind: Any, gear: str, game: Any, rehash: Any, like: Any) -> Nodes:
    """The same memory with twice the room."""
    bits = 64 - int(nodes.head[SHIFT])
    larger = new_nodes(kind, gear, bits)
    for name in Nodes.arrays:
        old, new = getattr(nodes, name), getattr(larger, name)
        if name == "head":
            kept = [new[CAPACITY], new[ROOM], new[SHIFT]]
            new[:] = old
            new[CAPACITY], new[ROOM], new[SHIFT] = kept
        elif name != "slots":
            new[: len(old)] = old
    rehash(game, larger, like)
    return larger
