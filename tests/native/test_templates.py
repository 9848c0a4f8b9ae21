"""Templates: fewer functions compiled, one module optimised, and the same answers as code that is compiled as
a whole."""

from __future__ import annotations

import functools
import json
import lzma
import subprocess
import sys
from collections import Counter
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from numba import types

import gambito
from gambito.game.gears import gears
from gambito.game.registry import game_classes
from gambito.native.compiler import contracts, template_store
from gambito.native.compiler.bridges import read_type
from gambito.native.compiler.joining import collected
from gambito.native.compiler.types import STATE
from gambito.search.algorithm import algorithms
from gambito.search.chooser import strongest

ROOT = Path(__file__).resolve().parent.parent.parent

# A small game as an author writes it, with rules in helpers and without hints.
DOMINEERING = """
from typing import NamedTuple

from gambito import Game
from gambito.native import uint64

SIZE = 5

class Board(NamedTuple):
    taken: uint64
    mover: int

class Domineering(Game):
    def initial(self):
        return Board(uint64(0), 0)

    def player(self, state):
        return state.mover

    def other_half(self, state, cell):
        return cell + SIZE if state.mover == 0 else cell + 1

    def fits(self, state, cell):
        other = self.other_half(state, cell)
        if other >= SIZE * SIZE or (state.mover == 1 and other % SIZE == 0):
            return False
        return state.taken & self.domino(cell, other) == uint64(0)

    def domino(self, cell, other):
        return (uint64(1) << uint64(cell)) | (uint64(1) << uint64(other))

    def actions(self, state):
        for cell in range(SIZE * SIZE):
            if self.fits(state, cell):
                yield cell

    def result(self, state, action):
        domino = self.domino(action, self.other_half(state, action))
        return Board(state.taken | domino, 1 - state.mover)

    def is_terminal(self, state):
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -1 if player == state.mover else 1
"""

# Searches a game by templates or as a whole; tells the answers, and what was compiled and optimised.
SEARCHES = """
import contextlib, json, sys
from numba.core import event
import gambito
from gambito.errors import SearchError
from gambito.native.compiler import emitting, templates
from gambito.native.compiler.linking import without_templates
from gambito.game.puzzle import Puzzle
from gambito.search.algorithm import AnytimeSearch, StrategySearch, algorithms, find

way, spec, names = sys.argv[1:]
compiled, modules, told = event.RecordingListener(), [], {}
event.register("numba:compile", compiled)
optimise, from_stock = emitting.optimise, templates.way[0]

def recorded(module, target):
    modules.append([f.name for f in module.functions if not f.is_declaration])
    optimise(module, target)

def noted(dispatcher, signature):
    found = from_stock(dispatcher, signature)
    told[dispatcher.py_func.__qualname__] = found is not None
    return found

emitting.optimise, templates.way[0] = recorded, noted
game, answers = gambito.load(spec), {}
with without_templates() if way == "whole" else contextlib.nullcontext():
    for name in names.split(",") if names else algorithms():
        small = {"memory": 1} if any(o.name == "memory" for o in find(name).options) else {}
        limit = {"depth": 3}  # no search may be limited by time: it would visit as many nodes as it can
        if isinstance(find(name), StrategySearch):
            limit = {"iterations": 3}
        elif isinstance(game, Puzzle) or isinstance(find(name), AnytimeSearch):
            limit = {"nodes": 300}
        try:
            found = gambito.search(game, algorithm=name, gear="native", **limit, **small)
            value = None if found.value is None else float(found.value)
            answers[name] = [found.nodes, found.evaluations, value, list(map(int, found.line))]
        except SearchError as problem:
            answers[name] = str(problem)
print(json.dumps({
    "answers": answers,
    "compiled": sum(e.is_start for _, e in compiled.buffer),
    "modules": modules,
    "templates": told,
}))
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(DOMINEERING)
    return f"{path}:Domineering"


@pytest.mark.parametrize(("name", "most"), [("alpha-beta", 15), ("engine", 25)])
def test_of_an_own_game_only_the_rules_are_compiled_and_one_module_is_optimised(fresh, own, name, most):
    found = fresh(SEARCHES, "template", own, name)
    assert found["templates"] and all(found["templates"].values())
    assert found["compiled"] <= most
    (bodies,) = found["modules"]
    assert len(bodies) == len(set(bodies)) > 4
    python = gambito.search(own, algorithm=name, depth=3, gear="python")
    assert found["answers"][name] == [python.nodes, python.evaluations, python.value, python.line]


def test_the_second_algorithm_of_a_game_finds_its_rules_on_disk(fresh, own, tmp_path):
    assert fresh(SEARCHES, "template", own, "negascout")["compiled"] > 2
    again = fresh(SEARCHES, "template", own, "alpha-beta")
    assert again["compiled"] == 0
    (kept,) = tmp_path.glob("cache/*/rules-*.data")
    kept.write_bytes(kept.read_bytes()[:-9])
    once_more = fresh(SEARCHES, "template", own, "pvs")
    assert once_more["compiled"] > 2
    assert once_more["answers"]["pvs"][2:] == again["answers"]["alpha-beta"][2:]


def test_a_file_that_is_imported_or_loaded_by_its_path_is_compiled_once(fresh, own, tmp_path):
    script = """
import json, sys
import gambito
if sys.argv[1] == "import":
    sys.path.insert(0, sys.argv[2].rpartition("/")[0])
    from own import Domineering
    game = Domineering()
else:
    game = gambito.load(sys.argv[2])
found = gambito.search(game, algorithm="alpha-beta", depth=3, gear="native")
print(json.dumps([type(game).__module__, "numba" in sys.modules, found.nodes]))
"""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    spec = str(Path(own.partition(":")[0]).rename(folder / "own.py")) + ":Domineering"
    loaded, imported = (fresh(script, way, spec) for way in ("load", "import"))
    assert loaded[0] != imported[0] == "own"
    assert (loaded[1], imported[1]) == (True, False) and loaded[2] == imported[2]


SAMPLES = {
    "tic-tac-toe": ["df-pn", "scout"],
    "pig": ["expectiminimax", "star1"],
    "sliding-tiles:width=3,height=2": ["a-star", "ida-star"],
}


@pytest.mark.parametrize("spec", SAMPLES)
def test_the_python_gear_visits_the_same_nodes(fresh, spec):
    names = {"tic-tac-toe": ["df-pn", "scout"], "pig": ["expectiminimax", "star1"]}.get(
        spec, ["a-star", "ida-star"]
    )
    found = fresh(SEARCHES, "template", spec, ",".join(names))
    assert all(found["templates"].values())
    game = gambito.load(spec)
    for name in names:
        limit = {"nodes": 300} if "tiles" in spec else {"depth": 3}
        python = gambito.search(game, algorithm=name, gear="python", **limit)
        assert found["answers"][name][:3] == [python.nodes, python.evaluations, python.value], name


GAMES = sorted(name for name in game_classes() if gears(gambito.load(name)).default() == "native")
APART = 4  # a fourth of the algorithms that fit a game is tried, and the one that plays it


@functools.cache
def chosen_algorithms() -> dict[str, list[str]]:
    """By game, those algorithms that were tried with the fewest games before it."""
    tried, chosen = Counter[str](), {}
    for spec in GAMES:
        game = gambito.load(spec)
        fitting = [name for name, algorithm in algorithms().items() if not algorithm.misfit(game)]
        part = sorted(fitting, key=lambda name: (tried[name], name))[: -(-len(fitting) // APART)]
        chosen[spec] = sorted({*part, strongest(game)})
        tried.update(chosen[spec])
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_templates_and_whole_compilation_visit_the_same_nodes(fresh, tmp_path, spec):
    names = ",".join(chosen_algorithms()[spec])
    by_template = fresh(SEARCHES, "template", spec, names)
    whole = fresh(SEARCHES, "whole", spec, names, cache=tmp_path / "whole")
    assert by_template["answers"] == whole["answers"]
    assert not whole["templates"]


def test_every_algorithm_is_compared_in_both_ways():
    assert {name for names in chosen_algorithms().values() for name in names} == set(algorithms())


@pytest.mark.slow
def test_every_option_of_the_engine_is_the_same_in_both_ways(fresh, own):
    techniques = """
import json, sys
import gambito
from gambito.native.compiler.linking import without_templates
from gambito.search.algorithm import find

game, found = gambito.load("breakthrough"), []
changes = {o.name: o.switched(o.default) for o in find("engine").options if o.switched(o.default) is not None}
for half in range(2):
    options = {n: v for k, (n, v) in enumerate(sorted(changes.items())) if k % 2 == half}
    by_template = gambito.search(game, algorithm="engine", depth=4, memory=1, **options)
    with without_templates():
        whole = gambito.search(gambito.load("breakthrough"), algorithm="engine", depth=4, memory=1, **options)
    found.append([[f.nodes, f.evaluations, int(f.value), f.line] for f in (by_template, whole)])
print(json.dumps(found))
"""
    for by_template, whole in fresh(techniques):
        assert by_template == whole


# ---- states of every kind ----------------------------------------------------------------------------

STATES = """
from typing import NamedTuple

import numpy as np

from gambito import Game
from gambito.native import uint64


class Heap(Game):
    def heap(self, state):
        return state >> 1

    def mover(self, state):
        return state & 1

    def initial(self):
        return 2 * 9

    def make(self, heap, mover):
        return 2 * heap + mover

    def player(self, state):
        return self.mover(state)

    def actions(self, state):
        for taken in range(1, 4):
            if taken <= self.heap(state):
                yield taken

    def result(self, state, action):
        return self.make(self.heap(state) - action, 1 - self.mover(state))

    def is_terminal(self, state):
        return self.heap(state) == 0

    def utility(self, state, player):
        return -1 if player == self.mover(state) else 1


class Small(NamedTuple):
    heap: np.int8
    is_second: bool


class Smalls(Heap):
    def initial(self):
        return Small(9, False)

    def heap(self, state):
        return int(state.heap)

    def mover(self, state):
        return 1 if state.is_second else 0

    def make(self, heap, mover):
        return Small(heap, mover == 1)


class Nested(NamedTuple):
    heap: tuple[int, bool]
    weight: float


class Nests(Heap):
    def initial(self):
        return Nested((9, False), 0.5)

    def heap(self, state):
        return state.heap[0]

    def mover(self, state):
        return 1 if state.heap[1] else 0

    def make(self, heap, mover):
        return Nested((heap, mover == 1), 0.5)


class Listed(NamedTuple):
    board: np.ndarray


class Arrays(Heap):
    def initial(self):
        return Listed(np.array([9, 0]))

    def heap(self, state):
        return state.board[0]

    def mover(self, state):
        return state.board[1]

    def make(self, heap, mover):
        return Listed(np.array([heap, mover]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Heap", "Smalls", "Nests", "Arrays"])
def test_states_of_every_kind_fit_templates_and_give_the_same_answers(fresh, tmp_path, name):
    path = tmp_path / "states.py"
    path.write_text(STATES)
    found = fresh(SEARCHES, "template", f"{path}:{name}", "alpha-beta,mcts")
    assert all(found["templates"].values())
    python = gambito.search(f"{path}:{name}", algorithm="alpha-beta", depth=3, gear="python")
    assert found["answers"]["alpha-beta"] == [python.nodes, python.evaluations, python.value, python.line]
    python = gambito.search(f"{path}:{name}", algorithm="mcts", nodes=300, gear="python", memory=1)
    assert found["answers"]["mcts"][0] == python.nodes
    assert found["answers"]["mcts"][3] == python.line


# ---- rules that raise --------------------------------------------------------------------------------

RAISING = """
from gambito import Game

class Rough(Game):
    def __init__(self, fault: str = "result"):
        self.fault = fault
        self.in_result = fault == "result"
        self.in_actions = fault == "actions"
        self.in_utility = fault == "utility"

    def initial(self):
        return 12

    def player(self, state):
        return state & 1

    def actions(self, state):
        yield 0
        if self.in_actions and state == 9:
            raise ValueError("no more actions", state)
        yield 1

    def result(self, state, action):
        if self.in_result and state == 9:
            raise ValueError("no result", state)
        return state - 1

    def is_terminal(self, state):
        return state == 8

    def utility(self, state, player):
        if self.in_utility and state == 8:
            raise ValueError("no utility", player)
        return 0
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("result", "('no result', 9)"),
        ("actions", "('no more actions', 9)"),
        ("utility", "('no utility', 0)"),
    ],
)
def test_what_rules_raise_is_heard_also_from_rules_on_disk(fresh, tmp_path, fault, told):
    path = tmp_path / "rough.py"
    path.write_text(RAISING)
    script = """
import json, sys
import gambito
heard = []
for name in sys.argv[2].split(","):
    try:
        gambito.search(sys.argv[1], algorithm=name, depth=6)
    except Exception as problem:
        while problem.__cause__ is not None:
            problem = problem.__cause__
        heard.append(str(problem.args))
print(json.dumps(heard))
"""
    spec = f"{path}:Rough:fault={fault}"
    for names in ("alpha-beta", "alpha-beta,minimax"):
        heard = fresh(script, spec, names)
        assert len(heard) == len(names.split(","))
        assert all(told.strip("()").split(",")[0] in text for text in heard), heard


# ---- the files ---------------------------------------------------------------------------------------


def test_the_templates_are_made_from_the_present_sources():
    assert template_store.files()
    stale = [file for file in template_store.files() if not template_store.is_current(file)]
    assert not stale, "run `make templates`"


def test_a_stale_template_is_not_used(fresh, own):
    begin = "game, answers ="
    forged = (
        "from gambito.native.compiler import template_store\ntemplate_store._source = lambda place: b''\n"
    )
    stale = SEARCHES.replace(begin, forged + begin)
    found = fresh(stale, "template", own, "alpha-beta")
    assert found["templates"] == {"alpha_beta": False}
    python = gambito.search(own, algorithm="alpha-beta", depth=3, gear="python")
    assert found["answers"]["alpha-beta"][:2] == [python.nodes, python.evaluations]


@pytest.mark.parametrize("text", ["", "[1]", '{"compiler": "another", "files": {}}'])
def test_an_index_that_cannot_be_used_counts_as_missing(monkeypatch, tmp_path, text):
    (tmp_path / template_store.INDEX).write_text(text)
    monkeypatch.setattr(template_store, "FOLDER", tmp_path)
    template_store.forget()
    try:
        assert template_store.find("gambito.search.classic.minimax.minimax") is None
        assert template_store.files() == []
    finally:
        monkeypatch.undo()
        template_store.forget()


MACHINE = ("target-cpu", "target triple", "inttoptr (i64", "llvm.x86")  # in the text of LLVM


def test_templates_are_small_and_tell_nothing_of_the_machine_that_made_them():
    total = 0
    for file in template_store.files():
        body = (template_store.FOLDER / file).read_bytes()
        total += len(body)
        for name, text in json.loads(lzma.decompress(body)).items():
            assert text.count("\n") < 30_000, name
            for word in (
                str(ROOT),
                "/home",
                "/root",
                "target-cpu",
                "target triple",
                "inttoptr (i64",
                "llvm.x86",
            ):
                assert word not in text, (name, word)
    assert total < 720_000


@pytest.mark.slow
def test_templates_are_made_the_same_each_time(tmp_path):
    made = tmp_path / "made"
    command = [sys.executable, str(ROOT / "tools" / "templates.py"), "--folder", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    for path in template_store.FOLDER.iterdir():
        assert (made / path.name).read_bytes() == path.read_bytes(), path.name


def test_types_are_read_as_they_are_written():
    for kind in (
        types.int64,
        types.boolean,
        STATE,
        types.CPointer(types.int64),
        types.Tuple((STATE, types.int64, types.boolean)),
    ):
        assert read_type(contracts.written(kind), {}) == kind
    with pytest.raises(TypeError):
        contracts.written(types.unicode_type)


def test_two_parts_of_a_games_rules_may_define_the_same_rule():
    text = 'define i64 @"gambito.rule:x"() { ret i64 1 }\n@"gambito.size:x" = constant i64 8\n'
    entry = collected("entry", llvm.parse_assembly("define void @entry() { ret void }"))
    for _ in range(2):
        entry.add_linking_library(collected("rules", llvm.parse_assembly(text)))
    module = entry._whole(is_entry=True)
    assert sum("rule:x" in function.name for function in module.functions) == 1
