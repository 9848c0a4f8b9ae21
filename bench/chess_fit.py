"""The weights of chess's evaluation, fitted to positions with known values.

    python bench/chess_fit.py label games.pgn > positions.txt   Stockfish values quiet positions of games
    python bench/chess_fit.py fit positions.txt                 prints the terms with their new weights

A line of positions is `FEN;value`, the value being that of the side to move in hundredths of a pawn. The
evaluation is linear in its weights: its own code says how often each counts, with counters in their place.
Values are compared as shares of a win, so that a queen more or less in a won game does not matter; weights
that few positions speak for stay near what they were.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

import gambito
from gambito.games.chess import knowledge

SCALE = 150.0 / np.log(3.0)  # a lead of 150 is three quarters of a win
ROUNDS, RATE = 600, 0.3  # of Adam
HELD_BACK = 8  # one position of so many says when to stop
KEEP = 3e-8  # how strongly a weight is held where it was
NODES, MOST = 1500, 1200  # of Stockfish, and the largest value that is fitted
FROM_A_GAME, FIRST_PLY = 40, 8


class Count:
    """A sum of weights: how often each counts."""

    def __init__(self, times: dict[int, int]) -> None:
        self.times = times

    def __add__(self, other: Any) -> Count:
        if isinstance(other, Count):
            times = dict(self.times)
            for place, number in other.times.items():
                times[place] = times.get(place, 0) + number
            return Count(times)
        assert other == 0, "a term outside the list of weights"
        return self

    __radd__ = __add__

    def __mul__(self, number: int) -> Count:
        return Count({place: times * int(number) for place, times in self.times.items()})


class Weights:
    """Counters in the place of the weights."""

    def __getitem__(self, place: Any) -> Count:
        return Count({int(place): 1})

    def __len__(self) -> int:
        return sum(len(term.middle) for term in knowledge.TERMS)


class Places:
    """The same for the worth of pieces on squares."""

    def __getitem__(self, place: Any) -> Count:
        side, piece, square = int(place) // 384, int(place) // 64 % 6, int(place) % 64
        rank, file = square // 8 if side == 0 else 7 - square // 8, min(square % 8, 7 - square % 8)
        name = knowledge.PIECE_NAMES[piece]
        begin = knowledge.PLACE
        parts = (begin["material"] + piece, begin[f"{name} ranks"] + rank, begin[f"{name} files"] + file)
        return Count(dict.fromkeys(parts, 1))


def counts(state: Any) -> Any:
    """How often each weight counts for the player to move, in the middle game and in the end game."""
    ours = knowledge.side_score(state, state.own, state.opp, state.side)
    theirs = knowledge.side_score(state, state.opp, state.own, state.side ^ knowledge.ONE)
    row = np.zeros(len(knowledge.WEIGHTS))
    for sign, count in ((1, ours), (-1, theirs)):
        for place, times in count.times.items():
            row[place] += sign * times
    row[knowledge.TO_MOVE] += 1
    phase = int(knowledge.phase_of(state)) / knowledge.WHOLE
    lead = row @ np.array([e for term in knowledge.TERMS for e in term.end])
    part = int(knowledge.scale_of(state, state.own if lead > 0 else state.opp)) / knowledge.FULL_SCALE
    return np.concatenate([row * phase, row * (1 - phase) * part])


def read(path: str) -> tuple[Any, Any]:
    """The counts of all positions, and their values."""
    game = gambito.load("chess")
    rows, values = [], []
    knowledge.WEIGHTS, knowledge.PLACES = Weights(), Places()  # type: ignore[misc, assignment]
    for line in Path(path).read_text().splitlines():
        text, _, value = line.partition(";")
        rows.append(counts(game.parse(text)))
        values.append(float(value))
    return np.array(rows), np.array(values)


def share(values: Any) -> Any:
    return 1 / (1 + np.exp(-values / SCALE))


def fit(rows: Any, values: Any) -> Any:
    """The weights with the least squared error of shares, by Adam."""
    middle = [w for term in knowledge.TERMS for w in term.middle]
    start = np.array(middle + [w for term in knowledge.TERMS for w in term.end], float)
    weights, goal = start, share(values)
    held = np.arange(len(values)) % HELD_BACK == 0
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    best, kept = np.inf, weights
    for number in range(1, ROUNDS + 1):
        guess = share(rows[~held] @ weights)
        slope = (guess - goal[~held]) * guess * (1 - guess) * 2 / SCALE
        slope = rows[~held].T @ slope / len(slope) + 2 * KEEP * (weights - start)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - RATE * first / (1 - 0.9**number) / (np.sqrt(second / (1 - 0.999**number)) + 1e-12)
        if number % 50 == 0:
            error = float(np.mean((share(rows[held] @ weights) - goal[held]) ** 2))
            if number % 500 == 0:
                print(number, f"{error:.6f}", file=sys.stderr)
            if error < best:
                best, kept = error, weights
    return np.round(kept).astype(int)


def label(path: str) -> None:
    """Print quiet positions of games, some moves of chance further on, with Stockfish's values."""
    import chess.engine
    import chess.pgn

    rng, boards = random.Random(1), []
    with Path(path).open() as file:
        while game := chess.pgn.read_game(file):
            board, met = game.board(), []
            for move in game.mainline_moves():
                board.push(move)
                if board.ply() > FIRST_PLY:
                    met.append(board.copy(stack=False))
            boards += rng.sample(met, min(FROM_A_GAME, len(met)))
    rng.shuffle(boards)
    with chess.engine.SimpleEngine.popen_uci("stockfish") as engine:
        for board in boards:
            for _ in range(rng.choice([0, 0, 1, 2, 3])):
                moves = list(board.legal_moves)
                if moves:
                    board.push(rng.choice(moves))
            if board.is_check() or board.is_game_over():
                continue
            played = engine.play(board, chess.engine.Limit(nodes=NODES), info=chess.engine.INFO_SCORE)
            value = played.info["score"].relative.score()
            if played.move is None or board.is_capture(played.move) or played.move.promotion:
                continue
            if value is not None and abs(value) <= MOST:
                print(f"{board.fen()};{value}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("task", choices=["label", "fit"])
    parser.add_argument("path")
    given = parser.parse_args()
    if given.task == "label":
        label(given.path)
        return
    weights = fit(*read(given.path))
    half, place = len(weights) // 2, 0
    for term in knowledge.TERMS:
        end = place + len(term.middle)
        middle, late = weights[place:end].tolist(), weights[half + place : half + end].tolist()
        print(f'    Term("{term.name}", {tuple(middle)}, {tuple(late)}),')
        place = end


if __name__ == "__main__":
    main()
