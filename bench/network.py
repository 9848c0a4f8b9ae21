"""The cost of backgammon's network beside the hand-made evaluation, and the time that carried sums save."""

from __future__ import annotations

from typing import Any

from chance import sample
from numba import int32
from report import Requirement, text_table
from timing import race

import gambito
from gambito.evaluate.network import MAX_INPUTS, WIDEST, add_inputs, shift_sums
from gambito.game.gears import gears
from gambito.native import int64, native
from gambito.native.scratch import scratch

POSITIONS, DEPTH, ROUNDS, TIMES = 20, 3, 10, 50
INPUTS, SCRATCH, CARRIED = range(3)


def run(args: Any) -> list[Requirement]:
    games = {name: gambito.load(f"backgammon:evaluation={name}") for name in ("hand", "learned")}
    states = sample(games["hand"], POSITIONS)
    rows, required = [], []
    for algorithm in ("star2", "expectiminimax"):
        nodes, took = dict.fromkeys(games, 0), dict.fromkeys(games, float("inf"))
        for _ in range(ROUNDS + 1):
            for name, game in games.items():
                found = [gambito.search(game, state, algorithm, depth=DEPTH) for state in states]
                nodes[name] = sum(one.nodes for one in found)
                took[name] = min(took[name], sum(one.seconds for one in found))
        speeds = {name: nodes[name] / took[name] for name in games}
        rows += [[algorithm, name, f"{nodes[name]:,}", f"{speed:,.0f}"] for name, speed in speeds.items()]
        what = f"{algorithm}: nodes a second by hand, times those with the network"
        required.append(Requirement(what, speeds["hand"] / speeds["learned"], most=2))
    print(text_table(["search", "evaluation", "nodes", "nodes/s"], rows))
    _carried(games["learned"], states)
    return required


@native
def first_layers(game, state, way):
    """Compute the first layer of every play of a state: the inputs alone, from scratch, or incrementally."""
    sums, before, after = scratch(WIDEST, int32), scratch(MAX_INPUTS, int64), scratch(MAX_INPUTS, int64)
    inputs, hidden = game.shape[0], game.shape[1]
    count, total, before_end, before_stage = 0, int64(0), int64(0), int64(-1)
    for action in game.actions(state):
        child = game.result(state, action)
        if not game.is_terminal(child):
            stage, end = game.stage(child), game.inputs(child, after, int64(0))
            begin = stage * game.shape[2]
            if way == CARRIED and stage == before_stage:
                shift_sums(sums, game.weights, hidden, begin, before, before_end, after, end)
            elif way != INPUTS:
                add_inputs(sums, game.weights, inputs, hidden, begin, after, end)
            total += int64(sums[count % hidden]) if way != INPUTS else end
            before, after = after, before
            before_end, before_stage = end, stage
            count += 1
    return count, total


def _carried(game: gambito.Game, states: list[Any]) -> None:
    """Print the time of a play's first layer, computed in three ways."""
    inner = gears(game).in_gear("native")
    plays = sum(first_layers(inner, state, INPUTS)[0] for state in states)
    assert all(first_layers(inner, s, SCRATCH) == first_layers(inner, s, CARRIED) for s in states)

    def work(way: int) -> None:
        for _ in range(TIMES):
            for state in states:
                first_layers(inner, state, way)

    names = {"its inputs alone": INPUTS, "sums from scratch": SCRATCH, "sums carried on": CARRIED}
    took = race({name: lambda way=way: work(way) for name, way in names.items()}, ROUNDS)
    rows = [[name, f"{1e9 * one / TIMES / plays:.0f}"] for name, one in took.items()]
    print("\n" + text_table(["a play", "ns"], rows))
