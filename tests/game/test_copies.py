"""Games and states are pickled and copied, also into another process, and a file is loaded as one module."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

import gambito
from gambito.game.gears import gears
from gambito.game.registry import game_classes
from tests.support import run

WAYS = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "copy": copy.copy, "deep": copy.deepcopy}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", game_classes())
def test_built_in_games_and_their_states(name, way):
    game, made = gambito.load(name), WAYS[way]
    if game.compiles:
        gears(game).in_gear("native")  # what belongs to the compiler is not copied
    again, state = made(game), made(game.initial())
    assert type(again) is type(game) and again is not game and again.label() == game.label()
    assert not [n for n in vars(again) if n.startswith("_gambito_")]
    assert game.text(state) == again.text(again.initial()) == game.text(game.initial())
    assert again.legal(again.initial()) == game.legal(game.initial())
    if game.compiles:
        assert type(state) is type(game.initial()) and again.key(state) == game.key(game.initial())
        assert gears(again).in_gear("native").identity == gears(game).in_gear("native").identity
    if game.player(game.initial()) >= 0 and not game.is_terminal(game.initial()):
        assert again.evaluate(again.initial(), 0) == game.evaluate(game.initial(), 0)


RULES = """
from typing import NamedTuple
import numpy as np
from gambito import Game

class Heap(NamedTuple):
    left: np.uint64
    mover: int

class {kind}:
    def __init__(self, heap: int = 5):
        self.heap = heap
    def initial(self):
        return Heap(self.heap, 0)
    def player(self, state):
        return state.mover
    def actions(self, state):
        for taken in range(1, 3):
            if taken <= state.left:
                yield taken
    def result(self, state, action):
        return Heap(state.left - np.uint64(action), 1 - state.mover)
    def is_terminal(self, state):
        return state.left == np.uint64(0)
    def utility(self, state, player):
        return -1 if player == state.mover else 1
"""
CHILD = """
import pickle, sys
for game, state, found in pickle.load(open(sys.argv[1], "rb")):
    import gambito
    assert gambito.perft(game, state, 3, gear="python") == 8, game
    assert gambito.search(game, state, "minimax", depth=5, gear="python").value == found.value
    assert type(state) is type(game.initial()) and game.heap == 6
print("done")
"""


def test_games_of_a_file_reach_another_process(tmp_path):
    """The process is as `spawn` starts it: it has imported nothing before it reads the objects."""
    things = []
    for file, kind in (("take.py", "Take(Game)"), ("bare.py", "Bare")):
        (tmp_path / file).write_text(RULES.format(kind=kind))
        game = gambito.load(f"{tmp_path / file}:{kind.removesuffix('(Game)')}:heap=6")
        found = gambito.search(game, algorithm="minimax", depth=5, gear="python")
        things.append((game, game.initial(), found))
        for made in WAYS.values():
            again = made(game)
            assert type(again).__name__ == type(game).__name__ and again.initial() == game.initial()
            assert made(game.initial()) == game.initial()
    (tmp_path / "things").write_bytes(pickle.dumps(things))
    done = run(sys.executable, "-c", CHILD, str(tmp_path / "things"))
    assert done.stdout == "done\n", done.stderr


SPAWN = """
import multiprocessing, sys
import gambito

if __name__ == "__main__":
    games = [gambito.load(spec) for spec in sys.argv[1:]]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        work = [(game, game.initial(), 2, "python") for game in games]
        assert pool.starmap(gambito.perft, work) == [gambito.perft(*one) for one in work]
    print("done")
"""


@pytest.mark.slow
def test_every_game_reaches_a_spawned_process(tmp_path):
    (tmp_path / "take.py").write_text(RULES.format(kind="Take(Game)"))
    (tmp_path / "script.py").write_text(SPAWN)
    specs = [*game_classes(), str(tmp_path / "take.py")]
    done = run(sys.executable, str(tmp_path / "script.py"), *specs)
    assert done.stdout == "done\n", done.stderr


def test_a_class_that_is_imported_and_the_same_loaded_by_its_path_are_one(tmp_path, monkeypatch):
    (tmp_path / "taken_once.py").write_text(RULES.format(kind="Take(Game)"))
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("taken_once")
    game = gambito.load(f"{tmp_path / 'taken_once.py'}:Take")
    assert type(game) is module.Take
    one, other = gears(module.Take()).in_gear("native"), gears(game).in_gear("native")
    assert one.identity == other.identity
    assert "taken_once" in one.label
    del sys.modules["taken_once"]


def test_a_file_with_the_name_of_another_module_has_its_own(tmp_path):
    (tmp_path / "json.py").write_text(RULES.format(kind="Take(Game)"))
    assert gambito.load(str(tmp_path / "json.py")).heap == 5
    assert "loads" in vars(sys.modules["json"])
