"""Syzygy tables beside python-chess's reader: the same outcomes and distances, in every table there is."""

import random
from pathlib import Path

import pytest

import gambito
from gambito.endgames.syzygy import Syzygy
from gambito.endgames.syzygy_file import SyzygyFile
from tests.support import data

chess = pytest.importorskip("chess")
syzygy = pytest.importorskip("chess.syzygy")

TABLES = "chess/syzygy"
EVERY, QUICK = 60, 1  # positions of each table


@pytest.fixture(scope="module")
def ours():
    return Syzygy(str(data(TABLES)))


@pytest.fixture(scope="module")
def theirs():
    with syzygy.open_tablebase(str(data(TABLES))) as tables:
        yield tables


def random_board(name, rng):
    """A legal position with the pieces of a table, either side White."""
    first, _, second = name.partition("v")
    while True:
        board, turned = chess.Board(None), rng.random() < 0.5
        letters = (first + second.lower()).swapcase() if turned else first + second.lower()
        for square, letter in zip(rng.sample(range(64), len(letters)), letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def compare(ours, theirs, count, seed):
    game, rng = gambito.load("chess"), random.Random(seed)
    for name in sorted({Path(file).stem for file in ours.paths}):
        for _ in range(count):
            board = random_board(name, rng)
            found = ours.probe(game, game.parse(board.fen()))
            wdl, dtz = theirs.get_wdl(board), theirs.get_dtz(board)
            if wdl is None:
                assert found is None, board.fen()
            else:
                assert found is not None and (found.wdl, found.dtz) == (wdl, dtz), board.fen()


def test_values_are_those_of_python_chess(ours, theirs):
    assert len(ours) == 40 and ours.men == 4
    compare(ours, theirs, QUICK, 1)


@pytest.mark.slow
def test_many_values_are_those_of_python_chess(ours, theirs):
    compare(ours, theirs, EVERY, 2)


@pytest.mark.thorough
def test_a_won_ending_is_won(ours):
    """The best moves lead to mate within the plies that the first distance promises."""
    game = gambito.load("chess")
    state = game.parse("8/8/8/8/8/2k5/7R/K7 w - - 0 1")
    plies, promised = 0, ours.probe(game, state).dtz
    while not game.is_terminal(state):
        state = game.result(state, next(iter(ours.best(game, state))))
        plies += 1
        assert plies <= promised
    assert game.utility(state, 0) == game.highest


def test_what_is_not_there(ours):
    game = gambito.load("chess")
    assert ours.probe(game, game.initial()) is None and ours.best(game, game.initial()) == {}
    assert ours.probe(game, game.parse("8/8/8/8/8/8/8/K1k5 w - - 0 1")).wdl == 0
    assert ours.probe(game, game.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None  # it may castle
    with pytest.raises(gambito.EndgameError, match="Syzygy tables are of chess, not of checkers"):
        ours.probe(gambito.load("checkers"), None)
    with pytest.raises(gambito.EndgameError, match="there is no folder /no/where of Syzygy tables"):
        Syzygy("/no/where")


def test_a_damaged_file_is_told(tmp_path):
    whole = (data(TABLES) / "KRvK.rtbw").read_bytes()
    spoiled = {"short": whole[:50], "turned": whole[:6] + whole[:60:-1], "other": b"abcd" + whole[4:]}
    for name, held in spoiled.items():
        path = tmp_path / name / "KRvK.rtbw"
        path.parent.mkdir()
        path.write_bytes(held)
        with pytest.raises(gambito.EndgameError, match=r"is damaged|is no file of Syzygy tables"):
            SyzygyFile(path)
