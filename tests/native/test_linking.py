"""Optimise once: one module for each entry, the same answers as Numba's own way, and that way if it fails."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from numba import njit
from numba.core import codegen, config

from gambito.native import Constant, linking, native
from gambito.native.linking import CompileWarning, separately
from tests.support import PLAYING


@njit
def tripled(x):
    """Compiled by another author: it is called from compiled code and from Python."""
    return 3 * x


class Heap:
    """Rules with a generator, with a function of another author, and with an error."""

    def actions(self, heap):
        for taken in range(1, 4):
            if taken <= heap:
                yield taken

    def worth(self, heap):
        if heap > 90:
            raise ValueError(heap)
        return tripled(heap)


def lines(game, heap):
    total = 0
    for taken in game.actions(heap):
        total += lines_below(game, heap - taken)
    return total + game.worth(heap)


@native
def lines_below(game, heap):
    total = game.worth(heap)
    for taken in game.actions(heap):
        total += lines_below(game, heap - taken)
    return total


def heap(key: str) -> Constant:
    return Constant(Heap(), "tests.Heap", key, {}, {})


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))


@pytest.fixture
def optimised(monkeypatch) -> list[list[str]]:
    """For each module that is optimised from now on, the functions with a body."""
    modules: list[list[str]] = []
    optimise = codegen.CPUCodeLibrary._optimize_final_module

    def recorded(library):
        modules.append([f.name for f in library._final_module.functions if not f.is_declaration])
        optimise(library)

    monkeypatch.setattr(codegen.CPUCodeLibrary, "_optimize_final_module", recorded)
    return modules


def test_a_function_and_all_that_it_calls_are_optimised_once(optimised):
    tripled(1)
    optimised.clear()
    count, game = native(lines), heap("once")
    assert count(game, 7) == lines(Heap(), 7)
    (bodies,) = optimised
    assert len(bodies) == len(set(bodies)) > 4
    assert lines_below(game, 6) == lines_below(Heap(), 6)  # it was only a part of the other
    assert tripled(2) == 6
    with pytest.raises(ValueError, match="92"):
        count(game, 93)
    assert len(optimised) == 2


def test_both_ways_give_the_same_and_keep_their_own_files(tmp_path, optimised):
    once, apart, again = native(lines), native(lines), native(lines)
    assert once(heap("both"), 7) == lines(Heap(), 7)
    count = len(optimised)
    with separately():
        assert apart(heap("both"), 7) == lines(Heap(), 7)
    assert len(optimised) > count + 1
    assert apart.cache.hits == 0
    assert len([*tmp_path.rglob("lines-*.code")]) == 2
    assert again(heap("both"), 7) == lines(Heap(), 7)
    assert again.cache.hits == 1


def test_the_optimisation_level_is_part_of_the_name_of_a_file(monkeypatch):
    context = lines_below.dispatcher.targetctx
    paths = []
    for level in ("0", "1", "3", "max"):
        monkeypatch.setattr(config, "OPT", config._OptLevel(level))
        paths += lines_below.cache.paths((), context, linking.ways())
    assert len(set(paths)) == 12


def test_what_cannot_be_linked_is_compiled_in_numbas_own_way_with_one_warning(monkeypatch):
    def fail(library):
        raise RuntimeError("no such symbol")

    monkeypatch.setattr(linking.Collected, "_emit", fail)
    count, game = native(lines), heap("fails")
    with pytest.warns(CompileWarning, match=r"one by one.*no such symbol") as told:
        assert count(game, 7) == lines(Heap(), 7)
    assert len(told) == 1
    with pytest.raises(ValueError, match="92"):
        count(game, 93)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = native(lines)
        assert again(game, 7) == lines(Heap(), 7)  # from disk
    assert again.cache.hits == 1


@pytest.mark.slow
def test_an_error_of_an_inner_function_is_heard_also_from_kept_code(fresh):
    script = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.native.test_linking import heap, lines_below
from gambito.native import native
from tests.native import test_linking
count, told = native(test_linking.lines), []
for function in (count, lines_below):
    try:
        function(heap("raises"), 92)
    except ValueError as problem:
        told.append(str(problem))
print(json.dumps([told, count.cache.hits]))
"""
    root = Path(__file__).resolve().parent.parent.parent
    assert fresh(script, root) == [["91", "92"], 0]
    assert fresh(script, root) == [["91", "92"], 1]


SEARCHES = """
import contextlib, json, sys
import gambito
from gambito.native.linking import separately
from gambito.search.algorithm import find

way, spec, names = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
found = {}
with separately() if way == "separate" else contextlib.nullcontext():
    for name in names:
        small = {"memory": 1} if any(o.name == "memory" for o in find(name).options) else {}
        limit = {"nodes": 300} if name == "mcts" else {"depth": 4}
        answer = gambito.search(spec, algorithm=name, **limit, **small)
        found[name] = [answer.nodes, answer.evaluations, answer.value, answer.line]
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four:width=4,height=4", "breakthrough"])
def test_both_ways_visit_the_same_nodes(fresh, spec):
    once, apart = (fresh(SEARCHES, way, spec, ",".join([*PLAYING, "mcts"])) for way in ("linked", "separate"))
    assert once == apart
