"""What a game may add for partition search: which features of a state its value depends on."""

from __future__ import annotations

from gambito.game.contract.kinds import Key, State, Value
from gambito.game.contract.parameters import Parameters


class Partitions(Parameters):
    """What mattered.

    Partition search asks these, and stores a result for every state that is equal in what mattered. A state
    has a shape, which always matters, and two words of details, of which some bits matter. What matters is
    also told as one number of 64 bits in the game's own way, a set of cards for example: the union of two
    such numbers is what matters for two reasons together, and 0 means that only the shape matters.
    """

    partitions: bool = False  # the game gives the rules of this group

    def partition_key(self, state: State) -> Key:
        """A key of all that always matters, points already won left out; 0: the state is not stored."""
        return 0

    def partition_details(self, state: State) -> tuple[Key, Key]:
        """The features of a state that matter in part, as bits."""
        return 0, 0

    def mask_of_mattered(self, state: State, mattered: Key) -> tuple[Key, Key]:
        """The bits of `partition_details` that are told by what mattered."""
        return 0, 0

    def mattered_of_mask(self, state: State, first: Key, second: Key) -> Key:
        """What mattered, from the bits of `partition_details`: the reverse of `mask_of_mattered`."""
        return 0

    def mattered_before(self, state: State, action: int, below: Key) -> Key:
        """What matters before an action, if `below` is what matters after it."""
        return below

    def is_reached(self, state: State, need: Value) -> tuple[int, Key]:
        """Does player 0 surely get `need` or more from here? 1: yes, 0: no, -1: unknown; and what mattered.

        Asked only where the state has a shape. Points already won do not count.
        """
        return -1, 0
