"""The moves that matter in a position of chess whose bishop is lost: a tree whose static value is material.

    6k1/7p/8/4p3/5p2/1P6/b1P1K2P/7R b - - 0 1

Black may give a check with a pawn, or wait. White takes the pawn; without a check, White goes for the bishop
with the rook, Ra1 and then Rxa2. A name that ends in `+` is a check, one with `x` a capture.
"""

from collections.abc import Iterable
from typing import Any

import gambito
from gambito.games.tree import Tree, TreeNode

POSITION = "6k1/7p/8/4p3/5p2/1P6/b1P1K2P/7R b - - 0 1"
DEEPEST = 11  # plies; every line ends before, when the bishop is taken
POINTS = {"P": 1, "B": 3, "R": 5}


class DoomedBishop(Tree):
    """Two checks put the loss of the bishop off by four plies; MAX is Black."""

    prefers_fast_win = False

    def __init__(self) -> None:
        chess = gambito.load("chess:evaluation=hand")
        super().__init__(self.parse(_text(chess, chess.parse(POSITION), 0)))

    def noisy(self, state: TreeNode) -> Iterable[int]:
        return (place for place, word in enumerate(state.names) if "x" in word)

    def is_urgent(self, state: TreeNode) -> bool:
        above = state.parent
        return above is not None and above.names[above.moves.index(state)].endswith("+")


def _text(chess: Any, state: Any, ply: int) -> str:
    """The tree below a position, as the game `tree` reads it."""
    board = chess.text(state).split()[0]
    value = sum(POINTS[letter] * (board.count(letter.lower()) - board.count(letter)) for letter in POINTS)
    if ply == DEEPEST or "b" not in board:
        return str(value)
    moves = {chess.write(state, action): chess.result(state, action) for action in _moves(chess, state)}
    told = ", ".join(f'"{word}": {_text(chess, after, ply + 1)}' for word, after in moves.items())
    return f'{{"value": {value}, "moves": {{{told}}}}}'


def _moves(chess: Any, state: Any) -> list[int]:
    legal = {chess.write(state, action): action for action in chess.legal(state)}
    if chess.player(state) == 1:
        checks = [word for word in ("f3+", "e4+") if word in legal]
        waits = [word for word in ("Kg7", "Kg8") if word in legal]
        return [legal[word] for word in [*checks, *waits]]
    if chess.is_urgent(state):
        return [legal[word] for word in ("Kxf3", "Kxe4") if word in legal]
    return [legal["Rxa2" if "Rxa2" in legal else "Ra1"]]
