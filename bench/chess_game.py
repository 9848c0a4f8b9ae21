"""Chess beside Stockfish and python-chess: perft, nodes of the search, and the test suites.

All programs count in bulk in perft. Stockfish is the one in the path. If Stockfish or python-chess is
missing, its column is empty. A position of the suites in GAMBITO_DATA gets as many nodes as one thread visits
in about a second; of the Strategic Test Suite, where moves have points, a fourteenth of that. A mate counts
if the usual search finds one that is as short.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import time

from data import lines
from report import Requirement, text_table

import gambito

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PERFT = ((START, 6, 119_060_324), (KIWIPETE, 5, 193_690_690))
SLOW = 4  # the depth at which python-chess is timed
ROUNDS = 3
NODES = 1_800_000  # for each position of the suites
SUITES = {  # and how many must be right
    "wac.epd": 146,
    "bratko_kopec.epd": 10,
    "zugzwang_zpts.epd": 12,
}
STRATEGIC, STRATEGIC_NODES, EVERY = "sts_v3.epd", 130_000, 6  # every sixth position
STRATEGIC_PART = 0.70  # of all points
MATES = ("mates_master_games.epd", "mates_leorik.epd", "mates_matetrack.epd")
MATE_NODES, LONGEST_MATE = 2_000_000, 5  # moves


def run(args: argparse.Namespace) -> list[Requirement]:
    required, table = [], []
    gambito.perft("chess", depth=1)  # compiles
    for position, depth, leaves in PERFT:
        ours, theirs = [], []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            assert gambito.perft("chess", position, depth) == leaves
            ours.append(time.perf_counter() - began)
            theirs.append(stockfish_seconds(position, depth))
        pace, fish, snake = leaves / min(ours), leaves / min(theirs), python_pace(position)
        table.append([f"perft({depth})", *(f"{p / 1e6:.1f}" if p else "" for p in (pace, fish, snake))])
        if fish:
            required.append(Requirement(f"perft({depth}) against Stockfish", pace / fish, least=1.0))
        if snake:
            required.append(Requirement(f"perft({depth}) against python-chess", pace / snake, least=300.0))
    print(text_table(["million leaves/s", "Gambito", "Stockfish", "python-chess"], table) + "\n")

    found = gambito.search("chess", KIWIPETE, "engine", seconds=3.0)
    print(
        f"search: {found.nodes / found.seconds / 1e6:.2f} million nodes/s, depth {found.depth} in 3 s;",
        end=" ",
    )
    print(f"compiled in {found.compile_seconds:.0f} s")
    required.append(Requirement("nodes of the search", pace, least=2.0, unit="M/s"))
    for name, least in SUITES.items():
        right, count = solved(name)
        print(f"{name}: {right} of {count} at {NODES:,} nodes")
        if count:
            required.append(Requirement(f"{name} right", right, least=least))
    won, best = points(STRATEGIC)
    if best:
        print(f"{STRATEGIC}: {won} of {best} points at {STRATEGIC_NODES:,} nodes")
        required.append(Requirement("points of STS", won / best, least=STRATEGIC_PART))
    for name in MATES:
        right, count = mates(name)
        print(f"{name}: {right} of {count} mates at {MATE_NODES:,} nodes")
        if count:
            required.append(Requirement(f"{name} found", right / count, least=1.0))
    return required


def stockfish_seconds(position: str, depth: int) -> float:
    """Return the seconds of Stockfish's perft without its start, or infinity if Stockfish is missing."""
    program = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if program is None:
        return float("inf")
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"position fen {position}\nisready\n")
        process.stdin.flush()
        while "readyok" not in process.stdout.readline():
            pass
        began = time.perf_counter()
        process.stdin.write(f"go perft {depth}\n")
        process.stdin.flush()
        while "Nodes searched" not in process.stdout.readline():
            pass
        took = time.perf_counter() - began
        process.stdin.write("quit\n")
    return took


def python_pace(position: str) -> float:
    """Return the leaves per second of python-chess, or 0 if it is missing."""
    try:
        import chess
    except ImportError:
        return 0.0

    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        leaves = 0
        for move in list(board.legal_moves):
            board.push(move)
            leaves += count(board, depth - 1)
            board.pop()
        return leaves

    began = time.perf_counter()
    leaves = count(chess.Board(position), SLOW - 1)
    return leaves / (time.perf_counter() - began)


def solved(name: str) -> tuple[int, int]:
    """Return how many positions of a suite are answered with one of their best moves, and the total."""
    game, right, count = gambito.load("chess"), 0, 0
    for line in lines(f"chess/{name}"):
        state = game.parse(" ".join(line.split()[:4]))
        best = re.search(r"\bbm ([^;]+);", line)
        if best is None:
            continue
        found = gambito.search(game, state, "engine", nodes=NODES)
        right += found.action in [game.read(state, word) for word in best[1].split()]
        count += 1
    return right, count


def points(name: str) -> tuple[int, int]:
    """Return the points of the moves chosen in every sixth position, and those of the best moves."""
    game, won, best = gambito.load("chess"), 0, 0
    for line in lines(f"chess/{name}")[::EVERY]:
        state = game.parse(" ".join(line.split()[:4]))
        worth, moves = (re.search(rf'{field} "([^"]+)"', line) for field in ("c8", "c9"))
        assert worth is not None and moves is not None
        table = {
            game.read(state, move): int(p) for move, p in zip(moves[1].split(), worth[1].split(), strict=True)
        }
        found = gambito.search(game, state, "engine", nodes=STRATEGIC_NODES)
        won, best = won + table.get(found.action, 0), best + max(table.values())
    return won, best


def mates(name: str) -> tuple[int, int]:
    """Return how many mates of a suite, of at most five moves, are found by a usual search, and the total."""
    game, right, count = gambito.load("chess"), 0, 0
    for line in lines(f"chess/{name}"):
        told = re.search(r"\bdm (\d+)", line)
        if told is None or not 0 < int(told[1]) <= LONGEST_MATE:
            continue
        right += is_mate_found(game, game.parse(" ".join(line.split()[:4])), 2 * int(told[1]) - 1)
        count += 1
    return right, count


def is_mate_found(game: gambito.Game, state: object, plies: int) -> bool:
    """Does a search find a mate in at most that many plies? It stops there."""
    stop = gambito.Stop()

    def is_found(found: gambito.SearchResult | None) -> bool:
        return found is not None and found.value == game.highest and (found.ends_in or plies + 1) <= plies

    def look(now: gambito.Progress) -> None:
        if is_found(now.found):
            stop.set()

    return is_found(gambito.search(game, state, "engine", nodes=MATE_NODES, stop=stop, progress=look))
