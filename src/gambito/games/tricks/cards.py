"""Cards and tricks: cards as bits, following suit, who takes a trick, and unseen cards dealt at random.

    card = 13 * suit + rank      clubs, diamonds, hearts, spades; from the two up to the ace

A set of cards is a number of 64 bits. A trick is a number with six bits for each card in the order in which
they were played: the card plus one. These are plain functions that compile into the rules of any game of
tricks; they do not know what the tricks are worth.
"""

from __future__ import annotations

from math import comb

import numpy as np

from gambito.native import int64, nth_bit, popcount, uint64

RANKS, SUITS, SIGNS = "23456789TJQKA", "CDHS", "♣♦♥♠"
RANK, DECK, SEATS, TRICK = (
    len(RANKS),
    52,
    4,
    6,
)  # cards of a suit, of the deck, players, bits of a trick's card
EVERY = np.uint64((1 << DECK) - 1)
SUIT_SETS = tuple(np.uint64(((1 << RANK) - 1) << RANK * suit) for suit in range(4))
NO_TRUMP = -1
# How many ways there are to take k cards out of n; floats, because whole deals have up to 8e16.
WAYS = np.array([[float(comb(n, k)) for k in range(40)] for n in range(40)])


# ---- sets of cards -----------------------------------------------------------------------------------
def single(card):
    """The set of one card."""
    return uint64(1) << uint64(card)


def size_of(cards):
    return int64(popcount(cards))


def following(hand, suit):
    """The cards of a hand that may be played on a suit: that suit, or all if it has none."""
    same = hand & SUIT_SETS[suit]
    return same if same else hand


def any_card(cards, rng):
    """One card of a set that is not empty."""
    return int64(nth_bit(cards, rng.below(size_of(cards))))


def some_cards(cards, count, rng):
    """A set of so many cards of a set, each as likely as the others."""
    taken = uint64(0)
    for _ in range(count):
        taken |= single(any_card(cards & ~taken, rng))
    return taken


# ---- tricks ------------------------------------------------------------------------------------------
def card_at(trick, place):
    """The card that was played there; -1: none yet."""
    return (trick >> TRICK * place & 63) - 1


def trick_of(cards):
    """A trick of these cards, the leader's first."""
    trick = 0
    for place, card in enumerate(cards):
        trick |= card + 1 << TRICK * place
    return trick


def trick_size(trick):
    """How many cards were played."""
    size = int64(0)
    while size < SEATS and trick >> TRICK * size:
        size += 1
    return size


def trick_winner(trick, trump):
    """The place in a trick, from 0 for its leader, of the card that takes it."""
    best = int64(0)
    for place in range(1, trick_size(trick)):
        card, highest = card_at(trick, place), card_at(trick, best)
        if card // RANK == highest // RANK:
            if card > highest:
                best = int64(place)
        elif card // RANK == trump:
            best = int64(place)
    return best


# ---- unseen cards ------------------------------------------------------------------------------------
def share_cards(pool, needs, barred, rng):
    """Deal a set of cards to three hands that need so many and may not hold the cards that are barred.

    Every such deal is as likely, and what nobody needs is left over. Cards that only one hand may hold are
    given first. The others are of four kinds: those that all three may hold, and those of each pair. How many
    of each pair go to its first hand is drawn by the number of deals that follow from it.
    """
    free_0, free_1, free_2 = pool & ~barred[0], pool & ~barred[1], pool & ~barred[2]
    hand_0, hand_1, hand_2 = (
        free_0 & ~free_1 & ~free_2,
        free_1 & ~free_0 & ~free_2,
        free_2 & ~free_0 & ~free_1,
    )
    both_01, both_02, both_12 = (
        free_0 & free_1 & ~free_2,
        free_0 & free_2 & ~free_1,
        free_1 & free_2 & ~free_0,
    )
    free = free_0 & free_1 & free_2
    need_0, need_1 = needs[0] - size_of(hand_0), needs[1] - size_of(hand_1)
    if both_01 | both_02 | both_12:
        sizes = (size_of(both_01), size_of(both_02), size_of(both_12), size_of(free))
        wanted = rng.fraction() * count_shares(need_0, need_1, sizes, -1.0)[0]
        _, one, two, three = count_shares(need_0, need_1, sizes, wanted)
        part_0, part_1 = some_cards(both_01, one, rng), some_cards(both_02, two, rng)
        part_2 = some_cards(both_12, three, rng)
        hand_0 |= part_0 | part_1
        hand_1 |= both_01 & ~part_0 | part_2
        hand_2 |= both_02 & ~part_1 | both_12 & ~part_2
    taken = some_cards(free, needs[0] - size_of(hand_0), rng)
    hand_0, free = hand_0 | taken, free & ~taken
    taken = some_cards(free, needs[1] - size_of(hand_1), rng)
    hand_1, free = hand_1 | taken, free & ~taken
    return hand_0, hand_1, hand_2 | some_cards(free, needs[2] - size_of(hand_2), rng)


def count_shares(need_0, need_1, sizes, wanted):
    """The number of deals, and how many cards of each pair go to its first hand.

    `sizes` are the cards of hands 0 and 1, 0 and 2, 1 and 2, and of all. The counting ends as soon as it is
    above `wanted`, if that is not below 0.
    """
    total = 0.0
    last = (int64(0), int64(0), int64(0))
    for one in range(sizes[0] + 1):
        for two in range(sizes[1] + 1):
            rest_0 = need_0 - one - two
            if rest_0 < 0 or rest_0 > sizes[3]:
                continue
            for three in range(sizes[2] + 1):
                rest_1 = need_1 - (sizes[0] - one) - three
                if rest_1 < 0 or rest_1 > sizes[3] - rest_0:
                    continue
                pairs = WAYS[sizes[0], one] * WAYS[sizes[1], two] * WAYS[sizes[2], three]
                total += pairs * WAYS[sizes[3], rest_0] * WAYS[sizes[3] - rest_0, rest_1]
                last = (int64(one), int64(two), int64(three))
                if 0.0 <= wanted < total:
                    return total, *last
    return total, *last


# ---- names -------------------------------------------------------------------------------------------
def card_name(card: int) -> str:
    """`QS`: the queen of spades."""
    return RANKS[card % RANK] + SUITS[card // RANK]


def listed(cards: int) -> list[int]:
    """The cards of a set as a player holds them: spades, hearts, diamonds, clubs, from the ace down."""
    return [card for card in reversed(range(DECK)) if int(cards) >> card & 1]


def hand_text(cards: int) -> str:
    """A set of cards as bridge players write it: spades, hearts, diamonds and clubs, as `AK.T9..42`."""
    ranks = ["".join(RANKS[c % RANK] for c in listed(cards) if c // RANK == suit) for suit in (3, 2, 1, 0)]
    return ".".join(ranks)


def read_hand(text: str) -> int | None:
    """The set of cards that a text names; None: it names none, or a card twice."""
    suits = text.upper().split(".")
    if len(suits) != 4:
        return None
    cards = 0
    for suit, ranks in zip((3, 2, 1, 0), suits, strict=True):
        for rank in ranks:
            if rank not in RANKS or cards >> RANK * suit + RANKS.index(rank) & 1:
                return None
            cards |= 1 << RANK * suit + RANKS.index(rank)
    return cards


def read_cards(text: str) -> list[int] | None:
    """The cards of a text like `2C5CQC`; None: it names none."""
    names = [text[n : n + 2].upper() for n in range(0, len(text), 2)]
    known = {card_name(card): card for card in range(DECK)}
    return [known[name] for name in names] if all(name in known for name in names) else None
