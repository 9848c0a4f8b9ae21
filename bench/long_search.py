"""Monte-Carlo tree search for a long time in little memory: it keeps within it, and goes on improving.

The empty Connect Four board, which the first player wins by the middle column alone: the share of wins that
the search promises must grow towards all of them. `--memory-seconds 60 600` is the full measurement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from report import Requirement, markdown_table, text_table, write_section

MEMORY = 8  # MiB of the tree
MOST = 4.0  # MiB more
CHILD = """
import json, resource, sys
import gambito
memory, early, late = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
times, seen, keep = [early / 4, early, (early * late) ** 0.5, late], [], {}
given = dict(algorithm="mcts", memory=memory, keep=keep)
gambito.search("connect-four", nodes=1000, **given)

def look(progress):
    if times and progress.seconds >= times[0]:
        times.pop(0)
        best = max(progress.found.candidates, key=lambda c: c.visits)
        pages = int(open("/proc/self/statm").read().split()[1])
        held = pages * resource.getpagesize() / 2**20
        packed = int(keep["tree"].head[3])
        seen.append([progress.seconds, progress.nodes, packed, held, best.action + 1, (1 + best.mean) / 2])

gambito.search("connect-four", seconds=late + 1, progress=look, **given)
print(json.dumps(seen))
"""


def run(args: argparse.Namespace) -> list[Requirement]:
    if not Path("/proc/self/statm").exists():
        print("resident memory is read from /proc, which this system does not have")
        return []
    early, late = args.memory_seconds
    command = [sys.executable, "-c", CHILD, str(MEMORY), str(early), str(late)]
    seen = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    head = ["seconds", "simulations", "times packed", "MiB resident", "column", "share of wins"]
    table = [
        [f"{seconds:.0f}", f"{nodes:,}", packed, f"{held:.1f}", column, f"{wins:.1%}"]
        for seconds, nodes, packed, held, column, wins in seen
    ]
    print(text_table(head, table))
    if args.write:
        words = f"The empty Connect Four board with a tree of {MEMORY} MiB (`long_search`)."
        write_section("long", f"{words}\n\n{markdown_table(head, table)}")
    return [
        Requirement("growth of memory", seen[-1][3] - seen[1][3], most=MOST, unit="MiB"),
        Requirement("share of wins gained", 100 * (seen[-1][5] - seen[1][5]), least=0.0, unit="%"),
    ]
