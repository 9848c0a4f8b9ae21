"""Searches that go ahead of the compiler: the Python gear begins, compiled code takes over."""

from __future__ import annotations

import time
from concurrent.futures import Future

import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.endgames.tables import TableSet
from gambito.errors import SearchError
from gambito.native.functions import NotCompiled, is_finding
from gambito.search import background_compile, request, running
from tests.native.test_templates import DOMINEERING
from tests.support import on_the_clock

WHOLE = """
import json, sys, gambito
from gambito.search import background_compile
spec, name, seconds = sys.argv[1:]
stop = gambito.Stop()

def progress(now):
    if now.found is not None and now.found.gear == "native":
        stop.set()

found = gambito.search(
    spec, algorithm=name, seconds=float(seconds), gear="both", stop=stop, progress=progress
)
again = gambito.search(spec, algorithm=name, depth=3, gear="both")
print(json.dumps([found.gear, found.compile_seconds, found.depth, again.gear, "numba" in sys.modules]))
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(DOMINEERING)
    return f"{path}:Domineering"


@pytest.mark.parametrize("name", ["alpha-beta", "mcts"])
def test_compiled_code_takes_over_and_this_process_compiles_nothing(fresh, own, name):
    gear, compile_seconds, depth, later, has_numba = fresh(WHOLE, own, name, 100)
    assert (gear, later, has_numba) == ("native", "native", False)
    assert compile_seconds == 0 and depth > 1


def test_a_search_that_ends_sooner_is_answered_by_the_python_gear(fresh, own):
    gear, _, depth, _, has_numba = fresh(WHOLE, own, "alpha-beta", 0.05)
    assert (gear, has_numba) == ("python", False) and depth >= 1


class Held:
    """In place of a child process: a future that the test sets."""

    def __init__(self, monkeypatch):
        self.future, self.asked = Future(), []
        monkeypatch.setattr(request.background_compile, "child", self.child)
        monkeypatch.setattr(running, "_WARM", set())
        monkeypatch.setattr(running.Runner, "_warm_up", self.warm_up)

    def child(self, mark, compile, *args):
        self.asked.append(args)
        return self.future

    def warm_up(self, question):
        if is_finding():
            raise NotCompiled
        return 0.0


@pytest.mark.parametrize("name", ["alpha-beta", "engine", "mcts", "max-n"])
def test_the_answer_is_that_of_the_native_gear(monkeypatch, name):
    limit = {"nodes": 3000} if name == "mcts" else {"depth": 5}
    native = gambito.search("tic-tac-toe", algorithm=name, gear="native", **limit)
    held = Held(monkeypatch)
    held.future.set_result(None)
    found = gambito.search("tic-tac-toe", algorithm=name, gear="both", **limit)
    assert [(spec, algorithm) for spec, _, algorithm, _ in held.asked] == [("tic-tac-toe", name)]
    assert found.action == native.action or name == "mcts"
    assert found.gear in ("native", "python")  # the Python gear may be quicker


def test_iterations_go_on_where_they_were(monkeypatch):
    held, depths = Held(monkeypatch), []

    def progress(now):
        depths.append(now.depth)
        if now.depth >= 3 and not held.future.done():
            held.future.set_result(None)

    found = gambito.search("connect-four", algorithm="alpha-beta", seconds=3, gear="both", progress=progress)
    assert found.gear == "native" and found.depth > 8
    assert depths == sorted(depths)


@pytest.mark.parametrize("given", [{"threads": 2}, {"endings": True}])
def test_nobody_waits_for_the_compiler_with_threads_or_tables(monkeypatch, tmp_path, given):
    monkeypatch.setenv("GAMBITO_TABLES", str(tmp_path))
    game = gambito.load("tic-tac-toe")
    TableSet(game).build("all", builder=Builder(game, gear="python"))
    held, stop = Held(monkeypatch), gambito.Stop()
    given = {"stop": stop, "progress": lambda now: stop.set(), "seconds": 60, "gear": "both", **given}
    found = gambito.search("tic-tac-toe", algorithm="engine", **given)
    assert found.gear == "python" and found.action is not None
    held.future.set_result(None)
    given = {**given, "stop": None, "progress": None, "seconds": None, "depth": 9}
    assert gambito.search("tic-tac-toe", algorithm="engine", **given).value == 0


def test_if_the_child_fails_the_python_gear_goes_on(monkeypatch):
    held = Held(monkeypatch)
    held.future.set_exception(OSError("no process"))
    found = gambito.search("tic-tac-toe", algorithm="alpha-beta", seconds=0.3, gear="both")
    assert found.gear == "python" and found.action is not None


@on_the_clock
def test_a_stop_counts_in_both_gears(monkeypatch):
    gambito.search("connect-four", algorithm="alpha-beta", depth=1)  # compiles it, if need be
    held = Held(monkeypatch)
    held.future.set_result(None)
    began = time.monotonic()
    gambito.search("connect-four", algorithm="alpha-beta", seconds=0.2, gear="both")
    assert time.monotonic() - began < 5
    stop = gambito.Stop()
    stop.set()
    found = gambito.search("connect-four", algorithm="alpha-beta", gear="both", seconds=60, stop=stop)
    assert found.action is not None


def test_a_game_that_only_this_process_knows_is_compiled_here():
    class Local(type(gambito.load("tic-tac-toe"))):
        """A class that is in no file by its own name."""

    assert gambito.search(Local(), algorithm="alpha-beta", depth=2, gear="both").gear == "native"


def test_programs_that_people_wait_for_go_ahead_by_default(monkeypatch):
    monkeypatch.setattr(background_compile, "_usual", [False])
    held = Held(monkeypatch)
    gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=2)
    assert not held.asked
    background_compile.enable()
    gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=2)
    assert len(held.asked) == 1
    gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=2, gear="native")
    assert len(held.asked) == 1


def test_an_unknown_gear_is_refused():
    with pytest.raises(SearchError, match="both"):
        gambito.search("tic-tac-toe", gear="third")
    with pytest.raises(SearchError, match=r"accepted: native, python$"):
        gambito.perft("tic-tac-toe", depth=1, gear="both")
