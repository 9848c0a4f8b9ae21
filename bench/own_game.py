"""A game of one's own, from slow to fast: the files of docs/en/making-it-fast.md, step by step.

Nodes a second of alpha-beta, where all visit the same nodes; and the time in which the engine solves the game.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from pathlib import Path

from report import Requirement, markdown_table, text_table, write_section

import gambito

PAGE = Path(__file__).parent.parent / "docs" / "en" / "making-it-fast.md"
FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)
PACES = (("tuples.py:Tuples", "python"), ("lines.py:Bits", "python"), ("lines.py:Bits", "native"))
STEPS = ("Bits", "Keyed", "Listed", "Ordered", "Bounded", "Chosen")
DEPTH, ROUNDS = 4, 5
PACE_HEAD = ("alpha-beta, 4 plies", "gear", "nodes", "nodes/s", "times the first")
STEP_HEAD = ("the engine solves it", "nodes", "ms", "nodes/s")


def run(args: argparse.Namespace) -> list[Requirement]:
    with tempfile.TemporaryDirectory() as folder:
        for found in FILE.finditer(PAGE.read_text(encoding="utf-8")):
            (Path(folder) / found["name"]).write_text(found["text"], encoding="utf-8")
        paces, steps = _paces(folder), _steps(folder)
    first = paces[0][1]
    rows = [(spec, gear, f"{n:,}", f"{p:,.0f}", f"{p / first:,.1f}") for (spec, gear), p, n in paces]
    solved = [(f"lines.py:{c}", f"{n:,}", f"{1000 * s:,.1f}", f"{n / s:,.0f}") for c, n, s in steps]
    print(text_table(PACE_HEAD, rows), "\n\n", text_table(STEP_HEAD, solved), sep="")
    if args.write:
        write_section("paces", markdown_table(PACE_HEAD, rows), PAGE.name)
        write_section("steps", markdown_table(STEP_HEAD, solved), PAGE.name)
    return [
        Requirement("nodes/s, native gear times tuples", paces[-1][1] / first, least=100),
        Requirement("time to solve, first step times the last", steps[0][2] / steps[-1][2], least=2),
    ]


def _paces(folder: str) -> list[tuple[tuple[str, str], float, int]]:
    """Nodes a second of the same search, and its nodes."""
    rows = []
    for spec, gear in PACES:
        game, rounds = gambito.load(f"{folder}/{spec}"), 1 if gear == "python" else 200
        gambito.search(game, None, "alpha-beta", depth=DEPTH, gear=gear)
        began = time.process_time()
        nodes = sum(
            gambito.search(game, None, "alpha-beta", depth=DEPTH, gear=gear).nodes for _ in range(rounds)
        )
        rows.append(((spec, gear), nodes / (time.process_time() - began), nodes // rounds))
    return rows


def _steps(folder: str) -> list[tuple[str, int, float]]:
    """Nodes and seconds to the solution, the best of some rounds."""
    rows = []
    for name in STEPS:
        game = gambito.load(f"{folder}/lines.py:{name}")
        found = [gambito.solve(game) for _ in range(ROUNDS)]
        rows.append((name, found[0].nodes, min(one.seconds for one in found)))
    return rows
