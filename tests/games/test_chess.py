"""Chess against published counts and against python-chess: moves, checks, outcomes, text."""

import random
import re

import chess as oracle
import pytest

import gambito
from gambito.games.chess import is_dead
from gambito.games.chess.board import is_check
from gambito.games.chess.fen import key_of
from tests.support import data, rows

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
QUICK, WHOLE = 400_000, 30_000_000  # leaves counted in one line of a suite
CHESS, CHESS960 = gambito.load("chess"), gambito.load("chess:chess960=true")
SUITES = {
    "perft_suite.epd": CHESS,
    "perft_tricky.epd": CHESS960,
    "perft_random_marcel.epd": CHESS,
    "perft_en_passant.epd": CHESS,
    "perft_double_check.epd": CHESS,
    "perft_chess960.epd": CHESS960,
}


def perft_lines(name, most):
    """Each line's deepest count of at most so many leaves: (position, depth, count)."""
    for line in data(f"chess/{name}").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        position = line.split(";")[0].strip()
        counts = [(int(d), int(n)) for d, n in re.findall(r";\s*D(\d+) (\d+)", line)]
        fitting = [(d, n) for d, n in counts if n <= most]
        if fitting:
            yield position, *max(fitting)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SUITES)
def test_perft(name):
    for position, depth, count in perft_lines(name, QUICK):
        assert gambito.perft(SUITES[name], position, depth) == count, position


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_perft_whole(name):
    for position, depth, count in perft_lines(name, WHOLE):
        assert gambito.perft(SUITES[name], position, depth) == count, position


def test_perft_of_the_six_classic_positions():
    for row in rows("chess/perft_cpw_six.csv"):
        if int(row["nodes"]) <= WHOLE:
            assert gambito.perft(CHESS, row["fen"], int(row["depth"])) == int(row["nodes"]), row


@pytest.mark.slow
def test_perft_of_hundreds_of_millions():
    assert gambito.perft(CHESS, None, 6) == 119_060_324
    assert gambito.perft(CHESS, KIWIPETE, 5) == 193_690_690


def test_terminal_positions():
    for row in rows("chess/terminal_positions.csv"):
        state = CHESS.parse(row["fen"])
        assert CHESS.is_terminal(state) == (row["status"] != "ongoing"), row
        if row["status"] == "checkmate":
            assert CHESS.utility(state, CHESS.player(state)) == CHESS.lowest
        elif row["status"] == "stalemate":
            assert CHESS.utility(state, CHESS.player(state)) == 0


# ---- against python-chess ------------------------------------------------------------------------------


def random_boards(count, seed, chess960=False):
    """Positions of random games, as python-chess plays them."""
    rng = random.Random(seed)
    while count > 0:
        number = rng.randrange(960)
        board = oracle.Board.from_chess960_pos(number) if chess960 else oracle.Board()
        while count > 0 and not board.is_game_over() and board.halfmove_clock < 100:
            yield board
            count -= 1
            board.push(rng.choice(list(board.legal_moves)))
        yield board
        count -= 1


def agree(game, board, with_san):
    state = game.parse(board.fen())
    assert game.text(state) == board.fen(en_passant="legal")
    moves = {game.token(state, a): a for a in game.legal_moves(state)}
    parts = [0] * 512
    end = game.collect_quiet(state, parts, game.collect_noisy(state, parts, 0))
    assert sorted(parts[:end]) == sorted(moves.values()), board.fen()
    theirs = {board.uci(m): m for m in board.legal_moves}
    assert sorted(moves) == sorted(theirs), board.fen()
    assert is_check(state) == board.is_check(), board.fen()
    assert is_dead(state) == board.is_insufficient_material(), board.fen()
    is_over = not theirs or board.is_insufficient_material() or board.halfmove_clock >= 100
    assert game.is_terminal(state) == is_over, board.fen()
    if is_over:
        outcome = board.outcome(claim_draw=True)
        score = {None: 0, True: 1, False: -1}[outcome.winner]
        assert game.utility(state, 0) == score * game.highest, board.fen()
    if with_san:
        for name, action in moves.items():
            assert game.write(state, action) == board.san(theirs[name]), (board.fen(), name)
            assert game.read(state, board.san(theirs[name])) == action
    return moves


@pytest.mark.thorough
@pytest.mark.parametrize("chess960", [False, True])
def test_random_positions_agree_with_python_chess(chess960):
    game, rng = (CHESS960 if chess960 else CHESS), random.Random(1)
    for number, board in enumerate(random_boards(600, 7, chess960)):
        moves = agree(game, board, with_san=number % 4 == 0)
        if moves:
            name = rng.choice(sorted(moves))
            after = game.result(game.parse(board.fen()), moves[name])
            board = board.copy(stack=False)
            board.push(board.parse_uci(name))
            assert game.text(after) == board.fen(en_passant="legal")
            assert after.key == key_of(after)


@pytest.mark.slow
def test_a_hundred_thousand_positions_agree_with_python_chess():
    for chess960 in (False, True):
        for number, board in enumerate(random_boards(50_000, 11, chess960)):
            agree(CHESS960 if chess960 else CHESS, board, with_san=number % 20 == 0)


def test_polyglot_keys():
    for row in rows("chess/polyglot_keys.csv"):
        assert CHESS.key(CHESS.parse(row["fen"])) == int(row["key_hex"], 16)


# ---- text ----------------------------------------------------------------------------------------------


def test_fens_that_are_none():
    for row in rows("chess/fen_validity.csv"):
        text = row["fen"].replace(" -0 1", " - 0 1") if row["fen"].count("-") == 2 else row["fen"]
        if row["verdict"] == "accept":
            CHESS.parse(text)
        elif row["verdict"] == "reject":
            with pytest.raises(gambito.PositionError):
                CHESS.parse(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "has no rook"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "has just passed e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "no en passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "5 fields"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x'"),
        ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "rank 5"),
        ("4k3/8/8/8/8/8/8/3QK2R/8 w - - 0 1", "9 ranks"),
        ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "not to move is in check"),
        ("e4 e5 Ke3", "move 3"),
    ],
)
def test_a_wrong_position_names_the_place(text, place):
    with pytest.raises(gambito.PositionError, match=re.escape(place)):
        CHESS.parse(text)


@pytest.mark.parametrize("count", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mutated_fens_raise_nothing_else(count):
    rng = random.Random(3)
    letters = "rnbqkpRNBQKP12345678/ wb-KQkqabcdefgh0123456789\x00é９½ \n"
    accepted = 0
    for _ in range(count):
        text = list(rng.choice([KIWIPETE, CHESS.text(CHESS.initial())]))
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 2)] = rng.choice(letters)
        try:
            state = CHESS.parse("".join(text))
        except gambito.PositionError as problem:
            assert "\n" not in str(problem)
        else:
            accepted += 1
            assert CHESS.text(CHESS.parse(CHESS.text(state))) == CHESS.text(state)
    assert accepted


def test_moves_in_either_notation():
    state = CHESS.parse(KIWIPETE)
    for text in ("O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O!?"):
        assert CHESS.write(state, CHESS.read(state, text)) == "O-O"
    for text in ("Nxd7", "e5d7", "Ne5xd7", "Nexd7", "Nxd7!!"):
        assert CHESS.write(state, CHESS.read(state, text)) == "Nxd7"
    with pytest.raises(gambito.PositionError, match="can be"):
        CHESS.read(CHESS.parse("6k1/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1")
    with pytest.raises(gambito.PositionError, match="is not a move here"):
        CHESS.read(state, "Ke3")


def test_starts_of_chess960():
    for number in (0, 1, 217, 518, 700, 959):
        game = gambito.load(f"chess:chess960=true,start={number}")
        assert game.text(game.initial()) == oracle.Board.from_chess960_pos(number).fen()
    with pytest.raises(gambito.GameError, match="start is a number"):
        gambito.load("chess:chess960=true,start=960")
    with pytest.raises(gambito.GameError, match="chess960=true"):
        gambito.load("chess:start=0")
