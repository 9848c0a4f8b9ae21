"""The memory of a long search, after a short time and much later.

A separate process searches the empty Connect Four board and measures its resident memory twice.
`--memory-seconds 60 600` is the full measurement.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from report import Requirement, text_table

ALGORITHMS = ("alpha-beta", "mtd-f")  # without a table, and with one
MOST = 4.0  # MiB more; a leak of eight bytes a node would be gigabytes
CHILD = """
import json, resource, sys, threading, time
import gambito
algorithm, early, late = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
gambito.search("connect-four", algorithm=algorithm, depth=1)
seen = []

def look():
    for wait in (early, late - early):
        time.sleep(wait)
        pages = int(open("/proc/self/statm").read().split()[1])
        seen.append(pages * resource.getpagesize() / 2**20)

looking = threading.Thread(target=look)
looking.start()
found = gambito.search("connect-four", algorithm=algorithm, seconds=late + 1)
looking.join()
print(json.dumps([*seen, found.nodes, found.depth]))
"""


def run(args: Any) -> list[Requirement]:
    if not Path("/proc/self/statm").exists():
        print("resident memory is read from /proc, which this system does not have")
        return []
    early, late = args.memory_seconds
    rows, required = [], []
    for name in ALGORITHMS:
        command = [sys.executable, "-c", CHILD, name, str(early), str(late)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        first, second, nodes, depth = json.loads(done.stdout)
        rows.append([name, f"{first:.1f}", f"{second:.1f}", f"{second - first:+.2f}", f"{nodes:,}", depth])
        required.append(Requirement(f"growth with {name}", second - first, most=MOST, unit="MiB"))
    head = ["algorithm", f"after {early:g} s", f"after {late:g} s", "MiB more", "nodes", "depth done"]
    print(f"connect-four, resident memory in MiB\n\n{text_table(head, rows)}")
    return required
