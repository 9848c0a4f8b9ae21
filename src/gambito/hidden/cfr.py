"""Counterfactual regret minimisation as one recursive walk: the reference, and every way of sampling.

Each iteration walks the game once for every player. At that player's decisions the walk learns how much each
action would have gained, counted with the probability that chance and the others lead there. The policy of
the next iteration is in proportion to what was missed so far (regret matching), and the average of all
policies goes to an equilibrium in zero-sum games of two players. Instead of everything, a walk may follow one
outcome of chance, one action of the others (external sampling), or also one of its own (outcome sampling);
what it learns is divided by the probability of the sample. Zinkevich et al., Regret minimization in games
with incomplete information (2007); Lanctot et al., Monte Carlo sampling for regret minimization (2009).

The walk does not know which game it walks: rules, or a tree in arrays.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from gambito.game.contract import CHANCE
from gambito.hidden.game_tree import Tree, set_key
from gambito.hidden.regrets import InformationSets, factor, new_sets
from gambito.native import int64, native, uint64
from gambito.native.bits import spread

ALL, ONE = 0, 1  # what a walk follows
USED, COUNT, MASK, ROOM, SLOTS, SCRATCH, PLAYERS, FULL = range(8)  # the head of a table
SLOTS_OF_SET = 3  # actions for which there is room in a table, on average
BYTES_OF_SET = 32 * SLOTS_OF_SET + 2 * 12 + 5
SCRATCH_ROOM = 1 << 14  # numbers that a walk over rules may keep on its way


class Sampling(NamedTuple):
    """What a walk follows."""

    chance: int = ALL  # outcomes of chance
    others: int = ALL  # actions of the other players
    own: int = ALL
    explore: float = 0.6  # where it follows one own action: the share of choices that are uniform


SAMPLING_SCHEMES = {
    "none": Sampling(),
    "chance": Sampling(chance=ONE),
    "external": Sampling(chance=ONE, others=ONE),
    "outcome": Sampling(chance=ONE, others=ONE, own=ONE),
}


class RegretTable(InformationSets):
    """The numbers of every slot, and where information sets begin.

    head[…]     USED slots; COUNT of sets; MASK of `numbers`; ROOM for sets; SLOTS; SCRATCH; PLAYERS; FULL:
                1 if more room is needed
    first[set]  its first slot; behind the last set, USED
    scratch[…]  values of the actions on the way of a walk
    """

    arrays: ClassVar[dict[str, type]] = {
        **InformationSets.arrays,
        "head": np.int64,
        "first": np.int32,
        "scratch": np.float64,
    }


class IndexedSets(RegretTable):
    """Of a tree in arrays, whose nodes know the slots of their sets.

    sets[player]  its first set; behind the last player, the number of sets
    """

    arrays: ClassVar[dict[str, type]] = {**RegretTable.arrays, "sets": np.int64}

    def belongs(self, number, player):
        """Is that set a player's?"""
        return self.sets[player] <= number < self.sets[player + 1]

    def find(self, game, state, mover):
        """The slot of the first action of the mover's information set."""
        return int64(game.place[state.number])


class HashedSets(RegretTable):
    """A table that grows with the information sets that a walk over rules meets.

    keys[place]     of the set whose number is in `numbers`
    numbers[place]  the number of a set, plus 1
    owner[set]      its player
    """

    arrays: ClassVar[dict[str, type]] = {
        **RegretTable.arrays,
        "keys": np.uint64,
        "numbers": np.int32,
        "owner": np.int8,
    }

    def belongs(self, number, player):
        """Is that set a player's?"""
        return self.owner[number] == player

    def find(self, game, state, mover):
        """The slot of the first action of the mover's information set; a new set is entered.

        If there is no room, the table is marked as FULL, and the slots of the first set stand for it.
        """
        key = set_key(game, state, mover)
        mask = self.head[MASK]
        place = int64(spread(key) >> uint64(20)) & mask
        while self.numbers[place]:
            if self.keys[place] == key:
                return int64(self.first[self.numbers[place] - 1])
            place = (place + 1) & mask
        count = game.count(state)
        number, begin = self.head[COUNT], self.head[USED]
        if number >= self.head[ROOM] or begin + count > self.head[SLOTS]:
            self.head[FULL] = 1
            return int64(0)
        self.keys[place], self.numbers[place] = key, number + 1
        self.first[number], self.first[number + 1], self.owner[number] = begin, begin + count, mover
        for slot in range(begin, begin + count):
            self.policy[slot] = 1.0 / count
        self.head[COUNT], self.head[USED] = number + 1, begin + count
        return begin


def drawn(sets, begin, count, rng, explore):
    """The number of an action, drawn by the policy, or uniformly with a chance of `explore`."""
    if explore > 0.0 and rng.fraction() < explore:
        return rng.below(count)
    left = rng.fraction()
    for number in range(count - 1):
        left -= sets.policy[begin + number]
        if left < 0.0:
            return int64(number)
    return int64(count - 1)


@native
def walk(game, state, player, mine, others, luck, odds, weight, how, place, sets, rng, monitor):
    """The value of a state for a player, whose regrets and average are brought up to date.

    mine    the probability that the player's own choices lead to the state
    others  the probability that the other players' choices lead to it, divided by the probability that the
            walk's samples of choices do
    luck    the same for chance; it is kept apart, so that products do not depend on the order of moves and
            actions that are worth the same are seen as such
    odds    the probability that the walk's samples of choices lead to it
    weight  what this iteration counts in the average
    place   where the walk may write into `scratch`
    watch   it may stop the walk
    """
    if game.is_terminal(state):
        return game.utility(state, player)
    mover, total, number = game.player(state), 0.0, int64(0)
    if mover == CHANCE and how.chance == ALL:
        for outcome, chance in game.chances(state):
            child = game.result(state, outcome)
            total += chance * walk(
                game, child, player, mine, others, luck * chance, odds, weight, how, place, sets, rng, monitor
            )
        return total
    if mover == CHANCE:
        left, chosen = rng.fraction(), int64(0)
        for outcome, chance in game.chances(state):
            chosen = int64(outcome)
            left -= chance
            if left < 0.0:
                break
        child = game.result(state, chosen)
        return walk(game, child, player, mine, others, luck, odds, weight, how, place, sets, rng, monitor)
    begin = sets.find(game, state, mover)
    if mover != player and how.others == ALL:
        for action in game.actions(state):
            share = sets.policy[begin + number]
            if share > 0.0 or mine > 0.0:  # where neither side can come, nothing is learned
                child = game.result(state, action)
                total += share * walk(
                    game,
                    child,
                    player,
                    mine,
                    others * share,
                    luck,
                    odds,
                    weight,
                    how,
                    place,
                    sets,
                    rng,
                    monitor,
                )
            number += 1
        return total
    count = int64(game.count(state))
    end = begin + count
    if place + count > sets.head[SCRATCH]:
        sets.head[FULL] = 1
    if sets.head[FULL] or monitor.is_stopped():  # nothing is learned from a walk that is not complete
        return 0.0
    if mover == player and how.own == ALL:
        for action in game.actions(state):
            share, value = sets.policy[begin + number], 0.0
            if mine * share > 0.0 or others > 0.0:
                child = game.result(state, action)
                value = walk(
                    game,
                    child,
                    player,
                    mine * share,
                    others,
                    luck,
                    odds,
                    weight,
                    how,
                    place + count,
                    sets,
                    rng,
                    monitor,
                )
            sets.scratch[place + number] = value
            total += share * value
            number += 1
    else:
        explore = how.explore if mover == player else 0.0
        number = drawn(sets, begin, count, rng, explore)
        share = sets.policy[begin + number]
        chosen, each = int64(0), int64(0)
        for action in game.actions(state):
            if each == number:
                chosen = int64(action)
                break
            each += 1
        child = game.result(state, chosen)
        if mover != player:
            if (
                how.own == ALL and mover == (player + 1) % sets.head[PLAYERS]
            ):  # each player once in an iteration
                for slot in range(begin, end):
                    sets.average[slot] += weight * sets.policy[slot]
            return walk(
                game, child, player, mine, others, luck, odds * share, weight, how, place, sets, rng, monitor
            )
        likely = explore / count + (1.0 - explore) * share
        value = walk(
            game,
            child,
            player,
            mine * share,
            others / likely,
            luck,
            odds * likely,
            weight,
            how,
            place,
            sets,
            rng,
            monitor,
        )
        for each in range(count):
            sets.scratch[place + each] = 0.0
        sets.scratch[place + number] = value / likely
        total = share * value / likely
    if sets.head[FULL] or monitor.is_stopped():
        return 0.0
    for each in range(count):
        gain = (others * luck) * (sets.scratch[place + each] - total)
        sets.regret[begin + each] += gain
        sets.flow[begin + each] += gain
    if how.others == ALL or how.own == ONE:
        for slot in range(begin, end):
            sets.average[slot] += weight * (mine / odds) * sets.policy[slot]
    if how.others == ONE:
        sets.match(begin, end, 0.0, 0.0)
    return total


@native
def match_all(game, player, positive, negative, foresight, sets):
    """The next policies of a player, after a walk that followed all actions."""
    for number in range(sets.head[COUNT]):
        if sets.belongs(number, player):
            begin, end = int64(sets.first[number]), int64(sets.first[number + 1])
            for slot in range(begin, end):
                sets.discount(slot, positive, negative)
            sets.match(begin, end, foresight, 0.0)
            for slot in range(begin, end):
                sets.flow[slot] = 0.0


@native
def iterate_walks(game, root, variant, how, begin, end, sets, rng, monitor):
    """The iterations from `begin` on, without `end`: a walk for each player in turn.

    Returns the next iteration: an earlier one than `end` if the table is full, or the monitor says stop.
    """
    for iteration in range(begin, end):
        positive, negative = factor(iteration, variant.alpha), factor(iteration, variant.beta)
        weight = float(iteration) ** variant.gamma
        for player in range(sets.head[PLAYERS]):
            walk(game, root, player, 1.0, 1.0, 1.0, 1.0, weight, how, int64(0), sets, rng, monitor)
            if how.others == ALL:
                match_all(game, player, positive, negative, variant.foresight, sets)
        if sets.head[FULL] or monitor.is_stopped():
            return iteration
    return end


def indexed_sets(tree: Tree) -> IndexedSets:
    """A table for a tree in arrays."""
    slots, count = int(tree.first[-1]), len(tree.keys)
    kept = new_sets(tree.first, slots)
    scratch = np.zeros(tree.depth * int(tree.unrolled.size.array.max()))
    head = np.array([slots, count, 0, count, slots, len(scratch), tree.players, 0])
    arrays = {name: getattr(kept, name) for name in InformationSets.arrays}
    return IndexedSets(head=head, first=tree.first, scratch=scratch, sets=np.array(tree.sets), **arrays)


def hashed_sets(mebibytes: int, players: int) -> HashedSets:
    """An empty table of at most that size; the memory is taken when it is touched."""
    room = 1 << max(4, (mebibytes << 20) // BYTES_OF_SET).bit_length() - 1
    slots, size = room * SLOTS_OF_SET, 2 * room
    head = np.array([0, 0, size - 1, room, slots, SCRATCH_ROOM, players, 0])
    return HashedSets(
        head=head, first=np.zeros(room + 1, np.int32), owner=np.zeros(room, np.int8),
        scratch=np.zeros(SCRATCH_ROOM), keys=np.zeros(size, np.uint64), numbers=np.zeros(size, np.int32),
        **{name: np.zeros(slots) for name in InformationSets.arrays},
    )  # fmt: skip
