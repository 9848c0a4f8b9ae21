"""Points per game against GNU Backgammon at 0-ply, cubeless, with error bars.

GNU Backgammon runs as a separate program (Debian package `gnubg`, text mode) and gives one move at a time.
This program rolls the dice. Each game is played twice with the same dice and the sides swapped.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import gambito
from gambito.game.gears import gears
from gambito.games.backgammon import notation
from gambito.games.backgammon.board import BAR, OFF, pack, unpack
from gambito.games.backgammon.rules import State
from gambito.native import native, uint64

PLACES = ("/usr/games/gnubg", "/usr/bin/gnubg")


class Gnubg:
    """GNU Backgammon, connected with two pipes."""

    def __init__(self, plies: int = 0) -> None:
        program = shutil.which("gnubg") or next((p for p in PLACES if Path(p).exists()), None)
        if program is None:
            sys.exit("this needs GNU Backgammon: apt-get install gnubg")
        self.plies, self.home = plies, tempfile.mkdtemp()
        paths = {name: f"{self.home}/{name}" for name in ("GNUBG_ASK", "GNUBG_TELL")}
        for path in paths.values():
            os.mkfifo(path)
        script = str(Path(__file__).with_name("gnubg_player.py"))
        self.process = subprocess.Popen(
            [program, "-t", "-q", "-p", script],
            env={**os.environ, **paths, "HOME": self.home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.ask = Path(paths["GNUBG_ASK"]).open("w")  # noqa: SIM115  # open as long as the program runs
        self.tell = Path(paths["GNUBG_TELL"]).open()  # noqa: SIM115

    def choose(self, text: str, state, boards: list[list[int]]) -> list[int]:
        """Return the board after its play, from the boards that can be reached."""
        self.ask.write(f"{text} {state.high} {state.low} {self.plies}\n")
        self.ask.flush()
        steps = [int(word) for word in self.tell.readline().split()]
        mine, other = counts(state)
        for start, end in zip(steps[::2], steps[1::2], strict=True):
            if start == 0:
                break
            mine[start - 1] -= 1
            mine[end - 1 if end else OFF - 1] += 1
            if end and other[24 - end] == 1:
                other[24 - end] -= 1
                other[BAR - 1] += 1
        after = [*pack(mine), *pack(other)]
        wanted = after if state.turn == 0 else [*after[2:], *after[:2]]
        assert wanted in boards, (text, state, steps)
        return wanted

    def close(self) -> None:
        self.ask.close()
        self.process.wait(30)
        shutil.rmtree(self.home, ignore_errors=True)


@native
def list_plays(game, state, words):
    """Write every play and the board after it into `words`, and return the number of plays."""
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        words[count, 0] = child.near
        words[count, 1] = child.far
        words[count, 2] = child.other_near
        words[count, 3] = child.other_far
        words[count, 4] = uint64(action)
        count += 1
    return count


def counts(state) -> tuple[list[int], list[int]]:
    """Return the points of the player on roll and of the other player."""
    first, second = unpack(state.near, state.far), unpack(state.other_near, state.other_far)
    return (first, second) if state.turn == 0 else (second, first)


def play(game, ours: int, rng: random.Random, other: Gnubg, depth: int, session: gambito.Session) -> float:
    """Play one game, and return Gambito's points."""
    inner, enter = gears(game).in_gear("native"), gears(game).enter
    state, words = enter(game.initial()), np.zeros((4096, 5), np.uint64)
    while not game.is_terminal(state):
        if game.player(state) == gambito.CHANCE:
            outcomes = list(game.chances(state))
            roll = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            state = enter(game.result(state, roll))
            continue
        number = list_plays(inner, state, words)
        boards = words[:number, :4].tolist()
        if number == 1:
            board = boards[0]
        elif game.player(state) == ours:
            found = gambito.search(game, state, "star2", depth=depth, session=session, memory=1)
            board = boards[words[:number, 4].tolist().index(found.action)]
        else:
            board = other.choose(notation.encode(*counts(state)), state, boards)
        state = enter(State(*board, 1 - int(state.turn), 0, 0))
    return game.utility(state, ours)


_HERE: dict = {}  # objects of a process: the game, GNU Backgammon, and the session of its searches


def play_pair(task: tuple[str, int, int, int, int]) -> float:
    """Play the same dice twice with the sides swapped, and return Gambito's points per game."""
    label, plies, depth, seed, number = task
    if not _HERE:
        _HERE.update(game=gambito.load(label), other=Gnubg(plies), session=gambito.Session())
    dice = [random.Random(f"{seed} {number}") for _ in range(2)]
    one = [play(_HERE["game"], side, dice[side], _HERE["other"], depth, _HERE["session"]) for side in (0, 1)]
    return sum(one) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--plies", type=int, default=0, help="search depth of GNU Backgammon")
    parser.add_argument("--evaluation", default="usual", help="Gambito's evaluation: hand, learned or a file")
    parser.add_argument(
        "--jobs", type=int, default=4, help="number of games at the same time; GNU Backgammon mostly waits"
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    label, pairs = f"backgammon:evaluation={given.evaluation}", []
    gears(gambito.load(label)).in_gear("native")
    tasks = [(label, given.plies, given.depth, given.seed, number) for number in range(given.games // 2)]
    began = time.perf_counter()
    with ProcessPoolExecutor(given.jobs) as pool:
        for brought in pool.map(play_pair, tasks):
            pairs.append(brought)
            if len(pairs) % 25 == 0 or len(pairs) == len(tasks):
                mean = sum(pairs) / len(pairs)
                error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(len(pairs) - 1, 1) / len(pairs))
                print(
                    f"{2 * len(pairs)} games: {mean:+.3f} ± {1.96 * error:.3f} points a game (95 %), "
                    f"depth {given.depth}, {given.evaluation}, against {given.plies}-ply, "
                    f"{time.perf_counter() - began:.0f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
