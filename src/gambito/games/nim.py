"""Nim: take any number of objects from one heap; the player who takes the last one wins (in misère play,
loses).

Each heap takes eight bits, the first heap the lowest, so there are at most eight heaps of at most 255. Bouton
(1901): in normal play the player to move loses if and only if the exclusive or of the heaps is zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.game.numerals import read_whole
from gambito.native import int64, uint64
from gambito.words import say
from gambito.words.sentence import Sentence

HEAPS, LARGEST = 8, 255
WIDEST = 24  # objects in a row of the picture, and of the text


class State(NamedTuple):
    """The heaps, and whose turn it is."""

    heaps: np.uint64
    mover: int


class Nim(Game):
    """Take from one heap; the player who takes the last object wins."""

    name = "nim"
    played_by = "engine"

    def __init__(self, heaps: str = "3-4-5", misere: bool = False) -> None:
        self.heaps, self.misere = heaps, misere
        sizes = _read_heaps(heaps)
        self.packed = _pack(sizes)
        self.longest, self.most_actions = HEAPS * LARGEST, HEAPS * LARGEST
        self.usual_depth = sum(sizes) if sum(sizes) <= 12 else None

    def initial(self) -> State:
        return State(self.packed, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        """An action is 256 times the number of the heap, plus the number of objects taken."""
        for heap in range(HEAPS):
            for taken in range(1, int64((state.heaps >> uint64(8 * heap)) & uint64(LARGEST)) + 1):
                yield heap * 256 + taken

    def result(self, state, action):
        heap, taken = action >> 8, action & 255
        return State(state.heaps - (uint64(taken) << uint64(8 * heap)), 1 - state.mover)

    def is_terminal(self, state):
        return state.heaps == uint64(0)

    def utility(self, state, player):
        """The player to move has nothing to take: the opponent took the last object."""
        won = (player == state.mover) == self.misere
        return 1 if won else -1

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: State) -> str:
        rows = [
            f"{number}: {'|' * min(size, WIDEST)}{'…' if size > WIDEST else ''} {size}"
            for number, size in enumerate(_unpack(state.heaps), 1)
            if size
        ]
        return "\n".join(rows) or say("nothing left")

    def reason(self, state: State) -> str:
        return Sentence("the last object is taken")

    def text(self, state: State) -> str:
        sizes = _unpack(state.heaps)
        while sizes and not sizes[-1]:
            sizes.pop()
        return " ".join(map(str, sizes or [0])) + (" second" if state.mover else "")

    def parse(self, text: str) -> State:
        """The heaps (`3 4 5`), followed by `second` if the second player is to move."""
        words = text.split()
        second = words[-1:] == ["second"]
        sizes = _read_heaps("-".join(words[:-1] if second else words))
        return State(_pack(sizes), int(second))

    def write(self, state: State, action: int) -> str:
        """`6->4`; `6->4#3` for a heap that is not the first of its size."""
        sizes, (heap, taken) = _unpack(state.heaps), divmod(action, 256)
        plain = f"{sizes[heap]}->{sizes[heap] - taken}"
        return plain if sizes.index(sizes[heap]) == heap else f"{plain}#{heap + 1}"

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board | None:
        """A row of objects for each heap; a game that begins with larger heaps is shown as text."""
        sizes = _unpack(self.packed)
        if max(sizes) > WIDEST:
            return None
        heaps = [heap for heap, size in enumerate(sizes) if size]
        cells = [
            Cell(f"{heap + 1}.{place + 1}", place + 0.5, row + 0.5, "none", size=0.8)
            for row, heap in enumerate(heaps)
            for place in range(sizes[heap])
        ]
        names = tuple(Label(-0.3, row + 0.5, str(heap + 1)) for row, heap in enumerate(heaps))
        return Board(max(sizes) or 1, len(heaps) or 1, tuple(cells), labels=names, turns=False)

    def pieces(self, state: State) -> list[Piece]:
        """Objects for which the picture has no cell, in a heap larger than at the start, are not shown."""
        cells = {place: cell for cell, place in enumerate(self._places())}
        left = enumerate(_unpack(state.heaps))
        return [Piece(cells.get((heap, at), -1)) for heap, size in left for at in range(size)]

    def remarks(self, state: State) -> str:
        return ""  # the picture shows it all

    def touch(self, state: State, action: int) -> tuple[int, ...]:
        """The first object that is taken; all objects after it are taken too."""
        heap, taken = divmod(action, 256)
        place = (heap, _unpack(state.heaps)[heap] - taken)
        return (self._places().index(place),) if place in self._places() else ()

    def _places(self) -> list[tuple[int, int]]:
        """The heap of every cell and the place in it."""
        return [(heap, place) for heap, size in enumerate(_unpack(self.packed)) for place in range(size)]


def _read_heaps(text: str) -> list[int]:
    sizes = [read_whole(word, LARGEST) for word in text.replace("-", " ").replace(",", " ").split()]
    known = [size for size in sizes if size is not None]
    if not 0 < len(known) == len(sizes) <= HEAPS:
        raise PositionError(
            "{} is no set of heaps; accepted: up to {} numbers from 0 to {}", quoted(text), HEAPS, LARGEST
        )
    return known


def _pack(sizes: list[int]) -> np.uint64:
    return np.uint64(sum(size << 8 * heap for heap, size in enumerate(sizes)))


def _unpack(heaps: np.uint64) -> list[int]:
    return [int(heaps) >> 8 * heap & LARGEST for heap in range(HEAPS)]
