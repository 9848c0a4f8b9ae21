"""Go 9×9 against GNU Go over GTP, with equal time per move.

GNU Go chooses its own time at each level. For each move, Gambito gets the mean processor time of GNU Go's
moves so far in the game. This time is converted to a number of simulations, so that other work on the machine
does not matter. Komi is 7.5, and the colours alternate. A game ends when both sides pass, and GNU Go counts
it by area.

`python bench/gnugo.py FILE [GAMES]` plays with a trained network at level 10.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import time
from typing import Any

from report import Requirement, markdown_table, text_table, write_section

import gambito

LEVELS = (1, 10)
GAMES = 20  # at each level
FIRST = 0.1  # seconds, before the first move of GNU Go
FEWEST = 100  # simulations
FEWEST_GUIDED = 10  # with a network
LONGEST = 200  # plies
FOLDERS = "/usr/games"  # its folder on some systems
HEAD = ["GNU Go's level", "games", "won by Gambito", "score, 95 %", "seconds a move", "GNU Go's"]


class GnuGo:
    """GNU Go in a separate process."""

    def __init__(self, level: int) -> None:
        program = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), FOLDERS]))
        assert program is not None
        rules = ["--chinese-rules", "--capture-all-dead", "--never-resign"]
        command = [program, "--mode", "gtp", "--level", str(level), *rules]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        said = []
        while text := self.process.stdout.readline().strip():
            said.append(text)
        answer = " ".join(said)
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    def seconds(self) -> float:
        """Return the processor time so far."""
        return float(self.ask("cputime"))


def run(args: argparse.Namespace) -> list[Requirement]:
    if shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), FOLDERS])) is None:
        print("gnugo is not installed: nothing to play against")
        return []
    table = [match(level, GAMES) for level in LEVELS]
    print(text_table(HEAD, table))
    if args.write:
        write_section("gnugo", markdown_table(HEAD, table))
    return []


def match(level: int, games: int, network: str = "") -> list[Any]:
    """Play some games; return a row of the table."""
    won, spent = 0, []
    for number in range(games):
        is_won, *seconds = play(level, number, network)
        won, spent = won + is_won, [*spent, seconds]
        print(f"level {level}, game {number + 1}: {won} won, {seconds} s a move", flush=True)
    low, high = interval(won, games)
    ours, theirs = (f"{sum(column) / games:.3f}" for column in zip(*spent, strict=True))
    return [level, games, won, f"{won / games:.0%} ({low:.0%} to {high:.0%})", ours, theirs]


def simulations_a_second(game: gambito.Game, network: str) -> float:
    """Of processor time."""
    nodes = 300 if network else 5000
    gambito.search(game, None, "mcts", nodes=100, memory=64, network=network)
    began = time.process_time()
    gambito.search(game, None, "mcts", nodes=nodes, memory=64, network=network)
    return nodes / (time.process_time() - began)


def play(level: int, number: int, network: str = "") -> tuple[bool, float, float]:
    """Play one game; return whether Gambito won, and the time per move of both programs."""
    game, peer = gambito.load("go:size=9,komi=7.5"), GnuGo(level)
    for line in ("boardsize 9", "clear_board", "komi 7.5", f"set_random_seed {number}"):
        peer.ask(line)
    ours, state = number % 2, game.initial()
    rate, simulated = simulations_a_second(game, network), 0
    fewest = FEWEST_GUIDED if network else FEWEST
    session = gambito.Session()
    began, moves, spent, played = peer.seconds(), 0, 0.0, 0
    while not game.is_terminal(state) and played + moves < LONGEST:
        colour = "black" if game.player(state) == 0 else "white"
        if game.player(state) == ours:
            allowed = (peer.seconds() - began) / moves if moves else FIRST
            nodes, before = max(int(rate * allowed), fewest), time.process_time()
            found = gambito.search(
                game, state, "mcts", nodes=nodes, seed=number, memory=64, network=network, session=session
            )
            spent, played = spent + time.process_time() - before, played + 1
            simulated += found.nodes
            rate = simulated / spent
            action = found.action
            assert action is not None
            peer.ask(f"play {colour} {game.write(state, action)}")
        else:
            word = peer.ask(f"genmove {colour}")
            moves += 1
            action = game.read(state, word.replace("PASS", "pass"))
        state = game.result(state, action)
    score, peer_seconds = peer.ask("final_score"), peer.seconds() - began
    peer.ask("quit")
    return score.startswith("BW"[ours]), spent / max(played, 1), peer_seconds / max(moves, 1)


def interval(won: int, games: int, sure: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    share, z = won / games, sure * sure / games
    middle = (share + z / 2) / (1 + z)
    half = sure / (1 + z) * math.sqrt(share * (1 - share) / games + z / games / 4)
    return max(middle - half, 0.0), min(middle + half, 1.0)


if __name__ == "__main__":
    network, *games = sys.argv[1:]
    print(text_table(HEAD, [match(LEVELS[-1], int(games[0]) if games else GAMES, network)]))
