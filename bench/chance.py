"""Games of chance: expectiminimax, Star1 and Star2 on backgammon, and the rules beside OpenSpiel's.

The table is that of Hauk, Buro & Schaeffer (2004): depth 1, 3 and 5, where 3 is move, roll, move.
"""

from __future__ import annotations

import random
import time
from typing import Any

from report import Requirement, text_table

import gambito
from gambito.game.gears import gears
from gambito.native import native
from gambito.native.random import new_random

NAMES = ("expectiminimax", "star1", "star2")
DEPTHS = {1: 40, 3: 40, 5: 5}  # positions at each depth
GAMES = 20_000
SEED = 4


def run(args: Any) -> list[Requirement]:
    game = gambito.load("backgammon")
    states = sample(game, max(DEPTHS.values()))
    rows, leaves, wrong = [], {}, 0
    for depth, count in DEPTHS.items():
        values: dict[int, set[float]] = {}
        for name in NAMES:
            found = [gambito.search(game, state, name, depth=depth) for state in states[:count]]
            for number, one in enumerate(found):
                values.setdefault(number, set()).add(one.value)
            total = [sum(getattr(f, what) for f in found) for what in ("nodes", "evaluations", "seconds")]
            leaves[name, depth] = total[1]
            share = f"{100 * total[1] / leaves['expectiminimax', depth]:.1f} %"
            mean = [f"{total[0] / count:,.0f}", f"{total[1] / count:,.0f}", share]
            rows.append([depth, name, *mean, f"{1000 * total[2] / count:.2f}"])
        wrong += sum(max(v) - min(v) > 1e-9 for v in values.values())
    print(text_table(["depth", "algorithm", "nodes", "leaves", "of all", "ms"], rows))
    required = [
        Requirement("positions where the values differ", wrong, most=0),
        Requirement(
            "leaves of Star2 at depth 3, as a share", leaves["star2", 3] / leaves[NAMES[0], 3], most=0.25
        ),
    ]
    return required + _beside_openspiel(game)


def sample(game: gambito.Game, count: int) -> list[Any]:
    """Return decision states of games that are played with one ply of search."""
    rng, found, enter = random.Random(SEED), [], gears(game).enter
    while len(found) < count:
        state, wanted = enter(game.initial()), rng.randint(1, 50)
        for number in range(wanted + 1):
            outcomes = list(game.chances(state))
            state = enter(game.result(state, rng.choices(*zip(*outcomes, strict=True))[0]))
            if number == wanted:
                found.append(state)
                break
            action = gambito.search(game, state, "star1", depth=1, memory=1).action
            state = enter(game.result(state, action))
            if game.is_terminal(state):
                break
    return found


@native
def play_games(game, state, rng, games):
    """Play random games, and return the number of plies."""
    plies = 0
    for _ in range(games):
        plies += game.playout(state, rng, 100_000)[1]
    return plies


def _beside_openspiel(game: gambito.Game) -> list[Requirement]:
    """Compare random games, both in compiled code."""
    try:
        import pyspiel
    except ImportError:
        print("\nOpenSpiel is not installed: no comparison")
        return []
    inner, start = gears(game).in_gear("native"), gears(game).cast(game.initial())
    rng = new_random(SEED)
    play_games(inner, start, rng, 1)
    began = time.process_time()
    plies = play_games(inner, start, rng, GAMES)
    ours = GAMES / (time.process_time() - began)
    other = pyspiel.load_game("backgammon")
    bots = [pyspiel.make_uniform_random_bot(player, SEED) for player in range(2)]
    some = GAMES // 100
    began = time.process_time()
    for number in range(some):
        pyspiel.evaluate_bots(other.new_initial_state(), bots, number)
    theirs = some / (time.process_time() - began)
    print(f"\nrandom games a second: {ours:,.0f} of {plies / GAMES:.0f} plies; OpenSpiel {theirs:,.0f}")
    return [Requirement("random games a second, times OpenSpiel's", ours / theirs, least=20)]
