"""Label positions of a training's games with Stockfish's values. The weights of chess are fitted to them.

    gambito train chess --folder chess-training         only its games are needed
    python bench/chess_label.py chess-training > positions.txt
    gambito train chess --positions positions.txt --output chess.eval

A line is `FEN;value`, with the value for the side to move in hundredths of a pawn. To some positions one or
two random moves are added, so that unequal positions occur too. Positions whose best move is a capture are
left out.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import ClassVar

import chess
import chess.engine
import numpy as np

import gambito
from gambito.game.gears import gears
from gambito.learn.self_play import read_chunk
from gambito.native import Handle, native
from gambito.native.store import get

NODES, MOST = 1500, 1200  # nodes of Stockfish, and the largest value that is kept
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
CHUNK = 500  # positions that one engine values in turn


class Kept(Handle):
    """An array of states."""

    arrays: ClassVar[dict[str, type]] = {"kept": np.uint8}


@native
def state_at(game, kept, place, like):
    return get(kept.kept, place, like)


def boards(folder: str, count: int) -> Iterator[chess.Board]:
    """Yield positions from all parts of the games. The same folder gives the same positions."""
    game, rng = gambito.load("chess:evaluation=hand"), random.Random(1)
    inner, like = gears(game).in_gear("native"), gears(game).cast(game.initial())
    chunks = [read_chunk(path) for path in sorted(Path(folder).glob("games-0/*.npz"))]
    each = -(-count // len(chunks))
    for chunk in chunks:
        kept = Kept(kept=chunk.kept)
        for place in sorted(rng.sample(range(len(chunk)), min(each, len(chunk)))):
            board = chess.Board(game.text(state_at(inner, kept, place, like)))
            for _ in range(rng.choice([0, 0, 1, 2, 3])):
                moves = list(board.legal_moves)
                if moves:
                    board.push(rng.choice(moves))
            if not board.is_check() and not board.is_game_over():
                yield chess.Board(board.fen())


def value(some: list[chess.Board]) -> list[str]:
    """Return the lines of some positions, valued by a new engine process."""
    lines = []
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as engine:
        engine.configure({"Hash": 1})
        for number, board in enumerate(some):
            played = engine.play(
                board, chess.engine.Limit(nodes=NODES), info=chess.engine.INFO_SCORE, game=number
            )
            score = played.info["score"].relative.score()
            if played.move is None or board.is_capture(played.move) or played.move.promotion:
                continue
            if score is not None and abs(score) <= MOST:
                lines.append(f"{board.fen()};{score}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    every = boards(given.folder, given.positions)
    chunks = list(iter(lambda: list(islice(every, CHUNK)), []))
    with ThreadPoolExecutor(given.jobs) as pool:
        for lines in pool.map(value, chunks):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
