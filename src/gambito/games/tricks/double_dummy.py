"""What the rules of play know about tricks: sure ones, the cards worth trying, and the ranks that mattered.

Seats are numbered clockwise, and those of the same parity are partners. A suit of a hand is its cards of one
suit. These are plain functions on sets of cards that compile into the rules of bridge; they do not know the
auction, nor who sees what.
"""

from __future__ import annotations

from gambito.native import int64, last_bit, uint64

from .cards import RANK, SUIT_SETS, card_at, single, size_of

NONE = uint64(0)

# What the weights of the order are about; they were tuned for few nodes, for no trump and for trumps apart.
# A lead: lengths; who has the highest card; the card itself; trumps and ruffs.
(
    OWN_LENGTH, MATE_LENGTH, THEIR_LENGTH,
    OURS_HIGH, MATE_HIGH, OURS_TWO, LEFT_HIGH, LEFT_ALONE, RIGHT_ALONE,
    CASHES, HIGHEST, RANK_LED,
    TRUMP_LED, MATE_RUFFS, LEFT_RUFFS, RIGHT_RUFFS, OWN_SINGLE, MATE_SINGLE,
) = range(18)  # fmt: skip
# A card that follows, by its place in the trick: over or under a card of the partner that wins; it wins for
# now, or for sure; it loses. The same again for ruffs, RUFFING places further.
(
    LAST_OVER, LAST_WINS, LAST_LOSES,
    THIRD_OVER, THIRD_UNDER, THIRD_WINS, THIRD_FORCES, THIRD_LOSES,
    SECOND_OVER, SECOND_UNDER, SECOND_WINS, SECOND_FORCES, SECOND_LOSES,
) = range(18, 31)  # fmt: skip
RUFFING = 13
RANK_THROWN, WINNER_THROWN, THROWN_LENGTH, THROWN_MATE, THROWN_MATE_HIGH, THROWN_OURS = range(44, 50)
# Each row as above: leads, cards that follow, ruffs, discards.
# fmt: off
WITHOUT_TRUMPS = (
    2, 12, 0, 1, 18, 13, -1, 12, 8, 2, 2, 1, 0, 0, 0, 0, 0, 0,
    30, 60, 29, -12, 42, 35, 8, 1, -6, 59, 46, 19, 15,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 19, 6, -3, -10, 11,
)
WITH_TRUMPS = (
    -2, 3, -1, 9, 10, -3, 1, 3, 3, 5, 9, -3, -16, 13, -6, -30, 6, 4,
    4, 86, 13, 8, 8, 59, 24, -4, -2, 40, 46, 23, 1,
    7, 60, 1, 8, 24, 44, 29, -7, -3, 17, 22, 23, 7,
    13, 20, 4, -14, -4, -12,
)
# fmt: on


def top_run(own, others):
    """The cards of a suit that are higher than all others of it."""
    if others == NONE:
        return own
    return own & ~((uint64(2) << uint64(last_bit(others))) - uint64(1))


def best_of(cards, count):
    """The lowest of the highest `count` cards of a set, as a set; none if the count is 0."""
    found = NONE
    for _ in range(count):
        found = single(last_bit(cards))
        cards ^= found
    return found


def quick_tricks(own, left, mate, right, trump, want):
    """Tricks that a leader's side can take at once without losing the lead, and the ranks that matter.

    The leader cashes its own winners in every suit, then leads to a winner of its partner, who cashes the
    rest. Counting ends at `want`. `left` and `right` are the opponents' hands.
    """
    left_ruffs, right_ruffs = False, False
    if trump >= 0:
        suit = SUIT_SETS[trump]
        length = size_of(top_run(own & suit, (left | mate | right) & suit))
        left_ruffs, right_ruffs = size_of(left & suit) > length, size_of(right & suit) > length
    total, more, is_entry, mattered, also = int64(0), int64(0), False, NONE, NONE
    for turn in range(4):
        number = (turn + trump) % 4 if trump >= 0 else turn  # trumps first
        suit = SUIT_SETS[number]
        a, b, x, y = own & suit, mate & suit, left & suit, right & suit
        size_a, size_b, size_x, size_y = size_of(a), size_of(b), size_of(x), size_of(y)
        most = int64(RANK)  # rounds before an opponent can ruff
        if number != trump:
            if left_ruffs:
                most = size_x
            if right_ruffs:
                most = min(most, size_y)
        # what the leader cashes
        run = top_run(a, b | x | y)
        tops = size_of(run)
        needed = max(size_x, size_y, size_b)  # rounds after which nobody else has the suit
        cashed = tops
        if tops >= needed:
            cashed, tops = size_a, needed
        cashed = min(cashed, most)
        tops = min(tops, cashed)
        if tops:
            mattered |= best_of(run, tops)
        total += cashed
        if total >= want:
            return total, mattered
        # what its partner cashes after that
        if size_b > cashed:
            rest = top_run(b, (a & ~run) | x | y)
            behind = min(size_of(rest), size_b - cashed)
            if behind:
                ranks = behind
                if cashed + behind >= max(size_x, size_y, size_a):
                    behind = size_b - cashed
                behind = min(behind, most - cashed)
                ranks = min(ranks, behind)
                if behind > 0:
                    also |= best_of(rest, ranks)
                    if tops:
                        also |= best_of(run, tops)
                    more += behind
                    if size_a > cashed:
                        is_entry = True
    if is_entry:
        return total + more, mattered | also
    return total, mattered


def later_tricks(own, left, mate, right, trump, want):
    """Tricks that the opponents of the leader take for sure, and the ranks that matter; counted up to `want`.

    Those are the tricks of their high trumps; and if they have the highest card of every suit that the leader
    has, the next trick, after which its winner cashes the rest.
    """
    trumps, mattered = int64(0), NONE
    if trump >= 0:
        suit = SUIT_SETS[trump]
        x, y, ours = left & suit, right & suit, (own | mate) & suit
        run_x, run_y, run = top_run(x, ours | y), top_run(y, ours | x), top_run(x | y, ours)
        longer = run_x if run_x > run_y else run_y
        trumps = min(size_of(longer), want)
        mattered = best_of(longer, trumps)
        if trumps == 1 and want > 1 and size_of(run) > 1 and max(size_of(x), size_of(y)) > 1:
            trumps, mattered = int64(2), best_of(run, 2)
        if trumps >= want or trumps + 1 < want:
            return trumps, mattered
    fewest, ranks = want, NONE
    for number in range(4):
        suit = SUIT_SETS[number]
        if own & suit == NONE:
            continue
        theirs, ours = (left | right) & suit, (own | mate) & suit
        if theirs < ours or (number == trump and trumps < want):
            return trumps, mattered
        if trump >= 0 and mate & suit == NONE and mate & SUIT_SETS[trump]:
            return trumps, mattered
        top = single(last_bit(theirs))
        ranks |= top
        if trump < 0 and want > 1:
            winner = left if left & top else right
            others = (own | left | mate | right) & ~winner
            count = int64(1)
            for turn in range(4):  # first what the suit itself brings
                other = SUIT_SETS[(number + turn) % 4]
                run = top_run(winner & other, others & other)
                more = min(size_of(run) - (1 if turn == 0 else 0), want - count)
                if more > 0:
                    ranks |= best_of(run, more + (1 if turn == 0 else 0))
                    count += more
            fewest = min(fewest, count)
            if fewest < want:
                return trumps, mattered
    return fewest, mattered | ranks


# ---- the order of cards ------------------------------------------------------------------------------
def write_choices(state, hands, trump, weights, buffer, place):
    """Write the cards that are worth trying, the likeliest first; of touching cards only the highest."""
    own, left, mate, right = hands
    every = own | left | mate | right
    begin, led = place, int64(-1)
    if state.size:
        every |= single(state.best)
        led = card_at(state.trick, 0) // RANK
    follows = led >= 0 and own & SUIT_SETS[led] != NONE
    for number in range(4):
        suit = SUIT_SETS[number]
        if own & suit == NONE or (follows and number != led):
            continue
        if led < 0:
            base = lead_worth(number, hands, trump, weights)
        elif not follows and number != trump:
            base = discard_worth(number, hands, weights)
        else:
            base = int64(0)
        cards, joined, others = every & suit, False, (left | mate | right) & suit
        while cards:
            card = int64(last_bit(cards))
            bit = single(card)
            cards ^= bit
            if not own & bit:
                joined = False
                continue
            if not joined:
                if led < 0:
                    worth = base
                    if bit > others:
                        worth += weights[CASHES]
                    elif (own & suit) < (bit << uint64(1)):
                        worth += weights[HIGHEST]
                    worth -= weights[RANK_LED] * (card % RANK)
                elif follows or number == trump:
                    worth = follow_worth(card, number, follows, state, hands, trump, weights)
                else:
                    worth = base - weights[RANK_THROWN] * (card % RANK)
                    if bit > others:
                        worth -= weights[WINNER_THROWN]
                at = place
                code = worth * 256 + card
                while at > begin and buffer[at - 1] < code:
                    buffer[at] = buffer[at - 1]
                    at -= 1
                buffer[at] = code
                place += 1
            joined = True
    for at in range(begin, place):
        buffer[at] &= 255
    return place


def lead_worth(number, hands, trump, weights):
    """How much a suit is worth to lead."""
    suit = SUIT_SETS[number]
    own, left, mate, right = hands[0] & suit, hands[1] & suit, hands[2] & suit, hands[3] & suit
    ours, theirs = own | mate, left | right
    worth = (
        weights[OWN_LENGTH] * size_of(own)
        + weights[MATE_LENGTH] * size_of(mate)
        - weights[THEIR_LENGTH] * size_of(theirs)
    )
    if ours > theirs:
        worth += weights[OURS_HIGH]
        if mate > own:
            worth += weights[MATE_HIGH]
        if size_of(top_run(ours, theirs)) > 1:
            worth += weights[OURS_TWO]
    elif left > right:
        worth += weights[LEFT_HIGH]
        rest = left & ~single(last_bit(left)) | right
        if ours > rest:
            worth += weights[LEFT_ALONE]
    else:
        rest = right & ~single(last_bit(right)) | left
        if ours > rest:
            worth += weights[RIGHT_ALONE]
    if trump >= 0:
        trumps = SUIT_SETS[trump]
        if number == trump:
            worth += weights[TRUMP_LED]
        else:
            if mate == NONE and hands[2] & trumps:
                worth += weights[MATE_RUFFS]
            if left == NONE and hands[1] & trumps:
                worth += weights[LEFT_RUFFS]
            if right == NONE and hands[3] & trumps:
                worth += weights[RIGHT_RUFFS]
            if size_of(own) == 1 and hands[0] & trumps:
                worth += weights[OWN_SINGLE]
            if size_of(mate) == 1 and hands[2] & trumps:
                worth += weights[MATE_SINGLE]
    return worth


def power(card, trump, led):
    """A number by which the cards of a trick are compared."""
    return card + 64 if card // RANK == trump else card if card // RANK == led else int64(-1)


def later_power(cards, trump, led):
    """The power of the best card that a hand can play on a suit."""
    same = cards & SUIT_SETS[led]
    if same:
        return power(int64(last_bit(same)), trump, led)
    if trump >= 0 and cards & SUIT_SETS[trump]:
        return 64 + int64(last_bit(cards & SUIT_SETS[trump]))
    return int64(-1)


def follow_worth(card, number, follows, state, hands, trump, weights):
    """How much a card is worth that follows suit or ruffs."""
    led = card_at(state.trick, 0) // RANK
    rank, best, mine = card % RANK, power(state.best, trump, led), power(card, trump, led)
    ours = (state.winner ^ state.mover) & 1 == 0
    shift = 0 if follows else RUFFING
    if state.size == 3:
        if mine > best:
            return (weights[LAST_OVER + shift] if ours else weights[LAST_WINS + shift]) - rank
        return weights[LAST_LOSES + shift] - rank
    if state.size == 2:
        threat = later_power(hands[1], trump, led)
        if ours and best > threat:
            return (weights[THIRD_OVER + shift] if mine > best else weights[THIRD_UNDER + shift]) - rank
        if mine > best:
            return (weights[THIRD_WINS + shift] if mine > threat else weights[THIRD_FORCES + shift]) - rank
        return weights[THIRD_LOSES + shift] - rank
    threat, help = later_power(hands[1], trump, led), later_power(hands[2], trump, led)
    if help > threat and help > best:
        return (weights[SECOND_OVER + shift] if mine > best else weights[SECOND_UNDER + shift]) - rank
    if mine > best:
        return (weights[SECOND_WINS + shift] if mine > threat else weights[SECOND_FORCES + shift]) - rank
    return weights[SECOND_LOSES + shift] - rank


def discard_worth(number, hands, weights):
    """How much a suit is worth to discard from."""
    suit = SUIT_SETS[number]
    own, mate = hands[0] & suit, hands[2] & suit
    worth = weights[THROWN_LENGTH] * size_of(own) + weights[THROWN_MATE] * size_of(mate)
    if hands[2] & suit > (hands[1] | hands[3]) & suit:
        worth += weights[THROWN_MATE_HIGH]
    if own > (hands[1] | hands[3]) & suit:
        worth += weights[THROWN_OURS]
    return worth
