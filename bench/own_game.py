"""A user's own game, from slow to fast: the files of docs/en/making-it-fast.md, step by step.

It measures the nodes per second of minimax, where all versions visit the same nodes, and the time in which
the engine solves the game.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from report import Requirement, markdown_table, text_table, write_section

import gambito

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "en" / "making-it-fast.md"
FOLDER = (
    ROOT / ".cache" / "pages"
)  # folder of the page's files; it is fixed, so that their machine code is found again
FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)
PACES = (
    ("tuples.py:Tuples", "python"),
    ("lines.py:Bits", "python"),
    ("cells.py:Cells", "native"),
    ("lines.py:Bits", "native"),
)
STEPS = ("Bits", "Keyed", "Listed", "Ordered", "Bounded", "Chosen", "Unordered")
DEPTH, ROUNDS = 4, 9
PACE_HEAD = ("minimax, 4 plies", "gear", "nodes", "nodes/s", "times the first")
STEP_HEAD = ("the engine solves it", "nodes", "ms", "nodes/s")


def run(args: argparse.Namespace) -> list[Requirement]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for found in FILE.finditer(PAGE.read_text(encoding="utf-8")):
        (FOLDER / found["name"]).write_text(found["text"], encoding="utf-8")
    paces, steps = _paces(), _steps()
    first = paces[0][1]
    rows = [(spec, gear, f"{n:,}", f"{p:,.0f}", f"{p / first:,.1f}") for (spec, gear), p, n in paces]
    solved = [(f"lines.py:{c}", f"{n:,}", f"{1000 * s:,.1f}", f"{n / s:,.0f}") for c, n, s in steps]
    print(text_table(PACE_HEAD, rows), "\n\n", text_table(STEP_HEAD, solved), sep="")
    if args.write:
        write_section("paces", markdown_table(PACE_HEAD, rows), PAGE.name)
        write_section("steps", markdown_table(STEP_HEAD, solved), PAGE.name)
    return [
        Requirement("nodes/s, native gear times tuples", paces[-1][1] / first, least=100),
        Requirement("time to solve, `Bits` times `Chosen`", steps[0][2] / steps[-2][2], least=2),
    ]


def _paces() -> list[tuple[tuple[str, str], float, int]]:
    """Return the nodes per second of the same search, and its nodes."""
    rows = []
    for spec, gear in PACES:
        game, rounds = gambito.load(f"{FOLDER}/{spec}"), 1 if gear == "python" else 100
        gambito.search(game, None, "minimax", depth=DEPTH, gear=gear)
        began = time.process_time()
        nodes = sum(
            gambito.search(game, None, "minimax", depth=DEPTH, gear=gear).nodes for _ in range(rounds)
        )
        rows.append(((spec, gear), nodes / (time.process_time() - began), nodes // rounds))
    return rows


def _steps() -> list[tuple[str, int, float]]:
    """Return the nodes to the solution, and the least processor time of several rounds in turns."""
    games = {name: gambito.load(f"{FOLDER}/lines.py:{name}") for name in STEPS}
    nodes = {name: gambito.solve(game).nodes for name, game in games.items()}
    took = dict.fromkeys(STEPS, float("inf"))
    for _ in range(ROUNDS):
        for name, game in games.items():
            began = time.process_time()
            gambito.solve(game)
            took[name] = min(took[name], time.process_time() - began)
    return [(name, nodes[name], took[name]) for name in STEPS]
