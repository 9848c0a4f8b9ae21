"""A small natural system of bidding: five-card majors, 15 to 17 points for one no trump, weak twos.

The system is a list of options for each kind of auction: a call and what it tells about the hand. A player
makes the first call that fits its hand, and the others learn exactly that. Later rounds follow one plan: the
points that the partner has shown at least, added to one's own, say whether there is a game.

A hand is known by its high-card points (ace 4, king 3, queen 2, jack 1) and the lengths of its suits. Seats
and calls are those of `contracts.py`. It does not know any cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gambito.game_tools.bridge.contracts import DOUBLE, FIRST_BID, PASS, bid_of

CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP = range(5)
GAME = 25  # points of both hands that are enough for a game
ALL_POINTS = 40

Range = tuple[int, int]
ANY: Range = (0, 13)


class Hand(NamedTuple):
    """What a system knows of a hand."""

    points: int
    lengths: tuple[int, int, int, int]  # clubs, diamonds, hearts, spades

    @property
    def is_balanced(self) -> bool:
        return min(self.lengths) >= 2 and sorted(self.lengths)[:2] != [2, 2] and max(self.lengths) <= 5


class Meaning(NamedTuple):
    """What a call tells: a range of points, a range for each suit, and whether the hand is balanced."""

    points: Range = (0, ALL_POINTS)
    lengths: tuple[Range, Range, Range, Range] = (ANY, ANY, ANY, ANY)
    balanced: bool = False

    def fits(self, hand: Hand) -> bool:
        return self.distance(hand) == 0

    def distance(self, hand: Hand) -> int:
        """How far a hand is from what was told: points and cards that are too few or too many."""
        far = _outside(hand.points, self.points)
        far += sum(map(_outside, hand.lengths, self.lengths))
        return far + (1 if self.balanced and not hand.is_balanced else 0)

    def together(self, other: Meaning) -> Meaning:
        """What two calls of one player tell; where they contradict each other, the later one counts."""
        lengths = [_both(a, b) for a, b in zip(self.lengths, other.lengths, strict=True)]
        clubs, diamonds, hearts, spades = lengths
        both = (clubs, diamonds, hearts, spades)
        return Meaning(_both(self.points, other.points), both, self.balanced or other.balanced)


Option = tuple[int, Meaning]


def _outside(number: int, within: Range) -> int:
    return max(within[0] - number, number - within[1], 0)


def _both(first: Range, second: Range) -> Range:
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else second


def told(low: int, high: int = ALL_POINTS, balanced: bool = False, **suits: Range | int) -> Meaning:
    """A meaning: `told(12, 21, spades=5)`; one number of a suit is the least."""
    ranges = [suits.get(name, ANY) for name in ("clubs", "diamonds", "hearts", "spades")]
    clubs, diamonds, hearts, spades = ((r, 13) if isinstance(r, int) else r for r in ranges)
    return Meaning((low, high), (clubs, diamonds, hearts, spades), balanced)


def of_suit(suit: int, length: Range | int, low: int, high: int = ALL_POINTS) -> Meaning:
    """A meaning with the length of one suit, given by its number."""
    return told(low, high, False, **{("clubs", "diamonds", "hearts", "spades")[suit]: length})


# ---- first calls -------------------------------------------------------------------------------------
OPENINGS: tuple[Option, ...] = (
    (bid_of(2, CLUBS), told(22)),
    (bid_of(2, NO_TRUMP), told(20, 21, balanced=True)),
    (bid_of(1, NO_TRUMP), told(15, 17, balanced=True)),
    (bid_of(1, SPADES), told(12, 21, spades=5)),
    (bid_of(1, HEARTS), told(12, 21, hearts=5)),
    (bid_of(1, DIAMONDS), told(12, 21, diamonds=4, hearts=(0, 4), spades=(0, 4))),
    (bid_of(1, CLUBS), told(12, 21, clubs=2, hearts=(0, 4), spades=(0, 4))),
    *((bid_of(3, suit), of_suit(suit, (7, 13), 5, 10)) for suit in (SPADES, HEARTS, DIAMONDS, CLUBS)),
    *((bid_of(2, suit), of_suit(suit, (6, 6), 6, 10)) for suit in (SPADES, HEARTS, DIAMONDS)),
    (PASS, told(0, 11)),
)
TO_ONE_NO_TRUMP: tuple[Option, ...] = (
    *((bid_of(4, suit), of_suit(suit, 6, 9)) for suit in (SPADES, HEARTS)),
    *((bid_of(3, suit), of_suit(suit, 5, 10)) for suit in (SPADES, HEARTS)),
    *((bid_of(2, suit), of_suit(suit, 5, 0, 7)) for suit in (SPADES, HEARTS, DIAMONDS)),
    (bid_of(6, NO_TRUMP), told(18)),
    (bid_of(3, NO_TRUMP), told(10, 17)),
    (bid_of(2, NO_TRUMP), told(8, 9)),
    (PASS, told(0, 7)),
)


def responses(suit: int) -> Iterator[Option]:
    """The answers to an opening of one in a suit."""
    support = 3 if suit >= HEARTS else 5
    if suit >= HEARTS:
        yield bid_of(4, suit), of_suit(suit, support, 13, 16)
    yield bid_of(3, suit), of_suit(suit, support, 10, 12)
    yield bid_of(2, suit), of_suit(suit, support, 6, 9)
    for other in range(suit + 1, NO_TRUMP):
        yield bid_of(1, other), of_suit(other, 4, 6)
    for other in reversed(range(suit)):
        yield bid_of(2, other), of_suit(other, 4 if other < HEARTS else 5, 11)
    yield bid_of(3, NO_TRUMP), told(13, 17)
    yield bid_of(2, NO_TRUMP), told(10, 12)
    yield bid_of(1, NO_TRUMP), told(6, 9)
    yield PASS, told(0, 5)


def overcalls(theirs: int) -> Iterator[Option]:
    """The calls over an opponent's bid; that is counted from 0."""
    level, suit = theirs // 5 + 1, theirs % 5
    if level == 1 and suit < NO_TRUMP:
        yield bid_of(1, NO_TRUMP), told(15, 18, balanced=True)
    for own in reversed(range(NO_TRUMP)):
        at = level if own > suit else level + 1
        if own != suit and at <= 2:
            yield bid_of(at, own), of_suit(own, 5 if at == 1 else 6, 8 if at == 1 else 10, 16)
    if suit < NO_TRUMP and level <= 3:
        names = ("clubs", "diamonds", "hearts", "spades")
        others: dict[str, Range | int] = {name: 3 for number, name in enumerate(names) if number != suit}
        yield DOUBLE, told(12, ALL_POINTS, False, **others)
    yield PASS, told(0, 15)


# ---- later calls -------------------------------------------------------------------------------------
def plan(own: Meaning, partner: Meaning, is_ours: bool) -> Iterator[Option]:
    """The calls of later rounds, by what both have shown; `is_ours`: the last bid is of this side."""
    low, high = partner.points
    for suit in (SPADES, HEARTS):
        fit = max(8 - partner.lengths[suit][0], 0)
        if fit <= 5 and partner.lengths[suit][0]:
            yield bid_of(4, suit), of_suit(suit, fit, GAME - low)
            if high < ALL_POINTS:
                yield bid_of(3, suit), of_suit(suit, fit, max(GAME - high, 0), GAME - low - 1)
            yield bid_of(2, suit), of_suit(suit, fit, 0, GAME - low - 1)
    yield bid_of(3, NO_TRUMP), told(max(GAME - low, 0))
    if high < ALL_POINTS and is_ours:
        yield bid_of(2, NO_TRUMP), told(max(GAME - high, 0), max(GAME - low - 1, 0))
    for suit in reversed(range(NO_TRUMP)):
        shown = own.lengths[suit][0]
        yield bid_of(2, suit), of_suit(suit, max(6, shown + 1), 0, max(GAME - low - 1, 0))
    yield PASS, told(0, max(GAME - low - 1, 0))


def options(calls: Sequence[int], dealer: int, shown: Sequence[Meaning]) -> list[Option]:
    """What the player to call may say, in the order of preference, and what each call tells."""
    seat = (dealer + len(calls)) % 4
    bids = [(n, call) for n, call in enumerate(calls) if call >= FIRST_BID]
    if not bids:
        found: Iterator[Option] = iter(OPENINGS)
        return _legal(found, -1)
    place, last = bids[-1]
    last -= FIRST_BID
    partner = (seat + 2) % 4
    is_ours = (dealer + place - seat) % 2 == 0
    by_partner = [call for n, call in bids if (dealer + n) % 4 == partner]
    by_self = [call for n, call in bids if (dealer + n) % 4 == seat]
    opened = bids[0][1] - FIRST_BID
    if by_self or (by_partner and len(by_partner) > 1):
        found = plan(shown[seat], shown[partner], is_ours)
    elif by_partner and by_partner[0] == bids[0][1] and opened == NO_TRUMP:
        found = iter(TO_ONE_NO_TRUMP)
    elif by_partner and by_partner[0] == bids[0][1] and opened < NO_TRUMP:
        found = responses(opened)
    elif by_partner or _has_doubled(calls, dealer, partner):
        found = plan(shown[seat], shown[partner], is_ours)
    else:
        found = overcalls(last)
    return _legal(found, last)


def _legal(found: Iterator[Option], last: int) -> list[Option]:
    """The options that may still be called; doubles are listed only where they may be."""
    return [(call, meaning) for call, meaning in found if call < FIRST_BID or call - FIRST_BID > last]


def _has_doubled(calls: Sequence[int], dealer: int, seat: int) -> bool:
    return any(call == DOUBLE and (dealer + n) % 4 == seat for n, call in enumerate(calls))


def meanings(calls: Sequence[int], dealer: int) -> list[Meaning]:
    """What each seat has told with its calls so far."""
    shown = [Meaning()] * 4
    for number, call in enumerate(calls):
        seat = (dealer + number) % 4
        for option, meaning in options(calls[:number], dealer, shown):
            if option == call:
                shown[seat] = shown[seat].together(meaning)
                break
    return shown


def suggest(hand: Hand, calls: Sequence[int], dealer: int) -> int:
    """The call of the system for a hand."""
    for call, meaning in options(calls, dealer, meanings(calls, dealer)):
        if meaning.fits(hand):
            return call
    return PASS
