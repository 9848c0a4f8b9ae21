"""AlphaZero on Connect Four: simulations a core-second, and the results kept in Pons' positions.

`python bench/alphazero.py FILE [SIMULATIONS …]` measures a trained network: of each of Pons' sets, the share
of positions in which its move keeps the exact result, by the network alone and with a search.
`python bench/alphazero.py own MINUTES` trains the games of `tests/learn/own_games.py`, which have nothing but
their six rules, on two processes, and plays each with 100 simulations against plain mcts with 1,000.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from data import rows
from report import Requirement, text_table

import gambito
from gambito.evaluate.policy.dense import Shape, new_dense
from gambito.evaluate.policy.encoding import sample_games
from gambito.evaluate.policy.files import read_network
from gambito.evaluate.policy.places import find_places
from gambito.evaluate.policy.shared_weights import Ties
from gambito.jobs.blas import one_blas_thread
from gambito.learn.zero.dense import DenseTraining
from gambito.learn.zero.recipe import ZeroRecipe
from gambito.learn.zero.search_trees import Search
from gambito.learn.zero.streams import Stream
from gambito.players.match import Match

GAME = "connect-four"
SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3")
GAMES, TIMES, ROUNDS = 1024, 3, 40  # games of the measurement of speed, how often, and rounds of a training
RULES = Path(__file__).resolve().parent.parent / "tests" / "learn" / "own_games.py"
OWN = ("Domineering", "Boxes", "Amazons")
SOME = 100  # positions of each set after this short training


def run(args: Any) -> list[Requirement]:
    speed, local = throughput(), throughput(is_local=True)
    print(f"{speed:,.0f} simulations a core-second, {local:,.0f} with shared weights around every cell\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "it.net"
        began = time.process_time()
        recipe = ZeroRecipe(rounds=ROUNDS, streams=1, contest=0)
        DenseTraining(GAME, Path(folder) / "work", recipe, jobs=1).run(path)
        print(f"{ROUNDS} rounds, {time.process_time() - began:.0f} s of processor time")
        show(str(path), (0, 64), SOME)
    return [Requirement("simulations a core-second with a dense network", speed, least=150_000)]


def throughput(is_local: bool = False) -> float:
    """Simulations a second of processor time, of one thread that plays with a dense network."""
    game = gambito.load(GAME)
    seen, recipe = sample_games(game, "native"), ZeroRecipe()
    ties = Ties(find_places(game, seen.sight, seen.packed, seen.movers)) if is_local else None
    shape = Shape(seen.sight.inputs, recipe.units, recipe.layers, seen.slots, 1, recipe.channels, recipe.free)
    network = new_dense(shape, 0, ties)
    stream, best = Stream(game, seen, Search(), GAMES), 0.0
    stream.compile()
    with one_blas_thread():
        for number in range(TIMES):
            began = time.process_time()
            counted = stream.play(network, number)["counted"]
            best = max(best, counted[1] / (time.process_time() - began))
    return best


def show(path: str, simulations: tuple[int, ...], count: int = 500) -> None:
    """Print the shares of kept results, for a number of simulations each; 0: the network alone."""
    table = []
    for number in simulations:
        shares = [kept(path, name, number, count) for name in SETS]
        cells = [f"{100 * share:.1f}" for share in (*shares, float(np.mean(shares)))]
        table.append([str(number or "network alone"), *cells])
    print(text_table(["simulations", *SETS, "mean"], table))


def kept(path: str, name: str, simulations: int, count: int) -> float:
    """The share of a set's positions in which the move keeps the result."""
    game = gambito.load(GAME)
    network, good, seen = read_network(path, game), 0, 0
    for row in rows(f"connect4/Test_{name}.csv")[:count]:
        state = game.parse(row["moves"])
        if simulations:
            chosen = gambito.search(game, state, "mcts", nodes=simulations, network=path).action
        else:
            packed = network.sight.layout.pack([state])
            logits = network.outputs(packed, np.array([game.player(state)]))[0]
            chosen = max(game.legal(state), key=lambda action: logits[network.actions.slot(action)])
        score = int(row["move_scores"].split(";")[chosen])
        good += np.sign(score) == np.sign(int(row["score"]))
        seen += 1
    return good / max(seen, 1)


def own_games(minutes: float) -> None:
    """Train each game from its rules, and print its score against plain mcts."""
    table = []
    for name in OWN:
        spec = f"{RULES}:{name}"
        with tempfile.TemporaryDirectory() as folder:
            path, recipe = Path(folder) / "it.net", ZeroRecipe(minutes=minutes, contest=0)
            trained = DenseTraining(spec, Path(folder) / "work", recipe, jobs=2).run(path)
            players = (f"mcts:nodes=100,batch=1,network={path}", "mcts:nodes=1000")
            tally = Match(spec, *players, games=100).run().tally
        table.append([name, f"{trained['games']:,}", f"{100 * (tally.score or 0):.1f} %"])
    print(text_table(["game", "games", "score"], table))


if __name__ == "__main__":
    if sys.argv[1] == "own":
        own_games(float(sys.argv[2]))
    else:
        show(sys.argv[1], (0, *map(int, sys.argv[2:] or ("400",))))
