"""The memory of many games that are played at once: a small tree for each, and the positions to learn from.

Each game has a place of its own in every array. Its tree begins anew with every move. A node holds its state;
an edge is an action and what is known about it. Values are player 0's if there is one value (`k` is 1), else
there is one for each player.

    slots[games][SLOT]     the facts of a game, below
    first, count[nodes]    the edges of a node; count ENDED: the game is over there; 0: there was no room
    mover, tries[nodes]    who moves there; visits
    value[nodes][k]        what the network says, or the result
    action, child[edges]   the action, and the node that it leads to; 0: none yet
    logit, prior[edges]    what the network says about the action: before and after the softmax
    visits, total[edges][k]    simulations through the edge, and the sum of their values
    noise[games][actions]  the Gumbel numbers of the root's actions
    path[games][nodes]     the edges of the simulation that waits for the network
    keys[games][plies]     the positions of the game, if they can come back
    key[games]             that of the state that waits for the network
    marks[entries]         the keys of states that the network has valued, for all games; 0: none
    known[entries][actions + k]    what it said: the logits of their actions, in order, and the values

Danihelka, Guez, Schrittwieser & Silver, Policy improvement by planning with Gumbel, 2022.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gambito.evaluate.policy.encoding import MAX_PLIES, GameSample, Layout
from gambito.evaluate.policy.policy_outputs import Outputs
from gambito.game.contract import Game
from gambito.native import Handle

# the facts of a game
NODES, EDGES, LEAF, DONE, GOAL, IS_FULL, PLY, LENGTH, LAST, IS_ON = range(10)
SLOT = 10
NONE, ENDED = -1, -1
LEFT, COUNT, TARGETS, FINISHED, SIMULATIONS, CUT, DECISIONS = range(7)  # the head of a diary
HEADS = 8
REMEMBERED = 64  # states a game whose outputs are remembered
MOST_KNOWN = 1 << 23  # numbers in all outputs that are remembered
CHANCES = 4  # nodes for each simulation in a game of chance


@dataclass(frozen=True)
class Search:
    """How the moves of the games are searched."""

    full: int = 48  # simulations of a full search, from which is learned
    cheap: int = 12  # of the others
    share: float = 0.3  # of full searches
    considered: int = 16  # actions that a search begins with
    exploration: float = 1.25  # the constant of PUCT below the root
    trust: float = 50.0  # visits that the most visited action has more, where values are weighed
    sharpness: float = 0.1  # the weight of values against the logits of the policy
    loose: float = 0.8  # the share of games that begin with random moves, up to 1.5 times a random game's
    longest: int = MAX_PLIES  # plies after which a game counts as a draw


class SearchSchedule(Handle):
    """The numbers of a search, and how often an action must have been visited to be visited next.

    visits[cheap or full][actions considered][simulation]
    """

    arrays: ClassVar[dict[str, type]] = {"data": np.float64, "visits": np.int64}
    fields: ClassVar[dict[str, tuple[str, int]]] = {
        name: ("data", place)
        for place, name in enumerate((
            "full", "cheap", "share", "considered", "exploration", "trust", "sharpness", "loose", "longest",
            "games", "nodes", "edges", "actions", "slots", "plies", "outcome", "middle", "half", "openings",
            "room", "targets", "steps", "entries",
            "numbers",
        ))
    }  # fmt: skip


class Steady(Handle):
    """A handle whose arrays are never replaced; to ask dozens of them for their addresses takes long."""

    @functools.cached_property
    def addresses(self) -> tuple[int, ...]:
        return super().addresses


class Forest(Steady):
    """The trees of all games."""

    arrays: ClassVar[dict[str, type]] = {
        "slots": np.int64,
        "states": np.uint8,
        "first": np.int32,
        "count": np.int32,
        "mover": np.int32,
        "tries": np.int32,
        "value": np.float32,
        "action": np.int64,
        "child": np.int32,
        "logit": np.float32,
        "prior": np.float32,
        "visits": np.int32,
        "total": np.float32,
        "noise": np.float32,
        "path": np.int32,
        "keys": np.uint64,
        "key": np.uint64,
        "marks": np.uint64,
        "known": np.float32,
        "table": np.int32,  # the outputs of actions, as `slot_of` reads it
        "leaves": np.uint8,  # the states that wait for the network, and who moves there
        "movers": np.int64,
        "outputs": np.float32,  # the network's, for the leaves that waited
    }


class ReplayBuffer(Steady):
    """The positions to learn from.

    head                   games left to begin, positions, targets, games finished, simulations, games cut off
    states, movers         the position, in one of its symmetric views, and who moves
    before                 the position before it in the same game, for the result
    begin, slot, chance    the targets of the policy: from `begin` on, outputs and their probabilities
    found, result[k]       the value that the search found, and the result of the game
    """

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "states": np.uint8,
        "movers": np.int64,
        "before": np.int64,
        "begin": np.int64,
        "slot": np.int32,
        "chance": np.float32,
        "found": np.float32,
        "result": np.float32,
    }


def new_search_schedule(
    game: Game, search: Search, seen: GameSample, games: int, positions: int
) -> SearchSchedule:
    """The numbers of a search for so many games at once, and so many positions in a diary."""
    sims = max(search.full, search.cheap)
    nodes = (sims + 2) * (CHANCES if game.chance else 1)
    most = game.most_actions or 2 * seen.actions + 8
    edges = min(nodes * most, int(nodes * 2 * seen.branching) + 4 * most)
    edges += game.most_outcomes * sims if game.chance else 0
    outcome = game.players == 2 and game.zero_sum and game.lowest == -game.highest
    numbers = {
        **{name: getattr(search, name) for name in Search.__dataclass_fields__},
        "games": games, "nodes": nodes, "edges": edges, "actions": most, "slots": seen.slots,
        "plies": search.longest + 2 if game.cycles else 1, "outcome": outcome,
        "middle": (game.highest + game.lowest) / 2, "half": (game.highest - game.lowest) / 2 or 1.0,
        "openings": max(1.5 * seen.length, 1.0), "room": positions,
        "targets": int(positions * seen.branching * 1.5) + 2 * most,
        "numbers": len(seen.outputs.table), "steps": sims,
        "entries": 1 << min(REMEMBERED * games, MOST_KNOWN // most).bit_length() - 1,
    }  # fmt: skip
    table = np.zeros((2, search.considered + 1, sims), np.int64)
    for way, count in enumerate((search.cheap, search.full)):
        for considered in range(search.considered + 1):
            table[way, considered, :count] = considered_visits(considered, count)
    return SearchSchedule(
        data=np.array([float(numbers[name]) for name in SearchSchedule.fields]), visits=table.ravel()
    )


def considered_visits(actions: int, simulations: int) -> list[int]:
    """Sequential halving: the visits that an action must have had to be visited next, for each simulation."""
    if actions <= 1:
        return list(range(simulations))
    rounds, left, visits = (actions - 1).bit_length(), actions, [0] * actions
    found: list[int] = []
    while len(found) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            found += visits[:left]
            for number in range(left):
                visits[number] += 1
        left = max(2, left // 2)
    return found[:simulations]


def new_forest(layout: Layout, outputs: Outputs, plan: SearchSchedule, players: int, gear: str) -> Forest:
    games, nodes, edges = int(plan.games), int(plan.games * plan.nodes), int(plan.games * plan.edges)
    sizes = {
        "slots": games * SLOT, "first": nodes, "count": nodes, "mover": nodes, "tries": nodes,
        "value": nodes * players, "total": edges * players, "noise": int(games * plan.actions),
        "path": nodes, "keys": int(games * plan.plies), "movers": games, "key": games,
        "marks": int(plan.entries), "known": int(plan.entries * (plan.actions + players)),
        "outputs": games * int(plan.slots + players),
    }  # fmt: skip
    made: dict[str, Any] = {n: np.zeros(sizes.get(n, edges), kind) for n, kind in Forest.arrays.items()}
    made["table"] = outputs.table
    made["states"], made["leaves"] = (layout.new_memory(count, gear) for count in (nodes, games))
    return Forest(**made)


def new_replay_buffer(layout: Layout, plan: SearchSchedule, players: int, gear: str) -> ReplayBuffer:
    room, targets = int(plan.room), int(plan.targets)
    return ReplayBuffer(
        head=np.zeros(HEADS, np.int64),
        states=layout.new_memory(room, gear),
        movers=np.zeros(room, np.int64),
        before=np.zeros(room, np.int64),
        begin=np.zeros(room + 1, np.int64),
        slot=np.zeros(targets, np.int32),
        chance=np.zeros(targets, np.float32),
        found=np.zeros(room * players, np.float32),
        result=np.zeros(room * players, np.float32),
    )


def spans(counts: Any) -> tuple[Any, Any]:
    """For lists of such lengths, one after the other: the list of each member, and its place there."""
    counts = counts.astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
