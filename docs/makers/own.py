"""A game that stands on a page, made faster step by step."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import gambito
from makers.commands import gambito_prints
from makers.frame import Making, fence, maker


@functools.cache
def _solved(name: str, text: str, kind: str) -> gambito.Found:
    """The solution of one class of a file; both languages ask for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return gambito.solve(f"{path}:{kind}")


@functools.cache
def _checked(name: str, text: str, kind: str) -> str:
    """What the check prints of one class of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return gambito_prints("check", f"{path}:{kind}")


@maker
def own_steps(making: Making, name: str, *classes: str) -> str:
    """What the engine visits to solve each class of a file, and beside the first one."""
    solved = {kind: _solved(name, making.code[name], kind) for kind in classes}
    first = solved[classes[0]]
    rows = []
    for kind, found in solved.items():
        assert found.exact and found.value == first.value, kind
        rows.append(
            [f"`{kind}`", making.number(found.nodes), f"{found.nodes / first.nodes:.2f}", found.value]
        )
    return making.table(["class", "nodes to the solution", "of the first", "value"], rows)


@maker
def own_checks(making: Making, name: str, *classes: str) -> str:
    """What the check prints of the classes of a file."""
    told = [f"$ gambito check {name}:{kind}\n{_checked(name, making.code[name], kind)}" for kind in classes]
    return fence("\n".join(told))
