"""Machine code as libraries: linked without a C compiler, called without Numba, refused if it is not ours."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import struct
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gambito.native import Constant, Handle, Memory, elf, functions, kinds, libraries, native
from gambito.native.elf import LinkError
from gambito.native.entries import Entry, held, kind_of

# ---- the linker ------------------------------------------------------------------------------------------

CODE = """
@table = internal constant [4 x i64] [i64 3, i64 5, i64 7, i64 11]
@count = internal global i64 0
@places = internal global [2 x ptr] [ptr @count, ptr @twice]
declare double @log(double)
declare ptr @malloc(i64)

define internal i64 @twice(i64 %x) noinline {
  %y = mul i64 %x, 2
  ret i64 %y
}

define i64 @entry(i64 %place, double %x) {
  %at = getelementptr [4 x i64], ptr @table, i64 0, i64 %place
  %found = load i64, ptr %at
  %call = getelementptr [2 x ptr], ptr @places, i64 0, i64 1
  %function = load volatile ptr, ptr %call
  %doubled = call i64 %function(i64 %found)
  %before = load i64, ptr @count
  %more = add i64 %before, 1
  store i64 %more, ptr @count
  %ln = call double @log(double %x)
  %whole = fptosi double %ln to i64
  %one = add i64 %doubled, %more
  %sum = add i64 %one, %whole
  ret i64 %sum
}
"""


@functools.cache
def object_of(text: str) -> bytes:
    from gambito.native.compiler.emitting import _target, host

    return _target(host()).emit_object(llvm.parse_assembly(text))


@pytest.fixture(scope="module")
def code() -> bytes:
    return object_of(CODE)


def test_a_linked_library_computes(code, tmp_path):
    path = tmp_path / "made.so"
    path.write_bytes(elf.link(code, "entry"))
    function = ctypes.CDLL(str(path))["entry"]
    function.restype, function.argtypes = ctypes.c_int64, [ctypes.c_int64, ctypes.c_double]
    assert [function(place, 8.0) for place in (0, 1, 2, 3)] == [6 + 1 + 2, 10 + 2 + 2, 14 + 3 + 2, 22 + 4 + 2]


def test_what_the_system_does_not_give_is_refused():
    text = CODE.replace("@log", "@PyErr_Occurred")
    with pytest.raises(LinkError, match="PyErr_Occurred"):
        elf.link(object_of(text), "entry")


def test_a_variable_that_others_may_change_is_refused():
    """Numba keeps addresses of this process in such ones."""
    with pytest.raises(LinkError, match="count"):
        elf.link(object_of(CODE.replace("@count = internal", "@count =")), "entry")


@pytest.mark.parametrize("text", [b"", b"\x7fELF", b"MZ" + bytes(100), bytes(1000)])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(LinkError):
        elf.link(text, "entry")


def test_a_function_that_is_not_there(code):
    with pytest.raises(LinkError, match="other is not in the object"):
        elf.link(code, "other")


@given(places=st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=4))
@settings(max_examples=300)
def test_a_spoilt_object_is_linked_or_refused(places):
    text = bytearray(object_of(CODE))
    for place, byte in places:
        text[place % len(text)] = byte
    with contextlib.suppress(LinkError):
        elf.link(bytes(text), "entry")


# ---- calls -----------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    bits: np.uint64
    count: int


class Board(NamedTuple):
    pair: Pair
    small: np.int8
    is_over: bool
    worth: float
    narrow: np.float32


class Numbers(Handle):
    arrays = {"words": np.int64, "bytes": np.uint8}  # noqa: RUF012


class Echo:
    def __init__(self):
        self.weights = Memory(np.array([2, 3, 5], np.int32))

    def weigh(self, place):
        return self.weights[place]


def echo(key: str = "1") -> Constant:
    return Constant(Echo(), "tests.Echo", key, {}, {})


@native
def same(game, value):
    return value


@native
def nothing(game, value):
    pass


@native
def read(game, numbers, array, place):
    numbers.words[0] += 1
    return game.weigh(place) + numbers.words[0] + numbers.bytes[1] + array[place, 1] + array.size, place > 0


@native
def refuse(game, number):
    if number > 3:
        raise KeyError("too many", 7)
    return number


BOARD = Board(Pair(np.uint64(7), 8), np.int8(-1), True, 2.5, np.float32(0.5))
VALUES = [
    (3, int), (-(1 << 63), int), (True, bool), (0.5, float), (np.uint64((1 << 64) - 1), int),
    (np.int8(-3), int), (np.float32(0.25), float), ((), tuple), ((1, 2.5), tuple),
    (Pair(np.uint64(1 << 63), -4), Pair), (BOARD, Board), ((True, (np.uint8(255),)), tuple),
]  # fmt: skip


@pytest.mark.parametrize(("value", "kind"), VALUES)
def test_values_go_in_and_come_out(value, kind):
    answer = same(echo(), value)
    assert answer == value and type(answer) is kind
    assert isinstance(next(reversed(same.entries.values())), Entry)
    if isinstance(value, tuple):
        assert list(map(type, answer)) == list(map(type, value))


def test_handles_memories_and_arrays():
    numbers = Numbers(words=np.array([10], np.int64), bytes=np.array([0, 200], np.uint8))
    array = np.arange(6, dtype=np.int16).reshape(3, 2)
    assert read(echo(), numbers, array, 2) == (5 + 11 + 200 + 5 + 6, True)
    assert read(echo(), numbers, array[::-1], 0) == (2 + 12 + 200 + 5 + 6, False)
    assert read(echo(), numbers, array.astype(np.float64), 0) == (2 + 13 + 200 + 1.0 + 6, False)
    assert numbers.words[0] == 13
    assert {type(entry) for entry in read.entries.values()} == {Entry}


def test_nothing_comes_back():
    assert nothing(echo(), 3) is None and nothing(echo(), None) is None


def test_an_error_names_the_line_of_the_rule(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))  # where no code is kept that names another line
    function = native(refuse.plain)
    assert function(echo(), 3) == 3
    with pytest.raises(KeyError) as raised:
        function(echo(), 4)
    assert raised.value.args == ("too many", 7)
    last = raised.traceback[-1]
    assert last.name == "refuse" and str(last.path) == __file__ and "raise KeyError" in str(last.statement)


def test_a_number_that_does_not_fit_is_refused():
    assert same(echo(), 3) == 3 and same(echo(), 1 << 63) == 1 << 63 and same(echo(), -3) == -3
    for number in (1 << 64, -(1 << 63) - 1):
        with pytest.raises(OverflowError):
            same(echo(), number)


SCALARS = ("int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "bool")
PARTS = st.recursive(
    st.sampled_from([kinds.Number(name) for name in SCALARS]),
    lambda parts: st.lists(parts, max_size=4).map(kinds.Tuple),
    max_leaves=8,
)


@given(PARTS)
def test_a_value_lies_in_memory_as_numba_lays_it(kind):
    from numba.core.registry import cpu_target

    from gambito.native.compiler.types import kind_of_type, numba_type

    context = cpu_target.target_context
    shape = context.get_value_type(numba_type(kind))
    assert ctypes.sizeof(held(kind)) == context.get_abi_sizeof(shape)
    assert kind_of_type(numba_type(kind)) == kind
    assert kinds.from_json(json.loads(json.dumps(kinds.to_json(kind))), ()) == kind


@example("01")
@given(st.recursive(st.none() | st.text() | st.integers(), lambda facts: st.lists(facts), max_leaves=6))
def test_a_description_is_read_or_refused(facts):
    with contextlib.suppress(ValueError):
        kinds.from_json(facts, ())


def test_a_class_is_found_near_or_imported():
    facts = kinds.to_json(kind_of(Pair(np.uint64(1), 2)))
    assert kinds.from_json(facts, ()).cls is Pair
    with pytest.raises(ValueError, match="is not known here"):
        kinds.from_json(["nowhere", "Pair", "int64"], ())
    with pytest.raises(ValueError, match="not a NamedTuple"):
        kinds.from_json(["os", "system"], ())


# ---- without Numba ---------------------------------------------------------------------------------------


def test_nothing_that_is_compiled_needs_numba(fresh):
    """The first process compiles; the second one finds everything, and Numba is never loaded."""
    script = """
import json, sys
import gambito
found = gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=4)
print(json.dumps([found.nodes, found.value, "numba" in sys.modules, "llvmlite" in sys.modules]))
"""
    first, second = fresh(script), fresh(script)
    assert first[2:] == [True, True] and second[2:] == [False, False]
    assert first[:2] == second[:2]


def test_a_program_starts_without_numba(fresh):
    modules = "gambito, gambito.cli.main, gambito.web.app, gambito.learn.train, gambito.jobs.executor"
    script = f"import json, sys\nimport {modules}\n"
    script += "print(json.dumps([m for m in ('numba', 'llvmlite') if m in sys.modules]))"
    assert fresh(script) == []


def test_a_library_ends_with_what_it_returns(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    function = native(same.plain)
    function(echo("kept"), Pair(np.uint64(1), 2))
    (path,) = tmp_path.rglob("*.so")
    text = path.read_bytes()
    assert text[:4] == b"\x7fELF" and b"gambito machine code" in text[-40:]
    assert struct.unpack("<I", text[-59:-55])[0] == len(json.dumps([__name__, "Pair", "uint64", "int64"]))
    assert libraries.name_of(function.name, "", ()) != libraries.name_of(function.name, "x", ())


# ---- where libraries cannot be ---------------------------------------------------------------------------


def test_another_system_keeps_code_as_numba_does(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    monkeypatch.setattr(functions, "has_libraries", lambda: False)
    for hits in (0, 1):
        function = native(read.plain)
        numbers = Numbers(words=np.array([10], np.int64), bytes=np.array([0, 200], np.uint8))
        assert function(echo("elsewhere"), numbers, np.arange(6).reshape(3, 2), 2) == (
            5 + 11 + 200 + 5 + 6,
            True,
        )
        assert function.hits == hits
    assert [path.suffix for path in tmp_path.rglob("read-*")] == [".code"]


def test_a_disk_from_which_nothing_may_be_run(monkeypatch, tmp_path):
    """The library is loaded from memory, also when it is found on disk."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    load = ctypes.CDLL

    def refusing(path):
        if path.startswith(str(tmp_path)):
            raise OSError("failed to map segment from shared object")
        return load(path)

    monkeypatch.setattr(libraries.ctypes, "CDLL", refusing)
    for hits in (0, 1):
        function = native(refuse.plain)
        assert function(echo("not run"), 2) == 2 and function.hits == hits


def test_what_only_numba_can_pass_is_left_to_it():
    function = native(lambda game, word: len(word) + game.weigh(0))
    assert function(echo(), "four") == 6
    assert not isinstance(next(iter(function.entries.values())), Entry)


def test_what_can_be_no_library_is_not_tried_again(monkeypatch, tmp_path):
    """A result with an array: the second process finds what Numba has kept, and compiles nothing."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    for hits in (0, 1):
        function = native(same.plain)
        array = np.arange(3)
        assert (function(echo("array"), array) == array).all() and function.hits == hits
        assert sum(function.dispatcher.stats.cache_misses.values()) == (0 if hits else 2)
