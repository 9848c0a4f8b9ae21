"""A tree of visited states in bounded memory: arrays in which node 0 is the root.

A node is a state reached by one action; its numbers belong to that action. The children of a node are stored
side by side and always after their parent, so that one sweep can compact what is kept. Rewards are between -1
and 1. `k` is 1 if one player's gain is the other's loss, and rewards are then player 0's; otherwise there is
one for each player.

    head[HEADS]       nodes in use, room, deepest level reached, number of times it was compacted, address
                      of endgame tables
    action[room]      the action that leads to the node
    parent[room]      the node above a block of children, at its first
    first[room]       its first child; 0: it has none; TAKEN: a thread is adding them
    count[room]       the number of children
    tried[room]       children that were visited in turn, before a formula chooses
    size[room]        the size of the block of children that begins with this node
    visits[room]      simulations through the node
    total[room][k]    the sum of their rewards
    squares[room][k]  the sum of their squares                                  (UCB1-Tuned, scores)
    low, high[room]   bounds of the reward                                      (solver)
    prior[room]       the probability of the action before any visit            (PUCT, bias, widening)
    implicit[room]    the static value, backed up by minimax                    (implicit minimax)
    amaf_visits[room], amaf_total[room]    simulations with the action later on (RAVE)

An array that is switched off has a single element. A number is initialised when its node is created.
"""

from __future__ import annotations

import weakref
from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, native, uint64
from gambito.native.atomic import fetch_add

USED, ROOM, DEEPEST, PACKED, TABLES = range(5)
HEADS = 5
TAKEN = -1
DEAD = -1  # the parent of a block that is not kept
PARTS = {  # the arrays that may be switched off
    "squares": ("squares",),
    "bounds": ("low", "high"),
    "prior": ("prior",),
    "implicit": ("implicit",),
    "amaf": ("amaf_visits", "amaf_total"),
}


class Tree(Handle):
    """The arrays, and the operations on single nodes."""

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "action": np.int64,
        "parent": np.int32,
        "first": np.int32,
        "count": np.int32,
        "tried": np.int32,
        "size": np.int32,
        "visits": np.float64,
        "total": np.float64,
        "squares": np.float64,
        "low": np.float64,
        "high": np.float64,
        "prior": np.float32,
        "implicit": np.float32,
        "amaf_visits": np.float32,
        "amaf_total": np.float32,
    }

    def reserve(self, count):
        """Reserve `count` nodes side by side; return the first, or -1 if there is no room."""
        begin = fetch_add(self.head, USED, count)
        if begin + count > self.head[ROOM]:
            fetch_add(self.head, USED, -count)
            return -1
        return begin


def new_tree(mebibytes: int, players: int, parts: frozenset[str]) -> Tree:
    """An empty tree of at most that size, with the `PARTS` that are named."""
    off = {name for part, names in PARTS.items() if part not in parts for name in names}
    vectors = ("total", "squares")
    on = {n: np.dtype(d).itemsize for n, d in Tree.arrays.items() if n != "head" and n not in off}
    a_node = sum(size * (players if n in vectors else 1) for n, size in on.items())
    room = max((mebibytes << 20) // a_node & ~1, 2)
    layout = (room, players, parts)
    memory = _SPARE.pop(layout, None) or _new_memory(room, players, on, off, a_node)
    memory["head"][:] = 1, room, 0, 0, 0
    for name, array in memory.items():
        if name != "head":
            array[: players if name in vectors else 1] = 0
    if "bounds" in parts:
        memory["low"][0], memory["high"][0] = -1.0, 1.0
    tree = Tree(**memory)
    weakref.finalize(tree, _give_back, layout, memory).atexit = False
    return tree


# Memory of trees that are no longer used, by layout: pages that the system has already given are faster.
_SPARE: dict[Any, dict[str, Any]] = {}
MOST_SPARE = 2


def _give_back(layout: Any, memory: dict[str, Any]) -> None:
    _SPARE[layout] = memory
    while len(_SPARE) > MOST_SPARE:
        _SPARE.pop(next(iter(_SPARE)))


def _new_memory(room: int, players: int, on: dict[str, int], off: set[str], a_node: int) -> dict[str, Any]:
    vectors = ("total", "squares")
    block, begin = np.empty(room * a_node, np.uint8), 0  # the system allocates pages when they are touched
    memory: dict[str, Any] = {"head": np.zeros(HEADS, np.int64)}
    for name, size in sorted(on.items(), key=lambda pair: -pair[1]):  # large items first, for alignment
        end = begin + room * size * (players if name in vectors else 1)
        memory[name], begin = block[begin:end].view(Tree.arrays[name]), end
    return memory | {name: np.zeros(1, Tree.arrays[name]) for name in off}


@native
def pack(game, tree, players, least, has):
    """Drop the children of every node with fewer than `least` visits, and move the rest to the front.

    `has` says which of the optional arrays are there: squares, bounds, prior, implicit, amaf.
    """
    end, begin, free = tree.head[USED], 1, 1
    while begin < end:
        size, owner = tree.size[begin], tree.parent[begin]
        is_kept = owner != DEAD and (owner == 0 or tree.visits[owner] >= least)
        if is_kept:
            tree.first[owner] = free
        elif owner != DEAD:
            tree.first[owner], tree.count[owner], tree.tried[owner] = 0, 0, 0
        for node in range(begin, begin + size):
            below = tree.first[node]
            if below > 0:  # its block comes later and then looks up its owner
                tree.parent[below] = free if is_kept else DEAD
            if is_kept:
                _move(tree, node, free, players, has)
                if node == begin:
                    tree.parent[free], tree.size[free] = owner, size
                free += 1
        begin += size
    tree.head[USED] = free
    tree.head[PACKED] += 1
    return free


@native
def reroot(game, tree, child, players, has):
    """Make a child of the root the new root; its subtree is kept, the rest is dropped."""
    begin, size = tree.first[0], tree.count[0]
    for node in range(begin, begin + size):
        if tree.first[node] > 0:
            tree.parent[tree.first[node]] = 0 if node == child else DEAD
    _move(tree, child, 0, players, has)
    tree.parent[begin] = DEAD
    for node in range(begin, begin + size):
        tree.first[node] = 0
    return pack(game, tree, players, 0.0, has)


@native
def find_below(game, tree, root, wanted):
    """Find a key below the root: return the child and 0, or the child and the grandchild, or 0 and 0.

    `root` is the state of node 0. If there are two paths, the shorter one is found.
    """
    begin, end = tree.first[0], tree.first[0] + tree.count[0]
    if begin <= 0:
        return 0, 0
    for child in range(begin, end):
        if uint64(game.key(game.result(root, tree.action[child]))) == wanted:
            return child, 0
    for child in range(begin, end):
        if tree.first[child] > 0:
            state = game.result(root, tree.action[child])
            for below in range(tree.first[child], tree.first[child] + tree.count[child]):
                if uint64(game.key(game.result(state, tree.action[below]))) == wanted:
                    return child, below
    return 0, 0


def _move(tree, node, place, players, has):
    """Copy the numbers of a node to another place."""
    tree.action[place], tree.first[place], tree.count[place] = (
        tree.action[node],
        tree.first[node],
        tree.count[node],
    )
    tree.tried[place], tree.visits[place] = tree.tried[node], tree.visits[node]
    for player in range(players):
        tree.total[place * players + player] = tree.total[node * players + player]
        if has[0]:
            tree.squares[place * players + player] = tree.squares[node * players + player]
    if has[1]:
        tree.low[place], tree.high[place] = tree.low[node], tree.high[node]
    if has[2]:
        tree.prior[place] = tree.prior[node]
    if has[3]:
        tree.implicit[place] = tree.implicit[node]
    if has[4]:
        tree.amaf_visits[place], tree.amaf_total[place] = tree.amaf_visits[node], tree.amaf_total[node]


def least_visits(tree: Tree) -> float:
    """The visits that a node needs to keep its children, so that at least half of the room becomes free."""
    used = int(tree.head[USED])
    first = tree.first[:used]
    owners = np.flatnonzero(first > 0)
    visits, counts = tree.visits[owners], tree.count[owners]
    order = np.argsort(-visits, kind="stable")
    kept = np.cumsum(counts[order])
    few = int(np.searchsorted(kept, int(tree.head[ROOM]) // 2))
    return float(visits[order[min(few, len(order) - 1)]]) + 1.0 if len(order) else 0.0
