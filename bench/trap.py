"""A trap: a position where early playouts mislead UCT for a long time, and which options help."""

from __future__ import annotations

import argparse

from convergence import shares
from report import Requirement, markdown_table, text_table, write_section

import gambito

TRAPS = {"22531147332411": "4", "3175246143": "34"}  # Connect Four: the columns that keep draw and win
BUDGETS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
SEEDS = 10
WAYS = {
    "plain UCT": {"solver": False},
    "with less exploration (0.5)": {"solver": False, "exploration": 0.5},
    "with more exploration (2)": {"solver": False, "exploration": 2.0},
    "RAVE": {"solver": False, "rave": 300.0},
    "UCB1-Tuned": {"solver": False, "select": "ucb1-tuned"},
    "decisive moves in playouts": {"solver": False, "playout": "decisive"},
    "implicit minimax": {"solver": False, "implicit": 0.3},
    "the solver": {},
    "the solver and decisive moves": {"playout": "decisive"},
}


def run(args: argparse.Namespace) -> list[Requirement]:
    game, met = gambito.load("connect-four"), []
    head = ["", *(f"{budget:,}" for budget in BUDGETS)]
    for number, (moves, columns) in enumerate(TRAPS.items(), 1):
        case = ((game, game.parse(moves)), frozenset(int(column) - 1 for column in columns))
        found = {name: shares([case], BUDGETS, given, seeds=SEEDS) for name, given in WAYS.items()}
        table = [[name, *(f"{row[b]:.0%}" for b in BUDGETS)] for name, row in found.items()]
        print(f"{moves}: right are {columns}\n{text_table(head, table)}\n")
        gained = found["the solver"][10_000] - found["plain UCT"][10_000]
        met.append(Requirement(f"{moves}: what the solver helps at 10,000", gained, least=0.3))
        if args.write:
            write_section(f"trap {number}", markdown_table(head, table), "trap.md")
    return met
