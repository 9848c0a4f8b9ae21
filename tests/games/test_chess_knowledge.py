"""What chess knows: exchanges, its evaluation, the order of moves."""

import random

import pytest

import gambito
from gambito.games.chess.exchange import exchange
from gambito.games.chess.knowledge import FORM, TERMS, estimate
from tests.games.test_chess import random_boards
from tests.support import rows

CHESS, NETWORK = gambito.load("chess:evaluation=learned"), gambito.load("chess:evaluation=network")
UNLIKE = {"e5", "Bxc2", "Nxd1"}  # rows that depend on a promotion on the way


def test_exchanges():
    right = 0
    table = rows("chess/see.csv")
    for row in table:
        state = CHESS.parse(row["epd"])
        right += exchange(state, CHESS.read(state, row["move_uci"])) == int(row["see_value"])
    assert right >= len(table) - len(UNLIKE)


def test_the_evaluation_sees_both_sides_alike():
    """Colours swapped and the board turned over: the same for the player to move."""
    for board in random_boards(200, 3):
        if board.is_game_over():
            continue
        state, mirror = CHESS.parse(board.fen()), CHESS.parse(board.mirror().fen())
        assert estimate(CHESS, state) == estimate(CHESS, mirror), board.fen()
        assert CHESS.evaluate(state, 0) == -CHESS.evaluate(state, 1)
        assert NETWORK.evaluate(state, 0) == NETWORK.evaluate(mirror, 1) == -NETWORK.evaluate(state, 1)


def test_terms_have_names_and_two_weights_each():
    assert len({term.name for term in TERMS}) == len(TERMS)
    assert sum(len(term.middle) for term in TERMS) == len(FORM.hand)
    assert FORM.read(FORM.hand) == list(TERMS)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/pp6/8/8/8/8/PP6/4K2R w - - 0 1", "4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1"),
    ],
)  # fmt: skip
def test_what_is_better(better, worse):
    assert estimate(CHESS, CHESS.parse(better)) > estimate(CHESS, CHESS.parse(worse))


def test_opposite_bishops_are_drawish():
    opposite = CHESS.parse("4k3/8/8/2b5/8/8/PP2B3/4K3 w - - 0 1")
    same = CHESS.parse("4k3/8/8/3b4/8/8/PP2B3/4K3 w - - 0 1")
    assert 0 < estimate(CHESS, opposite) < estimate(CHESS, same)


def test_captures_come_first_and_some_are_found_to_lose():
    state = CHESS.parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    moves = {CHESS.write(state, a): a for a in CHESS.legal(state)}
    ranks = {name: CHESS.priority(state, action) for name, action in moves.items()}
    losing = {name for name, action in moves.items() if CHESS.is_losing(state, action) and ranks[name] > 0}
    assert ranks["Bxa6"] > ranks["gxh3"] > ranks["O-O"] == 0
    assert losing == {"Qxf6", "Qxh3", "Nxg6", "Nxf7", "Nxd7"}


def test_checks_are_foreseen():
    """Direct and discovered ones, and by a pawn that is promoted; castling into one is not looked for."""
    rng, seen = random.Random(3), 0
    for text in (CHESS.text(CHESS.initial()), "8/1P2k3/8/2N5/4B3/4R3/3K2p1/1q6 w - - 0 1"):
        state = CHESS.parse(text)
        for _ in range(80):
            for action in CHESS.legal(state):
                is_check = CHESS.is_urgent(CHESS.result(state, action))
                assert CHESS.is_forcing(state, action) == is_check, CHESS.write(state, action)
                seen += int(is_check)
            if CHESS.is_terminal(state):
                break
            state = CHESS.result(state, rng.choice(CHESS.legal(state)))
    assert seen > 50


@pytest.mark.thorough
def test_the_lectures_ordering():
    game = gambito.load("chess:ordering=lecture")
    state = game.parse("3qk3/8/8/8/8/4p3/3P4/R3K1N1 w - - 0 1")
    ranks = {game.write(state, a): game.priority(state, a) for a in game.legal(state)}
    assert [ranks[m] for m in ("Ra8", "dxe3", "Rd1", "Ra3", "Ke2")] == [2, 3, 0, 1, 1]
    with pytest.raises(gambito.GameError, match="exchange or lecture"):
        gambito.load("chess:ordering=none")


def test_pieces_and_touches_of_the_page():
    state = CHESS.initial()
    assert len(CHESS.pieces(state)) == 32
    castling = CHESS.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert CHESS.touch(castling, CHESS.read(castling, "O-O")) == (4, (6, 7))
    assert CHESS.touch(state, CHESS.read(state, "e4")) == (12, 28)
    assert random.choice(CHESS.picture().cells).shape == "square"


@pytest.mark.thorough
def test_a_forced_end_is_told_only_of_mates():
    """A cut-off leaves a bound, which must not be read as a number of plies to the end."""
    session = gambito.Session()
    state = CHESS.parse("r2qkb1r/5p1p/p1npb3/1p1Npp2/4P3/N2B4/PPP2PPP/R2Q1RK1 b kq - 0 1")
    for _ in range(6):
        found = gambito.search(CHESS, state, "engine", nodes=20_000, session=session)
        assert found.ends_in is None or abs(found.value) == CHESS.highest
        state = CHESS.result(state, found.action)
