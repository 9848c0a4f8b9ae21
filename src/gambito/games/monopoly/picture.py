"""The picture of Monopoly: the squares with tokens, the owners of deeds, purses and dice.

It knows the state, and nothing of the rules.
"""

from __future__ import annotations

from gambito.boards.picture import Board, Cell, Label, Piece

from .board import (
    DEED_AT,
    DEEDS,
    GROUP_OF,
    HOTEL,
    LABELS,
    MORTGAGED,
    RAILROAD,
    SQUARE_OF,
    SQUARES,
    State,
)  # fmt: skip
from .money import Money
from .names import DEED_NAMES


class MonopolyPicture(Money):
    """How Monopoly is drawn."""

    def picture(self) -> Board:
        """The squares; a place for each token on each; the owner's mark of each deed; purses; two dice."""
        cells, labels = [], []
        for square, name in enumerate(SQUARES):
            x, y = _spot(square)
            number = int(DEED_AT[square])
            tone = "light" if number < 0 else "plain" if GROUP_OF[number] < RAILROAD else "dark"
            cells.append(Cell(name, x, y, "square", tone, 1.6))
            labels.append(Label(x, y - 0.5, LABELS[square]))
        for square in range(len(SQUARES)):
            x, y = _spot(square)
            for player in range(self.players):
                place = (x + (player % 3 - 1) * 0.5, y + 0.05 + player // 3 * 0.45)
                cells.append(Cell(f"{SQUARES[square]}: {player + 1}", *place, "none", size=0.5))
        for number, square in enumerate(SQUARE_OF):
            x, y = _spot(int(square))
            inward = (
                (x, y + (1.05 if y < 2 else -1.05 if y > 15 else 0))
                if 1 < x < 16
                else (x + (1.05 if x < 2 else -1.05), y)
            )
            cells.append(Cell(f"owner of {DEED_NAMES[number]}", *inward, "none", size=0.6))
        for player in range(self.players):
            cells.append(Cell(f"player {player + 1}", 5.6, 5.4 + 1.1 * player, "none", size=0.9))
            cells.append(Cell(f"cash of player {player + 1}", 8.0, 5.4 + 1.1 * player, "none", size=1.2))
        cells += [Cell("dice", 12.0, 6.4, "none", size=1.6), Cell("phase", 12.0, 8.8, "none", size=1.0)]
        return Board(17.6, 17.6, tuple(cells), labels=tuple(labels), turns=False)

    def pieces(self, state: State) -> list[Piece]:
        tokens, found = len(SQUARES), []
        owners = tokens * (1 + self.players)
        purses = owners + DEEDS
        for player in range(self.players):
            if not self.is_out(state, player):
                square = int(self.square(state, player))
                found.append(Piece(tokens + square * self.players + player, "disc", player))
                found.append(Piece(purses + 2 * player, "disc", player))
                found.append(
                    Piece(purses + 2 * player + 1, "text", text=str(int(self.cash_of(state, player))))
                )
        for number in range(DEEDS):
            owner, level = int(self.owner(state, number)), int(self.level(state, number))
            if owner >= 0:
                mark = "ring" if level == MORTGAGED else "square"
                found.append(Piece(owners + number, mark, owner, count=level if level <= HOTEL else 0))
        if state.dice:
            found.append(
                Piece(purses + 2 * self.players, "die", int(state.mover), count=0, text=str(state.dice & 15))
            )
        return found


def _spot(square: int) -> tuple[float, float]:
    """The middle of a square: Go is below on the right, and the way goes to the left."""
    side, step = divmod(square, 10)
    far = 0.8 + 1.6 * (10 - step)
    near = 0.8 + 1.6 * step
    return ((far, 16.8), (0.8, far), (near, 0.8), (16.8, near))[side]
