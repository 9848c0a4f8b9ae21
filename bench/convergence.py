"""Monte-Carlo tree search converges: the share of optimal answers over the number of simulations.

It is measured on tic-tac-toe and on random trees without the solver, beside flat Monte Carlo, and on the
shared positions of Connect Four with the default options. A last table shows how many simulations the solver
needs to prove small games.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from data import rows
from report import Requirement, markdown_table, text_table, write_picture, write_section

import gambito
from gambito.draw.chart import Line, draw_chart

Case = tuple[Any, frozenset[int]]  # a state, and its optimal actions
FLAT = {"depth": 1, "exploration": 100.0, "answer": "mean"}
BUDGETS = (10, 30, 100, 300, 1000, 3000, 10_000)
LONG_BUDGETS = (100, 1000, 10_000, 100_000)
SEEDS = 2
SETS = {"Test_L3_R1": "end game", "Test_L2_R1": "middle game", "Test_L1_R1": "opening"}
A_SET = 50  # positions
SMALL = (
    "tic-tac-toe", "nim:heaps=3-4-5", "connect-four:width=4,height=4", "hex:size=3", "hex:size=4",
    "breakthrough:width=4,height=4", "gomoku:size=4,line=3",
)  # fmt: skip


def run(args: argparse.Namespace) -> list[Requirement]:
    met: list[Requirement] = []
    plain = {"solver": False}
    drawn = {
        "UCT": plain,
        "flat Monte Carlo": {**plain, **FLAT},
    }
    words = []
    for name, cases, more in (
        ("tic-tac-toe", tic_tac_toe(), {}),
        ("random trees", random_trees(), {"reward": "score", "exploration": 0.25}),
    ):
        found = {kind: shares(cases, BUDGETS, {**more, **given}) for kind, given in drawn.items()}
        print(f"{name}: {len(cases)} positions, {SEEDS} seeds")
        words.append((name, found))
        print(_table(found, text_table))
        met.append(
            Requirement(f"{name}: optimal with most simulations", found["UCT"][BUDGETS[-1]], least=0.95)
        )
        flat = found["flat Monte Carlo"][BUDGETS[-1]]
        met.append(Requirement(f"{name}: UCT beyond flat", found["UCT"][BUDGETS[-1]] - flat, least=0.0))
    proofs = prove()
    print(text_table(PROOFS, proofs))
    sets = {about: connect_four(name) for name, about in SETS.items()}
    four = {about: shares(cases, LONG_BUDGETS, {}, seeds=1) for about, cases in sets.items() if cases}
    if four:
        print(_table(four, text_table))
        last = sum(found[LONG_BUDGETS[-1]] for found in four.values()) / len(four)
        met.append(Requirement("Connect Four: optimal with most simulations", last, least=0.6))
    if args.write:
        _write(words, proofs, four)
    return met


def shares(
    cases: Sequence[Case], budgets: Iterable[int], given: dict[str, Any], seeds: int = SEEDS
) -> dict[int, float]:
    """Return, for each budget, how often the answer is optimal."""
    found = {}
    for nodes in budgets:
        hits = 0
        for seed in range(seeds):
            for (game, state), optimal in cases:
                answer = gambito.search(game, state, "mcts", nodes=nodes, seed=seed, memory=256, **given)
                hits += answer.action in optimal
        found[nodes] = hits / (seeds * len(cases))
    return found


def tic_tac_toe(count: int = 50) -> list[Case]:
    """Return random positions where some actions are optimal and others are not."""
    game, rng, cases = gambito.load("tic-tac-toe"), random.Random(1), []
    while len(cases) < count:
        state = game.initial()
        for _ in range(rng.randrange(6)):
            state = game.result(state, rng.choice(game.legal(state)))
            if game.is_terminal(state):
                break
        else:
            cases += _case(game, state)
    return cases


def random_trees(count: int = 50) -> list[Case]:
    """Return subtrees of one uniform tree, four plies deep, with independent leaves."""
    game, cases = gambito.load("uniform-tree:branching=4,depth=8"), []
    for number in range(count):
        state = game.initial()
        for ply in range(4):
            state = game.result(state, number // 4**ply % 4)
        cases += _case(game, state)
    return cases


def _case(game: Any, state: Any) -> list[Case]:
    """Return the state with its best actions, or nothing if all actions are best."""
    actions, player = game.legal(state), game.player(state)
    values = {}
    for action in actions:
        child = game.result(state, action)
        over = game.is_terminal(child)
        values[action] = game.utility(child, player) if over else -gambito.solve(game, child).value
    best = frozenset(a for a in actions if values[a] == max(values.values()))
    return [((game, state), best)] if len(best) < len(actions) else []


def connect_four(name: str) -> list[Case]:
    """Return positions of a set where some columns keep the outcome and others do not."""
    game, cases = gambito.load("connect-four"), []
    for row in rows(f"connect4/{name}.csv"):
        scores = {column: int(score) for column, score in enumerate(row["move_scores"].split(";")) if score}
        kept = {column: (score > 0) - (score < 0) for column, score in scores.items()}
        best = frozenset(column for column, outcome in kept.items() if outcome == max(kept.values()))
        if len(best) < len(kept):
            cases.append(((game, game.parse(row["moves"])), best))
    return cases[:A_SET]


PROOFS = ["game", "simulations to the proof", "value", "proved by alpha-beta too"]


def prove() -> list[list[str]]:
    """Return a table of small games that the solver proves."""
    table = []
    for name in SMALL:
        found = gambito.search(name, None, "mcts", nodes=3_000_000, memory=512)
        truth = gambito.solve(name).value
        win = (found.value > 0) - (found.value < 0) == (truth > 0) - (truth < 0)
        is_proved = found.low == found.high and win
        table.append([name, f"{found.nodes:,}", f"{found.value:g}", "yes" if is_proved else "NO"])
    return table


def _table(found: dict[str, dict[int, float]], make: Callable[..., str]) -> str:
    budgets = list(next(iter(found.values())))
    head = ["simulations", *(f"{budget:,}" for budget in budgets)]
    return make(head, [[name, *(f"{row[b]:.0%}" for b in budgets)] for name, row in found.items()])


def _write(words: list[Any], proofs: list[list[str]], four: dict[str, dict[int, float]]) -> None:
    parts, lines = [], []
    for colour, (name, found) in enumerate(words, 1):
        parts.append(f"{name.capitalize()}:\n\n{_table(found, markdown_table)}")
        for kind, row in found.items():
            dashed = kind != "UCT"
            lines.append(Line(f"{name}, {kind.split()[0]}", list(row.items()), colour, dashed))
    title, below = "Share of optimal answers", "without the solver; flat Monte Carlo knows no tree"
    write_picture("mcts-convergence.svg", draw_chart(title, below, "simulations", "", lines, kind="shares"))
    write_section("convergence", "\n\n".join(parts))
    write_section("proofs", markdown_table(PROOFS, proofs))
    if four:
        lines = [Line(name, list(row.items()), n) for n, (name, row) in enumerate(four.items(), 1)]
        title, below = (
            "Connect Four: share of optimal answers",
            f"{A_SET} positions of each of Pascal Pons' sets",
        )
        write_picture(
            "mcts-connect-four.svg", draw_chart(title, below, "simulations", "", lines, kind="shares")
        )
        write_section("connect-four", _table(four, markdown_table))
