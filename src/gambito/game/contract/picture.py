"""What a game may add for the web page: its board, its pieces, and how a person plays on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gambito.boards.equipment import NO_CELL
from gambito.boards.picture import Board, Mark, Piece, Tally
from gambito.errors import PositionError
from gambito.game.contract.equipment import Equipped
from gambito.game.contract.kinds import PythonOnly, State, Value


class Picture(Equipped):
    """A picture.

    The web page and notebooks ask these. Without them a position is shown as text, and actions are buttons.
    """

    title: PythonOnly[str] = ""  # the name that the page shows; "": its name
    sides: PythonOnly[tuple[str, ...]] = ()  # the names of the players, as ("Black", "White"); (): numbers
    scale: PythonOnly[float | None] = (
        None  # a value worth three quarters of a win; None: a third of `highest`
    )
    measure: PythonOnly[tuple[str, float]] = ("", 1.0)  # what values count, and how much of value one is
    editable: PythonOnly[bool] = False  # the values of a position's leaves can be edited

    def picture(self) -> Board | None:
        """The board: where its cells are; by default that of the equipment. None: there is no picture."""
        kit = self.kept_equipment()
        return None if kit is None else kit.picture

    def pieces(self, state: State) -> list[Piece]:
        """The pieces on the board; if one is on no cell, the position is shown as text."""
        kit = self.kept_equipment()
        return [] if kit is None else kit.pieces_of(self.cell_codes(state))

    def thrown(self, state: State, outcome: int) -> list[Piece]:
        """The pieces that show an outcome of chance until the next move, if the state after it does not."""
        return []

    def marks(self, state: State) -> list[Mark]:
        """What is to be seen beside the pieces: the line that has won, a check, men that must capture."""
        return []

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[Tally]:
        """What each player has so far, after these actions from `start`; [] if there is nothing to count."""
        return []

    def owners(self, state: State) -> list[int]:
        """The player to whom each cell belongs in a finished game; -1: nobody. []: no cell is won."""
        return []

    def touch(self, state: State, action: int) -> tuple[int | tuple[int, ...], ...]:
        """The cells that a person touches in turn to play an action: (from, to), (cell,); () is a button.

        Any cell of a tuple among them will do; the first is where the action is marked.
        """
        if type(self).touched is Equipped.touched:
            return tuple(cell for arrow in self.found_arrows(state, action) for cell in arrow)
        return tuple(itertools.takewhile(NO_CELL.__lt__, self._steps(state, action)))

    def _steps(self, state: State, action: int) -> Iterator[int]:
        for step in itertools.count():
            yield int(self.touched(state, action, step))

    def touches(self, state: State, action: int) -> Iterable[tuple[int | tuple[int, ...], ...]]:
        """All ways to touch an action, if its parts may come in any order; `touch` is the first of them."""
        return (self.touch(state, action),)

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        """What an action does to pieces: (from, to) moves one, (cell,) puts one; other cells lose theirs.

        By default the piece goes along the cells that are touched, or what the action changes is found.
        """
        if type(self).touched is Equipped.touched and type(self).touch is Picture.touch:
            return self.found_arrows(state, action)
        way = [step[0] if isinstance(step, tuple) else step for step in self.touch(state, action)]
        return tuple(pairwise(way)) if len(way) > 1 else tuple((cell,) for cell in way)

    def edit(self, state: State, moves: Iterable[str], value: Value) -> State:
        """The position with another value at the leaf that these moves lead to, if it is `editable`."""
        raise PositionError("the values of {} cannot be edited", self.label())

    def expectation(self, value: Value) -> float:
        """The share of a win, from 0 to 1, that a value promises to its player."""
        return 1.0 / (1.0 + 3.0 ** -max(-40.0, min(40.0, value / self.unit())))

    def unit(self) -> float:
        """The value that is worth three quarters of a win."""
        return self.scale or max(abs(self.highest), abs(self.lowest)) / 3 or 1.0
