"""Games: boards, states, counts, checks, and results of matches."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
from itertools import product
from math import isfinite

import numpy as np

import gambito
from gambito.draw.position import draw_position
from gambito.evaluate import read_evaluation, shipped
from gambito.game.contract import game_name
from gambito.games.nine_mens_morris.board import VIEWS, MillGeometry
from gambito.learn.network import draw_curve
from gambito.players import Match, Tally
from gambito.words import speaking
from makers.frame import DOCS, Making, fence, maker
from makers.searches import TREES

HALF_OPEN = "If only one end of the 95 % interval is finite, the table gives that end."


@maker
def board(making: Making, game: str, position: str = "") -> str:
    rules = gambito.load(game)
    state = rules.parse(position.replace("_", " ")) if position else rules.initial()
    with speaking(making.language):
        return fence(rules.show(state))


@maker
def drawn(making: Making, game: str, position: str = "") -> str:
    """The board as the web page and the notebooks draw it."""
    rules = gambito.load(game)
    text = position.replace("_", " ")
    picture = draw_position(rules, rules.parse(text) if text else rules.initial())
    assert picture is not None, f"{game} has no picture"
    path = making.add_picture(f"board-{rules.name or game_name(type(rules))}", picture)
    return f"![{': '.join(filter(None, (rules.label(), text)))}]({path})"


@maker
def state(making: Making, *places: str) -> str:
    """The source of a game's state class: `connect_four.State`."""
    texts = []
    for place in places:
        module, _, name = place.rpartition(".")
        texts.append(inspect.getsource(getattr(importlib.import_module(f"gambito.games.{module}"), name)))
    return fence("\n\n\n".join(text.rstrip() for text in texts), "python")


@maker
def perft(making: Making, game: str, deepest: str) -> str:
    """The number of sequences of moves that the rules allow, by depth."""
    depths = range(1, int(deepest) + 1)
    return making.table(
        ["plies", *map(str, depths)],
        [[making.say("sequences"), *(making.number(gambito.perft(game, depth=d)) for d in depths)]],
    )


@maker
def solved(making: Making, *specs: str) -> str:
    """The exact value and a best action of small games: `game` or `game@position`."""
    rows = []
    for spec in specs:
        game, _, position = spec.partition("@")
        found = gambito.solve(game, position.replace("_", " ") or None)
        assert found.exact
        action = found.as_dict()["action"] or making.say("none")
        value = round(found.value, 6)  # the last digits of an expectation may vary
        rows.append([f"`{game}`", f"`{found.position}`", value, action, making.number(found.nodes)])
    return making.table(["game", "position", "value", "best action", "nodes"], rows)


@maker
def valued(making: Making, *specs: str) -> str:
    """The number of leaves that minimax and alpha-beta value in small games, searched to the end."""
    rows = []
    for spec in specs:
        game, _, position = spec.partition("@")
        rules = gambito.load(game)
        depth = rules.at(rules.parse(position) if position else rules.initial()).longest
        found = [
            gambito.search(game, position or None, algorithm, depth=depth)
            for algorithm in ("minimax", "alpha-beta")
        ]
        assert found[0].value == found[1].value
        counts = (making.number(one.evaluations) for one in found)
        rows.append([f"`{position or game}`", found[0].value, *counts])
    return making.table(["game", "value", "leaves of minimax", "leaves of alpha-beta"], rows)


@maker
def valued_trees(making: Making, *names: str) -> str:
    return valued(making, *(f"tree@{TREES[name]}" for name in names))


@maker
def checked(making: Making, *games: str) -> str:
    """The results of `gambito.check`."""
    rows = []
    for game in games:
        found = gambito.check(game)
        assert found.ok, found.problems
        both = making.say("both gears agree" if found.native else "Python gear")
        rows.append([f"`{game}`", found.games, found.states, found.longest, found.most_actions, both])
    head = ["game", "random games", "states", "longest", "most actions", ""]
    return making.table(head, rows)


@functools.cache
def _tally(game: str, first: str, second: str, games: int) -> Tally:
    return Match(game, first, second, games=games).run().tally


def _elo(tally: Tally) -> str:
    """The Elo difference with its 95 % interval, or its finite bound if the interval is infinite."""
    rating = tally.rating()
    assert rating is not None
    if isfinite(rating.error):
        said = f"{rating.elo:+.0f} ± {rating.error:.0f}"
    else:
        said = f"> {rating.low:+.0f}" if rating.elo > 0 else f"< {rating.high:+.0f}"
    return said.replace("-", "−")


@maker
def played(making: Making, game: str, games: str, *pairs: str) -> str:
    """Results of matches with limits in depth or nodes, and the commands to play them: `first/second`."""
    rows, commands = [], []
    for pair in pairs:
        first, second = pair.split("/")
        tally = _tally(game, first, second, int(games))
        assert tally.score is not None
        result = [tally.wins, tally.draws, tally.losses, f"{100 * tally.score:.1f} %", _elo(tally)]
        rows.append([f"`{first}`", f"`{second}`", tally.games, *result])
        commands.append(f"gambito match {first} {second} --game {game} --games {games}")
    head = ["first", "against", "games", "won", "drawn", "lost", "score", "Elo"]
    shown = making.table(head, rows).replace("|---|--:|", "|---|---|", 1)
    if any(row[-1][0] in "<>" for row in rows):
        shown += f"\n\n{making.say(HALF_OPEN)}"
    return f"{shown}\n\n{fence(chr(10).join(commands))}"


@maker
def morris_slices(making: Making) -> str:
    """The number of positions of nine men's morris up to symmetry, by slice, from Burnside's lemma."""
    board, few, most = MillGeometry(3), 3, 9
    kept: dict[tuple[int, int], int] = dict.fromkeys(product(range(most + 1), repeat=2), 0)
    for view in range(2 * VIEWS):
        places = [int(board.turned(np.uint64(1 << point), view)).bit_length() - 1 for point in range(24)]
        ways = {(0, 0): 1}  # sets of men of both sides that this view leaves unchanged
        for length in _cycles(places):
            more = dict(ways)
            for (mine, theirs), number in ways.items():
                for key in ((mine + length, theirs), (mine, theirs + length)):
                    more[key] = more.get(key, 0) + number
            ways = {key: number for key, number in more.items() if max(key) <= most}
        for key, number in ways.items():
            kept[key] += number
    sizes = {(a, b): kept[a, b] * (1 if a == b else 2) // (2 * VIEWS) for a, b in kept}
    men = range(few, most + 1)
    rows = [[a, *(making.number(round(sizes[a, b] / 1e6, 1)) if b <= a else "" for b in men)] for a in men]
    total = making.number(sum(sizes[a, b] for a in men for b in range(few, a + 1)))
    shown = making.table(["men", *map(str, men)], rows)
    return f"{shown}\n\n{making.say(f'In total: {total} positions.')}"


def _cycles(places: list[int]) -> list[int]:
    """Return the lengths of a permutation's cycles."""
    lengths, seen = [], set()
    for first in range(len(places)):
        place, length = first, 0
        while place not in seen:
            seen.add(place)
            place, length = places[place], length + 1
        lengths += [length] if length else []
    return lengths


@maker
def learning_curve(making: Making, name: str) -> str:
    """The learning curve of the network that comes with Gambito, from its file."""
    game = gambito.load(f"{name}:evaluation=hand")
    found = read_evaluation(shipped(game), game, game.form.description)
    curve = [(int(games), float(points)) for games, points in found.trained["curve"]]
    path = making.add_picture(f"{name}-learning", draw_curve(name, curve))
    says = making.say("Points per game against the hand-made evaluation, by games played")
    return f"![{says}]({path})"


@maker
def methods(making: Making, example: str, kind: str, *names: str) -> str:
    """The source of methods of a class in docs/examples, with their indentation; or the whole class."""
    text = (DOCS / "examples" / example).read_text(encoding="utf-8")
    held = next(n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == kind)
    found = {node.name: node for node in held.body if isinstance(node, ast.FunctionDef)}
    found |= {kind: held}
    lines = text.splitlines()
    parts = ["\n".join(lines[found[name].lineno - 1 : found[name].end_lineno]) for name in names or (kind,)]
    return fence("\n\n".join(parts), "python")
