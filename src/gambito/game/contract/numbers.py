"""What a game may add for endgame tables: numbers for its states, slice by slice."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.errors import PositionError, quoted
from gambito.game.contract.kinds import State
from gambito.game.contract.parameters import Parameters


class Numbers(Parameters):
    """Numbers for tables.

    Endgame tables ask these. A slice holds the states of one material, and each of its states has a number.
    Numbers may have holes, and several numbers may stand for one state: a number counts if its state is real
    and has exactly that number.
    """

    def signature(self, state: State) -> int:
        """The slice of a state, as a number of 0 or more; below 0 if no slice can hold it.

        States that are equal but for their colours may share a slice: `index` turns them.
        """
        return 0

    def slice_size(self, signature: int) -> int:
        """How many numbers a slice has; 0 where states have no numbers."""
        return 0

    def index(self, state: State) -> int:
        """The number of a state in its slice, from 0 to `slice_size` - 1; symmetric states have the same.

        A state that is not real may have any number that no real state has.
        """
        return 0

    def unindex(self, signature: int, number: int) -> State:
        """A state with that number; if there is none, a state that is not real."""
        return self.initial()

    def is_real(self, state: State) -> bool:
        """Can this state occur? One with two pieces on a square cannot."""
        return True

    def unmoves(self, state: State) -> Iterable[State]:
        """The states of the same slice from which an action leads to this one; some may be unreal.

        Without this rule, tables are built forward.
        """
        for _ in range(0):
            yield state

    def slice_names(self, limit: int) -> list[str]:
        """The slices with at most `limit` pieces, each after those that its states can lead to."""
        return []

    def slice_code(self, name: str) -> int:
        """The signature of the slice with that name; a PositionError says which names are accepted."""
        raise PositionError("{} is no slice of {}", quoted(name), self.label())

    def conversions(self, name: str) -> list[str]:
        """The other slices that one action can lead to from this one."""
        return []
