"""The board on a screen: numbered dark squares, and kings as discs with a crown cut out."""

from __future__ import annotations

from gambito.boards import picture as drawn

from .board import SquareGeometry

OUTLINES = {  # a disc with a crown cut out of it
    "king": "M4 50 A46 46 0 1 1 96 50 A46 46 0 1 1 4 50 Z M30 68 L70 68 L76 35 L61 49 L50 28 L39 49 L24 35 Z"
}


def draw_board(game: SquareGeometry, is_turned: bool) -> drawn.Board:
    """Return the board with the dark squares as cells, numbered from 0, and the numbers beside the rows.

    If `is_turned`, Black, whose squares have the lowest numbers, sits at the bottom.
    """
    far = game.size - 1
    spots = [game.spot_of(square) for square in range(1, game.squares + 1)]
    if is_turned:
        spots = [(far - x, far - y) for x, y in spots]
    cells = [drawn.Cell(str(n), x + 0.5, y + 0.5, "square", "dark") for n, (x, y) in enumerate(spots, 1)]
    light = [(x, y) for y in range(game.size) for x in range(game.size) if (x, y) not in spots]
    areas = [("light", (x, y, x + 1, y, x + 1, y + 1, x, y + 1)) for x, y in light]
    labels = []
    for row in range(game.size):
        numbers = [n for n, (_, y) in enumerate(spots, 1) if y == row]
        left, right = sorted((numbers[0], numbers[-1]), reverse=is_turned)
        labels.append(drawn.Label(-0.3, row + 0.5, str(left)))
        labels.append(drawn.Label(game.size + 0.3, row + 0.5, str(right)))
    return drawn.Board(
        game.size, game.size, tuple(cells), areas=tuple(areas), labels=tuple(labels), symbols=OUTLINES
    )
