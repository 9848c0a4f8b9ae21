"""Tables are used only for the rules, the slice and the size that they were built for."""

import importlib
import json
import struct
import sys
import warnings
import zlib

import numpy as np
import pytest

import gambito
from gambito.endgames.builder import Builder, Slice
from gambito.endgames.files import MAGIC, TableFile, write_table
from gambito.endgames.folders import place_of
from gambito.endgames.tables import StaleTableWarning, Tables, TableSet, tables_of
from gambito.game.gears import gears
from gambito.memory.endgame_tables import NONE, Endings, value_at
from gambito.native.raw import words_at

RULES = """
from typing import NamedTuple
import gambito
from helping import sign

class Heap(NamedTuple):
    left: int
    mover: int

class TakeAway(gambito.Game):
    compiles = False
    def initial(self): return Heap(4, 0)
    def player(self, state): return state.mover
    def actions(self, state): return [n for n in (1, 2) if n <= state.left]
    def result(self, state, action): return Heap(state.left - action, 1 - state.mover)
    def is_terminal(self, state): return state.left == 0
    def utility(self, state, player): return sign(self, -1 if player == state.mover else 1)
    def evaluate(self, state, player): return 0
    def parse(self, text): return Heap(int(text), 0)
"""
HELP = """
class Sign:
    def of(self, value):
        return value

def sign(game, value):
    return Sign().of(value) * game.factor()
"""
TRAIT = "    def factor(self): return 1\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file of rules, and load it as a new process would."""
    monkeypatch.setenv("GAMBITO_TABLES", str(tmp_path / "tables"))

    def load(folder="one", rules=RULES + TRAIT, helping=HELP):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "rules.py").write_text(rules)
        (place / "helping.py").write_text(helping)
        for name, module in [*sys.modules.items()]:
            if name == "helping" or getattr(module, "__file__", None) == str(place / "rules.py"):
                del sys.modules[name]
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            importlib.invalidate_caches()
            return gambito.load(f"{place}/rules.py:TakeAway")
        finally:
            sys.dont_write_bytecode = before

    yield load
    sys.modules.pop("helping", None)


def build(game):
    TableSet(game).build("all", builder=Builder(game, gear="python"))


CHANGES = {
    "the rule": {"rules": (RULES + TRAIT).replace("-1 if player ==", "-1 if player !=")},
    "a rule that another reads": {"rules": RULES + TRAIT.replace("1", "-1")},
    "a method of a helper": {"helping": HELP.replace("return value\n", "return -value\n")},
    "a function of another file": {"helping": HELP.replace("Sign().of(value)", "-Sign().of(value)")},
    "a trait": {"rules": RULES + TRAIT + "    players = 2\n    zero_sum = True\n"},
    "the key": {"rules": RULES + TRAIT + "    def key(self, state): return 2 * state.left + state.mover\n"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_of_older_rules_is_not_used(write, change):
    game = write()
    build(game)
    assert Tables(game).known(game.initial()).outcome == "win"
    game = write(**CHANGES[change])
    with pytest.warns(StaleTableWarning, match="was built for other rules of take-away; `gambito endgame"):
        found = gambito.search(game, algorithm="engine", depth=9)
    truth = gambito.search(game, algorithm="minimax", depth=9)
    assert found.value == truth.value and tables_of(game) is None
    with pytest.raises(gambito.EndgameError, match="was built for other rules"):
        TableSet(game).load("all")
    build(game)
    assert not Tables(game).stale and tables_of(game).known(game.initial()) is not None


def test_what_decides_no_value_leaves_tables_alone(write):
    game = write()
    build(game)
    other = write(rules="# a comment\n" + (RULES + TRAIT).replace("player): return 0", "player): return 1"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tables_of(other).known(other.initial()).outcome == "win"


def test_two_files_with_the_same_class_have_their_own_tables(write):
    first = write("one")
    build(first)
    second = write("two", **CHANGES["the rule"])
    assert place_of(first) != place_of(second) and tables_of(second) is None
    build(second)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tables_of(first).known(first.initial()).outcome == "win"
        assert tables_of(second).known(second.initial()).outcome == "loss"


def test_a_table_serves_its_file_however_it_is_loaded_and_wherever_it_is(write, tmp_path, monkeypatch):
    loaded = write("one")
    build(loaded)
    monkeypatch.syspath_prepend(tmp_path / "one")
    monkeypatch.delitem(sys.modules, "rules", raising=False)
    imported = importlib.import_module("rules").TakeAway()
    monkeypatch.delitem(sys.modules, "rules")
    assert type(imported).__module__ != type(loaded).__module__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for game in (imported, write("two")):
            assert tables_of(game).known(game.initial()).outcome == "win"
            assert gambito.search(game, algorithm="engine", depth=2).exact


def rewritten(path, **facts):
    """A table with other facts, and right checksums."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, len(MAGIC))
    begin = len(MAGIC) + 4
    text = json.dumps({**json.loads(data[begin : begin + length]), **facts}, sort_keys=True).encode()
    file = TableFile(path)
    directory = data[begin + length : begin + length + file.directory.nbytes]
    head = MAGIC + struct.pack("<I", len(text)) + text + directory
    path.write_bytes(head + struct.pack("<I", zlib.crc32(head)) + data[file.start :])


def test_a_table_of_another_slice_or_size_is_refused(tmp_path):
    """A table of 100 values under the name of KQK: neither read, nor asked, nor built upon."""
    game = gambito.load("chess")
    shelf, rules = TableSet(game, tmp_path), gears(game).rules_digest
    code, metric = int(game.slice_code("KQK")), "end"
    small = Slice("KQK", code, metric, np.zeros(100, np.int16), 100)
    write_table(shelf.path("KQK"), "chess", rules, small)
    with pytest.raises(gambito.EndgameError, match="is not the table of slice KQK of chess"):
        shelf.load("KQK")
    assert not shelf.is_there("KQK", metric) and "KQK" in Tables(game, tmp_path, gear="python").stale
    size = int(game.slice_size(code))
    right = Slice("KQK", code, metric, np.zeros(size, np.int16), size)
    write_table(shelf.path("KQK"), "chess", rules, right)
    assert shelf.is_there("KQK", metric)
    for name, value in [("game", "draughts"), ("rules", "0"), ("name", "KRK"), ("code", code + 1)]:
        write_table(shelf.path("KQK"), "chess", rules, right)
        rewritten(shelf.path("KQK"), **{name: value})
        assert not shelf.is_there("KQK", metric), name
    for name, value in [("width", 3), ("size", -5), ("size", 1e9), ("size", 10**30), ("metric", "x")]:
        write_table(shelf.path("KQK"), "chess", rules, right)
        rewritten(shelf.path("KQK"), **{name: value})
        with pytest.raises(gambito.EndgameError, match="is damaged"):
            shelf.open("KQK")
    write_table(shelf.path("KXK"), "chess", rules, right)
    shelf.path("KQK").unlink()
    assert "KXK" in Tables(game, tmp_path, gear="python").stale


def test_no_number_is_read_outside_a_table(tmp_path):
    path = tmp_path / "all.table"
    write_table(path, "x", "y", Slice("all", 0, "end", np.arange(5, dtype=np.int16), 5))
    tables = Endings([TableFile(path).packed()], 1)
    root = words_at(tables.address)
    found = [int(value_at(root, 0, number)) for number in (-1, 0, 4, 5, 1 << 40)]
    assert found == [NONE, 0, 4, NONE, NONE]


def test_a_table_of_another_version_is_stale(tmp_path):
    game = gambito.load("nim:heaps=1-2")
    shelf = TableSet(game, tmp_path)
    shelf.build("all", builder=Builder(game, gear="python"))
    path = shelf.path("all")
    path.write_bytes(path.read_bytes().replace(MAGIC, MAGIC.replace(b"2\n", b"1\n")))
    with pytest.raises(gambito.EndgameError, match="of another version"):
        shelf.open("all")
    assert not shelf.is_there("all", "end")
