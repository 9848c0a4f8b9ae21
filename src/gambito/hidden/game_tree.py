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

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.game.gears import gears
from gambito.native import Handle, Memory, int64, mix, native, uint64
from gambito.native.bits import spread
from gambito.native.store import get, new_memory, put, width
from gambito.search.patience import Check, alone, never

OVER = -2  # the kind of a terminal node
NODES, DONE, SETS, ENDS, FAULT, ENTERED = range(6)  # the head of a growing tree
FIRST_ROOM = 1 << 10  # nodes
NODES_PER_CHECK = {"native": 1 << 12, "python": 1 << 6}  # nodes between two looks at the clock
TOP, COUNTED = range(2)  # the head of the nodes that are counted
BY_HAND = 10_000  # a tree of so few nodes is unrolled before its rules would be compiled
MOST_COUNTED = 1 << 28  # nodes that are counted to tell how much memory a tree needs
MOST_WAITING = 1 << 16  # nodes that wait while others are counted
MOST_FOLLOWED = 1 << 12  # states that are followed to see whether one comes back
_GROWING = "_gambito_growing"  # the attribute in which a game keeps a tree that is not complete


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
            self.head[SETS] = self.head[ENTERED] = number + 1
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
    while tree.head[ENTERED] < tree.head[SETS] and most > 0:  # the slots are new
        number = tree.head[ENTERED]
        tree.slots[tree.slot(tree.keys[number], mask)] = number + 1
        tree.head[ENTERED] = number + 1
        most -= 1
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


class Counting(Handle):
    """Nodes whose children have not been counted yet, the last ones first."""

    arrays: ClassVar[dict[str, type]] = {"head": np.int64, "states": np.uint8}


@native
def plant(game, waiting, start):
    """The first node that waits."""
    put(waiting.states, 0, start)


@native
def count_some(game, waiting, start, room, most):
    """Count up to `most` more nodes; False if too many wait at once."""
    while waiting.head[TOP] > 0 and most > 0:
        top = waiting.head[TOP] - 1
        state = get(waiting.states, top, start)
        if not game.is_terminal(state):
            for action in game.actions(state):
                if top == room:
                    return False
                put(waiting.states, top, game.result(state, action))
                top += 1
        waiting.head[TOP] = top
        waiting.head[COUNTED] += 1
        most -= 1
    return True


class TreeState(NamedTuple):
    """A node of a tree."""

    number: int


class TreeGame(Game):
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
        return TreeState(0)

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
        return TreeState(int64(self.first[state.number]) + action)

    def utility(self, state, player):
        return self.payoff[int64(self.first[state.number]) * self.width[0] + player]

    def count(self, state):
        return int64(self.size[state.number])

    def observe(self, state, player):
        return TreeState(int64(self.place[state.number]))


@dataclass(frozen=True)
class Tree:
    """A game's tree, and its information sets: by player, each after those before it in a game.

    A slot is an action of an information set. The first slots, one for each player, stand for the time before
    any action of that player.
    """

    game: Game  # whose tree it is
    unrolled: TreeGame
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


def unroll(game: Game, gear: str, mebibytes: int, check: Check = never) -> Tree | None:
    """The tree of a game from its initial state; None if it needs more memory than that.

    If `check` raises, the game keeps what there is of its tree, and the next call goes on with it.
    """
    known: dict[Any, Unrolling] = vars(game).setdefault(_GROWING, {})
    unrolling = known.setdefault((gear, mebibytes), Unrolling(game, gear, mebibytes))
    with alone(unrolling.lock, check):
        growing = unrolling.finish(check)
        found = None if growing is None else _sorted(game, growing, check)
        known.pop((gear, mebibytes), None)
    return found


class Unrolling:
    """A tree that is being unrolled: by hand first, because a small one is there before code is compiled."""

    def __init__(self, game: Game, gear: str, mebibytes: int) -> None:
        self.game, self.gear, self.mebibytes = game, gear, mebibytes
        self.lock, self.is_known_to_end = threading.Lock(), False
        self.start = gears(game).cast(game.initial())
        self._begin(True)

    def _begin(self, by_hand: bool) -> None:
        self.by_hand = by_hand
        self.kind = None if by_hand or self.gear != "native" else gears(self.game).state
        self.most = _room(self.game, self.kind, self.mebibytes)
        if by_hand and self.gear == "native":
            self.most = min(BY_HAND, self.most)
        self.room = min(FIRST_ROOM, self.most)
        self.held = _with_room(None, self.kind, self.room, self.game.players, never)

    def finish(self, check: Check) -> Growing | None:
        """Unroll to the end; None if there are more nodes than there is room for."""
        while not self._grow(check):
            if self.room >= BY_HAND and not self.is_known_to_end:
                check_ends(self.game, check)
                self.is_known_to_end = True
            if self.room < self.most:
                room = min(2 * self.room, self.most)
                self.held = _with_room(self.held, self.kind, room, self.game.players, check)
                self.room = room
            elif self.by_hand and self.gear == "native":
                self._begin(False)
            else:
                return None
        return self.held

    def _grow(self, check: Check) -> bool:
        """Unroll as far as there is room; return whether that is the whole tree."""
        held, mask = self.held, len(self.held.slots) - 1
        gear = "python" if self.by_hand else self.gear
        inner = gears(self.game).in_gear(gear)
        while held.head[DONE] < held.head[NODES] or not held.head[NODES]:
            check()
            if not unroll_some(inner, held, self.start, self.room, mask, NODES_PER_CHECK[gear]):
                return False
            if held.head[FAULT]:
                raise SearchError(
                    "the actions of {} differ in two states that look alike to player {}; `gambito check` "
                    "shows them", self.game.label(), int(held.kind[held.head[FAULT] - 1]),
                )  # fmt: skip
        return True


def check_ends(game: Game, check: Check = never) -> None:
    """Refuse a game in which a state comes back: its tree has no end. Of a large game, a part is followed."""
    cast = gears(game).cast
    path: list[
        tuple[int, Iterator[int], Any]
    ] = []  # by ply: the key of a state, its other actions, the state
    above: set[int] = set()
    known: set[int] = set()
    state = cast(game.initial())
    while True:
        key = int(mix(state))
        if key in above:
            raise SearchError(
                "the same state of {} can come back, and strategies need games that end", game.label()
            )
        if key not in known and not game.is_terminal(state):
            known.add(key)
            above.add(key)
            path.append((key, iter(game.legal(state)), state))
            if len(known) % NODES_PER_CHECK["python"] == 0:
                check()
        while path and (action := next(path[-1][1], NO_ACTION)) == NO_ACTION:
            above.remove(path.pop()[0])
        if not path or len(known) == MOST_FOLLOWED:
            return
        state = cast(game.result(path[-1][2], action))


def bytes_of_node(kind: Any, players: int) -> int:
    """The memory that a node takes while the tree is unrolled."""
    held = {n: np.dtype(d).itemsize for n, d in Growing.arrays.items() if n not in ("head", "states")}
    held["slots"] *= 2
    held["payoff"] *= players
    return sum(held.values()) + (width(kind) if kind is not None else 8)


def _room(game: Game, kind: Any, mebibytes: int) -> int:
    return (mebibytes << 20) // bytes_of_node(kind, game.players)


def too_large(game: Game, gear: str, mebibytes: int, check: Check = never) -> SearchError:
    """What is told about a tree that needs more memory: how much it needs, if that can be counted soon."""
    kind = gears(game).state if gear == "native" else None
    most = MOST_COUNTED if gear == "native" else 4 * _room(game, None, mebibytes)
    nodes = count_nodes(game, gear, most, check)
    needed = ((nodes or most) * bytes_of_node(kind, game.players) >> 20) + 1
    if nodes is None:
        return SearchError(
            "the tree of {} needs more than {:,} MiB, and the option memory allows {:,}; "
            "external-sampling needs no tree",
            game.label(), needed, mebibytes,
        )  # fmt: skip
    return SearchError(
        "the tree of {} has {:,} nodes and needs {:,} MiB; the option memory allows {:,}",
        game.label(), nodes, needed, mebibytes,
    )  # fmt: skip


def count_nodes(game: Game, gear: str, most: int, check: Check = never) -> int | None:
    """The number of nodes of a tree; None if there are more than `most`."""
    kind = gears(game).state if gear == "native" else None
    both = gears(game)
    inner, start = both.in_gear(gear), both.cast(game.initial())
    waiting = Counting(head=np.array([1, 0]), states=new_memory(kind, MOST_WAITING))
    plant(inner, waiting, start)
    while waiting.head[TOP] > 0:
        check()
        is_counted = count_some(inner, waiting, start, MOST_WAITING, NODES_PER_CHECK[gear])
        if not is_counted or waiting.head[COUNTED] > most:
            return None
    return int(waiting.head[COUNTED])


def _with_room(held: Growing | None, kind: Any, room: int, players: int, check: Check) -> Growing:
    """An empty tree, or a copy of one with more room."""
    arrays: dict[str, Any] = {n: np.zeros(room, d) for n, d in Growing.arrays.items() if n != "slots"}
    arrays["payoff"] = np.zeros(room * players)
    arrays["head"], arrays["states"] = np.zeros(6, np.int64), new_memory(kind, room)
    if held is not None:
        for name, array in arrays.items():
            check()
            old = getattr(held, name)
            array[: len(old)] = old
        arrays["head"][ENTERED] = 0
    arrays["slots"] = np.zeros(1 << (2 * room - 1).bit_length(), np.int32)
    return Growing(**arrays)


def _sorted(game: Game, growing: Growing, check: Check) -> Tree:
    """The tree with its information sets in the order of their players."""
    nodes, count, ends = (int(growing.head[n]) for n in (NODES, SETS, ENDS))
    owner, size = growing.owner[:count], growing.size[:count].astype(np.int64)
    check()
    order = np.argsort(owner, kind="stable")
    check()
    sets = np.searchsorted(owner[order], np.arange(game.players + 1))
    first = np.zeros(count, np.int64)
    first[order] = np.cumsum(size[order]) - size[order] + game.players
    slots = [int(size[order][:begin].sum()) + game.players for begin in sets]
    check()
    place = np.full(nodes, -1, np.int32)
    decisions = growing.kind[:nodes] >= 0
    place[decisions] = first[growing.number[:nodes][decisions]]
    held = (growing.kind[:nodes], growing.first[:nodes], growing.count[:nodes], place, growing.odds[:nodes])
    arrays = []
    for array in (*held, growing.payoff[: ends * game.players]):
        check()
        arrays.append(np.ascontiguousarray(array))
    tree = TreeGame(game.players, *arrays)
    places = np.append(first[order], slots[-1]).astype(np.int32)
    return Tree(game, tree, growing.keys[order], places, tuple(map(int, sets)), tuple(slots))
