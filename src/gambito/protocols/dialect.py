"""UCI and UGI as two dialects of one protocol, and the words in which both tell values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gambito
from gambito.game.contract import Game

WHOLE = 1000  # the chances of an outcome are told in thousandths
HUNDRED = 100  # centipawns of a value of 1, for games with fractional values


@dataclass(frozen=True)
class Dialect:
    """The words of a protocol."""

    name: str  # the first command of a session; the answer is this name and "ok"
    position: str  # the word before the text of a position
    letters: str = ""  # of the players, before `time` and `inc`; "": p1, p2, p3 …

    def who(self, player: int) -> str:
        """The name of a player in the words of the protocol."""
        return self.letters[player % len(self.letters)] if self.letters else f"p{player + 1}"

    def clocks(self, players: int) -> list[str]:
        """The words for the times and increments of that many players."""
        return [f"{self.who(player)}{what}" for player in range(players) for what in ("time", "inc")]

    def greeting(self) -> list[str]:
        return [f"id name Gambito {gambito.__version__}", "id author the Gambito authors"]


UCI = Dialect("uci", "fen", "wb")
UGI = Dialect("ugi", "fen")


def chances(game: Game, value: Any, is_exact: bool) -> tuple[int, int, int]:
    """Return the chances of a win, a draw and a loss in thousandths, for the player to move.

    The expected share of a win is the game's own. How much of the rest is a draw, values do not tell: it is
    as if two independent halves of the game were each won with that share.
    """
    if is_exact:
        return (WHOLE, 0, 0) if value > 0 else (0, 0, WHOLE) if value < 0 else (0, WHOLE, 0)
    share = game.expectation(value)
    won, lost = round(WHOLE * share * share), round(WHOLE * (1 - share) ** 2)
    return won, WHOLE - won - lost, lost


def score_words(game: Game, value: Any, ends_in: int | None) -> str:
    """Return a value, or the number of moves to a forced end."""
    if ends_in is not None and value is not None and abs(value) == game.highest:
        moves = (ends_in + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    value = value or 0
    return f"cp {round(HUNDRED * value) if isinstance(value, float) else int(value)}"
