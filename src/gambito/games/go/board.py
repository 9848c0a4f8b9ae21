"""The board as sets of crossings: chains, liberties, captures and territory.

Crossings are numbered row by row from the upper left corner, with one spare place at the end of each row, so
that neighbours are ±1 and ±(size + 1) and nothing runs from one row into the next. On 9×9:

     0  1  2 …  8  .
    10 11 12 … 18  .
    …
    80 81 82 … 88  .

Sets are tuples of words (`native.wide`): two on 9×9, six on 19×19. The board does not know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Callable

from gambito.errors import GameError
from gambito.native import int64, uint64
from gambito.native.wide import (
    Words,
    common,
    count_places,
    first_place,
    has_place,
    is_empty,
    only,
    shift_down,
    shift_up,
    union_of,
    wide_set,
    without,
    words_for,
)

from .shapes import IS_SHAPE

NOWHERE = -1


class PointGeometry:
    """A square board of up to 19×19."""

    def __init__(self, size: int) -> None:
        if not 2 <= size <= 19:
            raise GameError("size is from 2 to 19")
        self.size, self.stride = size, size + 1
        self.pass_action = self.stride * size
        self.words = words_for(self.pass_action)
        self.nothing = wide_set((), self.words)
        self.board = self._choose(lambda x, y: True)
        self.edge = self._choose(lambda x, y: x in (0, size - 1) or y in (0, size - 1))
        self.second = self._choose(lambda x, y: {x, y} & {1, size - 2} and not {x, y} & {0, size - 1})

    def _choose(self, is_chosen: Callable[[int, int], object]) -> Words:
        crossings = [(x, y) for y in range(self.size) for x in range(self.size)]
        return wide_set((y * self.stride + x for x, y in crossings if is_chosen(x, y)), self.words)

    def beside(self, stones):
        """The places next to stones, including places beyond the board."""
        across = union_of(shift_up(stones, 1), shift_down(stones, 1))
        return union_of(across, union_of(shift_up(stones, self.stride), shift_down(stones, self.stride)))

    def diagonals(self, stone):
        """The four places diagonally next to a stone."""
        up = union_of(shift_up(stone, self.stride - 1), shift_up(stone, self.stride + 1))
        return union_of(up, union_of(shift_down(stone, self.stride - 1), shift_down(stone, self.stride + 1)))

    def reach(self, seed, within):
        """The crossings that can be reached from the set `seed`, which lies inside `within`."""
        before = self.nothing
        while before != seed:
            before = seed
            seed = union_of(seed, common(self.beside(seed), within))
        return seed

    def has_liberty(self, stone, stones, free):
        """Does the chain of a stone have a liberty?"""
        chain, before = stone, self.nothing
        while before != chain:
            near = self.beside(chain)
            if not is_empty(common(near, free)):
                return True
            before = chain
            chain = union_of(chain, common(near, stones))
        return False

    def only_liberty(self, stone, stones, free):
        """The only liberty of a stone's chain; NOWHERE if it has several or none."""
        chain, before, freed = stone, self.nothing, self.nothing
        while before != chain:
            near = self.beside(chain)
            freed = common(near, free)
            if count_places(freed) > 1:
                return NOWHERE
            before = chain
            chain = union_of(chain, common(near, stones))
        return first_place(freed) if not is_empty(freed) else NOWHERE

    def is_in_atari(self, among, stones, free):
        """Does one of the chains with a stone in `root_actions` have a single liberty?"""
        left = common(among, stones)
        while not is_empty(left):
            stone = only(first_place(left), left)
            left = without(left, stone)
            if self.only_liberty(stone, stones, free) != NOWHERE:
                return True
        return False

    def is_self_atari(self, place, mine, free):
        """Does the chain of a new stone that captures nothing have fewer than two liberties?"""
        stone = only(place, free)
        rest = without(free, stone)
        if count_places(common(self.beside(stone), rest)) > 1:
            return False
        chain, before = stone, self.nothing
        while before != chain:
            near = self.beside(chain)
            if count_places(common(near, rest)) > 1:
                return False
            before = chain
            chain = union_of(chain, common(near, mine))
        return True

    def taken(self, stone, theirs, free):
        """The opponent's chains without a liberty after this move; `free` does not include the stone."""
        gone = self.nothing
        foes = without(
            common(self.beside(stone), theirs), self.beside(free)
        )  # most have a liberty of their own
        while not is_empty(foes):
            foe = only(first_place(foes), foes)
            if self.has_liberty(foe, theirs, free):
                foes = without(foes, foe)
            else:
                chain = self.reach(foe, theirs)
                gone, foes = union_of(gone, chain), without(foes, chain)
        return gone

    def is_no_suicide(self, stone, mine, theirs, free):
        """Does a stone on a free crossing have a liberty, does its chain, or does it capture something?"""
        rest = without(free, stone)
        near = self.beside(stone)
        if not is_empty(common(near, rest)):
            return True
        if not is_empty(common(near, mine)) and self.has_liberty(stone, mine, rest):
            return True
        return not is_empty(self.taken(stone, theirs, rest))

    def eyes(self, mine, free):
        """Free crossings that are surrounded by own stones or the edge."""
        return without(free, self.beside(without(self.board, mine)))

    def is_eye(self, stone, theirs):
        """Is an eye safe? One enemy stone diagonally next to it is allowed, at the edge none."""
        enemies = count_places(common(self.diagonals(stone), theirs))
        return enemies == 0 or (enemies == 1 and is_empty(common(stone, self.edge)))

    def is_shape(self, place, mine, theirs):
        """Is a free crossing the centre of a good shape?"""
        ours, others = self.window(mine, place), self.window(theirs, place)
        if has_place(self.edge, place):
            outside = self.outside(place)
            ours, others = ours | outside, others | outside
        return IS_SHAPE[ours | others << 8]

    def window(self, stones, place):
        """The eight places around a place as bits, row by row from the upper left."""
        corner = place - self.stride - 1
        seen = shift_down(stones, corner)[0] if corner >= 0 else shift_up(stones, -corner)[0]
        word, stride = int64(seen & uint64(0x7FFFFFFFFFFFFFFF)), self.stride
        beside = word >> stride
        return word & 7 | (beside & 1) << 3 | (beside >> 2 & 1) << 4 | (word >> 2 * stride & 7) << 5

    def outside(self, place):
        """The bits of the places around it that are beyond the edge."""
        row, column = place // self.stride, place % self.stride
        bits = 0b00000111 if row == 0 else 0b11100000 if row == self.size - 1 else 0
        if column == 0:
            bits |= 0b00101001
        elif column == self.size - 1:
            bits |= 0b10010100
        return bits

    def lead(self, black, white):
        """Black's lead in area: stones and crossings that only one colour reaches."""
        free = without(self.board, union_of(black, white))
        dark, light = self.reach(black, union_of(black, free)), self.reach(white, union_of(white, free))
        return count_places(without(dark, light)) - count_places(without(light, dark))

    def influence(self, black, white):
        """An estimate of that lead before the end: a crossing belongs to the colour that is nearer."""
        dark, light = black, white
        for _ in range(4):
            taken = union_of(dark, light)
            more, other = common(self.beside(dark), self.board), common(self.beside(light), self.board)
            both = common(more, other)
            dark = union_of(dark, without(without(more, both), taken))
            light = union_of(light, without(without(other, both), taken))
        return count_places(dark) - count_places(light)
