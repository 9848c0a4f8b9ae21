"""Solve Connect Four: every score of the published test sets, and the time beside another solver's.

The sets are in GAMBITO_DATA. The peer is the program of GAMBITO_PEER. It reads positions (the columns played)
from standard input, clears its memory before each one, and answers each at once with a line "score nodes
microseconds". Without a peer, only Gambito's figures are printed. Both solve the same few positions in turns,
with one thread and an empty table for each position. The time is that of the search alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from typing import Any, ClassVar

import numpy as np
from data import rows
from report import Requirement, text_table

import gambito
from gambito.game.gears import gears
from gambito.games.connect_four import State
from gambito.memory.table import BEGIN_BITS, COLD, HEAD, HOT, SHIFT, USED
from gambito.native import Handle, int64, native, uint64
from gambito.search.algorithm import find
from gambito.search.engine.aspiration import BISECTION, search_windows
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import EngineSession
from gambito.search.monitor import NODES, ROOT, Monitor, new_monitor

SETS = {"L3_R1": 500, "L2_R1": 500, "L1_R1": 500, "L2_R2": 500, "L1_R2": 500, "L1_R3": 30}
TURN = {"L1_R2": 4, "L1_R3": 1}  # positions in one turn; 50 for the faster sets


class Batch(Handle):
    """Positions (mine, mask, stones) and answers (value, nodes)."""

    arrays: ClassVar[dict[str, type]] = {"positions": np.uint64, "answers": np.int64}


@native
def solve_all(game, batch, count, is_real, context):
    """Solve positions one after the other, each with an empty table; or only clear the table for each."""
    table, monitor = context.table, context.monitor
    for number in range(count):
        table.words[SHIFT] = table.words[HOT] = uint64(64 - BEGIN_BITS)
        table.words[USED] = uint64(0)
        for place in range(4 << BEGIN_BITS):
            table.words[HEAD + place] = uint64(0)
            table.words[COLD + place] = uint64(0)
        if is_real:
            stones = int64(batch.positions[3 * number + 2])
            state = State(batch.positions[3 * number], batch.positions[3 * number + 1], stones)
            depth, before = game.plies_left(state), monitor.data[NODES]
            monitor.data[ROOT] = depth + EXTRA
            low, high = game.bounds(state)
            driver, zero, row = int64(BISECTION), int64(0), depth + EXTRA
            value = search_windows(game, state, depth, driver, zero, zero, low - 1, high, row, context)
            batch.answers[2 * number] = value
            batch.answers[2 * number + 1] = monitor.data[NODES] - before
    return count


class Ours:
    """The engine, called once for many positions."""

    def __init__(self, **options: Any) -> None:
        self.game = gambito.load("connect-four")
        chosen = find("engine").read_options({"driver": "bisection", "memory": 128, **options}, self.game)
        monitor = new_monitor(Monitor, "native", 42 + EXTRA)
        monitor.start(42 + EXTRA, [])
        native_game = gears(self.game).in_gear("native")
        self.memory = (EngineSession(self.game, chosen).context(monitor),)
        self.native_game = native_game
        self.solve(["44444432255232"])

    def solve(self, positions: list[str]) -> tuple[list[tuple[int, int]], float]:
        """Return (score, nodes) of each position, and the seconds for all of them."""
        states = [self.game.parse(text) for text in positions]
        packed = np.array([[s.mine, s.mask, s.stones] for s in states], np.uint64).ravel()
        answers = np.zeros(2 * len(states), np.int64)
        batch = Batch(positions=packed, answers=answers)
        took = 0.0
        for is_real in (False, True):
            began = time.perf_counter()
            solve_all(self.native_game, batch, len(states), is_real, *self.memory)
            took = time.perf_counter() - began - took
        return [(int(v), int(n)) for v, n in answers.reshape(-1, 2)], took


class Peer:
    """The other solver, a process that waits for positions."""

    def __init__(self, command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def solve(self, positions: list[str]) -> tuple[list[tuple[int, int]], float]:
        assert self.process.stdin and self.process.stdout
        answers, took = [], 0.0
        for text in positions:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
            score, nodes, microseconds = self.process.stdout.readline().split()
            answers.append((int(score), int(nodes)))
            took += float(microseconds) / 1e6
        return answers, took


def read_set(name: str, count: int) -> list[dict[str, str]]:
    return rows(f"connect4/Test_{name}.csv")[:count]


def run(args: argparse.Namespace) -> list[Requirement]:
    command = os.environ.get("GAMBITO_PEER")
    solvers: dict[str, Any] = {"gambito": Ours()}
    if command:
        solvers["peer"] = Peer(command)
    required, table = [], []
    for name, count in SETS.items():
        chosen = read_set(name, count)
        if not chosen:
            return required
        nodes, seconds = dict.fromkeys(solvers, 0), dict.fromkeys(solvers, 0.0)
        right, turn = 0, TURN.get(name, 50)
        for begin in range(0, len(chosen), turn):
            some = chosen[begin : begin + turn]
            for who, solver in solvers.items():
                answers, took = solver.solve([row["moves"] for row in some])
                nodes[who] += sum(n for _, n in answers)
                seconds[who] += took
                if who == "gambito":
                    right += sum(v == int(r["score"]) for (v, _), r in zip(answers, some, strict=True))
        line = [name, len(chosen), right]
        for who in solvers:
            line += [f"{nodes[who] / len(chosen):,.1f}", f"{seconds[who] / len(chosen) * 1e6:,.1f}"]
        required.append(Requirement(f"{name}: right scores", right, least=len(chosen)))
        if command:
            ratios = nodes["gambito"] / nodes["peer"], seconds["gambito"] / seconds["peer"]
            line += [f"{ratio:.3f}" for ratio in ratios]
            required.append(Requirement(f"{name}: nodes beside the peer's", ratios[0], most=1))
            required.append(Requirement(f"{name}: time beside the peer's", ratios[1], most=1))
        table.append(line)
        print(*line, flush=True)
    head = ["set", "positions", "right", "nodes", "µs"]
    head += ["peer's nodes", "peer's µs", "nodes ratio", "time ratio"] if command else []
    print(text_table(head, table))
    return required
