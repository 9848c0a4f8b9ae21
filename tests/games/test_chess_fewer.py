"""Chess endings with few pieces: drawn ones count as drawn, a lone king goes to the right edge."""

import random

import chess as oracle
import chess.gaviota
import numpy as np
import pytest

import gambito
from gambito.games.chess.king_and_pawn import WINS
from tests.games.king_and_pawn import solve
from tests.support import data

CHESS = gambito.load("chess")


def value(fen):
    state = CHESS.parse(fen)
    white = CHESS.evaluate(state, 0)
    assert CHESS.evaluate(state, 1) == -white
    return white


@pytest.mark.parametrize(
    "fen",
    [
        "k7/8/1K6/P7/8/8/3B4/8 w - - 0 1",  # the bishop does not reach the corner
        "7k/8/6K1/7P/8/8/4B3/8 b - - 0 1",
        "8/8/8/3b4/p7/1k6/8/K7 w - - 0 1",
        "8/8/8/p7/1k6/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    ],
)
def test_drawn_endings(fen):
    assert value(fen) == 0


def test_the_right_bishop_wins():
    assert value("k7/8/1K6/P7/8/8/4B3/8 w - - 0 1") > 100
    assert value("8/8/1K6/P6k/8/8/3B4/8 w - - 0 1") > 100


def test_bishop_and_knight_drive_the_king_to_a_corner_of_the_bishop():
    right, wrong = (value(f"{rank}/8/1K6/8/8/8/3B4/4N3 w - - 0 1") for rank in ("7k", "k7"))
    assert wrong < right  # the bishop on d2 is dark, as h8 is
    right, wrong = (value(f"{rank}/8/1K6/8/8/8/4B3/4N3 w - - 0 1") for rank in ("k7", "7k"))
    assert wrong < right


def test_a_lone_king_is_driven_to_the_edge():
    middle, edge = value("8/8/8/3k4/8/3K4/8/R7 w - - 0 1"), value("3k4/8/8/3K4/8/8/8/R7 w - - 0 1")
    assert 800 <= middle < edge


def test_what_is_hard_to_win_counts_less():
    assert abs(value("4k3/8/8/8/8/8/8/RB1K2r1 w - - 0 1")) < 60
    early, late = (value(f"4k3/8/8/8/8/8/PPP5/R3K2r w - - {rest} 60") for rest in (0, 90))
    assert 0 < late <= early // 2 + 1


def test_the_table_of_king_and_pawn_is_what_the_solver_finds():
    assert (np.packbits(solve().ravel(), bitorder="little").view(np.uint64) == WINS).all()


def test_king_and_pawn_beside_gaviota():
    rng, count = random.Random(5), 0
    with oracle.gaviota.open_tablebase(str(data("chess/gaviota"))) as tables:
        while count < 500:
            board = oracle.Board(None)
            colour = rng.random() < 0.5
            squares = rng.sample(range(64), 3)
            for square, kind, side in zip(squares, "KKP", (colour, not colour, colour), strict=True):
                board.set_piece_at(square, oracle.Piece(oracle.PIECE_SYMBOLS.index(kind.lower()), side))
            board.turn = rng.random() < 0.5
            if not board.is_valid() or board.is_game_over():
                continue
            count += 1
            won = (tables.probe_dtm(board) > 0) == (board.turn == colour) and tables.probe_dtm(board) != 0
            assert (value(board.fen()) * (1 if colour else -1) > 0) == won, board.fen()
