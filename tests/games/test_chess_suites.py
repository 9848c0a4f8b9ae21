"""Chess test suites, mates, zugzwang and real clients. All are slow; some depend on the machine's speed."""

import queue
import re
import shutil
import sys

import chess as oracle
import chess.engine
import pytest

import gambito
from gambito.games.chess.epd import read_epd
from gambito.players import Match
from gambito.protocols.session import ProtocolSession
from tests.support import data

CHESS = gambito.load("chess")
SECOND = 1_800_000  # nodes that one thread visits in about a second
pytestmark = pytest.mark.slow


def described(name):
    for line in data(f"chess/{name}").read_text().splitlines():
        if line and line[0] != "#":
            yield read_epd(line)


def right(name, **limits):
    """How many positions of a suite are answered by one of their best moves, and how many there are."""
    solved = count = 0
    for one in described(name):
        best = [CHESS.read(one.state, move) for move in one.operations.get("bm", [])]
        if best:
            solved += gambito.search(CHESS, one.state, "engine", **limits).action in best
            count += 1
    return solved, count


def test_win_at_chess():
    solved, count = right("wac.epd", nodes=SECOND)
    assert solved >= 0.93 * count, f"{solved} of {count}"


def test_bratko_kopec():
    solved, count = right("bratko_kopec.epd", nodes=SECOND)
    assert solved >= 0.6 * count, f"{solved} of {count}"


def test_strategic_positions():
    """The score is a share of the points of the best moves."""
    points = most = 0
    for one in list(described("sts_v3.epd"))[::5]:
        worth = dict(zip(*(one.operations[name][0].split() for name in ("c9", "c8")), strict=True))
        found = gambito.search(CHESS, one.state, "engine", nodes=SECOND // 10)
        points += int(worth.get(CHESS.token(one.state, found.action), 0))
        most += 10
    assert points >= 0.6 * most, f"{points} of {most}"


@pytest.mark.parametrize("name", ["mates_leorik.epd", "mates_krk.epd"])
def test_mates_in_up_to_five_moves_are_found(name):
    """With `go mate`, which searches exhaustively if the usual search finds no mate."""
    heard: queue.Queue[str] = queue.Queue()
    session, missed = ProtocolSession(CHESS, heard.put), []
    for one in described(name):
        moves = int(one.operations["dm"][0])
        if moves > 5:
            continue
        session.hear("ucinewgame")
        session.hear(f"position fen {CHESS.text(one.state)}")
        session.hear(f"go mate {moves}")
        told = []
        while not (line := heard.get(timeout=300)).startswith("bestmove"):
            told += re.findall(r"score mate (\d+)", line)
        if not told or int(told[-1]) > moves:
            missed.append(CHESS.text(one.state))
    assert not missed, f"{len(missed)}: {missed[:3]}"


def test_null_move_with_verification_does_not_misjudge_zugzwang():
    """With verification the null move finds as many of these moves as a search without it."""
    plain = verified = 0
    for one in described("zugzwang_zpts.epd"):
        best = [CHESS.read(one.state, move) for move in one.operations["bm"]]
        options = {"nodes": 1_000_000, "live": True, "memory": 16}
        plain += gambito.search(CHESS, one.state, "engine", null_move=0, **options).action in best
        verified += gambito.search(CHESS, one.state, "engine", **options).action in best
    assert verified >= plain - 1, f"{verified} with, {plain} without"


def test_a_game_through_python_chess():
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "gambito", "uci"], timeout=300) as engine:
        board = oracle.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            played = engine.play(board, chess.engine.Limit(time=0.05))
            assert played.move in board.legal_moves
            board.push(played.move)
        told = engine.analyse(oracle.Board(), chess.engine.Limit(depth=6), multipv=2)
        assert len(told) == 2 and told[0]["depth"] == 6


@pytest.mark.skipif(
    shutil.which("stockfish") is None and shutil.which("stockfish", path="/usr/games") is None,
    reason="no Stockfish",
)
def test_a_match_against_stockfish():
    opponent = "uci:stockfish:UCI_LimitStrength=true,UCI_Elo=1400"
    standing = Match("chess", "engine", opponent, games=4, control="2+0.02").run()
    assert standing.tally.games == 4
    assert not standing.crashes
