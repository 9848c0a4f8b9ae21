"""A game with its variations as the page sends and receives it: a list of rows, one for each move.

    [parent, move, comment, glyphs]   parent is the number of an earlier row; row 0 is the first position

The first row of a parent continues its line, and the others are played instead of it.
"""

from __future__ import annotations

from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import Game
from gambito.game.variations import Line, Move, Score
from gambito.web.requests import MOST_ROWS
from gambito.web.setup import read_move

DEEPEST = 100  # variations inside variations

Row = tuple[int, str, str, list[int]]


def read_rows(game: Game, start: Any, rows: list[Row], headers: dict[str, str]) -> Score:
    """The game that rows describe."""
    score = Score(start, headers)
    after = [(score.line, start, 0)]  # of each row: the line that goes on after it, the state, how nested
    first: dict[int, Move] = {}  # of each row: the move that continues its line
    if rows:
        score.line.comment = rows[0][2]
    for parent, name, comment, glyphs in rows[1:]:
        if not 0 <= parent < len(after):
            raise PositionError("row {} of the variations belongs to no earlier row", len(after))
        line, state, nested = after[parent]
        move = Move(read_move(game, state, name), comment, list(glyphs))
        if parent in first:
            line, nested = Line(), nested + 1
            first[parent].others.append(line)
            if nested > DEEPEST:
                raise PositionError("at most {} variations may be inside each other", DEEPEST)
        else:
            first[parent] = move
        line.moves.append(move)
        after.append((line, game.result(state, move.action), nested))
    return score


def write_rows(game: Game, score: Score) -> list[list[Any]]:
    """The rows of a game; those of a line follow each other, and the lines beside it come later."""
    rows: list[list[Any]] = [[-1, "", score.line.comment, []]]
    waiting = [(score.line, score.start, 0)]
    while waiting:
        line, state, parent = waiting.pop(0)
        for move in line.moves:
            waiting += [(other, state, parent) for other in move.others]
            rows.append([parent, game.write(state, move.action), move.comment, move.glyphs])
            if len(rows) > MOST_ROWS:
                return rows[:MOST_ROWS]
            state, parent = game.result(state, move.action), len(rows) - 1
    return rows


def has_more(score: Score) -> bool:
    """Does a game have more than its moves: variations, comments or glyphs?"""
    moves = score.line.moves
    return bool(score.line.comment) or any(move.others or move.comment or move.glyphs for move in moves)
