"""Chess games as text: PGN, read strictly and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gambito.game.score import Style, read_scores, write_score
from gambito.game.variations import Score

from .board import State

if TYPE_CHECKING:
    from . import Chess

PGN = Style(
    roster=("Event", "Site", "Date", "Round", "White", "Black", "Result"),
    results=("1-0", "0-1", "1/2-1/2", "*"),
    move=r"[A-Za-z0][A-Za-z0-9=+\#:\-/]*",
)


def read_pgn(game: Chess, text: str) -> list[Score]:
    """All games of a text."""
    return read_scores(game, text, PGN)


def write_pgn(game: Chess, score: Score) -> str:
    """A game as text, with its tags in the usual order."""
    return write_score(game, score, PGN, plies_before(score.start))


def plies_before(start: State) -> int:
    """The number of plies played before a position, from its move number."""
    return 2 * (int(start.number) - 1) + int(start.side)
