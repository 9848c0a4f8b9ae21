"""Monte-Carlo tree search on two threads: simulations per second, and the effect on playing strength.

The rate on two threads is twice the simulations in a second of processor time, so other work on the machine
does not matter. If only one processor is free, the threads do not disturb each other, and the ratio is too
high.
"""

from __future__ import annotations

import argparse
import time

from report import Requirement, markdown_table, text_table, write_section

import gambito
from gambito.players.match import Match

GAMES = {"connect-four": 200_000, "othello": 40_000, "go": 10_000}  # simulations per round
WAYS = ("tree", "root", "leaf")
ROUNDS = 4
LEAST = 1.7
NODES = 1000  # per move of one thread, in games
PLAYED = 100


def run(args: argparse.Namespace) -> list[Requirement]:
    table, met = [], []
    for game, nodes in GAMES.items():
        alone = rate(game, nodes, 1, "tree")
        ratios = {way: rate(game, nodes, 2, way) / alone for way in WAYS}
        table.append([game, f"{alone:,.0f}", *(f"{ratios[way]:.2f}" for way in WAYS)])
        met.append(Requirement(f"{game}: two threads in one tree", ratios["tree"], least=LEAST))
    head = ["game", "simulations/s, one thread", *(f"two, {way}" for way in WAYS)]
    print(text_table(head, table))
    played = [match(way, float(row[2 + n])) for n, way in enumerate(WAYS) for row in table[:1]]
    match_head = ["two threads", "simulations for each 1000 of one thread", "score", "Elo"]
    print(text_table(match_head, played))
    if args.write:
        parts = [markdown_table(head, table), markdown_table(match_head, played)]
        write_section("threads", "\n\n".join(parts))
    return met


def rate(game: str, nodes: int, threads: int, way: str) -> float:
    """Return the simulations per second, as if every thread had a processor."""
    given = {"memory": 256, "threads": threads, "parallel": way, "solver": False}
    gambito.search(game, None, "mcts", nodes=100, **given)
    best = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        found = gambito.search(game, None, "mcts", nodes=nodes, **given)
        best = max(best, threads * found.nodes / (time.process_time() - began))
    return best


def match(way: str, ratio: float) -> list[str]:
    """Play Connect Four at equal time: two threads get more simulations in proportion to their speed."""
    nodes = int(NODES * ratio)
    ours, theirs = f"mcts:nodes={nodes},threads=2,parallel={way}", f"mcts:nodes={NODES}"
    tally = Match("connect-four", ours, theirs, games=PLAYED).run().tally
    rating, score = tally.rating(), (tally.wins + tally.draws / 2) / PLAYED
    elo = f"{rating.elo:+.0f} ± {(rating.high - rating.low) / 2:.0f}"
    return [way, f"{nodes}", f"{score:.0%}", elo]
