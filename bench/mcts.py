"""Monte-Carlo tree search beside OpenSpiel's C++ bot and rust-reversi: simulations and playouts per second.

All run UCT with random playouts to the end on one thread, with the same number of simulations from the first
position. The processor time is that of the best of several rounds in turns.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

from report import Requirement, text_table
from timing import race

import gambito
from gambito.game.gears import gears
from gambito.native import native
from gambito.native.random import new_random
from gambito.search.algorithm import find
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.task import SearchTask

GAMES = {  # ours: OpenSpiel's, simulations of a round, playouts of a round of theirs
    "tic-tac-toe": ("tic_tac_toe", 50_000, 2000),
    "connect-four": ("connect_four", 20_000, 1000),
    "othello": ("othello", 3000, 100),
    "breakthrough": ("breakthrough", 4000, 200),
    "go": ("go(board_size=9,komi=7.5)", 2000, 50),
    "hex": ("hex(board_size=11)", 2000, 100),
    "chess": ("chess", 100, 5),
}
MUST = ("tic-tac-toe", "connect-four", "othello", "breakthrough", "go", "chess")
ROUNDS = 5
LEAST = 5.0
CONSTANT = 2.0


@native
def play_out(game, state, rng, count):
    """Random games from a state, and the plies of all of them."""
    plies = 0
    for _ in range(count):
        _, played = game.playout(state, rng, 4096)
        plies += played
    return plies


def run(args: argparse.Namespace) -> list[Requirement]:
    try:
        import pyspiel
    except ImportError:
        print("open_spiel is not installed: nothing to compare with")
        return []
    table, met = [], []
    for name, (other, simulations, playouts) in GAMES.items():
        ours, theirs, ours_out, theirs_out = _measure(pyspiel, name, other, simulations, playouts)
        table.append(
            [name, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.1f}", f"{ours_out:,.0f}",
             f"{theirs_out:,.0f}", f"{ours_out / theirs_out:.1f}"]
        )  # fmt: skip
        print(" ".join(table[-1]), flush=True)
        if name in MUST:
            met.append(Requirement(f"{name}: simulations of OpenSpiel's", ours / theirs, least=LEAST))
            met.append(Requirement(f"{name}: playouts of OpenSpiel's", ours_out / theirs_out, least=LEAST))
    met += _rust_reversi()
    head = ["", "simulations/s", "OpenSpiel's", "ratio", "playouts/s", "OpenSpiel's", "ratio"]
    print(text_table(head, table))
    return met


def searching(name: str, simulations: int) -> Callable[[], Any]:
    game = gambito.load(name)
    inner, state = gears(game).in_gear("native"), gears(game).cast(game.initial())
    plain = {"solver": False, "select": "ucb1", "rave": 0.0, "bias": 0.0, "playout": "usual", "plies": 0}
    options = {**plain, "exploration": CONSTANT, "memory": 512}
    settings = find("mcts").read_options(options, game)

    def work() -> None:
        monitor = new_monitor(Monitor, "native", 100, simulations)
        task = SearchTask(inner, game, state, 1000, -game.infinity, game.infinity, monitor, settings)
        find("mcts").run(task)

    return work


def _measure(pyspiel: Any, name: str, other: str, simulations: int, playouts: int) -> tuple[float, ...]:
    game, peer = gambito.load(name), pyspiel.load_game(other)
    inner, state = gears(game).in_gear("native"), gears(game).cast(game.initial())
    dice, more = new_random(1), playouts * 20

    def their_search() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
        bot = pyspiel.MCTSBot(peer, evaluator, CONSTANT, simulations, 2000, False, 42, False)
        bot.mcts_search(peer.new_initial_state())

    def their_playouts() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(playouts, 7)  # one simulation, valued by so many playouts
        bot = pyspiel.MCTSBot(peer, evaluator, CONSTANT, 1, 2000, False, 42, False)
        bot.mcts_search(peer.new_initial_state())

    best = race(
        {
            "ours": searching(name, simulations),
            "theirs": their_search,
            "our playouts": lambda: play_out(inner, state, dice, more),
            "their playouts": their_playouts,
        },
        ROUNDS,
    )
    return (
        simulations / best["ours"],
        simulations / best["theirs"],
        more / best["our playouts"],
        playouts / best["their playouts"],
    )


def _rust_reversi() -> list[Requirement]:
    """Othello beside rust-reversi's MctsSearch."""
    try:
        import rust_reversi
    except ImportError:
        print("rust-reversi is not installed")
        return []
    simulations = 20_000
    board = rust_reversi.Board()
    search = rust_reversi.MctsSearch(simulations, CONSTANT / 2, 1)
    random.seed(1)
    best = race({"ours": searching("othello", simulations), "theirs": lambda: search.get_move(board)}, ROUNDS)
    ratio = best["theirs"] / best["ours"]
    rates = [f"{simulations / best[who]:,.0f}" for who in ("ours", "theirs")]
    print(f"othello beside rust-reversi: {rates[0]} and {rates[1]} simulations/s, ratio {ratio:.2f}")
    return [Requirement("othello: simulations of rust-reversi's", ratio, least=1.0)]
