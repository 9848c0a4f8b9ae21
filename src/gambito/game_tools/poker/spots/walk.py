"""One walk over a public tree with a number for each hand: learning, best responses and values.

A walk for a player carries how likely each hand of the other one comes to a node, and brings back what each
own hand is worth there, times that likelihood. At a showdown the hands are taken from the weakest up, so that
all comparisons together cost one pass; hands that share a card with one's own are taken out by sums for each
card. Johanson et al., Accelerating best response calculation in large extensive games (2011).
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from gambito.game_tools.poker.cards import DECK
from gambito.game_tools.poker.spots.tree import CHANCE, FOLDED, SHOWDOWN
from gambito.native import Handle, int64, native

LEARN, RESPOND, FOLLOW = 0, 1, 2  # what the walking player does: learn, respond best, follow the strategy


class WalkMode(NamedTuple):
    """What a walk does, and how an iteration counts."""

    mode: int = LEARN
    positive: float = 1.0  # what regrets above 0 are multiplied by after the iteration
    negative: float = 1.0
    weight: float = 1.0  # of the policy in the average


class Public(Handle):
    """A public tree, the numbers of its decisions, and the vectors of a walk.

    order[board · hands + n]   the hands of a full board from the weakest up; shared[board] of them count
    level[…]                   their strengths, as small numbers
    regret, average[…]         for each decision, action and hand
    reach, value, total[ply · hands + hand]
    sums[card]                 how likely the other player's hands with that card are
    """

    arrays: ClassVar[dict[str, type]] = {
        "shape": np.int64,
        "kind": np.int8,
        "first": np.int32,
        "count": np.int16,
        "stake": np.float64,
        "place": np.int64,
        "card": np.int8,
        "full": np.int32,
        "low": np.int64,
        "high": np.int64,
        "order": np.int16,
        "level": np.int16,
        "shared": np.int16,
        "regret": np.float32,
        "average": np.float32,
        "reach": np.float64,
        "value": np.float64,
        "total": np.float64,
        "sums": np.float64,
    }
    fields: ClassVar[dict[str, tuple[str, int]]] = {"hands": ("shape", 0)}


def end_by_fold(spot, stake, at, out):
    """What each hand wins where the other player's hands fold, or loses if the stake is below 0."""
    for card in range(DECK):
        spot.sums[card] = 0.0
    every = 0.0
    for hand in range(spot.hands):
        reach = spot.reach[at + hand]
        every += reach
        spot.sums[spot.low[hand]] += reach
        spot.sums[spot.high[hand]] += reach
    for hand in range(spot.hands):  # the same hand was taken out twice
        left = every - spot.sums[spot.low[hand]] - spot.sums[spot.high[hand]] + spot.reach[at + hand]
        spot.value[out + hand] = stake * left


def end_by_showdown(spot, board, stake, at, out):
    """What each hand wins against weaker ones, less what it loses to stronger ones."""
    size, begin = int64(spot.shared[board]), board * spot.hands
    for hand in range(spot.hands):
        spot.value[out + hand] = 0.0
    for card in range(DECK):
        spot.sums[card] = 0.0
    every, entered = 0.0, int64(0)
    for place in range(size):
        while spot.level[begin + entered] < spot.level[begin + place]:
            other = int64(spot.order[begin + entered])
            reach = spot.reach[at + other]
            every += reach
            spot.sums[spot.low[other]] += reach
            spot.sums[spot.high[other]] += reach
            entered += 1
        hand = int64(spot.order[begin + place])
        spot.value[out + hand] = stake * (every - spot.sums[spot.low[hand]] - spot.sums[spot.high[hand]])
    for card in range(DECK):
        spot.sums[card] = 0.0
    every, entered = 0.0, size - 1
    for place in range(size - 1, -1, -1):
        while spot.level[begin + entered] > spot.level[begin + place]:
            other = int64(spot.order[begin + entered])
            reach = spot.reach[at + other]
            every += reach
            spot.sums[spot.low[other]] += reach
            spot.sums[spot.high[other]] += reach
            entered -= 1
        hand = int64(spot.order[begin + place])
        spot.value[out + hand] -= stake * (every - spot.sums[spot.low[hand]] - spot.sums[spot.high[hand]])


def add_up(spot, numbers, place, count, out):
    """The sums over the actions of a decision, for each hand, of what is above 0."""
    for hand in range(spot.hands):
        spot.total[out + hand] = max(numbers[place + hand], np.float32(0.0))
    for action in range(1, count):
        row = place + action * spot.hands
        for hand in range(spot.hands):
            spot.total[out + hand] += max(numbers[row + hand], np.float32(0.0))


def share(number, total, count):
    """The probability of an action: its part of what is above 0."""
    return max(number, np.float32(0.0)) / total if total > 0.0 else 1.0 / count


@native
def walk(gear, spot, how, player, node, ply, at):
    """Fill in what each hand of a player is worth at a node: `value[ply · hands …]`.

    `at` is where the reach of the other player's hands begins.
    """
    size, kind, count = int64(spot.hands), int64(spot.kind[node]), int64(spot.count[node])
    out, below = ply * size, (ply + 1) * size
    first, place = int64(spot.first[node]), int64(spot.place[node])
    if kind == SHOWDOWN:
        end_by_showdown(spot, int64(spot.full[node]), spot.stake[node], at, out)
        return
    if kind >= FOLDED:
        stake = -spot.stake[node] if kind - FOLDED == player else spot.stake[node]
        end_by_fold(spot, stake, at, out)
        return
    for hand in range(size):
        spot.value[out + hand] = 0.0
    if kind == CHANCE:
        for child in range(first, first + count):
            card = int64(spot.card[child])
            for hand in range(size):
                is_held = spot.low[hand] == card or spot.high[hand] == card
                spot.reach[below + hand] = 0.0 if is_held else spot.reach[at + hand]
            walk(gear, spot, how, player, int64(child), ply + 1, below)
            for hand in range(size):
                if spot.low[hand] != card and spot.high[hand] != card:
                    spot.value[out + hand] += spot.stake[node] * spot.value[below + hand]
        return
    if kind != player:
        numbers = spot.regret if how.mode == LEARN else spot.average
        add_up(spot, numbers, place, count, out)
        for action in range(count):
            row, reached = place + action * size, 0.0
            for hand in range(size):
                part = share(numbers[row + hand], spot.total[out + hand], count)
                spot.reach[below + hand] = spot.reach[at + hand] * part
                reached += spot.reach[below + hand]
            if how.mode == LEARN:
                for hand in range(size):
                    spot.average[row + hand] += np.float32(how.weight * spot.reach[below + hand])
            if reached > 0.0 or how.mode == LEARN:
                walk(gear, spot, how, player, first + action, ply + 1, below)
                for hand in range(size):
                    spot.value[out + hand] += spot.value[below + hand]
        return
    if how.mode == RESPOND:
        for hand in range(size):
            spot.value[out + hand] = -np.inf
        for action in range(count):
            walk(gear, spot, how, player, first + action, ply + 1, at)
            for hand in range(size):
                spot.value[out + hand] = max(spot.value[out + hand], spot.value[below + hand])
        return
    numbers = spot.regret if how.mode == LEARN else spot.average
    add_up(spot, numbers, place, count, out)
    for action in range(count):
        row = place + action * size
        walk(gear, spot, how, player, first + action, ply + 1, at)
        for hand in range(size):
            part = share(numbers[row + hand], spot.total[out + hand], count)
            spot.value[out + hand] += part * spot.value[below + hand]
        if how.mode == LEARN:
            for hand in range(size):
                spot.regret[row + hand] += np.float32(spot.value[below + hand])
    if how.mode == LEARN:
        for action in range(count):
            row = place + action * size
            for hand in range(size):
                regret = spot.regret[row + hand] - spot.value[out + hand]
                spot.regret[row + hand] = np.float32(
                    regret * (how.positive if regret > 0.0 else how.negative)
                )
