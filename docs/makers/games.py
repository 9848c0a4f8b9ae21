"""Games, those that come with the package and those that stand on a page: boards, counts, checks."""

from __future__ import annotations

import ast
import tempfile
from pathlib import Path

import gambito
from gambito.evaluate import read_evaluation, shipped
from gambito.learn.network import draw_curve
from makers.frame import DOCS, Making, fence, maker


@maker
def board(making: Making, game: str, position: str = "") -> str:
    rules = gambito.load(game)
    state = rules.parse(position.replace("_", " ")) if position else rules.initial()
    return fence(rules.show(state))


@maker
def perft(making: Making, game: str, deepest: str) -> str:
    """How many sequences of moves the rules allow."""
    depths = range(1, int(deepest) + 1)
    return making.table(
        ["plies", *map(str, depths)],
        [[making.say("sequences"), *(making.number(gambito.perft(game, depth=d)) for d in depths)]],
    )


@maker
def solved(making: Making, *specs: str) -> str:
    """The value and a best action of some small games, solved: `game` or `game@position`."""
    rows = []
    for spec in specs:
        game, _, position = spec.partition("@")
        found = gambito.solve(game, position.replace("_", " ") or None)
        assert found.exact
        action = found.as_dict()["action"]
        rows.append([f"`{game}`", f"`{found.position}`", found.value, action, making.number(found.nodes)])
    return making.table(["game", "position", "value", "best action", "nodes"], rows)


@maker
def checked(making: Making, *games: str) -> str:
    """What `check` says."""
    rows = []
    for game in games:
        found = gambito.check(game)
        assert found.ok, found.problems
        both = making.say("both gears agree" if found.native else "Python gear")
        rows.append([f"`{game}`", found.games, found.states, found.longest, found.most_actions, both])
    head = ["game", "random games", "states", "longest", "most actions", ""]
    return making.table(head, rows)


@maker
def learning_curve(making: Making, name: str) -> str:
    """How the network that comes with Gambito learned, as its file tells."""
    game = gambito.load(f"{name}:evaluation=hand")
    found = read_evaluation(shipped(game), game, game.form.description)
    curve = [(int(games), float(points)) for games, points in found.trained["curve"]]
    path = making.add_picture(f"{name}-learning", draw_curve(name, curve))
    says = making.say("Points a game against the hand-made evaluation, by games played")
    return f"![{says}]({path})"


@maker
def methods(making: Making, example: str, kind: str, *names: str) -> str:
    """Methods of a class in docs/examples, indented as they stand in it."""
    text = (DOCS / "examples" / example).read_text(encoding="utf-8")
    held = next(n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == kind)
    found = {node.name: node for node in held.body if isinstance(node, ast.FunctionDef)}
    lines = text.splitlines()
    parts = ["\n".join(lines[found[name].lineno - 1 : found[name].end_lineno]) for name in names]
    return fence("\n\n".join(parts), "python")


def _written(making: Making, name: str, folder: str) -> str:
    path = Path(folder) / name
    path.write_text(making.code[name], encoding="utf-8")
    return str(path)


@maker
def own_game(making: Making, name: str, game: str) -> str:
    """The rules that stand on the page, checked, searched in both gears and solved."""
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{_written(making, name, folder)}:{game}"
        report = gambito.check(spec)
        assert report.ok and report.native, report.problems
        lines = [
            f">>> gambito.check('{name}:{game}').ok",
            f"{report.ok}",
        ]
        for gear in ("native", "python"):
            found = gambito.search(spec, depth=8, gear=gear)
            lines.append(f">>> found = gambito.search('{name}:{game}', depth=8, gear='{gear}')")
            lines.append(">>> found.value, found.words(), found.nodes")
            lines.append(f"{(found.value, found.words(), found.nodes)}")
        found = gambito.solve(f"{spec}:row=12")
        assert found.exact
        lines.append(f">>> gambito.solve('{name}:{game}:row=12').value")
        lines.append(f"{found.value}")
    return fence("\n".join(lines), "python")


@maker
def own_picture(making: Making, name: str, game: str, parameters: str, depth: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{_written(making, name, folder)}:{game}:{parameters}"
        record = gambito.trace(spec, algorithm="alpha-beta", depth=int(depth))
    return making.draw(record, f"own-{game.lower()}", f"alpha-beta on {game}, {parameters}")
