"""Positions of a training's games, valued by Stockfish: what chess's weights are fitted to.

    gambito train chess --folder chess-training         its games are what is needed of it
    python bench/chess_label.py chess-training > positions.txt
    gambito train chess --positions positions.txt --output chess.eval

A line is `FEN;value`, the value being that of the side to move in hundredths of a pawn. Some positions are a
move or two of chance further on, so that unequal ones are among them; where the best move takes, it is left
out.
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
from gambito.learn.play import read_chunk
from gambito.native import Handle, native
from gambito.native.store import get

NODES, MOST = 1500, 1200  # of Stockfish, and the largest value that is kept
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
CHUNK = 500  # positions that one engine values in turn


class Kept(Handle):
    """States, side by side."""

    arrays: ClassVar[dict[str, type]] = {"kept": np.uint8}


@native
def state_at(game, kept, place, like):
    return get(kept.kept, place, like)


def boards(folder: str, count: int) -> Iterator[chess.Board]:
    """Positions of the games, all over them, each the same for the same folder."""
    game, rng = gambito.load("chess:evaluation=hand"), random.Random(1)
    inner, like = gears(game).shift("native"), gears(game).enter(game.initial())
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
    """The lines of some positions, by an engine of their own."""
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
