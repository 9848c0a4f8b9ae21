"""The compiler without optimisation: searches visit the same nodes as in the Python gear.

What LLVM leaves undefined, such as memory that is read after the call that it belongs to, often does what was
meant while everything is optimised and inlined. Without optimisation it does not.
"""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.support import run

COMPARE = """
import json, sys
import gambito

for spec, name, limit in json.loads(sys.argv[1]):
    answers = []
    for gear in ("native", "python"):
        found = gambito.search(spec, algorithm=name, gear=gear, **limit)
        answers.append([[found.nodes, found.evaluations, found.action], found.value])
    print(json.dumps([spec, name, *answers]))
"""

SEARCHES = {
    "chess": [("chess", "engine", {"depth": 4}), ("chess", "mcts", {"nodes": 20})],
    "draughts": [("draughts", "engine", {"depth": 4}), ("checkers", "mcts", {"nodes": 20})],
    "morris": [("nine-mens-morris", "engine", {"depth": 3}), ("nine-mens-morris", "mcts", {"nodes": 20})],
    "othello": [("othello", "engine", {"depth": 4})],
    "go": [("go", "mcts", {"nodes": 20})],
    "hex": [("hex", "mcts", {"nodes": 20}), ("gomoku", "mcts", {"nodes": 20})],
    "dice": [("backgammon", "star2", {"depth": 1}), ("nannon", "star2", {"depth": 2})],
    "puzzles": [("sliding-tiles:width=3", "a-star", {}), ("pancakes", "a-star", {})],
}


@pytest.mark.slow
@pytest.mark.parametrize("games", SEARCHES)
def test_without_optimisation_the_gears_agree(games, tmp_path):
    environment = {**os.environ, "NUMBA_OPT": "0", "GAMBITO_TABLES": str(tmp_path)}
    ran = run(sys.executable, "-W", "ignore", "-c", COMPARE, json.dumps(SEARCHES[games]), env=environment)
    assert ran.returncode == 0, ran.stderr
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(answers) == len(SEARCHES[games])
    for _, _, (native, native_value), (python, python_value) in answers:
        assert native == python
        assert native_value == pytest.approx(python_value, rel=1e-9)
