"""A game that stands on a page, made faster step by step."""

from __future__ import annotations

import tempfile

import gambito
from makers.commands import gambito_prints
from makers.frame import Making, fence, maker
from makers.games import _written


@maker
def own_steps(making: Making, name: str, *classes: str) -> str:
    """What the engine visits to solve each class of a file, and beside the first one."""
    with tempfile.TemporaryDirectory() as folder:
        path = _written(making, name, folder)
        solved = {kind: gambito.solve(f"{path}:{kind}") for kind in classes}
    first = solved[classes[0]]
    rows = []
    for kind, found in solved.items():
        assert found.exact and found.value == first.value, kind
        rows.append([f"`{kind}`", making.number(found.nodes), f"{found.nodes / first.nodes:.2f}", found.value])
    return making.table(["class", "nodes to the solution", "of the first", "value"], rows)


@maker
def own_checks(making: Making, name: str, *classes: str) -> str:
    """What the check prints of the classes of a file."""
    told = []
    with tempfile.TemporaryDirectory() as folder:
        path = _written(making, name, folder)
        for kind in classes:
            told.append(f"$ gambito check {name}:{kind}\n{gambito_prints('check', f'{path}:{kind}')}")
    return fence("\n".join(told))


@maker
def own_perft(making: Making, name: str, kind: str, deepest: str) -> str:
    """How many sequences of moves the rules of a file allow."""
    depths = range(1, int(deepest) + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = _written(making, name, folder)
        counts = [making.number(gambito.perft(f"{path}:{kind}", depth=d)) for d in depths]
    return making.table(["plies", *map(str, depths)], [[making.say("sequences"), *counts]])
