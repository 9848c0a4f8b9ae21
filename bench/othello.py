"""Othello beside the published figures of the best programs: solved endgames, and perft.

The endgames are numbers 40 to 44 of the FFO set (20 to 23 empty squares), if they are in GAMBITO_DATA; one
thread, each with an empty table. On a quiet core, Zebra takes 7.2 s for the five at 13 to 20 million nodes/s,
and Edax without its evaluation file 17.4 s at 27. Edax counts 340 million leaves/s in perft.
"""

from __future__ import annotations

import argparse
import time

from data import rows
from report import Requirement, text_table

import gambito

NUMBERS = range(40, 45)
SECONDS = 6  # mean for each: 30 for five
MIDDLE_GAME, DEPTH = "f5d6c3d3c4f4f6f3e6e7", 12
PERFT = 11


def run(args: argparse.Namespace) -> list[Requirement]:
    chosen = [row for row in rows("othello/ffo_1_79.csv") if int(row["number"]) in NUMBERS]
    gambito.solve("othello:size=4")
    table, right, nodes, seconds = [], 0, 0, 0.0
    for row in chosen:
        found = gambito.solve("othello", f"{row['board']} {row['side']}")
        move = found.words()[0]
        is_right = found.value == int(row["score"]) and move.upper() in row["best_moves"].split()
        table.append(_row(f"FFO {row['number']}", found.nodes, found.seconds, f"{found.value:+d} {move}"))
        right, nodes, seconds = right + is_right, nodes + found.nodes, seconds + found.seconds
    table.append(_row("together", nodes, seconds, ""))

    found = gambito.search("othello", MIDDLE_GAME, "engine", depth=DEPTH)
    table.append(_row(f"depth {DEPTH}", found.nodes, found.seconds, f"{found.value:+d} {found.words()[0]}"))
    gambito.perft("othello", depth=1)  # compiles
    began = time.perf_counter()
    leaves = gambito.perft("othello", depth=PERFT)
    table.append(_row(f"perft({PERFT})", leaves, time.perf_counter() - began, ""))
    print(text_table(["", "nodes", "seconds", "million/s", "answer"], table))
    return [
        Requirement("right scores and moves", right, least=len(chosen)),
        Requirement("mean time of an end game", seconds / max(len(chosen), 1), most=SECONDS, unit="s"),
    ]


def _row(name: str, nodes: int, seconds: float, said: str) -> list[str]:
    return [name, f"{nodes:,}", f"{seconds:.2f}", f"{nodes / seconds / 1e6:.1f}", said]
