"""The fleets of Battleship: where ships lie, which are sunk, and fleets at random that fit what was seen.

A fleet is a number with eight bits for each ship: 0 if it is not placed or not known, else one more than
twice its first place, plus one if it lies down. It does not know whose turn it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.game.contract import Game
from gambito.native import int64, uint64
from gambito.native.wide import (
    Words,
    common,
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    shift_down,
    shift_up,
    union_of,
    wide_set,
    without,
    words_for,
)

MOST_DRAWS = 200  # fleets that are tried until one fits what was seen
SHUFFLES = 4  # how often each ship of a fleet that was laid hastily is laid again
MOST_LISTED = 20_000  # partial fleets that are looked through, to see whether every one can be completed
ACROSS, DOWN = 0, 1


class State(NamedTuple):
    """A position. In an observation the other's ships are blank, but for those that are told to be sunk."""

    ships_0: np.uint64  # the fleet of player 0
    ships_1: np.uint64
    shots_0: Words  # at which player 0 has shot
    shots_1: Words
    hits_0: Words  # those of its shots that hit
    hits_1: Words
    sank_0: Words  # those that sank a ship, if that is all that is told
    sank_1: Words
    past: Words  # all shots in order, on a small board
    placed: int  # ships, of both players
    turn: int  # who shoots
    left: int  # shots of this salvo


class Fleets(Game):
    """Ships on the board."""

    width: int
    height: int
    shots: int  # of each player; 0: until a fleet is sunk
    limit: int  # shots of both players together; 0: none
    salvo: bool
    tells_ship: bool  # which ship is sunk is told
    tells_sunk: bool  # only that one is sunk is told
    bits: int  # of each shot that is remembered
    no_past: Words

    def _lay_out(self, width: int, height: int, lengths: list[int]) -> None:
        """Set what the rules read about the board and the ships."""
        self.stride = stride = width + 1
        words = words_for(stride * height)
        self.board = wide_set((row * stride + c for row in range(height) for c in range(width)), words)
        self.none = wide_set((), words)
        odd = ((row, c) for row in range(height) for c in range(width) if (row + c) % 2)
        self.odd = wide_set((row * stride + c for row, c in odd), words)
        self.ships, self.lengths = len(lengths), tuple(lengths)
        self.size_of_fleet = sum(lengths)
        self.laid_across = tuple(wide_set(range(n), words) for n in lengths)
        self.laid_down = tuple(wide_set((n * stride for n in range(min(n, height))), words) for n in lengths)

    def _always_fits(self) -> bool:
        """Can every ship be placed, wherever those before it lie?"""
        before = 0
        for ship, length in enumerate(self.lengths):
            ways = sum(count_places(self.starts(self.board, ship, way)) for way in (ACROSS, DOWN))
            if ways <= before * 2 * length:  # a cell is on at most twice the length of ways
                return self._all_complete()
            before += length
        return True

    def _all_complete(self) -> bool:
        """The same, by looking at all partial fleets."""
        fleets = {self.none}
        for ship in range(self.ships):
            after = set()
            for taken in fleets:
                free, ways = without(self.board, taken), 0
                for way in (ACROSS, DOWN):
                    starts = self.starts(free, ship, way)
                    while not is_empty(starts):
                        place = first_place(starts)
                        starts = without(starts, only(place, starts))
                        after.add(union_of(taken, self.cells_of(ship, 2 * place + way + 1)))
                        ways += 1
                if ways == 0 or len(after) > MOST_LISTED:
                    return False
            fleets = after
        return True

    # ---- ships -----------------------------------------------------------------------------------
    def number_of(self, place):
        """The number of a cell when spare places are not counted."""
        return place // self.stride * (self.stride - 1) + place % self.stride

    def code(self, ships, ship):
        return int64((ships >> uint64(8 * ship)) & uint64(255))

    def cells_of(self, ship, code):
        """The cells of a ship; none if it is blank."""
        if code == 0:
            return self.none
        pattern = self.laid_across[ship] if (code - 1) & 1 == ACROSS else self.laid_down[ship]
        return shift_up(pattern, (code - 1) >> 1)

    def cells_of_fleet(self, ships):
        cells = self.none
        for ship in range(self.ships):
            cells = union_of(cells, self.cells_of(ship, self.code(ships, ship)))
        return cells

    def starts(self, free, ship, way):
        """The places where a ship can begin so that it lies on free cells only."""
        length, step = self.lengths[ship], 1 if way == ACROSS else self.stride
        found = free
        if way == DOWN and length == 1:
            found = self.none
        for cell in range(1, length):
            found = common(found, shift_down(free, cell * step))
        return found

    def sinks(self, ships, hits, place):
        """Is the ship on that place hit everywhere?"""
        for ship in range(self.ships):
            cells = self.cells_of(ship, self.code(ships, ship))
            if has_place(cells, place):
                return is_empty(without(cells, hits))
        return False

    def sunk(self, ships, hits):
        """The number of ships that are hit everywhere."""
        count = int64(0)
        for ship in range(self.ships):
            code = self.code(ships, ship)
            if code > 0 and is_empty(without(self.cells_of(ship, code), hits)):
                count += 1
        return count

    def told(self, ships, hits):
        """The ships that the other knows: those that are sunk, if that is told."""
        known = uint64(0)
        if self.tells_ship:
            for ship in range(self.ships):
                code = self.code(ships, ship)
                if code > 0 and is_empty(without(self.cells_of(ship, code), hits)):
                    known |= uint64(code) << uint64(8 * ship)
        return known

    def remember(self, past, number):
        """The shots in order, with one more in the lowest bits."""
        past = shift_up(past, self.bits)
        for bit in range(self.bits):
            if (number + 1) >> bit & 1:
                past = union_of(past, only(bit, past))
        return past

    def remembered(self, past, place):
        """The number of the cell of a shot, counted from 0 at the last; -1 where there is none."""
        return int64(shift_down(past, place * self.bits)[0] & uint64((1 << self.bits) - 1)) - 1

    # ---- fleets that fit -------------------------------------------------------------------------
    def draw_fleet(self, known, count, shots, hits, sank, past, shooter, evenly, rng):
        """A fleet of `count` ships that fits what a shooter has seen of it; if `evenly`, all are as likely.

        A hit is covered by exactly one ship. So the hits are covered first, one after the other, each by a
        way to lay a ship over it, and then the other ships are laid anywhere; where two overlap, all begins
        again. A way weighs 1 / ways of its ship, so that it does not matter which ships are laid anywhere.
        The weight of each step, `room` at most, is evened out by beginning again as well.
        """
        unknown = int64(0)
        for ship in range(count):
            if self.code(known, ship) == 0:
                unknown += 1
        if unknown == 0:
            return known
        sunken = self.cells_of_fleet(known)
        free = without(without(self.board, without(shots, hits)), sunken)
        open_hits = without(hits, sunken)
        barred = open_hits if self.tells_ship else self.none  # a ship that is all hit would be told
        room, hits_left = 0.0, open_hits
        while not is_empty(hits_left):
            place = first_place(hits_left)
            hits_left = without(hits_left, only(place, hits_left))
            room = max(room, self.weigh(known, count, free, free, barred, place))
        fleet = known
        for draw in range(0 if evenly else MOST_DRAWS, 2 * MOST_DRAWS):
            is_even = draw < MOST_DRAWS  # then any that fits; after some shuffling all are almost as likely
            fleet = self.draw_once(known, count, free, barred, open_hits, room, is_even, rng)
            if fleet != uint64(0) and not is_even:
                fleet = self.shuffle(fleet, known, count, free, barred, open_hits, rng)
            if fleet != uint64(0) and self.fits(fleet, count, hits, sank, past, shooter):
                return fleet
        return fleet

    def shuffle(self, fleet, known, count, free, barred, open_hits, rng):
        """Lay every ship that is not known again, anywhere that fits the others, several times in turn."""
        for step in range(SHUFFLES * count):
            ship = step % count
            if self.code(known, ship) == 0:
                others = fleet & ~(uint64(255) << uint64(8 * ship))
                cells = self.cells_of_fleet(others)
                ways, chosen = int64(0), self.code(fleet, ship)
                for way in range(2):
                    starts = self.starts_beside(cells, ship, way, free, barred, open_hits)
                    some = count_places(starts)
                    ways += some
                    if some > 0 and rng.below(ways) < some:
                        chosen = int64(2 * nth_place(starts, rng.below(some)) + way + 1)
                fleet = others | uint64(chosen) << uint64(8 * ship)
        return fleet

    def starts_beside(self, others, ship, way, free, barred, open_hits):
        """The places where a ship can begin beside the others, so that every hit is covered."""
        empty, uncovered = without(free, others), without(open_hits, others)
        starts = without(self.starts(empty, ship, way), self.starts(barred, ship, way))
        while not is_empty(uncovered):
            place = first_place(uncovered)
            uncovered = without(uncovered, only(place, uncovered))
            starts = common(starts, self.starts_over(empty, barred, ship, way, place))
        return starts

    def draw_once(self, known, count, free, barred, open_hits, room, is_even, rng):
        """One try to draw a fleet; 0 if it begins again. Without `is_even` some are likelier than others."""
        fleet, empty, steps = known, free, int64(0)
        while not is_empty(open_hits):
            place = first_place(open_hits)
            weight = self.weigh(fleet, count, free, empty, barred, place)
            if weight == 0.0 or (is_even and rng.fraction() * room >= weight):
                return uint64(0)
            code, ship = self.cover(fleet, count, free, empty, barred, place, rng.fraction() * weight)
            cells = self.cells_of(ship, code)
            fleet |= uint64(code) << uint64(8 * ship)
            empty, open_hits = without(empty, cells), without(open_hits, cells)
            steps += 1
        if is_even and not self.evens_out(room, steps, count, rng):
            return uint64(0)
        for ship in range(count):
            if self.code(fleet, ship) == 0:
                code = self.draw_placement(free if is_even else empty, barred, ship, rng)
                cells = self.cells_of(ship, code)
                if code == 0 or not is_empty(without(cells, empty)):
                    return uint64(0)
                empty = without(empty, cells)
                fleet |= uint64(code) << uint64(8 * ship)
        return fleet

    def evens_out(self, room, steps, count, rng):
        """Keep a fleet of that many steps, so that those of few and of many steps become as likely."""
        if room < 1.0:
            for _ in range(1, steps):
                if rng.fraction() >= room:
                    return False
        else:
            for _ in range(steps, count):
                if rng.fraction() * room >= 1.0:
                    return False
        return True

    def ways(self, free, barred, ship):
        """The number of ways to lay a ship on free cells, not only on barred ones."""
        count = int64(0)
        for way in range(2):
            starts = without(self.starts(free, ship, way), self.starts(barred, ship, way))
            count += count_places(starts)
        return count

    def draw_placement(self, free, barred, ship, rng):
        """One of these ways; 0 if there is none."""
        ways = self.ways(free, barred, ship)
        if ways == 0:
            return int64(0)
        nth = rng.below(ways)
        for way in range(2):
            starts = without(self.starts(free, ship, way), self.starts(barred, ship, way))
            if nth < count_places(starts):
                return int64(2 * nth_place(starts, nth) + way + 1)
            nth -= count_places(starts)
        return int64(0)

    def weigh(self, fleet, count, free, empty, barred, place):
        """The weight of all ways to cover a hit with a ship that is not laid yet."""
        total = 0.0
        for ship in range(count):
            if self.code(fleet, ship) == 0:
                over = int64(0)
                for way in range(2):
                    over += count_places(self.starts_over(empty, barred, ship, way, place))
                if over > 0:
                    total += over / self.ways(free, barred, ship)
        return total

    def starts_over(self, empty, barred, ship, way, place):
        """The places where a ship can begin so that it covers a place."""
        step = 1 if way == ACROSS else self.stride
        window, begin = self.none, place
        for _ in range(self.lengths[ship]):
            if begin >= 0:
                window = union_of(window, only(begin, window))
            begin -= step
        starts = without(self.starts(empty, ship, way), self.starts(barred, ship, way))
        return common(starts, window)

    def cover(self, fleet, count, free, empty, barred, place, left):
        """The way to cover a hit at which the weights reach `left`, and its ship."""
        chosen, number = int64(0), int64(0)
        for ship in range(count):
            if self.code(fleet, ship) == 0 and left >= 0.0:
                for way in range(2):
                    starts = self.starts_over(empty, barred, ship, way, place)
                    share = 1.0
                    if not is_empty(starts):
                        share = 1.0 / self.ways(free, barred, ship)
                    while not is_empty(starts) and left >= 0.0:
                        begin = first_place(starts)
                        starts = without(starts, only(begin, starts))
                        chosen, number = int64(2 * begin + way + 1), ship
                        left -= share
        return chosen, number

    def fits(self, fleet, count, hits, sank, past, shooter):
        """Does the fleet fit what is told of ships that sank, without their names?"""
        if not self.tells_sunk:
            return True
        for ship in range(count):
            cells = self.cells_of(ship, self.code(fleet, ship))
            told = count_places(common(cells, sank))
            if told != int64(is_empty(without(cells, hits))):
                return False
            if told and self.recalls and not has_place(sank, self.last_on(cells, past, shooter)):
                return False
        return True

    def last_on(self, cells, past, shooter):
        """The place of the last shot of a player on these cells."""
        number = int64(0)
        while self.remembered(past, number) >= 0:
            number += 1
        for place in range(number):
            cell = self.remembered(past, place)
            at = cell // (self.stride - 1) * self.stride + cell % (self.stride - 1)
            if (number - 1 - place) & 1 == shooter and has_place(cells, at):
                return at
        return int64(-1)
