"""Positions and moves from and to python-chess."""

import random
import subprocess
import sys

import pytest

import gambito
from gambito.adapters import python_chess as adapter

chess = pytest.importorskip("chess")
variants = pytest.importorskip("chess.variant")


@pytest.mark.thorough
@pytest.mark.parametrize("is_fischer", [False, True])
def test_random_games_go_to_and_fro(is_fischer):
    rng = random.Random(3)
    for number in range(1):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if is_fischer else chess.Board()
        assert adapter.game_of(board).chess960 == is_fischer
        while not board.is_game_over() and board.ply() < 30:
            game, state = adapter.game_of(board), adapter.state_of(board)
            ours = {adapter.uci_of(board, action) for action in game.legal(state)} if number == 0 else None
            assert ours is None or ours == {board.uci(move) for move in board.legal_moves}
            move = rng.choice(list(board.legal_moves))
            action = adapter.action_of(board, move)
            copy = board.copy()
            adapter.push(copy, action)
            board.push(move)
            assert copy.fen() == board.fen()
        *_, last = states = adapter.states_of(board)
        assert len(states) == len(board.move_stack) + 1
        fresh = chess.Board(chess960=is_fischer)
        adapter.place(fresh, last)
        assert fresh.fen() == chess.Board(board.fen(), chess960=is_fischer).fen()


def test_the_past_counts():
    """The third occurrence of a position is seen, because the moves before it are known."""
    board = chess.Board("7k/8/8/8/8/8/q7/7K w - - 0 1")
    for word in ("h1g1", "a2b2", "g1h1", "b2a2"):
        board.push_uci(word)
    position = adapter.position_of(board)
    assert len(position["past_states"]) == 4 and position["past_states"][0] is not None


def test_what_is_wrong_is_told():
    with pytest.raises(gambito.PositionError, match="'e2e5' is not a move here"):
        adapter.action_of(chess.Board(), "e2e5")
    with pytest.raises(gambito.PositionError, match="a board of atomic is not one of chess"):
        adapter.game_of(variants.AtomicBoard())


def test_the_package_does_not_import_it():
    code = "import sys, gambito.adapters.python_chess as a; sys.exit('chess' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
