"""A tree as its players' sequences of own actions: all that sweeps over strategies need.

A player's sequence is known by the slot of its last action; the slots 0, 1 … are the sequences without any.
With perfect recall, the probability that a player's choices reach a node depends on that sequence alone. So
the nodes in between are not needed: every way to end the game is an entry that has the sequences of all
players, and what it is worth to one of them times the probability of its chances. Koller, Megiddo & von
Stengel, Fast algorithms for finding randomized strategies in game trees (1994).

    sets[player]        its first information set; behind the last player, the number of sets
    first[set]          the slot of its first action; behind the last set, the number of slots
    parent[set]         the sequence that leads to it
    start[slot]         the first entry in which the owner's sequence ends there
    other[entry]        the sequences of the other players
    worth[entry]        the owner's utility times the probability of the chances
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE
from gambito.hidden.game_tree import OVER, Tree
from gambito.native import Handle
from gambito.search.patience import Check, never

NODES_PER_CHECK = 1 << 17  # nodes between two looks at the clock


class SequenceForm(Handle):
    """The sequences of a tree."""

    arrays: ClassVar[dict[str, type]] = {
        "shape": np.int64,
        "sets": np.int64,
        "first": np.int32,
        "parent": np.int32,
        "start": np.int32,
        "other": np.int32,
        "worth": np.float64,
    }
    fields: ClassVar[dict[str, tuple[str, int]]] = {"players": ("shape", 0), "slots": ("shape", 1)}


def new_sequence_form(tree: Tree, check: Check = never) -> SequenceForm:
    """The sequences of a tree; an error if a player forgets what it did."""
    players, game = tree.players, tree.unrolled
    kind, first = game.kind.array, game.first.array
    sequence, chance = sequences_of(tree, check)
    parent = np.full(len(tree.keys), -1, np.int32)
    decisions = np.flatnonzero(kind >= 0)
    number = np.searchsorted(tree.first, game.place.array[decisions], "right") - 1
    leading = sequence[kind[decisions], decisions]
    parent[number] = leading
    if (parent[number] != leading).any():
        raise SearchError(
            "what a player of {} sees does not tell all that it did before, and strategies need that; "
            "accepted: games with perfect recall", tree.game.label(),
        )  # fmt: skip
    ends = np.flatnonzero(kind == OVER)
    payoff = game.payoff.array.reshape(-1, players)[first[ends]] * chance[ends, None]
    entries = []
    for player in range(players):
        check()
        entries.append(_entries(sequence[:, ends], payoff[:, player], player))
    check()
    own = np.concatenate([own for own, _, _ in entries])
    order = np.argsort(own, kind="stable")
    slots = int(tree.first[-1])
    start = np.searchsorted(own[order], np.arange(slots + 1)).astype(np.int32)
    other = np.concatenate([other for _, other, _ in entries])[order]
    worth = np.concatenate([worth for _, _, worth in entries])[order]
    return SequenceForm(
        shape=np.array([players, slots]), sets=np.array(tree.sets), first=tree.first,
        parent=parent, start=start, other=np.ascontiguousarray(other).reshape(-1), worth=worth,
    )  # fmt: skip


def sequences_of(tree: Tree, check: Check = never) -> tuple[Any, Any]:
    """For each player and node its sequence, and for each node the probability of its chances."""
    game = tree.unrolled
    kind, first, count, place = (m.array for m in (game.kind, game.first, game.size, game.place))
    parents = np.repeat(np.arange(tree.nodes), count)  # of the nodes 1, 2 …
    sequence = np.zeros((tree.players, tree.nodes), np.int32)
    sequence[:, 0] = range(tree.players)
    chance = np.ones(tree.nodes)
    begin, end = 0, 1
    while end < tree.nodes:  # level by level
        begin, end = end, end + int(count[begin:end].sum())
        for part in range(begin, end, NODES_PER_CHECK):
            check()
            last = min(part + NODES_PER_CHECK, end)
            nodes, above = np.arange(part, last), parents[part - 1 : last - 1]
            sequence[:, part:last] = sequence[:, above]
            chance[part:last] = chance[above] * game.odds.array[part:last]
            moved = kind[above] != CHANCE
            slot = place[above] + nodes - first[above]
            sequence[kind[above][moved], nodes[moved]] = slot[moved]
    return sequence, chance


def _entries(sequence: Any, payoff: Any, player: int) -> tuple[Any, Any, Any]:
    """A player's own sequences, the others', and what they are worth; entries that are alike become one."""
    others = np.delete(sequence, player, 0)
    order = np.lexsort((*others, sequence[player]))
    own, others, payoff = sequence[player][order], others[:, order], payoff[order]
    is_new = np.ones(len(own), bool)
    is_new[1:] = (own[1:] != own[:-1]) | (others[:, 1:] != others[:, :-1]).any(0)
    return own[is_new], others[:, is_new].T, np.add.reduceat(payoff, np.flatnonzero(is_new))
