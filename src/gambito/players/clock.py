"""Clocks: the time that a player has left, and how much of it one move may take."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gambito.errors import PlayerError
from gambito.search.limits import Limits

OVERHEAD = 0.1  # seconds that a busy machine may be late with an answer
RESERVED = 0.75  # the largest part of the remaining time that is held back for being late
HORIZON = 20  # moves to plan for if their number is not known
FROM_INCREMENT = 0.75  # the part of the increment that a move may use
BEGIN, STOP = 0.9, 3.0  # parts of a move's share: no iteration begins after, the search is stopped after
MAX_SHARE = 0.5  # the largest part of the remaining time, while more moves must come
MIN_SHARE = 0.25  # the part of a move's share that is left for its search, however large the lag is
LAG_NEWS = 0.25  # the weight of the last move in the mean lag
MOST_LAG = 0.5  # seconds; a longer delay of one move does not count as usual
TINY = 1e-12  # seconds; a limit must be above zero
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


@dataclass(frozen=True)
class Clock:
    """The clock of the player to move."""

    left: float  # seconds
    increment: float = 0.0  # seconds added after each move
    to_go: int | None = None  # moves until time is added; None: the time is for the whole game
    overhead: float = OVERHEAD

    def limits(self, lag: float = 0.0) -> Limits:
        """A soft and a hard limit for this move. The hard one leaves the overhead unused; on a short clock, a
        part of what is left. `lag` are the seconds that a move takes beside its search."""
        usable = self.left - min(self.overhead, RESERVED * self.left)
        moves = self.to_go or HORIZON
        share = usable / moves + FROM_INCREMENT * self.increment
        share = max(share - lag, MIN_SHARE * share)
        hard = max(min(STOP * share, usable * (MAX_SHARE if moves > 1 else 1.0)), TINY)
        return Limits(seconds=hard, soft=min(max(BEGIN * share, TINY), hard))


@dataclass
class Lag:
    """The seconds that a move takes beside its search, as the clock shows them: a mean of the last moves."""

    mean: float = 0.0
    searched: float = 0.0  # seconds of the last search
    _expected: float | None = None  # what the clock would show now if the last move had taken no time

    def read(self, left: float, increment: float) -> float:
        """Read the clock before a move; return the mean lag."""
        if self._expected is not None:
            beside = self._expected - left - self.searched
            self.mean += LAG_NEWS * (min(max(beside, 0.0), MOST_LAG) - self.mean)
        self._expected = left + increment
        return self.mean

    def forget(self) -> None:
        """The next clock is that of another game, or has run while nothing was searched."""
        self._expected = None


@dataclass(frozen=True)
class Control:
    """A time control: `base` seconds, `increment` seconds after each move, and `base` again after `moves`."""

    base: float  # seconds
    increment: float = 0.0
    moves: int | None = None

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.base:g}" + (f"+{self.increment:g}" if self.increment else "")

    def start(self) -> Clock:
        return Clock(self.base, self.increment, self.moves)

    def after(self, clock: Clock, spent: float) -> Clock:
        """The clock after a move; its time is negative if the player was too late."""
        left, to_go = clock.left - spent, clock.to_go
        if left < 0:
            return Clock(left, self.increment, to_go)
        if to_go is not None:
            to_go -= 1
            left, to_go = (left + self.base, self.moves) if to_go == 0 else (left, to_go)
        return Clock(left + self.increment, self.increment, to_go)


def read_control(text: str) -> Control:
    """Read a time control: `60+0.6` is 60 seconds, and 0.6 after each move; `100ms+10ms`, `2m` and `40/60`
    (60 seconds for 40 moves) are accepted too."""
    number = r"([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})(ms|s|m)?"
    match = re.fullmatch(rf"(?:([0-9]{{1,9}})/)?{number}(?:\+{number})?", text.strip())
    control = None
    if match:
        base = float(match[2]) * UNITS[match[3] or "s"]
        increment = float(match[4] or 0) * UNITS[match[5] or "s"]
        control = Control(base, increment, int(match[1]) if match[1] else None)
    if control is None or control.base <= 0 or control.moves == 0:
        raise PlayerError(
            "'{}' is not a clock; accepted: TIME or TIME+INCREMENT, as 60+0.6 or 100ms+10ms", text
        )
    return control
