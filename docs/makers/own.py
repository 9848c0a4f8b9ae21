"""Games whose rules stand on the page itself: their checks, drawings and node counts."""

from __future__ import annotations

import gambito
from gambito.words.sentence import Sentence
from makers.commands import gambito_prints
from makers.frame import Making, fence, maker


@maker
def own_command(making: Making, name: str, *words: str) -> str:
    """The output of a command for rules that stand on the page."""
    return fence(gambito_prints(*words, folder=making.placed(name).parent, language=making.language))


@maker
def own_picture(making: Making, name: str, game: str, parameters: str, depth: str) -> str:
    """A drawing of alpha-beta on rules that stand on the page."""
    record = gambito.trace(
        f"{making.placed(name)}:{game}:{parameters}", algorithm="alpha-beta", depth=int(depth)
    )
    says = Sentence("{0} on {1}", "alpha-beta", f"{game}, {parameters}")
    return making.draw(record, f"own-{game.lower()}", says)


@maker
def own_steps(making: Making, name: str, *classes: str) -> str:
    """The nodes that the engine needs to solve each class of a file, and their ratio to the first class."""
    path = making.placed(name)
    solved = {kind: gambito.solve(f"{path}:{kind}") for kind in classes}
    first = solved[classes[0]]
    rows = []
    for kind, found in solved.items():
        assert found.exact and found.value == first.value, kind
        rows.append(
            [f"`{kind}`", making.number(found.nodes), f"{found.nodes / first.nodes:.2f}", found.value]
        )
    return making.table(["class", "nodes to solve it", "ratio to the first", "value"], rows)


@maker
def own_checks(making: Making, name: str, *classes: str) -> str:
    """The output of `gambito check` for classes of a file."""
    path, told = making.placed(name), []
    for kind in classes:
        printed = gambito_prints("check", f"{path}:{kind}", language=making.language)
        told.append(f"$ gambito check {name}:{kind}\n{printed}")
    return fence("\n".join(told))
