"""Make the templates of the package again: `make templates`.

Small games of every kind are searched by every algorithm. Each native function that is called is compiled for
all games of that kind, and then used. So a template exists for whatever these searches call.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

if (
    os.environ.get("PYTHONHASHSEED") != "0"
):  # Numba goes through sets of names, and the code is in their order
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
os.environ["GAMBITO_CACHE"] = tempfile.mkdtemp()  # nothing may be found that was compiled before
os.environ["GAMBITO_TABLES"] = os.path.join(os.environ["GAMBITO_CACHE"], "no-tables")

import gambito
from gambito.endgames.builder import Builder
from gambito.errors import GambitoError
from gambito.exports.module import ALGORITHMS, export_game
from gambito.game.check_gears import look, look_at_keys, new_seen
from gambito.game.contract import CHANCE
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.native.compiler import template_store, templates
from gambito.native.compiler.template_maker import Maker
from gambito.search.algorithm import AnytimeSearch, algorithms


class Heap(NamedTuple):
    left: int
    mover: int


class Take(gambito.Game):
    """Take one, two or three from a heap; who takes the last one wins."""

    longest = 9

    def initial(self):
        return Heap(9, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(state.left, 3) + 1):
            yield taken

    def result(self, state, action):
        return Heap(state.left - action, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return -1 if player == state.mover else 1


class TakeFloats(Take):
    """The same with values that are floats."""

    value, lowest, highest, step = float, -1.0, 1.0, 0.5

    def utility(self, state, player):
        return -1.0 if player == state.mover else 1.0


class Toss(TakeFloats):
    """The same, but a coin decides before every move whether the heap loses one more."""

    chance, longest, most_outcomes = True, 30, 2

    def player(self, state):
        return CHANCE if state.mover >= 2 else state.mover

    def actions(self, state):
        if state.mover >= 2:
            yield 0
            yield 1
        else:
            for taken in range(1, min(state.left, 3) + 1):
                yield taken

    def chances(self, state):
        yield 0, 0.5
        yield 1, 0.5

    def result(self, state, action):
        if state.mover >= 2:
            return Heap(max(state.left - action, 0), state.mover - 2)
        return Heap(state.left - action, 3 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return 1.0 if player == (state.mover & 1) else -1.0


class Alone(Toss):
    """The same for one player, who wants the heap to last."""

    players, zero_sum, lowest, highest = 1, False, 0.0, 40.0

    def player(self, state):
        return CHANCE if state.mover >= 2 else 0

    def result(self, state, action):
        if state.mover >= 2:
            return Heap(max(state.left - action, 0), 0)
        return Heap(state.left - action, 2)

    def utility(self, state, player):
        return 1.0


class Three(Take):
    """The same for three players: who takes the last one wins from both others."""

    players, lowest, highest = 3, -1, 2

    def result(self, state, action):
        return Heap(state.left - action, (state.mover + 1) % 3)

    def utility(self, state, player):
        return 2 if player == (state.mover + 2) % 3 else -1


class Secret(Toss):
    """The same, but only the second player sees the coin."""

    hidden, recalls = True, False

    def observe(self, state, player):
        return state

    def imagine(self, seen, player, rng):
        return Heap(seen.left, seen.mover + 0 * rng.below(2))


class Guess(TakeFloats):
    """A coin that only the first player sees, who says something; the second player guesses it."""

    hidden, chance, longest, most_outcomes = True, True, 3, 2

    def initial(self):
        return Heap(0, 0)

    def player(self, state):
        return CHANCE if state.mover == 0 else state.mover - 1

    def actions(self, state):
        yield 0
        yield 1

    def chances(self, state):
        yield 0, 0.5
        yield 1, 0.5

    def result(self, state, action):
        return Heap(state.left + (action << state.mover), state.mover + 1)

    def is_terminal(self, state):
        return state.mover == 3

    def utility(self, state, player):
        return 1.0 if player == (state.left ^ (state.left >> 2)) & 1 else -1.0

    def observe(self, state, player):
        return Heap(state.left & ~player, state.mover)

    def imagine(self, seen, player, rng):
        return Heap(seen.left | (rng.below(2) if player == 1 else 0), seen.mover)


class Place(NamedTuple):
    at: int


class Walk(Puzzle):
    """Walk along a line to its end."""

    symmetric, size = True, 8

    def initial(self):
        return Place(0)

    def actions(self, state):
        if state.at > 0:
            yield 0
        if state.at < 7:
            yield 1

    def result(self, state, action):
        return Place(state.at + 1 if action == 1 else state.at - 1)

    def is_goal(self, state):
        return state.at == 7

    def goal(self, state):
        return Place(7)

    def estimate(self, state):
        return 7 - state.at

    def index(self, state):
        return state.at

    def unindex(self, signature, number):
        return Place(number)


class WalkFloats(Walk):
    """The same with costs that are floats."""

    value = float

    def cost(self, state, action):
        return 1.5

    def estimate(self, state):
        return 1.0 * (7 - state.at)


GAMES = (Take, TakeFloats, Toss, Alone, Three, Secret, Guess, Walk, WalkFloats)
BUILT = (Take, TakeFloats, Walk)  # those with endgame tables
EXTRA: dict[str, list[dict[str, Any]]] = {
    "alpha-beta": [{"killers": True}],
    "engine": [{"threads": 2}],
    "mcts": [{"threads": 2, "parallel": "leaf"}],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=template_store.FOLDER, help="where the files are written"
    )
    parser.add_argument("--verbose", action="store_true", help="tell what has no template, and why")
    given = parser.parse_args()
    began, maker = time.process_time(), Maker()
    templates.way[0] = maker
    for kind in GAMES:
        game = kind()
        for name, algorithm in algorithms().items():
            for extra in ({}, *EXTRA.get(name, ())):
                limit = {"nodes": 200} if isinstance(algorithm, AnytimeSearch) else {"depth": 3}
                limit = {} if isinstance(game, Puzzle) else limit
                with contextlib.suppress(GambitoError):  # not every algorithm fits every game
                    gambito.search(game, algorithm=name, gear="native", **limit, **extra)
        if not isinstance(game, Puzzle):
            gambito.perft(game, depth=2)
            for name in ALGORITHMS:
                with contextlib.suppress(GambitoError):
                    export_game(game, [name])
        if type(game) in BUILT:
            Builder(game, gear="native").build("all")
        for function in (look, look_at_keys):
            function(gears(game).in_gear("native"), gears(game).cast(game.initial()), new_seen([]), 0, 1)
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    modules: dict[str, set[str]] = defaultdict(set)
    for name, text in maker.texts.items():
        is_rule = name.startswith("gambito.rule:")
        file = "rules" if is_rule else name.partition("(")[0].rpartition(".")[0].removeprefix("gambito.")
        texts[f"{file}.xz"][name] = text
        modules[f"{file}.xz"] |= maker.modules[name]
    template_store.write(given.folder, texts, modules)
    for name, cause in maker.refused.items() if given.verbose else ():
        print(f"no template: {name}: {cause}")
    size = sum(path.stat().st_size for path in given.folder.iterdir())
    print(f"{len(maker.texts)} templates, {size:,} bytes, {time.process_time() - began:.0f} s")


if __name__ == "__main__":
    main()
