"""Learn a blueprint: the strategy that the package's player of a game plays from.

    python tools/blueprint.py holdem:buckets=8 900

External sampling, for so many seconds of processor time; the policy of iteration t counts t times in the
average, because the first ones are far from good. The file is written to the package's weights, and what was
learned is kept beside it while it learns, so that more seconds go on from there.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import gambito
from gambito.hidden.cfr import SAMPLING
from gambito.hidden.sets import Variant
from gambito.hidden.solver import WALK, Method, Solver
from gambito.hidden.strategy import read_strategy
from gambito.players.blueprint import place_in, save_blueprint
from gambito.search.watch import Watch, new_watch

METHOD = Method("external-sampling", Variant(math.inf, math.inf, 1.0), SAMPLING["external"], WALK)
BATCH = 2000  # iterations between two looks at the clock
MEMORY, SEED = 1024, 1
KEPT = 60.0  # seconds between two files


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--kept", type=Path, default=Path("blueprint.strategy"))
    asked = parser.parse_args()
    game = gambito.load(asked.game)
    solver = Solver(game, METHOD, "native", MEMORY, SEED)
    if asked.kept.exists():
        solver.resume(read_strategy(asked.kept, game))
    watch = new_watch(Watch, "native", 0)
    began = saved = time.process_time()
    while time.process_time() - began < asked.seconds:
        solver.iterate(BATCH, watch)
        if time.process_time() - saved > KEPT or time.process_time() - began >= asked.seconds:
            strategy = solver.strategy()
            strategy.save(asked.kept)
            save_blueprint(strategy, place_in(game))
            saved = time.process_time()
            spent = saved - began
            print(f"{solver.iteration:,} iterations, {len(strategy.keys):,} sets, {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
