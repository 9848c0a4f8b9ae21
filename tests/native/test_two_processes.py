"""Every algorithm on small games in two fresh processes: the first compiles, the second finds it on disk.

The first also tells what it compiled, which is everything where no templates are used: a recursion with two
signatures crashes the second process, and a float among whole numbers means that somewhere `uint64` met
`int64`.
"""

from __future__ import annotations

import pytest

from tests.support import PLAYING

SEARCH = """
import contextlib, gc, json, sys
from numba import types
from numba.core.dispatcher import Dispatcher
import gambito
from gambito.game.perft import count_leaves
from gambito.native import native
from gambito.native.compiler.linking import without_templates
from gambito.native.compiler.types import ConstantType
from gambito.search.algorithm import find

spec, depth, names, way = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(","), sys.argv[4]
with without_templates() if way == "whole" else contextlib.nullcontext():
    answers = {"perft": gambito.perft(spec, depth=depth)}
    for name in names:
        small = {"memory": 1} if any(o.name == "memory" for o in find(name).options) else {}
        found = gambito.search(spec, algorithm=name, depth=depth, **small)
        assert found.gear == "native"
        answers[name] = [found.action, found.value, found.low, found.high]
        answers[name] += [found.line, found.nodes, found.evaluations]

gc.unfreeze()  # what was compiled before a search is out of the collector's sight
natives = [o for o in gc.get_objects() if isinstance(o, native)]
signatures = {n.name: len(n.dispatcher.overloads) for n in natives}

def holds_float(kind):
    if isinstance(kind, types.BaseTuple):
        return any(map(holds_float, kind.types))
    return isinstance(kind, types.Float) or isinstance(getattr(kind, "dtype", None), types.Float)

floats = []
dispatchers = [o for o in gc.get_objects() if isinstance(o, Dispatcher)]
for dispatcher in dispatchers:
    for compiled in dispatcher.overloads.values():
        typemap = getattr(compiled.type_annotation, "typemap", {})  # of loaded code it is a text
        floats += [f"{dispatcher.__name__}: {n}" for n, kind in typemap.items() if holds_float(kind)]

hits = sum(n.hits for n in natives)
print(json.dumps({"answers": answers, "signatures": signatures, "floats": floats, "hits": hits}))
"""

EVERY = ",".join(PLAYING)
FACTORS = {"engine: steepness"}  # floats that are meant: how fast reductions grow
GAMES = ["tic-tac-toe", "nim:heaps=1-2-2", "nim:heaps=2-2,misere=true", "connect-four:width=4,height=4"]
GAMES += ["uniform-tree:branching=3,depth=4"]


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["template", "whole"])
@pytest.mark.parametrize(
    ("spec", "names"),
    [
        pytest.param("tic-tac-toe", "alpha-beta,mtd-f", id="tic-tac-toe, some"),
        pytest.param("connect-four:width=4,height=4", "pvs", id="connect-four, some", marks=pytest.mark.slow),
        *(pytest.param(spec, EVERY, id=spec, marks=pytest.mark.slow) for spec in GAMES),
    ],
)
def test_a_first_and_a_second_process_answer_alike(fresh, spec, names, way):
    first, second = (fresh(SEARCH, spec, 4, names, way) for _ in range(2))
    assert second["answers"] == first["answers"]
    assert first["hits"] == 0
    assert second["hits"] > 0
    assert first["signatures"]["gambito.game.perft.count_leaves"] == (way == "whole")
    assert {name: count for name, count in first["signatures"].items() if count > 1} == {}
    assert set(first["floats"]) <= FACTORS


def test_the_look_for_floats_finds_one(fresh, tmp_path, take):
    merged = "heap = uint64(state >> 1) if state else 0\n        return heap == 0"
    rules = "from gambito import uint64\n" + take.replace("return state >> 1 == 0", merged)
    (tmp_path / "rules.py").write_text(rules)
    assert fresh(SEARCH, "rules.py", 3, "negamax", "template")["floats"]
