"""Learn a blueprint: the strategy that the package's player of a game plays from.

    python tools/blueprint.py holdem:buckets=8 900

External sampling, for so many seconds of processor time; the policy of iteration t counts t times in the
average, because the first ones are far from good. The file is written to the package's weights, and what was
learned is kept beside it while it learns, so that more seconds go on from there.

    python tools/blueprint.py holdem:buckets=8 0 --exploit 400000

tells how much a best response in the game with buckets wins at least: what each player wins that deviates
from the strategy wherever that was clearly better in half of so many walks.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import gambito
from gambito.hidden.cfr import COUNT, SAMPLING_SCHEMES, USED, walk
from gambito.hidden.regrets import Variant, normalised
from gambito.hidden.solver import WALK, Method, Solver
from gambito.hidden.strategy import read_strategy
from gambito.native.random import new_random
from gambito.players.blueprint import place_in, save_blueprint
from gambito.search.monitor import Monitor, new_monitor

METHOD = Method("external-sampling", Variant(math.inf, math.inf, 1.0), SAMPLING_SCHEMES["external"], WALK)
BATCH = 2000  # iterations between two looks at the clock
MEMORY, SEED = 1024, 1
KEPT = 60.0  # seconds between two files
HELD = 1e9  # chips of regret that hold a policy fixed
SURE = 4.0  # chips times the root of the walks: smaller regrets may be luck


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--kept", type=Path, default=Path("blueprint.strategy"))
    parser.add_argument("--exploit", type=int, default=0, metavar="WALKS")
    asked = parser.parse_args()
    game = gambito.load(asked.game)
    solver = Solver(game, METHOD, "native", MEMORY, SEED)
    if asked.kept.exists():
        solver.resume(read_strategy(asked.kept, game))
    monitor = new_monitor(Monitor, "native", 0)
    began = saved = time.process_time()
    while time.process_time() - began < asked.seconds:
        solver.iterate(BATCH, monitor)
        if time.process_time() - saved > KEPT or time.process_time() - began >= asked.seconds:
            strategy = solver.strategy()
            strategy.save(asked.kept)
            save_blueprint(strategy, place_in(game))
            saved = time.process_time()
            spent = saved - began
            print(f"{solver.iteration:,} iterations, {len(strategy.keys):,} sets, {spent:.0f} s", flush=True)
    if asked.exploit:
        won = [response(solver, player, asked.exploit) for player in range(2)]
        for player, (mean, error) in enumerate(won):
            print(f"player {player}: the response wins {mean:+.3f} ± {error:.3f} chips a hand")
        print(f"exploitability at least {sum(mean for mean, _ in won) / 2:.3f} chips a hand")


def response(solver: Solver, player: int, walks: int) -> tuple[float, float]:
    """What a player wins that deviates from the strategy where that was clearly better, and the error.

    In half of the walks both players follow the strategy, and regrets tell what other actions would have
    won; in the other half the player takes the action with the most regret.
    """
    table: Any = solver.table
    used, count = int(table.head[USED]), int(table.head[COUNT])
    kept = {name: getattr(table, name)[:used].copy() for name in ("regret", "policy", "average")}
    first, average = table.first[: count + 1], normalised(table.first[: count + 1], kept["average"])
    rng, monitor, how = (
        new_random((SEED, player)),
        new_monitor(Monitor, "native", 0),
        SAMPLING_SCHEMES["external"],
    )
    begin = (solver.walked, solver.root, player, 1.0, 1.0, 1.0, 1.0, 0.0, how, 0, table, rng, monitor)

    def play(policy: Any) -> list[float]:
        table.policy[:used], table.regret[:used] = policy, HELD * policy
        return [walk(*begin) for _ in range(walks // 2)]

    play(average)
    gain = table.regret[:used] - HELD * average
    best = average.copy()
    for number, (low, high) in enumerate(itertools.pairwise(first)):
        if table.owner[number] == player and gain[low:high].max() > SURE * math.sqrt(walks):
            best[low:high] = np.arange(high - low) == gain[low:high].argmax()
    value = play(best)
    for name, array in kept.items():
        getattr(table, name)[:used] = array
    return statistics.fmean(value), statistics.stdev(value) / math.sqrt(len(value))


if __name__ == "__main__":
    main()
