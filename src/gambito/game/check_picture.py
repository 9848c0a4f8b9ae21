"""Is everything that is drawn and touched on the board, and can it be drawn?"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from gambito.boards.picture import MARKINGS, Board, Mark, Piece
from gambito.boards.shapes import MARKS
from gambito.game.contract import CHANCE, Game
from gambito.words.sentence import Sentence

TOUCHED = 60  # actions of a state whose touches are looked at

Ask = Callable[..., Any]  # calls a rule by its name, with its arguments


def picture_problems(game: Game, state: Any, board: Board, ask: Ask) -> Iterator[str]:
    """The problems of the pieces and touches of one state."""
    last = len(board.cells) - 1
    pieces = ask("pieces", state)
    if not isinstance(pieces, list | tuple) or not all(isinstance(piece, Piece) for piece in pieces):
        yield Sentence("pieces gives {}, not a list of Piece", repr(pieces))
        return
    for piece in pieces:
        if not 0 <= piece.cell <= last:
            yield Sentence("a piece is on cell {}, and cells are 0 to {}", piece.cell, last)
        if piece.shape not in (*MARKS, *dict(board.symbols)):
            accepted = ", ".join((*MARKS, *dict(board.symbols)))
            yield Sentence("a piece has the shape '{}'; accepted: {}", piece.shape, accepted)
    for mark in ask("marks", state):
        if not isinstance(mark, Mark) or mark.kind not in MARKINGS:
            yield Sentence("marks gives {}, not a Mark of the kinds {}", repr(mark), ", ".join(MARKINGS))
        elif not all(0 <= cell <= last for cell in mark.cells):
            yield Sentence("a mark is on the cells {}, and cells are 0 to {}", mark.cells, last)
    actions = [] if game.player(state) == CHANCE else game.legal(state)
    for action in random.Random(len(actions)).sample(actions, min(len(actions), TOUCHED)):
        way = ask("touch", state, action)
        if not isinstance(way, tuple):
            yield Sentence("touch gives {}, not a tuple of cells", repr(way))
            return
        for way in (*ask("touches", state, action), ask("arrows", state, action)):
            for cell in (cell for step in way for cell in (step if isinstance(step, tuple) else (step,))):
                if not 0 <= cell <= last:
                    yield Sentence("{} touches cell {}, and cells are 0 to {}", action, cell, last)
