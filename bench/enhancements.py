"""The effect of each enhancement of Monte-Carlo tree search, measured in matches against the plain search.

Both sides have the same number of simulations per move, so the time that an enhancement costs does not count.
It is listed separately. Every opening is played twice with the colours swapped.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from report import Requirement, markdown_table, text_table, write_section

import gambito
from gambito.players.match import Match

GAMES = {  # simulations per move
    "connect-four": 1000,
    "breakthrough:width=6,height=6": 1000,
    "hex:size=7": 1000,
    "go:size=7": 500,
}
PLAIN = {
    "solver": False, "select": "ucb1", "rave": 0.0, "playout": "usual", "plies": 0, "exploration": 1.0,
    "bias": 0.0,
}  # fmt: skip
ENHANCEMENTS: dict[str, dict[str, Any]] = {
    "solver": {"solver": True},
    "exploration 0.5": {"exploration": 0.5},
    "UCB1-Tuned": {"select": "ucb1-tuned"},
    "PUCT by priority": {"select": "puct", "temperature": 10.0, "exploration": 2.0},
    "RAVE": {"rave": 300.0},
    "RAVE, exploration 0.1": {"rave": 300.0, "exploration": 0.1},
    "GRAVE, exploration 0.1": {"rave": 300.0, "exploration": 0.1, "rave_from": 50},
    "progressive bias": {"bias": 2.0, "temperature": 10.0},
    "progressive widening": {"widening": 4.0, "temperature": 10.0},
    "implicit minimax": {"implicit": 0.3},
    "replies": {"playout": "replies"},
    "decisive moves": {"playout": "decisive"},
    "MAST": {"playout": "mast"},
    "last good reply": {"playout": "last-good-reply"},
    "4 plies and `evaluate`": {"plies": 4},
    "expansion after 4 visits": {"threshold": 4},
    "flat Monte Carlo": {"exploration": 100.0, "answer": "mean", "depth": 1},
}
PLAYED = 100  # games


def run(args: argparse.Namespace) -> list[Requirement]:
    table = {name: [name, *[""] * len(GAMES)] for name in ENHANCEMENTS}
    head = ["", *(f"{game.split(':')[0]}" for game in GAMES)]
    for column, (game, nodes) in enumerate(GAMES.items(), 1):
        for name, given in ENHANCEMENTS.items():
            if fits(game, name):
                table[name][column] = match(game, nodes, given)
                print(f"{game}, {name}: {table[name][column]}", flush=True)
        if args.write:
            write_section("enhancements", markdown_table(head, table.values()))
    print(text_table(head, table.values()))
    return []


def fits(game: str, name: str) -> bool:
    """Return whether the game has what the enhancement needs."""
    rules = type(gambito.load(game))
    wanted = {"replies": "reply", "PUCT by priority": "priority", "progressive bias": "priority",
              "progressive widening": "priority",
              "4 plies and `evaluate`": "evaluate"}.get(name)  # fmt: skip
    return wanted is None or getattr(rules, wanted) is not getattr(gambito.Game, wanted)


def player(nodes: int, given: dict[str, Any]) -> str:
    words = {"nodes": nodes, **PLAIN, **given}
    return "mcts:" + ",".join(f"{name}={value}" for name, value in words.items())


def match(game: str, nodes: int, given: dict[str, Any], games: int = PLAYED) -> str:
    """Return the Elo difference with its interval, and how much slower a simulation is."""
    tally = Match(game, player(nodes, given), player(nodes, {}), games=games).run().tally
    rating = tally.rating()
    score = (tally.wins + tally.draws / 2) / games
    ratio = seconds(game, given) / seconds(game, {})
    if score in (0.0, 1.0):
        return f"{score:.0%} (time {ratio:.1f})"
    return f"{score:.0%}, {rating.elo:+.0f} ± {(rating.high - rating.low) / 2:.0f} (time {ratio:.1f})"


def seconds(game: str, given: dict[str, Any]) -> float:
    """Return the processor time of a search of the first position, the best of three."""
    depth = given.get("depth")
    words = {**PLAIN, **{name: value for name, value in given.items() if name != "depth"}}
    limits = {"nodes": 5000} | ({"depth": depth} if depth else {})
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        gambito.search(game, None, "mcts", **limits, **words)
        best = min(best, time.process_time() - began)
    return best
