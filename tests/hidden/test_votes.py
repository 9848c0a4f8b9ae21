"""The record of a search that values the actions of the root in imagined worlds."""

from __future__ import annotations

import numpy as np

import gambito
from gambito.search.trace.record import Record
from gambito.search.trace.simulations import SimulationRecorder


def test_worlds_vote():
    """In each world another action is best, and the one that is best on average never is."""
    game = gambito.load("liars-dice")
    seen = game.parse("3/?")
    worlds = [game.parse(f"3/{die}") for die in (1, 2)]
    first, second, third = game.legal(seen)[:3]
    record = Record(game.label(), game.text(seen), "pimc", 0)
    recorder = SimulationRecorder(np.zeros(64, np.int64), record)
    for world, values in zip(worlds, ((1, -1, 0.5), (-1, 1, 0.5)), strict=True):
        recorder.begin(game, seen)
        recorder.imagine(game, world)
        for action, value in zip((first, second, third), values, strict=True):
            recorder.weigh(game, world, action, value)
    recorder.show_pruned(game)
    votes = [step for step in record.steps if step.kind == "vote"]
    named = [game.write(seen, action) for action in (first, second)]
    assert [record.nodes[step.node].action for step in votes] == named
    assert votes[1].text == f"in this world {named[1]} is best, as in 1 of 2 so far"
    last = {record.nodes[step.node].action: step.facts["mean"] for step in record.steps if step.facts}
    assert last[game.write(seen, third)] == 0.5 and last[named[0]] == 0
