"""Online outcome sampling: games are sampled towards the information set where a player has to decide now.

Each iteration follows one game for each player. With a share of `aim`, it goes only where the game can come
to the present information set; what it learns is divided by the probability of its sample, so the strategy
still goes to an equilibrium, and soonest where it is needed. Lisý, Lanctot & Bowling, Online Monte Carlo
counterfactual regret minimization for search in imperfect information games (2015).
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.game.contract import CHANCE
from gambito.hidden.game_tree import OVER, Tree
from gambito.hidden.regrets import InformationSets
from gambito.native import int64, native


class Aim(NamedTuple):
    """How games are sampled."""

    aim: float = 0.6  # the share of games that go towards the present information set
    explore: float = 0.4  # the share of own choices that are uniform
    doubt: float = 0.1  # the share of the others' choices that are uniform


DEFAULT_AIM = Aim()


class Aimed(InformationSets):
    """The numbers of every slot, and for each node whether an aimed game may come there."""

    arrays: ClassVar[dict[str, type]] = {**InformationSets.arrays, "marks": np.int8}


def chance_of(game, sets, node, each, player, how):
    """The probability that a game which is not aimed goes to that child."""
    kind, count = int64(game.kind[node]), int64(game.size[node])
    if kind == CHANCE:
        return game.odds[int64(game.first[node]) + each]
    uniform = how.explore if kind == player else how.doubt
    return uniform / count + (1.0 - uniform) * sets.policy[int64(game.place[node]) + each]


@native
def follow(game, node, player, mine, others, aimed, free, is_aimed, how, sets, rng):
    """Follow one game; bring the player's regrets and the others' averages up to date.

    mine, others  the probabilities that the player's choices, and the others' and chance, lead to the node
    aimed, free   the probabilities that an aimed game leads there, and one that is not aimed
    Returns the probability of the rest of the game, that of the sample, and what the game is worth.
    """
    kind = int64(game.kind[node])
    if kind == OVER:
        worth = game.payoff[int64(game.first[node]) * game.width[0] + player]
        return 1.0, how.aim * aimed + (1.0 - how.aim) * free, worth
    first, count = int64(game.first[node]), int64(game.size[node])
    reached = 0.0  # the probability of the children that an aimed game may go to
    for each in range(count):
        if sets.marks[first + each]:
            reached += chance_of(game, sets, node, each, player, how)
    narrows = is_aimed and reached > 0.0
    left, chosen = rng.fraction() * (reached if narrows else 1.0), int64(-1)
    for each in range(count):
        if not narrows or sets.marks[first + each]:
            chosen = int64(each)
            left -= chance_of(game, sets, node, each, player, how)
            if left < 0.0:
                break
    likely = chance_of(game, sets, node, chosen, player, how)
    is_marked = sets.marks[first + chosen] != 0
    aimed_on = aimed * likely / reached if is_marked else 0.0 if reached > 0.0 else aimed * likely
    if kind == CHANCE:
        share = game.odds[first + chosen]
        rest, odds, worth = follow(
            game,
            first + chosen,
            player,
            mine,
            others * share,
            aimed_on,
            free * likely,
            is_aimed,
            how,
            sets,
            rng,
        )
        return share * rest, odds, worth
    place = int64(game.place[node])
    share = sets.policy[place + chosen]
    further = mine * share if kind == player else mine
    theirs = others if kind == player else others * share
    rest, odds, worth = follow(
        game, first + chosen, player, further, theirs, aimed_on, free * likely, is_aimed, how, sets, rng
    )
    if kind == player:
        weight = worth * others / odds
        for each in range(count):
            sets.regret[place + each] -= rest * share * weight
        sets.regret[place + chosen] += rest * weight
        sets.match(place, place + count, 0.0, 0.0)
    else:
        here = others / (how.aim * aimed + (1.0 - how.aim) * free)
        for slot in range(place, place + count):
            sets.average[slot] += here * sets.policy[slot]
    return share * rest, odds, worth


@native
def iterate_games(game, how, begin, end, sets, rng, monitor):
    """The iterations from `begin` on, without `end`: one game for each player in turn.

    Returns the next iteration: an earlier one than `end` if the monitor says stop.
    """
    for iteration in range(begin, end):
        if monitor.is_stopped():
            return int64(iteration)
        for player in range(2):
            is_aimed = rng.fraction() < how.aim
            follow(game, int64(0), int64(player), 1.0, 1.0, 1.0, 1.0, is_aimed, how, sets, rng)
    return int64(end)


def marked(tree: Tree, slot: int | None) -> Any:
    """For each node 1 if it leads to the information set of that slot, or follows it; without a slot, 1."""
    marks = np.ones(tree.nodes, np.int8)
    if slot is None:
        return marks
    count = tree.unrolled.size.array
    parents = np.repeat(np.arange(tree.nodes), count)  # of the nodes 1, 2 …
    marks[:] = tree.unrolled.place.array == slot
    above = np.flatnonzero(marks)
    begin, end = 0, 1
    while end < tree.nodes:  # level by level
        begin, end = end, end + int(count[begin:end].sum())
        marks[begin:end] |= marks[parents[begin - 1 : end - 1]]
    while len(above := np.unique(above[above > 0])):
        above = parents[above - 1]
        marks[above] = 1
    return marks
