"""The algorithms side by side: nodes, evaluations and time on one position. All find the same value.

The position is quiet: neither side wins within the horizon, so every algorithm has to search the whole tree.
"""

from __future__ import annotations

from typing import Any

from report import Requirement, text_table

import gambito
from gambito.search.algorithm import algorithms

GAME, POSITION, DEPTH = "connect-four", "44", 10
ROUNDS = 3


def run(args: Any) -> list[Requirement]:
    game = gambito.load(GAME)
    rows, values = [], {}
    for name, algorithm in algorithms().items():
        if algorithm.misfit(game):
            continue
        tries = [gambito.search(game, POSITION, algorithm=name, depth=DEPTH) for _ in range(ROUNDS)]
        found = tries[0]
        values[name] = (found.low, found.high)
        value = str(found.value) if found.low == found.high else f"{found.low} to {found.high}"
        took = min(t.seconds for t in tries)
        rows.append(
            [name, value, f"{found.nodes:,}", f"{found.evaluations:,}", f"{took:.4f}", algorithm.source]
        )
    print(f"{GAME}, position {POSITION}, depth {DEPTH}\n")
    head = ["algorithm", "value", "nodes", "evaluations", "s", "source"]
    print(text_table(head, rows))
    truth = values["minimax"][0]
    wrong = [name for name, (low, high) in values.items() if not low <= truth <= high]
    return [Requirement("algorithms that miss minimax's value", len(wrong), most=0)]
