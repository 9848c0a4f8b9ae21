"""One thread, the same seed and the same nodes give the same answer in every process."""

from __future__ import annotations

import json
import os

import pytest

from tests.support import COMMAND, run

ASK = """
import json
import gambito
from gambito.search.algorithm import algorithms

GAMES = ("tic-tac-toe", "pig:target=10", "pig-turn:target=6", "sliding-tiles:width=2,height=2", "bridge-play")
GAMES += ("tic-tac-toe-3", "kuhn-poker")
POSITIONS = {"kuhn-poker": "JQ"}  # the cards are dealt
for name, algorithm in algorithms().items():
    game = next(spec for spec in GAMES if not algorithm.misfit(gambito.load(spec)))
    small = {option.name: 1 for option in algorithm.options if option.name == "memory"}
    small |= {option.name: 10 for option in algorithm.options if option.name == "games"}
    found = gambito.search(game, POSITIONS.get(game), name, nodes=300, gear="python", **small).as_dict()
    print(json.dumps({key: found[key] for key in found if "seconds" not in key}))
"""
PLAYERS = ("engine:nodes=60,gear=python,memory=1", "mcts:nodes=40,gear=python,memory=1")
MATCH = ("match", *PLAYERS, "--game", "tic-tac-toe", "--games", "4", "--json")


@pytest.mark.slow
def test_two_processes_agree():
    """Python's own hashes differ from process to process; nothing may depend on them."""
    told = []
    for seed in ("1", "2"):
        given = {"env": {**os.environ, "PYTHONHASHSEED": seed}}
        asked, played = run(COMMAND[0], "-c", ASK, **given), run(*COMMAND, *MATCH, **given)
        assert asked.returncode == played.returncode == 0, asked.stderr + played.stderr
        match = json.loads(played.stdout)
        told.append((asked.stdout.splitlines(), {key: match[key] for key in match if key != "seconds"}))
    assert told[0] == told[1]
