"""The digest of what compiled code depends on: it changes when the code's meaning may, and only then."""

from __future__ import annotations

import re
import sys
import types

import numpy as np
import pytest
from numba import njit

import gambito
from gambito.game.gears import gears
from gambito.native import native
from gambito.native.digest import class_items, digest, lasting_digest
from gambito.native.trees import tree_of

# A rule that reaches most kinds of things; `deeper` is a helper's helper in another file.
RULE = """
import numpy as np
import helpers
from enum import IntEnum
from helpers import scale, TABLE as table

LIMIT = 5
PAIR = (1, (2, 3))
BOARD = np.array([1, 2, 3])
WORDS = {"a": 1}

class Piece(IntEnum):
    KING = 1
    PAWN = 2

def near(x, by=2):
    return x + by

def outer(step):
    def inner(x):
        return x + step
    return inner

stepping = outer(4)

def rule(x):
    squares = [y * 7 for y in range(x)]
    if np.sum(BOARD) > LIMIT and PAIR[0]:
        return near(x) + helpers.scale(x) + stepping(x) + Piece.KING + len(squares)
    return scale(x) + table[0] + helpers.deeper.FACTOR
"""
HELPERS = """
import deeper

TABLE = (1, 2)

def scale(x):
    return deeper.twice(x)
"""
DEEPER = """
FACTOR = 2

def twice(x):
    return FACTOR * x
"""


@pytest.fixture
def rule_of(monkeypatch):
    """The rule, from changed texts of the three files."""

    def made(rule: str = RULE, helpers: str = HELPERS, deeper: str = DEEPER) -> types.FunctionType:
        for name, text in (("deeper", deeper), ("helpers", helpers), ("rules", rule)):
            module = types.ModuleType(name)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(text, f"{name}.py", "exec", dont_inherit=True), vars(module))
        return module.rule

    return made


CHANGES = [
    ("rule", "LIMIT = 5", "LIMIT = 6"),
    ("rule", "LIMIT = 5", "LIMIT = 5.0"),
    ("rule", "LIMIT = 5", "LIMIT = True"),
    ("rule", "(2, 3)", "(2, 4)"),
    ("rule", "(2, 3)", "[2, 3]"),
    ("rule", "np.array([1, 2, 3])", "np.array([1, 2, 4])"),
    ("rule", "np.array([1, 2, 3])", "np.array([1, 2, 3], np.int32)"),
    ("rule", "np.array([1, 2, 3])", "np.array([[1, 2, 3]])"),
    ("rule", "by=2", "by=3"),
    ("rule", "x + by", "x - by"),
    ("rule", "outer(4)", "outer(5)"),
    ("rule", "x + step", "x - step"),
    ("rule", "KING = 1", "KING = 3"),
    ("rule", "y * 7", "y * 8"),
    ("rule", "np.sum", "np.max"),
    ("rule", "> LIMIT", ">= LIMIT"),
    ("helpers", "TABLE = (1, 2)", "TABLE = (3, 2)"),
    ("helpers", "twice(x)", "twice(x + 1)"),
    ("deeper", "FACTOR = 2", "FACTOR = 3"),
    ("deeper", "FACTOR * x", "FACTOR + x"),
]


@pytest.mark.parametrize(("file", "old", "new"), CHANGES)
def test_it_changes_with(rule_of, file, old, new):
    texts = {"rule": RULE, "helpers": HELPERS, "deeper": DEEPER}
    before = digest(rule_of())
    assert old in texts[file]
    assert digest(rule_of(**{file: texts[file].replace(old, new)})) != before
    assert digest(rule_of()) == before


NO_CHANGES = [
    ("LIMIT = 5", "\n\n# a comment\nLIMIT = 5  # another"),
    ("def rule(x):", 'def rule(x):\n    """Words."""'),
    ("def near(x, by=2):", 'def near(x, by=2):\n    """Words."""'),
    ("x + by", "(x +\n  by)"),
    ('WORDS = {"a": 1}', "WORDS = 3"),
    ("PAWN = 2", "PAWN = 2\n    def name_of(self): return 1"),
    ("def outer(step):", "def unused(): return 3\n\ndef outer(step):"),
]


@pytest.mark.parametrize(("old", "new"), NO_CHANGES)
def test_it_does_not_change_with(rule_of, old, new):
    assert old in RULE
    assert digest(rule_of(RULE.replace(old, new))) == digest(rule_of())


# ---- for what is kept for years ----------------------------------------------------------------------


@pytest.fixture
def lasting(tmp_path):
    """The lasting digest of the rule, from changed texts of the three files under any names of modules."""

    def made(rule: str = RULE, helpers: str = HELPERS, deeper: str = DEEPER, prefix: str = "") -> str:
        texts = {"deeper": deeper, "helpers": helpers, "rules": rule}
        with pytest.MonkeyPatch.context() as patch:
            for name, text in texts.items():
                path = tmp_path / f"{name}.py"
                path.write_text(text)
                module = types.ModuleType(prefix + name)
                module.__file__ = str(path)
                patch.setitem(sys.modules, name, module)
                exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
            return lasting_digest(["rule"], {"rule": module.rule, "other": 3})

    return made


@pytest.mark.parametrize(("file", "old", "new"), CHANGES)
def test_the_lasting_one_changes_with(lasting, file, old, new):
    texts = {"rule": RULE, "helpers": HELPERS, "deeper": DEEPER}
    before = lasting()
    assert lasting(**{file: texts[file].replace(old, new)}) != before
    assert lasting() == before


@pytest.mark.parametrize(("old", "new"), NO_CHANGES)
def test_the_lasting_one_does_not_change_with(lasting, old, new):
    assert lasting(RULE.replace(old, new)) == lasting()


def test_the_lasting_one_does_not_depend_on_the_name_of_a_module_or_on_python(lasting):
    """The number was computed with Python 3.11, 3.12 and 3.13, whose bytecode differs."""
    assert lasting() == lasting(prefix="other_") == "b94ab528fb2177d9c84e"


def test_a_source_that_is_not_what_runs_does_not_count(tmp_path):
    path = tmp_path / "later.py"
    path.write_text("def rule(x):\n    return x + 1\n")
    module = types.ModuleType("later")
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), vars(module))
    assert tree_of(module.rule) is not None
    path.write_text("def rule(x):\n    return x + 22\n")
    assert tree_of(module.rule) is None


def test_two_functions_on_one_line_are_not_mixed_up(tmp_path):
    path = tmp_path / "pair.py"
    path.write_text("one, two = lambda x: x + 1, lambda x: x + 2\n")
    module = types.ModuleType("pair")
    exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), vars(module))
    digests = {lasting_digest(["rule"], {"rule": rule}) for rule in (module.one, module.two)}
    assert len(digests) == 2


# ---- what it covers ------------------------------------------------------------------------------------


def test_it_is_the_same_in_two_processes(rule_of, tmp_path, fresh):
    for name, text in (("rules", RULE), ("helpers", HELPERS), ("deeper", DEEPER)):
        (tmp_path / f"{name}.py").write_text(text)
    script = """
import sys, json
sys.path.insert(0, ".")
from rules import rule
from gambito.native.digest import digest
print(json.dumps(digest(rule, {"a", "b", "c"}, {"x": 1}, print, int)))
"""
    here = digest(rule_of(), {"a", "b", "c"}, {"x": 1}, print, int)
    assert fresh(script) == here


def test_what_helpers_remember_does_not_count():
    """A rule may reach objects with caches, such as patterns of the standard library or Gambito's gears."""

    def rule(text):
        return re.compile(text), gears(text)

    before = digest(rule)
    re.compile("never seen before")
    gears(gambito.load("nim"))
    assert digest(rule) == before


def test_a_module_in_a_closure(rule_of):
    """A game defined inside a function reaches its helpers through the function's own imports."""
    text = "def make():\n    import helpers\n    def rule(x):\n        return helpers.scale(x)\n"
    text += "    return rule\nrule = make()\n"
    before = digest(rule_of(text))
    assert digest(rule_of(text, deeper=DEEPER.replace("FACTOR = 2", "FACTOR = 3"))) != before


def test_a_module_that_is_handed_on(tmp_path, monkeypatch):
    """It is unknown which part is used, so the whole file counts."""
    (tmp_path / "handed.py").write_text("A = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("handed")
    before = digest(module)
    (tmp_path / "handed.py").write_text("A = 2\n")
    assert digest(module) != before
    assert digest(np) == digest(np)


def test_decorated_helpers_count_as_themselves():
    def one(x):
        return x + 1

    def two(x):
        return x + 2

    assert digest(native(one)) != digest(native(two))
    assert digest(njit(one)) != digest(njit(two))
    assert digest(njit(one)) != digest(njit(fastmath=True)(one))
    assert digest(staticmethod(one)) != digest(staticmethod(two))
    assert digest(property(one)) != digest(property(two))


def test_functions_that_reach_themselves_and_each_other(rule_of):
    text = "def rule(n): return other(n - 1) if n else 1\ndef other(n): return rule(n - 1) if n else {}\n"
    assert digest(rule_of(text.format(2))) != digest(rule_of(text.format(3)))


def test_an_unknown_object_is_not_taken_for_another():
    class Thing:
        pass

    assert digest(Thing()) != digest(Thing())


def test_class_items_are_those_of_all_bases_but_one_and_its_own():
    class Part:
        kept_out_too = 0

    class Stop(Part):
        kept_out = 1

    class Mixin:
        mixed = 2
        rule = 3

    class Low(Stop, Mixin):
        rule = 1
        own = 4

    assert dict(class_items(Low, Stop)) == {"mixed": 2, "rule": 1, "own": 4}
