"""IS-MCTS beside OpenSpiel's C++ bot, on the hidden games that it can resample: simulations per second.

Both imagine a world for every simulation, choose by UCB1 at what the mover sees, and play out at random, from
the first decision of the same deal. The processor time is that of the best of several rounds in turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from report import Requirement, text_table
from timing import race

import gambito
from gambito.game.gears import gears
from gambito.search.algorithm import find
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.task import SearchTask

GAMES = {  # ours: a position; OpenSpiel's, its first actions, simulations of a round
    "kuhn-poker": ("QK", "kuhn_poker", (1, 2), 100_000),
    "leduc-poker": ("", "leduc_poker", (2, 5), 50_000),
}
ROUNDS = 5
LEAST = 4.0
CONSTANT = 2.0


def run(args: argparse.Namespace) -> list[Requirement]:
    try:
        import pyspiel
    except ImportError:
        print("open_spiel is not installed: nothing to compare with")
        return []
    table, met = [], []
    for name, (position, other, deal, simulations) in GAMES.items():
        entrants = {
            "ours": searching(name, position, simulations),
            "theirs": their_search(pyspiel, other, deal, simulations),
        }
        best = race(entrants, ROUNDS)
        ratio = best["theirs"] / best["ours"]
        rates = [f"{simulations / best[who]:,.0f}" for who in entrants]
        table.append([name, *rates, f"{ratio:.1f}"])
        met.append(Requirement(f"{name}: simulations of OpenSpiel's", ratio, least=LEAST))
    print(text_table(["", "simulations/s", "OpenSpiel's", "ratio"], table))
    return met


def searching(name: str, position: str, simulations: int) -> Callable[[], Any]:
    game = gambito.load(name)
    state = game.parse(position) if position else game.initial()
    while game.player(state) == gambito.CHANCE:
        state = game.result(state, next(iter(game.actions(state))))
    inner, start = gears(game).in_gear("native"), gears(game).cast(state)
    settings = find("ismcts").read_options({"exploration": CONSTANT}, game)

    def work() -> None:
        monitor = new_monitor(Monitor, "native", 100, simulations)
        task = SearchTask(inner, game, start, 1000, -game.infinity, game.infinity, monitor, settings)
        find("ismcts").run(task)

    return work


def their_search(pyspiel: Any, name: str, deal: tuple[int, ...], simulations: int) -> Callable[[], Any]:
    state = pyspiel.load_game(name).new_initial_state()
    for outcome in deal:
        state.apply_action(outcome)

    def work() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
        kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(42, evaluator, CONSTANT, simulations, -1, kind, False, False)
        bot.step(state)

    return work
