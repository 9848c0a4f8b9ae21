"""A game's whole tree in arrays, as a game of its own: code that walks it is compiled once for all games.

The nodes are in the order of a breadth-first search, so the children of a node lie side by side and after
it. A decision belongs to an information set, which is known by what its player sees. The information sets of
each player lie side by side too, each after all sets that come before it in a game.

    kind[node]     the player to move, CHANCE, or OVER
    first[node]    the first child; of a terminal node, its row in `payoff`
    count[node]    the number of children
    place[node]    of a decision: the slot of its first action
    odds[node]     the probability of the outcome that leads to the node; 1 after a move
    payoff[row]    the utility for each player

This module does not depend on any algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.native import Handle, Memory, int64, mix, native, uint64
from gambito.native.bits import spread
from gambito.native.store import get, new_memory, put, width

OVER = -2  # the kind of a terminal node
NODES, DONE, SETS, ENDS, FAULT, GROWN = range(6)  # the head of a growing tree
FIRST_ROOM, AT_ONCE = 1 << 10, 1 << 16  # nodes
BY_HAND = 10_000  # a tree of so few nodes is unrolled before its rules would be compiled
MOST_COUNTED = 1 << 28  # nodes that are counted to tell how much memory a tree needs


class Growing(Handle):
    """A tree that is being unrolled; `number` are information sets in the order in which they are met."""

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "states": np.uint8,
        "kind": np.int8,
        "first": np.int32,
        "count": np.int32,
        "number": np.int32,
        "odds": np.float64,
        "payoff": np.float64,
        "slots": np.int32,  # by key: the number of an information set, plus 1
        "keys": np.uint64,
        "owner": np.int8,
        "size": np.int32,  # the number of actions of an information set
    }

    def slot(self, key, mask):
        """The slot of a key, or an empty slot for it."""
        slot = int64(spread(key) >> uint64(20)) & mask
        while self.slots[slot] and self.keys[self.slots[slot] - 1] != key:
            slot = (slot + 1) & mask
        return slot

    def find(self, key, player, count, mask):
        """The number of the information set with that key; a new one is entered."""
        slot = self.slot(key, mask)
        if self.slots[slot] == 0:
            number = self.head[SETS]
            self.head[SETS] = number + 1
            self.slots[slot] = number + 1
            self.keys[number], self.owner[number], self.size[number] = key, player, count
        return int64(self.slots[slot]) - 1


def set_key(game, state, player):
    """The key of the information set that a player is in."""
    return uint64(mix((uint64(game.seen_key(state, player)), player)))


@native
def unroll_some(game, tree, start, room, mask, most):
    """Unroll up to `most` nodes; False if there is no room for the children of the next one."""
    if tree.head[NODES] == 0:
        put(tree.states, 0, start)
        tree.odds[0] = 1.0
        tree.head[NODES] = 1
    if tree.head[GROWN]:
        tree.head[GROWN] = 0
        for number in range(tree.head[SETS]):
            tree.slots[tree.slot(tree.keys[number], mask)] = number + 1
    while tree.head[DONE] < tree.head[NODES] and most > 0:
        node, begin = tree.head[DONE], tree.head[NODES]
        state = get(tree.states, node, start)
        end = begin
        if game.is_terminal(state):
            row = tree.head[ENDS]
            tree.kind[node], tree.first[node] = OVER, row
            for player in range(game.players):
                tree.payoff[row * game.players + player] = game.utility(state, player)
            tree.head[ENDS] = row + 1
        elif game.player(state) == CHANCE:
            for outcome, chance in game.chances(state):
                if end < room:
                    tree.odds[end] = chance
                    put(tree.states, end, game.result(state, outcome))
                end += 1
            tree.kind[node], tree.first[node] = CHANCE, begin
        else:
            for action in game.actions(state):
                if end < room:
                    tree.odds[end] = 1.0
                    put(tree.states, end, game.result(state, action))
                end += 1
            player = game.player(state)
            number = tree.find(set_key(game, state, player), player, end - begin, mask)
            tree.kind[node], tree.first[node], tree.number[node] = player, begin, number
            if tree.size[number] != end - begin:
                tree.head[FAULT] = node + 1
                return True
        if end > room:
            return False
        tree.count[node] = end - begin
        tree.head[NODES], tree.head[DONE] = end, node + 1
        most -= 1
    return True


@native
def count_nodes(game, state, most):
    """The number of nodes of a tree, or any number from `most` on."""
    if game.is_terminal(state):
        return int64(1)
    total = int64(1)
    for action in game.actions(state):
        if total >= most:
            break
        total += count_nodes(game, game.result(state, action), most - total)
    return total


class Node(NamedTuple):
    """A node of a tree."""

    number: int


class Unrolled(Game):
    """A tree in arrays as a game. It has no limits of its own, so that all trees share their machine code."""

    chance = True
    hidden = True
    zero_sum = False
    value = float
    lowest = -np.inf
    highest = np.inf

    def __init__(self, players: int, kind: Any, first: Any, count: Any, place: Any, odds: Any, payoff: Any):
        self.kind, self.first, self.size = Memory(kind), Memory(first), Memory(count)
        self.place, self.odds, self.payoff = Memory(place), Memory(odds), Memory(payoff)
        self.width = Memory(np.array([players]))  # of a row of payoffs; code does not depend on it

    def parameters(self) -> dict[str, Any]:
        return {}

    def initial(self):
        return Node(0)

    def player(self, state):
        return self.kind[state.number]

    def is_terminal(self, state):
        return self.kind[state.number] == OVER

    def actions(self, state):
        for each in range(self.size[state.number]):
            yield each

    def chances(self, state):
        begin = int64(self.first[state.number])
        for each in range(self.size[state.number]):
            yield each, self.odds[begin + each]

    def result(self, state, action):
        return Node(int64(self.first[state.number]) + action)

    def utility(self, state, player):
        return self.payoff[int64(self.first[state.number]) * self.width[0] + player]

    def count(self, state):
        return int64(self.size[state.number])

    def observe(self, state, player):
        return Node(int64(self.place[state.number]))


@dataclass(frozen=True)
class Tree:
    """A game's tree, and its information sets: by player, each after those before it in a game.

    A slot is an action of an information set. The first slots, one for each player, stand for the time before
    any action of that player.
    """

    game: Game  # whose tree it is
    unrolled: Unrolled
    keys: Any  # of each set
    first: Any  # the slot of its first action, and behind the last set the number of slots
    sets: tuple[int, ...]  # where the sets of each player begin, and where the last ones end
    slots: tuple[int, ...]  # where the slots of each player begin, and where the last ones end

    @property
    def nodes(self) -> int:
        return len(self.unrolled.kind.array)

    @property
    def players(self) -> int:
        return len(self.slots) - 1

    @property
    def depth(self) -> int:
        """The plies of the longest game."""
        begin, end, depth = 0, 1, 0
        while end < self.nodes:
            begin, end = end, end + int(self.unrolled.size.array[begin:end].sum())
            depth += 1
        return depth

    def find(self, key: Any) -> int | None:
        """The number of an information set, or None if the game has none with that key."""
        return self._numbers.get(int(key))

    @property
    def _numbers(self) -> dict[int, int]:
        kept = self.__dict__.get("_kept")
        if kept is None:
            kept = {int(key): number for number, key in enumerate(self.keys)}
            object.__setattr__(self, "_kept", kept)
        return kept


def unroll(game: Game, gear: str, mebibytes: int) -> Tree | None:
    """The tree of a game from its initial state; None if it needs more memory than that."""
    turning = gears(game)
    start = turning.enter(game.initial())
    growing = _grown(game, None, start, min(BY_HAND, _room(game, None, mebibytes)))
    if growing is None and gear == "native":
        kind = turning.state
        growing = _grown(turning.shift(gear), kind, start, _room(game, kind, mebibytes))
    elif growing is None:
        growing = _grown(game, None, start, _room(game, None, mebibytes))
    return None if growing is None else _sorted(game, growing)


def bytes_of_node(kind: Any, players: int) -> int:
    """The memory that a node takes while the tree is unrolled."""
    held = {n: np.dtype(d).itemsize for n, d in Growing.arrays.items() if n not in ("head", "states")}
    held["slots"] *= 2
    held["payoff"] *= players
    return sum(held.values()) + (width(kind) if kind is not None else 8)


def _room(game: Game, kind: Any, mebibytes: int) -> int:
    return (mebibytes << 20) // bytes_of_node(kind, game.players)


def too_large(game: Game, gear: str, mebibytes: int) -> SearchError:
    """What is told about a tree that needs more memory: how much it needs, if that can be counted soon."""
    turning = gears(game)
    start = turning.enter(game.initial())
    counted = MOST_COUNTED if gear == "native" else 4 * _room(game, None, mebibytes)
    nodes = int(count_nodes(turning.shift(gear), start, counted))
    needed = (nodes * bytes_of_node(turning.state, game.players) >> 20) + 1
    if nodes >= counted:
        return SearchError(
            "the tree of {} needs more than {:,} MiB, and the option memory allows {:,}; "
            "external-sampling needs no tree",
            game.label(), needed, mebibytes,
        )  # fmt: skip
    return SearchError(
        "the tree of {} has {:,} nodes and needs {:,} MiB; the option memory allows {:,}",
        game.label(), nodes, needed, mebibytes,
    )  # fmt: skip


def _grown(game: Any, kind: Any, start: Any, most: int) -> Growing | None:
    """The tree, unrolled in the gear of `game`; None if it has more than `most` nodes."""
    rules: Game = getattr(game, "subject", game)
    room, held = min(FIRST_ROOM, most), None
    while True:
        held = _with_room(held, kind, room, rules.players)
        mask = len(held.slots) - 1
        while held.head[DONE] < held.head[NODES] or not held.head[NODES]:
            if not unroll_some(game, held, start, room, mask, AT_ONCE):
                break
            if held.head[FAULT]:
                raise SearchError(
                    "the actions of {} differ in two states that look alike to player {}; `gambito check` "
                    "shows them", rules.label(), int(held.kind[held.head[FAULT] - 1]),
                )  # fmt: skip
        if held.head[DONE] == held.head[NODES]:
            return held
        if room >= most:
            return None
        room = min(2 * room, most)


def _with_room(held: Growing | None, kind: Any, room: int, players: int) -> Growing:
    """An empty tree, or a copy of one with more room."""
    arrays: dict[str, Any] = {n: np.zeros(room, d) for n, d in Growing.arrays.items() if n != "slots"}
    arrays["payoff"] = np.zeros(room * players)
    arrays["head"], arrays["states"] = np.zeros(6, np.int64), new_memory(kind, room)
    if held is not None:
        for name, array in arrays.items():
            old = getattr(held, name)
            array[: len(old)] = old
        arrays["head"][GROWN] = 1
    arrays["slots"] = np.zeros(1 << (2 * room - 1).bit_length(), np.int32)
    return Growing(**arrays)


def _sorted(game: Game, growing: Growing) -> Tree:
    """The tree with its information sets in the order of their players."""
    nodes, count, ends = (int(growing.head[n]) for n in (NODES, SETS, ENDS))
    owner, size = growing.owner[:count], growing.size[:count].astype(np.int64)
    order = np.argsort(owner, kind="stable")
    sets = np.searchsorted(owner[order], np.arange(game.players + 1))
    first = np.zeros(count, np.int64)
    first[order] = np.cumsum(size[order]) - size[order] + game.players
    slots = [int(size[order][:begin].sum()) + game.players for begin in sets]
    place = np.full(nodes, -1, np.int32)
    decisions = growing.kind[:nodes] >= 0
    place[decisions] = first[growing.number[:nodes][decisions]]
    held = (growing.kind[:nodes], growing.first[:nodes], growing.count[:nodes], place, growing.odds[:nodes])
    arrays = [np.ascontiguousarray(array) for array in (*held, growing.payoff[: ends * game.players])]
    tree = Unrolled(game.players, *arrays)
    places = np.append(first[order], slots[-1]).astype(np.int32)
    return Tree(game, tree, growing.keys[order], places, tuple(map(int, sets)), tuple(slots))
