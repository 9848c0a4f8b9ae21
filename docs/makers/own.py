"""A game that stands on a page, made faster step by step."""

from __future__ import annotations

from pathlib import Path

import gambito
from makers.commands import gambito_prints
from makers.frame import DOCS, Making, fence, maker

FOLDER = DOCS.parent / ".cache" / "pages"  # the same place every time, so that machine code is found again


def _placed(making: Making, name: str) -> Path:
    """A file that stands on the page, put into the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(making.code[name], encoding="utf-8")
    return FOLDER / name


@maker
def own_steps(making: Making, name: str, *classes: str) -> str:
    """What the engine visits to solve each class of a file, and beside the first one."""
    path = _placed(making, name)
    solved = {kind: gambito.solve(f"{path}:{kind}") for kind in classes}
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
    path, told = _placed(making, name), []
    for kind in classes:
        told.append(f"$ gambito check {name}:{kind}\n{gambito_prints('check', f'{path}:{kind}')}")
    return fence("\n".join(told))
