"""Chance and Monte Carlo: node counts of searches with chance, results of rollouts and simulations."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

import gambito
from gambito.chance.rollout import rollout
from gambito.chance.value_iteration import Solution
from gambito.draw.position import draw_heat
from gambito.search.monte_carlo import formulas as formulas_module
from makers.frame import Making, fence, maker
from makers.searches import options, search

# The searches that compare algorithms for games of chance: (title, game, position, depth).
ROLLED = (
    ("Pig to 20, 9 plies", "pig:target=20", "", 9),
    ("Nannon, roll 3, 7 plies", "nannon", "1XX..OO1 white 3", 7),
    ("EinStein, roll 3, 5 plies", "einstein", "123../45.../6...A/...BC/..DEF white 3", 5),
    ("backgammon, roll 3-1, 3 plies", "backgammon", "4HPwATDgc/ABMA 3-1", 3),
)
# The positions on which simulations are counted: (title, game, position).
SIMULATED = (
    ("tic-tac-toe after 1", "tic-tac-toe", "1"),
    ("Connect Four after 44", "connect-four", "44"),
    ("Othello after f5d6c3", "othello", "f5d6c3"),
)
BY_DEPTH = (("Pig to 20", "pig:target=20", ""), ("Nannon", "nannon", "1XX..OO1 white 3"))
BUDGETS = (100, 1_000, 10_000, 100_000)
STATES = 200_000  # limit of the states that value iteration lists


@maker
def expected(making: Making, *names: str) -> str:
    """Nodes and leaves of searches with chance, and the leaves as a share of the first search's."""
    rows = []
    for name in names:
        row = [f"`{name}`"]
        for _, game, position, depth in ROLLED:
            found = search(game, position, name, depth)
            first = search(game, position, names[0], depth)
            assert abs(found.value - first.value) < 1e-9, (name, game)
            share = f" ({found.evaluations / first.evaluations:.0%})" if name != names[0] else ""
            row.append(f"{making.number(found.nodes)} / {making.number(found.evaluations)}{share}")
        rows.append(row)
    return making.table(["nodes / leaves valued", *(task[0] for task in ROLLED)], rows)


@maker
def deeper_rolls(making: Making, algorithm: str) -> str:
    """The value that a search with chance finds at growing depth, beside the true value."""
    rows = []
    for name, game, position in BY_DEPTH:
        found = [search(game, position, algorithm, depth) for depth in (1, 3, 5, 7, 9)]
        truth = gambito.solve(game, position or None)
        rows.append([making.say(name), *(f"{one.value:.3f}" for one in found), f"{truth.value:.3f}"])
    return making.table(["value at depth", "1", "3", "5", "7", "9", "solved"], rows)


@maker
def listed(making: Making, *games: str) -> str:
    """The states that value iteration lists, its number of sweeps, and the value of the initial state."""
    rows = []
    for name in games:
        game = gambito.load(name)
        solution = Solution(game, game.initial(), STATES)
        solution.solve()
        states, value = making.number(len(solution.states)), f"{solution.values[0]:.6f}"
        rows.append([f"`{name}`", states, solution.sweeps, value])
    return making.table(["game", "states", "sweeps", "value of the start"], rows)


@maker
def rolled(making: Making, games: str, *specs: str) -> str:
    """Rollouts with and without variance reduction, of `game@position`; an underscore is a space."""
    rows = []
    for spec in specs:
        game, _, position = spec.partition("@")
        place = position.replace("_", " ") or None
        cells = []
        for correct in (False, True):
            found = rollout(game, place, games=int(games), correct=correct)
            cells.append((f"{found.value:+.3f} ± {1.96 * found.error:.3f}", found.error))
        fewer = (cells[0][1] / cells[1][1]) ** 2
        rows.append([f"`{game}`", f"`{place or '-'}`", cells[0][0], cells[1][0], f"{fewer:.1f}"])
    head = ["game", "position", "plain rollouts", "luck removed", "factor of games saved"]
    return making.table(head, rows)


@maker
def rolled_beside(making: Making, game: str, position: str, games: str) -> str:
    """Rollouts of every action with both policies, beside its true value."""
    rules, rows = gambito.load(game), []
    state = rules.parse(position.replace("_", " "))
    for action in rules.legal(state):
        child = rules.result(state, action)
        truth = gambito.solve(rules, child).value
        truth = truth if rules.player(child) != 1 else -truth
        played = [rollout(rules, child, games=int(games), policy=policy) for policy in ("greedy", "random")]
        cells = [f"{one.value:+.3f} ± {1.96 * one.error:.3f}" for one in played]
        rows.append([rules.write(state, action), f"{truth:+.3f}", *cells])
    return making.table(["move", "true value", "`policy=greedy`", "`policy=random`"], rows)


@maker
def simulated(making: Making, *choices: str) -> str:
    """The answer and its share of the visits, with a growing number of simulations; `-`: default options."""
    rows = []
    for name, game, position in SIMULATED:
        for choice in choices:
            given: dict[str, Any] = {} if choice == "-" else options(choice.split(","))
            told = making.say(name) + ("" if choice == "-" else f", `{choice}`")
            rows.append([told, *(_answer(making, game, position, budget, given) for budget in BUDGETS)])
    return making.table(["simulations", *map(making.number, BUDGETS)], rows)


def _answer(making: Making, game: str, position: str, budget: int, given: dict[str, Any]) -> str:
    found = gambito.search(game, position, "mcts", nodes=budget, **given)
    first = found.candidates[0]
    if found.exact:
        return making.say(f"{found.words()[0]}, proved after {making.number(found.nodes)}")
    share = first.visits / sum(one.visits for one in found.candidates)
    return f"{found.words()[0]}, {share:.0%}"


@maker
def formulas(making: Making) -> str:
    """The formulas that choose a child, from the docstring of their module."""
    told = inspect.cleandoc(formulas_module.__doc__ or "").split("\n\n")
    return fence(textwrap.dedent(next(part for part in told if part.lstrip().startswith("UCB1"))))


@maker
def visited(making: Making, strategy: str) -> str:
    """The board of Monopoly with the share of rolls that end on each square."""
    game: Any = gambito.load("monopoly:players=2")
    heat: dict[int, float] = {}
    for _, cell, share in game.visits(strategy):
        heat[cell] = heat.get(cell, 0.0) + share
    title = making.say("Monopoly: the share of rolls that end on each square, in percent")
    picture = draw_heat(game, {cell: share for cell, share in heat.items() if share}, title)
    assert picture is not None
    return f"![{title}]({making.add_picture(f'visits-{strategy}', picture)})"


@maker
def compared_visits(making: Making) -> str:
    """The places that are visited most often, by what a player does in jail."""
    game: Any = gambito.load("monopoly")
    leaving, staying = ({name: s for name, _, s in game.visits(way)} for way in ("leave", "stay"))
    some = sorted(leaving, key=lambda name: -leaving[name])[:8]
    some += ["Just visiting", "Boardwalk", "Mediterranean Avenue"]
    rows = [[name, f"{100 * leaving[name]:.4f}", f"{100 * staying[name]:.4f}"] for name in some]
    return making.table(["% of rolls", "leaving at once", "staying"], rows)
