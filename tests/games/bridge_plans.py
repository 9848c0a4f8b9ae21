"""Endings of bridge as a declarer sees them, and the best plan for all deals by exhaustion.

It knows nothing of the searches, nor of the rules of the package. The opponents see all cards, as in the
books' "best defence". A plan says which card South or North plays after every way in which the play may have
gone so far. `deals_won` finds, for each first card, in how many deals its best plan takes the tricks that are
needed.

Cards of the opponents that touch are one kind of card, as x in a book; of equal cards the first one played
wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb, prod
from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "SHDC"  # in the order of a written hand
SEATS = "SWNE"
SOUTH, WEST, NORTH, EAST = range(4)
Card = tuple[int, int]  # suit and rank
Cards = tuple[Card, ...]
Known = dict[object, frozenset[int]]  # what was found out about states


def cards_of(text: str) -> Cards:
    """The cards of a hand that is written as `AK.2..J`."""
    return tuple((suit, RANKS.index(rank)) for suit, ranks in enumerate(text.split(".")) for rank in ranks)


def written(cards: Cards) -> str:
    ranked = sorted(cards, reverse=True)
    return ".".join("".join(RANKS[rank] for s, rank in ranked if s == suit) for suit in range(4))


def name(card: Card) -> str:
    return RANKS[card[1]] + SUITS[card[0]]


def named(text: str) -> Card:
    return SUITS.index(text[1]), RANKS.index(text[0])


class Ending(NamedTuple):
    """South plays both hands without trumps; its side needs so many of the tricks. South is to lead, or to
    play to the trick on the table."""

    south: str
    north: str
    others: str  # the cards of the opponents
    need: int
    table: str = ""  # the cards of the trick, as KC3C5C
    leader: str = "S"
    voids: str = "-,-,-,-"  # what players have shown not to hold, as bridge positions tell it

    @property
    def trick(self) -> Cards:
        return tuple(named(self.table[place : place + 2]) for place in range(0, len(self.table), 2))

    def position(self) -> str:
        """The position of the game `bridge` in 3NT, with as many tricks as leave `need`."""
        mine, dummy = cards_of(self.south), cards_of(self.north)
        every = {(suit, rank) for suit in range(4) for rank in range(13)}
        gone = sorted(every.difference(mine, dummy, cards_of(self.others), self.trick))
        first, order = SEATS.index(self.leader), list(self.trick)
        if not order:  # South has won the last trick
            low = next(gone[n : n + 4] for n in range(len(gone)) if gone[n][0] == gone[n + 3][0])
            order, gone = [low[3], *low[:3]], [card for card in gone if card not in low]
        played: list[list[Card]] = [gone[seat::4] for seat in range(4)]
        for place, card in enumerate(order):
            played[(first + place) % 4].append(card)
        size = max(len(mine), len(dummy))
        sizes = [f"?{size - (0 if self._waits(seat) else 1)}" for seat in (WEST, EAST)]
        hands = f"{written(mine)} {sizes[0]} {written(dummy)} {sizes[1]}"
        told = ",".join(written(tuple(cards)) for cards in played)
        led = "".join(map(name, order))
        won = 9 - self.need
        return f"play {hands} Pass-Pass-3NT-Pass-Pass-Pass {told} {self.leader}:{led} {won} {self.voids}"

    def _waits(self, seat: int) -> bool:
        """Has a seat not yet played to the trick on the table, or is there none?"""
        return not self.trick or (seat - SEATS.index(self.leader)) % 4 >= len(self.trick)


# ---- deals ---------------------------------------------------------------------------------------------
class World(NamedTuple):
    """One kind of deal on the way."""

    bit: int
    west: Cards
    east: Cards


def worlds_of(ending: Ending) -> tuple[list[World], dict[int, int]]:
    """The kinds of deals, and how many deals each kind has."""
    kinds = Counter(_kinds(ending))
    bars = [{SUITS.index(c.upper()) for c in told if c != "-"} for told in ending.voids.split(",")]
    size = sum(kinds.values()) // 2  # cards of West; both have the same number, or East has played already
    if sum(kinds.values()) % 2:
        size += 1 if ending._waits(WEST) else 0
    found, weights = list[World](), dict[int, int]()
    for counts in product(*(range(count + 1) for count in kinds.values())):
        west = tuple(card for card, count in zip(kinds, counts, strict=True) for _ in range(count))
        east = tuple((Counter(kinds) - Counter(west)).elements())
        is_barred = any(s in bars[WEST] for s, _ in west) or any(s in bars[EAST] for s, _ in east)
        if len(west) != size or is_barred:
            continue
        bit = 1 << len(found)
        found.append(World(bit, west, east))
        weights[bit] = prod(comb(kinds[card], west.count(card)) for card in kinds)
    return found, weights


def _kinds(ending: Ending) -> Iterator[Card]:
    """The cards of the opponents, each as the highest one that it touches."""
    ours = {*cards_of(ending.south), *cards_of(ending.north), *ending.trick}
    theirs = set(cards_of(ending.others))
    for suit, rank in sorted(theirs):
        between = [r for r in range(rank, 13) if (suit, r) in ours]
        limit = between[0] if between else 13
        yield suit, max(r for s, r in theirs if s == suit and rank <= r < limit)


def deals_won(ending: Ending) -> dict[str, int]:
    """For each card that may be played first, in how many deals its best plan succeeds."""
    worlds, weights = worlds_of(ending)
    leader, known = SEATS.index(ending.leader), Known()
    mover = (leader + len(ending.trick)) % 4
    south, north, found = cards_of(ending.south), cards_of(ending.north), dict[str, int]()
    for card in _legal(south if mover == SOUTH else north, ending.trick):
        hands = (_without(south, card), north) if mover == SOUTH else (south, _without(north, card))
        sets = _plans(*hands, (*ending.trick, card), leader, ending.need, tuple(worlds), known)
        found[name(card)] = max(sum(w for bit, w in weights.items() if each & bit) for each in sets)
    return found


# ---- plans ---------------------------------------------------------------------------------------------
def _plans(
    south: Cards, north: Cards, trick: Cards, leader: int, need: int, worlds: tuple[World, ...], known: Known
) -> frozenset[int]:
    """The largest sets of worlds that a plan wins from here on."""
    if len(trick) == 4:
        best = max((card for card in trick if card[0] == trick[0][0]), key=lambda card: card[1])
        leader = (leader + trick.index(best)) % 4
        need, trick = need - 1 + leader % 2, ()
    left = max(len(south), len(north), len(worlds[0].west), len(worlds[0].east))
    if need <= 0 or need > left:
        return frozenset({sum(world.bit for world in worlds) if need <= 0 else 0})
    key = (south, north, trick, leader, need, worlds)
    if key not in known:
        choose = _theirs if (leader + len(trick)) % 2 else _ours
        known[key] = choose(south, north, trick, leader, need, worlds, known)
    return known[key]


def _legal(cards: Cards, trick: Cards) -> set[Card]:
    return {card for card in cards if trick and card[0] == trick[0][0]} or set(cards)


def _without(cards: Cards, card: Card) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _ours(
    south: Cards, north: Cards, trick: Cards, leader: int, need: int, worlds: tuple[World, ...], known: Known
) -> frozenset[int]:
    is_south, found = (leader + len(trick)) % 4 == SOUTH, set[int]()
    for card in _legal(south if is_south else north, trick):
        hands = (_without(south, card), north) if is_south else (south, _without(north, card))
        found |= _plans(*hands, (*trick, card), leader, need, worlds, known)
    return _largest(found)


def _theirs(
    south: Cards, north: Cards, trick: Cards, leader: int, need: int, worlds: tuple[World, ...], known: Known
) -> frozenset[int]:
    """After each card that an opponent may play, the plan goes its own way; all of them must win."""
    is_west, by_card = (leader + len(trick)) % 4 == WEST, dict[Card, list[World]]()
    for world in worlds:
        held = world.west if is_west else world.east
        for card in _legal(held, trick):
            left = _without(held, card)
            hands = (left, world.east) if is_west else (world.west, left)
            by_card.setdefault(card, []).append(World(world.bit, *hands))
    joined = frozenset({sum(world.bit for world in worlds)})
    for card, group in by_card.items():
        others = ~sum(world.bit for world in group)
        sets = _plans(south, north, (*trick, card), leader, need, tuple(group), known)
        joined = _largest({a & (b | others) for a in joined for b in sets})
    return joined


def _largest(sets: set[int]) -> frozenset[int]:
    """The sets that are in no other one."""
    kept: list[int] = []
    for each in sorted(sets, key=int.bit_count, reverse=True):
        if not any(each & other == each for other in kept):
            kept.append(each)
    return frozenset(kept)
