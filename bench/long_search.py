"""A long Monte-Carlo tree search in little memory: it stays within the limit and keeps improving.

In a position of Connect Four only one column wins, and the win is far away. The share of wins that the search
gives to that column must grow towards 1. `--memory-seconds 60 600` is the full measurement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from report import Requirement, markdown_table, text_table, write_section

MEMORY = 1  # MiB of the tree
POSITION, COLUMN = "646736672316", 4
MOST = 4.0  # MiB more
CHILD = """
import json, resource, sys
import gambito
memory, early, late = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
position, column = sys.argv[4], int(sys.argv[5])
times, seen, session = [early / 4, early, (early * late) ** 0.5, late], [], gambito.Session()
given = dict(algorithm="mcts", memory=memory, session=session)
gambito.search("connect-four", position, nodes=1000, **given)

def look(progress):
    if times and progress.seconds >= times[0]:
        times.pop(0)
        right = next(c for c in progress.found.candidates if c.action + 1 == column)
        chosen = progress.found.action + 1
        pages = int(open("/proc/self/statm").read().split()[1])
        held = pages * resource.getpagesize() / 2**20
        packed = int(session.get("mcts tree").head[3])
        seen.append([progress.seconds, progress.nodes, packed, held, chosen, (1 + right.mean) / 2])

gambito.search("connect-four", position, seconds=late + 1, progress=look, **given)
print(json.dumps(seen))
"""


def run(args: argparse.Namespace) -> list[Requirement]:
    if not Path("/proc/self/statm").exists():
        print("resident memory is read from /proc, which this system does not have")
        return []
    early, late = args.memory_seconds
    command = [sys.executable, "-c", CHILD, str(MEMORY), str(early), str(late), POSITION, str(COLUMN)]
    seen = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    head = ["seconds", "simulations", "times packed", "MiB resident", "answer", f"wins of column {COLUMN}"]
    table = [
        [f"{seconds:.0f}", f"{nodes:,}", packed, f"{held:.1f}", column, f"{wins:.1%}"]
        for seconds, nodes, packed, held, column, wins in seen
    ]
    print(text_table(head, table))
    if args.write:
        about = f"Connect Four after {POSITION}, where only column {COLUMN} wins; a tree of {MEMORY} MiB"
        write_section("long", f"{about} (`long_search`).\n\n{markdown_table(head, table)}")
    return [
        Requirement("growth of memory", seen[-1][3] - seen[1][3], most=MOST, unit="MiB"),
        Requirement("share of wins gained", 100 * (seen[-1][5] - seen[1][5]), least=0.0, unit="%"),
    ]
