"""What a game may say of its board and pieces, from which its picture, its texts and its touches follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gambito.boards import plain
from gambito.boards.changes import arrows_of
from gambito.boards.equipment import NO_CELL, Equipment
from gambito.game.contract.kinds import State
from gambito.game.contract.parameters import Parameters

# The attributes in which a game keeps its equipment; and the last state whose actions were asked about, what
# stands on its cells, and whether its actions are numbers of cells.
_KEPT, _BEFORE = "_gambito_equipment", "_gambito_before"


class Equipped(Parameters):
    """A board and its pieces.

    The picture and the texts ask these. A game with a board declares the board and its pieces, and says what
    stands on each cell; `picture`, `pieces`, `touch`, `show`, `text` and `parse` then need not be written.
    """

    def equipment(self) -> Equipment | None:
        """The board and its pieces, from which picture, texts and touches follow. None: there are none.

        By default the arrays of a state with two dimensions are a grid of their values.
        """
        return plain.plain_board(self.initial())

    def stands(self, state: State, cell: int) -> int:
        """What stands on a cell of the equipment: the code of a piece. By default, what the arrays hold."""
        return plain.codes_of(state)[cell]

    def touched(self, state: State, action: int, step: int) -> int:
        """The cell that a person touches as number `step` for an action; NO_CELL: no more.

        By default they are found in what the action changes.
        """
        way = [cell for arrow in self.found_arrows(state, action) for cell in arrow]
        return way[step] if step < len(way) else NO_CELL

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """The state with these codes on its cells, as `stands` tells them, and with these words behind.

        `text` is the position as it was given, for messages. By default the arrays take the codes.
        """
        return plain.with_fields(self.initial(), cells, extras, text)

    def extras(self, state: State) -> Sequence[str]:
        """The words of a position behind the board and the side to move; by default the other fields."""
        return plain.rest_of(state) if type(self).set_up is Equipped.set_up else ()

    def kept_equipment(self) -> Any:
        """The equipment, which is made once; None: there is none."""
        if _KEPT not in vars(self):
            vars(self)[_KEPT] = self.equipment()
        return vars(self)[_KEPT]

    def cell_codes(self, state: State) -> list[int]:
        """What stands on all cells."""
        if type(self).stands is Equipped.stands:
            return plain.codes_of(state)
        kit = self.kept_equipment()
        return [] if kit is None else [int(self.stands(state, cell)) for cell in range(kit.size)]

    def found_arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        """The arrows of an action, found in what it changes."""
        kit = self.kept_equipment()
        if kit is None:
            return ()
        size, kept = len(kit.board.cells), vars(self).get(_BEFORE)
        if kept is None or kept[0] is not state:
            is_by_cell = all(int(each) < size for each in self.actions(state))
            kept = vars(self)[_BEFORE] = (state, self.cell_codes(state), is_by_cell)
        after = self.cell_codes(self.result(state, action))
        return arrows_of(kept[1], after, kit.empty, size, action if kept[2] else NO_CELL)
