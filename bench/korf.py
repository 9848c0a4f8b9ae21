"""Korf's instances of the 15-puzzle with IDA*: nodes with Manhattan distance and with pattern databases.

All instances in GAMBITO_DATA are solved, which takes some minutes.
"""

from __future__ import annotations

import argparse

from data import rows
from report import Requirement, text_table

import gambito

FIFTEEN = "sliding-tiles:width=4,height=4,goal=blank-first"
HEURISTICS = ("pattern-database", "manhattan")


def run(args: argparse.Namespace) -> list[Requirement]:
    instances = list(rows("fifteen_puzzle/korf100.csv"))
    nodes, wrong = {}, 0
    for heuristic in HEURISTICS:
        found = [gambito.search(FIFTEEN, one["tiles"], "ida-star", heuristic=heuristic) for one in instances]
        nodes[heuristic] = sum(one.nodes for one in found)
        costs = [int(one["optimal_moves"]) for one in instances]
        wrong += sum(one.cost != cost for one, cost in zip(found, costs, strict=True))
    table = [(heuristic, f"{count:,}") for heuristic, count in nodes.items()]
    print(text_table([f"{len(instances)} instances, IDA*", "nodes generated"], table))
    saved = nodes["manhattan"] / nodes["pattern-database"]
    return [
        Requirement("lengths that are not optimal", wrong, most=0),
        Requirement("nodes saved by pattern databases, times", saved, least=40),
    ]
