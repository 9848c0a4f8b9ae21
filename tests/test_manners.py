"""A library call leaves the process as it was, and a game that is dropped leaves the memory."""

import copy
import gc
import pickle
import subprocess
import sys
import threading
import tracemalloc
import weakref

import pytest

import gambito
from gambito.game.gears import gears
from gambito.native.objects import _KNOWN
from gambito.search.thread import FRAMES, DeepThread

STATE = """
import gc, logging, os, signal, sys, threading, warnings

import pytest
import gambito

def process():
    return {
        "frozen": gc.get_freeze_count(), "collects": gc.isenabled(), "thresholds": gc.get_threshold(),
        "recursion": sys.getrecursionlimit(), "stack": threading.stack_size(),
        "switch": sys.getswitchinterval(), "threads": threading.active_count(),
        "filters": list(warnings.filters), "format": warnings.formatwarning, "path": list(sys.path),
        "handlers": list(logging.getLogger().handlers), "level": logging.getLogger().level,
        "environment": dict(os.environ), "folder": os.getcwd(), "hook": sys.excepthook,
        "signals": {s: signal.getsignal(s) for s in signal.valid_signals()},
    }

before = process()
gambito.search("tic-tac-toe", depth=2, gear="python")
gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=2, gear="native")
gambito.perft("nim", depth=2)
gambito.trace("tic-tac-toe", depth=2)
after = process()
print({name for name in before if before[name] != after[name]} or "unchanged")
"""


def test_library_calls_change_nothing_process_wide():
    done = subprocess.run([sys.executable, "-c", STATE], capture_output=True, text=True, timeout=300)
    assert done.stdout == "unchanged\n", done


def test_our_programs_take_compiled_code_out_of_the_collectors_sight():
    script = (
        "import gc\nfrom gambito.native import process\nprocess.settle(); print(gc.get_freeze_count())\n"
        "process.own(); process.settle(); print(gc.get_freeze_count() > 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\nTrue\n", done


def test_the_recursion_limit_is_put_back_when_the_last_search_ends():
    before, seen = sys.getrecursionlimit(), []
    go_on = threading.Event()
    slow = DeepThread(lambda: (go_on.wait(60), seen.append(sys.getrecursionlimit())))
    DeepThread(lambda: seen.append(sys.getrecursionlimit())).finish()
    assert seen == [FRAMES]
    go_on.set()
    slow.finish()
    assert seen == [FRAMES, FRAMES]
    assert sys.getrecursionlimit() == before


def use(spec: str) -> weakref.ref:
    """Load a game, put it in both gears, and search it in one of them."""
    game = gambito.load(spec)
    gears(game).cast(game.initial())
    gears(game).in_gear("native")
    gambito.search(game, depth=2, gear="python", algorithm="alpha-beta")
    return weakref.ref(game)


@pytest.mark.thorough
def test_five_hundred_games_leave_the_memory_flat():
    """Nothing of a game stays in memory but the name of its type."""
    use("uniform-tree:seed=1000")
    gc.collect()
    tracemalloc.start()
    before, known = tracemalloc.get_traced_memory()[0], len(_KNOWN)
    games = [use(f"uniform-tree:seed={seed}") for seed in range(500)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert not any(game() for game in games)
    assert len(_KNOWN) == known
    assert after - before < 500 * 600  # bytes; a game with its gears has more than 20,000


def test_a_game_that_was_compiled_is_dropped_too():
    game = gambito.load("nim")
    gambito.search(game, depth=2, algorithm="alpha-beta", gear="native")
    dropped = weakref.ref(game)
    del game
    gc.collect()
    assert dropped() is None


def test_what_was_compiled_for_a_game_serves_its_like():
    """The type outlives the object, so another object of the same rules can be compiled at any time."""
    first, second = gambito.load("nim"), gambito.load("nim")
    for game in (first, second):
        gears(game).in_gear("native")
    del game, second
    gc.collect()
    found = gambito.search(first, depth=3, algorithm="negamax", gear="native")
    assert found.action == gambito.search("nim", depth=3, algorithm="negamax", gear="python").action


def test_copies_of_a_game_have_gears_of_their_own():
    game = gambito.load("nim")
    own = gears(game)
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert gears(twin).game is twin and gears(twin) is not own
    assert gears(game) is own
