"""The clocks of a game that people play on pages of their own: the time of the server counts.

They start after the first move. A player whose time is up has lost, whatever the rules say, so that no more
moves are taken. This module knows no rules; who moves next is told by a worker.
"""

from __future__ import annotations

import time
from typing import Any

from gambito.game.contract import NOBODY


class RoomClock:
    """The seconds that each player has left, and whose clock runs."""

    def __init__(self, seconds: float, increment: float, players: int) -> None:
        self.left, self.increment = [seconds] * players, increment
        self.side, self.since = NOBODY, 0.0

    def now(self, side: int) -> float:
        """The seconds that a player has left."""
        spent = time.monotonic() - self.since if side == self.side else 0.0
        return max(0.0, self.left[side] - spent)

    @property
    def is_over(self) -> bool:
        return self.side != NOBODY and self.now(self.side) <= 0

    def press(self, next_side: int) -> None:
        """A move was made: stop the clock of who made it, and start that of the next player, if any."""
        if self.side != NOBODY:
            self.left[self.side] = self.now(self.side) + self.increment
        self.side, self.since = next_side, time.monotonic()

    def as_dict(self) -> dict[str, Any]:
        """What pages are told; all of them see both clocks."""
        left = [round(self.now(side), 3) for side in range(len(self.left))]
        return {"left": left, "increment": self.increment, "side": self.side}
