"""Optimise once: one module for each entry, the same answers as Numba's own way, and that way if it fails."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from numba import njit
from numba.core import config

from gambito.native import Constant, kinds, libraries, native
from gambito.native.compiler import emitting, linking
from gambito.native.compiler.linking import CompileWarning, separately
from gambito.native.entries import Entry
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
            raise ValueError("more than 90")
        return tripled(heap)


class Telling(Heap):
    """An error that tells a number, which only Numba can put together."""

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


def heap(key: str, kind: type[Heap] = Heap) -> Constant:
    return Constant(kind(), f"tests.{kind.__name__}", key, {}, {})


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))


@pytest.fixture
def optimised(monkeypatch) -> list[list[str]]:
    """For each module that is optimised from now on, the functions with a body."""
    modules: list[list[str]] = []
    optimise = emitting.optimise

    def recorded(module, target):
        modules.append([f.name for f in module.functions if not f.is_declaration])
        optimise(module, target)

    monkeypatch.setattr(emitting, "optimise", recorded)
    return modules


def test_a_function_and_all_that_it_calls_are_optimised_once(optimised):
    count, game = native(lines), heap("once")
    assert count(game, 7) == lines(Heap(), 7)
    (bodies,) = optimised
    assert len(bodies) == len(set(bodies)) > 4
    assert lines_below(game, 6) == lines_below(Heap(), 6)  # it was only a part of the other
    assert tripled(2) == 6
    with pytest.raises(ValueError, match="more than 90"):
        count(game, 93)
    assert len(optimised) == 2


@pytest.mark.parametrize("kind", [Heap, Telling])
def test_both_ways_give_the_same_and_keep_their_own_files(tmp_path, kind):
    once, apart, again = native(lines), native(lines), native(lines)
    assert once(heap("both", kind), 7) == lines(kind(), 7)
    with separately():
        assert apart(heap("both", kind), 7) == lines(kind(), 7)
    assert apart.hits == 0
    assert len([*tmp_path.rglob("lines-*.so")]) == (kind is Heap)
    assert len([*tmp_path.rglob("lines-*.code")]) == 1 + (kind is Telling)
    assert again(heap("both", kind), 7) == lines(kind(), 7)
    assert again.hits == 1
    for function in (once, apart, again):
        with pytest.raises(ValueError, match="more than 90" if kind is Heap else "92"):
            function(heap("both", kind), 93)


def test_the_optimisation_level_is_part_of_the_name_of_a_file(monkeypatch):
    names = set()
    for level in ("0", "1", "3", "max"):
        monkeypatch.setattr(config, "OPT", config._OptLevel(level))
        names.add(libraries.name_of("lines", "", (kinds.int64,)))
        names.update(
            lines_below.dispatcher._cache._names((), lines_below.dispatcher.targetctx, linking.ways())
        )
    assert len(names) == 12


def test_what_cannot_be_a_library_is_called_by_numba_with_one_warning(monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("no such pass")

    monkeypatch.setattr(emitting, "optimise", fail)
    count, game = native(lines), heap("no library")
    with pytest.warns(CompileWarning, match=r"no library.*no such pass") as told:
        assert count(game, 7) == lines(Heap(), 7)
    assert len(told) == 1
    monkeypatch.undo()  # the next one is not put off
    again = native(lines)
    assert again(game, 7) == lines(Heap(), 7) and isinstance(next(iter(again.entries.values())), Entry)


def test_what_cannot_be_linked_is_compiled_in_numbas_own_way_with_one_warning(monkeypatch):
    def fail(library):
        raise RuntimeError("no such symbol")

    monkeypatch.setattr(linking.CollectedLibrary, "_emit", fail)
    count, game = native(lines), heap("fails", Telling)
    with pytest.warns(CompileWarning, match=r"one by one.*no such symbol") as told:
        assert count(game, 7) == lines(Heap(), 7)
    assert len(told) == 1
    with pytest.raises(ValueError, match="92"):
        count(game, 93)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = native(lines)
        assert again(game, 7) == lines(Heap(), 7)  # from disk
    assert again.hits == 1


@pytest.mark.slow
def test_an_error_of_an_inner_function_is_heard_also_from_kept_code(fresh):
    script = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.native.test_linking import Heap, Telling, heap, lines_below
from gambito.native import native
from tests.native import test_linking
count, told = native(test_linking.lines), []
for kind in (Heap, Telling):
    for function in (count, lines_below):
        try:
            function(heap("raises", kind), 92)
        except ValueError as problem:
            told.append(str(problem))
print(json.dumps([told, count.hits]))
"""
    root = Path(__file__).resolve().parent.parent.parent
    told = ["more than 90", "more than 90", "91", "92"]
    assert fresh(script, root) == [told, 0]
    assert fresh(script, root) == [told, 2]


SEARCHES = """
import contextlib, json, sys
import gambito
from gambito.native.compiler.linking import separately
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
