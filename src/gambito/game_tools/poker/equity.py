"""The share of the pot that hands or ranges win if nobody bets any more: exactly, or by samples.

Exactly, every way in which the ranges' hands lie is counted with every board that can follow; ways that
differ by an exchange of suits are counted once. Two ranges of whole classes before the flop are read from the
table of all classes. Where that is too much, deals are drawn at random, and the standard error is told.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game_tools.poker.cards import (
    BITS,
    CLASS_OF,
    CLASSES,
    DECK,
    HANDS,
    HIGH,
    LOW,
    PERMUTATIONS,
    SETS,
    hand_of,
    permuted,
    set_of,
)
from gambito.game_tools.poker.gear import gear
from gambito.game_tools.poker.preflop import COMPLETIONS, preflop
from gambito.game_tools.poker.strength import strength
from gambito.native import int64, native
from gambito.native.random import new_random

MAX_PLAYERS = 10  # players
WHOLE = 2520  # a pot, which up to ten players can share evenly
EXACT = 400_000_000  # hands that are compared before samples are taken instead
SAMPLES = 1_000_000
WAYS = 200_000  # in which the hands of ranges may lie, before samples are taken instead
TRIES = 2_000  # for each sample, before ranges are taken for impossible


@dataclass(frozen=True)
class Equity:
    """What each player wins on average, as a share of the pot."""

    shares: tuple[float, ...]
    wins: tuple[float, ...]  # how often each wins alone
    ties: tuple[float, ...]  # how often each wins with others
    deals: int  # ways and boards that were counted, or samples
    errors: tuple[float, ...] | None  # standard errors of the shares; None: exact

    def as_dict(self) -> dict[str, Any]:
        named = ("shares", "wins", "ties", "deals", "errors")
        return {**{name: getattr(self, name) for name in named}, "exact": self.errors is None}


# ---- native ------------------------------------------------------------------------------------------


def share_out(sets, board, tally, weight):
    """Compare the hands on a full board, and add to each player's shares, wins and ties."""
    best, winners = int64(-1), int64(0)
    for player in range(len(sets)):
        tally[player, 3] = strength(sets[player] | board)
        if tally[player, 3] > best:
            best, winners = tally[player, 3], int64(1)
        elif tally[player, 3] == best:
            winners += 1
    for player in range(len(sets)):
        if tally[player, 3] == best:
            tally[player, 0] += weight * (WHOLE // winners)
            tally[player, 1 if winners == 1 else 2] += weight


@native
def count_boards(gear, sets, board, missing, weight, tally):
    """Share out the pot on every board that so many cards can complete; returns how many those are."""
    used = board
    for player in range(len(sets)):
        used |= sets[player]
    left, size = np.empty(DECK, np.int64), int64(0)
    for card in range(DECK):
        if not used & BITS[card]:
            left[size] = BITS[card]
            size += 1
    chosen, count = np.arange(missing + 1), int64(0)
    while True:
        full = board
        for place in range(missing):
            full |= left[chosen[place]]
        share_out(sets, full, tally, weight)
        count += 1
        place = missing - 1
        while place >= 0 and chosen[place] == size - missing + place:
            place -= 1
        if place < 0:
            return count
        chosen[place] += 1
        for later in range(place + 1, missing):
            chosen[later] = chosen[later - 1] + 1


@native
def sample_deals(gear, sums, board, missing, samples, tries, rng, tally, squares):
    """Share out the pot in random deals; returns how many there were.

    `sums` has for each player the sums of the weights up to each hand. Draws in which hands share a card are
    thrown away, so that every deal is as likely as its weights say.
    """
    players, done = sums.shape[0], int64(0)
    sets, before = np.zeros(players, np.int64), np.zeros(players, np.int64)
    for _ in range(tries):
        if done == samples:
            break
        used, is_possible = board, True
        for player in range(players):
            row = sums[player]
            hand = np.searchsorted(row, rng.fraction() * row[HANDS - 1], side="right")
            if used & SETS[hand]:
                is_possible = False
                break
            sets[player] = SETS[hand]
            used |= SETS[hand]
        if not is_possible:
            continue
        full = board
        for _ in range(missing):
            card = BITS[rng.below(DECK)]
            while used & card:
                card = BITS[rng.below(DECK)]
            used |= card
            full |= card
        for player in range(players):
            before[player] = tally[player, 0]
        share_out(sets, full, tally, 1)
        for player in range(players):
            squares[player] += float(tally[player, 0] - before[player]) ** 2
        done += 1
    return done


# ---- how -----------------------------------------------------------------------------------------------


def equity(
    ranges: Sequence[Any], board: Sequence[int] = (), *, exact: bool | None = None,
    samples: int = SAMPLES, seed: int = 1, how: str = "native",
) -> Equity:  # fmt: skip
    """The equities of ranges on a board: exact where it is quick, unless `exact` says yes or no."""
    if not 2 <= len(ranges) <= MAX_PLAYERS:
        raise SearchError("equities are of 2 to {} players, not {}", MAX_PLAYERS, len(ranges))
    if samples < 1:
        raise SearchError("{} samples are too few; accepted: 1 or more", samples)
    dead = set_of(board)
    held = [np.where(SETS & dead, 0.0, weights) for weights in ranges]
    for number, weights in enumerate(held):
        if not weights.any():
            raise SearchError("every hand of player {} shares a card with the board", number + 1)
    if exact is not False:
        if len(held) == 2 and not board and all(map(_is_of_classes, held)):
            return _by_classes(held)
        boards = math.comb(DECK - len(board) - 2 * len(held), 5 - len(board))
        ways = math.prod(int((weights > 0).sum()) for weights in held)
        if exact or ways <= WAYS:
            found = _ways(held, board)
            if exact or len(found) * boards * len(held) <= EXACT:
                return _exactly(found, board, len(held), how)
    return _by_samples(held, board, samples, seed, how)


def _is_of_classes(weights: Any) -> bool:
    """Do all hands of each class weigh the same?"""
    top = np.zeros(CLASSES)
    np.maximum.at(top, CLASS_OF, weights)
    return bool((top[CLASS_OF] == weights).all())


def _by_classes(held: Sequence[Any]) -> Equity:
    one, other = (np.zeros(CLASSES) for _ in range(2))
    one[CLASS_OF], other[CLASS_OF] = held
    table, weight = preflop(), one[:, None] * other[None, :]
    total = float((weight * table.pairs).sum()) * COMPLETIONS
    wins, losses = (float((weight * each).sum()) / total for each in (table.wins, table.wins.T))
    ties = float((weight * table.ties).sum()) / total
    deals = int(((weight > 0) * table.pairs).sum()) * COMPLETIONS
    return Equity((wins + ties / 2, losses + ties / 2), (wins, losses), (ties, ties), deals, None)


def _ways(held: Sequence[Any], board: Sequence[int]) -> Counter[tuple[int, ...]]:
    """How the hands of the ranges can lie, up to an exchange of suits, each with its weight."""
    orders = [o for o in PERMUTATIONS if {permuted(c, o) for c in board} == set(board)]
    moved = [
        [hand_of(permuted(int(LOW[h]), o), permuted(int(HIGH[h]), o)) for h in range(HANDS)] for o in orders
    ]
    found: Counter[tuple[int, ...]] = Counter()
    for hands, weight in _combined(held, 0, ()):
        found[min(tuple(image[hand] for hand in hands) for image in moved)] += weight  # type: ignore[assignment]
    if not found:
        raise _impossible()
    return found


def _combined(
    held: Sequence[Any], used: int, hands: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], float]]:
    if len(hands) == len(held):
        yield hands, math.prod(float(weights[hand]) for weights, hand in zip(held, hands, strict=True))
        return
    for hand in np.flatnonzero(held[len(hands)]):
        if not used & int(SETS[hand]):
            yield from _combined(held, used | int(SETS[hand]), (*hands, int(hand)))


def _impossible() -> SearchError:
    return SearchError("the players cannot hold hands of these ranges at the same time: they share cards")


def _exactly(found: Counter[tuple[int, ...]], board: Sequence[int], players: int, how: str) -> Equity:
    totals, weight_sum, deals = np.zeros((players, 3)), 0.0, 0
    for hands, weight in found.items():
        tally = np.zeros((players, 4), np.int64)
        count = count_boards(gear(how), SETS[list(hands)], set_of(board), 5 - len(board), 1, tally)
        totals += float(weight) * tally[:, :3] / count
        weight_sum, deals = weight_sum + float(weight), deals + count
    shares, wins, ties = (totals / weight_sum).T
    return Equity(
        tuple(map(float, shares / WHOLE)), tuple(map(float, wins)), tuple(map(float, ties)), deals, None
    )


def _by_samples(held: Sequence[Any], board: Sequence[int], samples: int, seed: int, how: str) -> Equity:
    players = len(held)
    tally, squares = np.zeros((players, 4), np.int64), np.zeros(players)
    rng, tries = new_random((seed, 52)), samples * TRIES
    sums = np.cumsum(np.array(held), axis=1)
    done = int(
        sample_deals(gear(how), sums, set_of(board), 5 - len(board), samples, tries, rng, tally, squares)
    )
    if not done:
        raise _impossible()
    shares = tally[:, 0] / WHOLE / done
    spread = np.sqrt(np.maximum(squares / WHOLE**2 / done - shares**2, 0) / done)
    listed = [tuple(map(float, each)) for each in (shares, tally[:, 1] / done, tally[:, 2] / done, spread)]
    return Equity(listed[0], listed[1], listed[2], done, listed[3])
