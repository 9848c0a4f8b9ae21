"""Python objects in compiled code: attributes, methods, helpers and memory, the same in both gears."""

from __future__ import annotations

import sys
import types as python
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from gambito.errors import CompileError
from gambito.native import Constant, Handle, Memory, int64, kinds, native, uint64
from gambito.native.digest import class_items, digest


def constant(subject, returns=None, yields=None) -> Constant:
    kind = type(subject)
    key = digest(list(class_items(kind, object)), sorted(vars(subject).items()), str(returns), str(yields))
    return Constant(subject, f"{kind.__module__}.{kind.__qualname__}", key, returns or {}, yields or {})


@native
def ask(game, x):
    return game.ask(x)


@native
def total(game, x):
    """The sum of the items, and their alternating sum: their order counts."""
    result, sign = 0, 1
    for item in game.items(x):
        result += 1000 * int64(item) + sign * int64(item)
        sign = -sign
    return result


def alike(function, subject, *args, **cast):
    """The answer, which is the same in both gears."""
    plain, compiled = function(subject, *args), function(constant(subject, **cast), *args)
    assert plain == compiled
    return compiled


def returned(function) -> kinds.Kind:
    """What the newest compiled version of the function returns."""
    return list(function.entries.values())[-1].returned


# ---- attributes ------------------------------------------------------------------------------------------


class Inner(NamedTuple):
    low: int
    high: np.uint64


class Sized:
    """Its states have one of two types, as the trait says."""

    is_wide = False

    def ask(self, x):
        if self.is_wide:
            return x.width
        return x.low


def test_a_branch_that_is_never_taken_may_name_a_field_that_is_not_there():
    assert alike(ask, Sized(), Inner(3, np.uint64(4))) == 3


class Attributes:
    factor = 3

    def __init__(self):
        self.number = -7
        self.mask = np.uint64(1 << 63)
        self.full = (1 << 64) - 1
        self.pair = (1, 2)
        self.deep = ((1, True), 0.5)
        self.masks = (np.uint64(1), np.uint64(1 << 63))
        self.table = np.array([5, 6, 7], np.int8)
        self.turned = np.arange(6).reshape(2, 3).T
        self.record = Inner(2, np.uint64(3))
        self.is_on = True
        self.share = 0.25
        self.word = "yes"

    def ask(self, x):
        bits = (
            uint64(x) | (self.mask >> uint64(60)) | (self.masks[1] >> uint64(59)) | (self.full & uint64(64))
        )
        result = int64(bits) * self.factor + self.number + self.pair[x] + self.table[x] + self.turned[x, 1]
        if self.is_on and self.word == "yes" and self.deep[0][1]:
            result += self.record.low + int64(self.record.high) + int64(self.share * 4)
        return result


def test_attributes_are_constants():
    assert alike(ask, Attributes(), 1) == (1 | 8 | 16 | 64) * 3 - 7 + 2 + 6 + 4 + 2 + 3 + 1


def test_an_unsigned_attribute_stays_unsigned():
    class Masked:
        def __init__(self):
            self.mask = np.uint64(1 << 63)

        def ask(self, x):
            return (self.mask | uint64(x)) >> uint64(1)

    assert alike(ask, Masked(), 2) == (1 << 62) + 1
    assert returned(ask) == kinds.uint64


def test_a_table_cannot_be_written():
    class Writing:
        def __init__(self):
            self.table = np.array([1, 2])

        def ask(self, x):
            self.table[x] = 3
            return self.table[x]

    with pytest.raises(Exception, match="it changes an array that cannot be changed"):
        ask(constant(Writing()), 1)


# ---- methods ---------------------------------------------------------------------------------------------


class Base:
    def ask(self, x):
        return self.second(x) + self.twice(x) + self.outer(x=x) + self.outer(x, 5)

    def second(self, x):
        return self.third(x) + 1

    def third(self, x):
        return x

    def outer(self, x, by=3):
        return by * x

    @staticmethod
    def twice(x):
        return 2 * x


class Derived(Base):
    def third(self, x):
        return 10 * x


def test_methods_call_methods():
    assert alike(ask, Base(), 7) == 8 + 14 + 21 + 35
    assert alike(ask, Derived(), 7) == 71 + 14 + 21 + 35


def test_a_function_that_was_put_on_the_object():
    class Chosen:
        def __init__(self, score):
            self.score = score

        def ask(self, x):
            return self.score(x)

    assert alike(ask, Chosen(lambda x: x + 1), 7) == 8
    assert alike(ask, Chosen(lambda x: x + 2), 7) == 9


# ---- casts -----------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    first: np.uint8
    second: int


WIDTHS = [
    (lambda self, x: np.uint8(x), kinds.int64),
    (lambda self, x: np.uint64(x), kinds.int64),
    (lambda self, x: x > 3, kinds.int64),
    (lambda self, x: x & 1, kinds.boolean),
    (lambda self, x: x, kinds.float64),
    (lambda self, x: x, kinds.uint64),
    (lambda self, x: (x, x), kinds.Tuple([kinds.float64] * 2)),
    (lambda self, x: (x, np.uint8(x)), kinds.Named((kinds.Number("uint8"), kinds.int64), Pair)),
    (lambda self, x: ((x, True), x), kinds.Tuple((kinds.Tuple([kinds.int64] * 2), kinds.int64))),
]


@pytest.mark.parametrize(("rule", "wanted"), WIDTHS)
def test_a_result_is_cast_to_what_was_declared(rule, wanted):
    kind = type("Wide", (), {"ask": rule})
    assert alike(ask, kind(), 7, returns={"ask": wanted}) == rule(None, 7)
    assert returned(ask) == wanted


@native
def down(game, state, depth):
    """A recursion through the object's own step."""
    if depth == 0:
        return 0
    return 1 + down(game, game.step(state), depth - 1)


def test_a_recursion_has_one_signature():
    class Narrow:
        def step(self, state):
            return Pair(np.uint8(1), np.int16(state.second + 1))

    start = Pair(np.uint8(0), 0)
    assert down(Narrow(), start, 5) == 5
    kind = kinds.Named((kinds.Number("uint8"), kinds.int64), Pair)
    assert down(constant(Narrow(), returns={"step": kind}), start, 5) == 5
    assert len(down.dispatcher.overloads) <= 1  # none if an earlier run has left the code on disk


def test_what_cannot_be_cast_says_so():
    class Growing:
        def ask(self, x):
            return (x, x, x)

    with pytest.raises(CompileError, match=r"it gives a value of type \(int, int, int\), not \(int, int\)"):
        ask(constant(Growing(), returns={"ask": kinds.Tuple([kinds.int64] * 2)}), 1)


def signed(self, x):
    for item in range(x):
        yield item


def narrow(self, x):
    for item in range(x):
        yield np.uint8(item)


def unsigned(self, x):
    for item in range(x):
        yield uint64(item)


def mixed(self, x):
    yield 3
    yield np.int8(x)


ITEMS = {
    "int64": signed,
    "uint8": narrow,
    "uint64": unsigned,
    "several widths": mixed,
    "list": lambda self, x: [item for item in range(x)],  # noqa: C416
    "range": lambda self, x: range(x),
    "tuple": lambda self, x: (x, 2, 1),
    "array": lambda self, x: np.arange(x).astype(np.int8),
}


@pytest.mark.parametrize("way", ITEMS)
def test_whatever_a_rule_goes_through_becomes_int64(way):
    rule = ITEMS[way]
    kind = type("Going", (), {"items": rule})
    wanted = [int(item) for item in rule(None, 5)]
    sign = sum(item if place % 2 == 0 else -item for place, item in enumerate(wanted))
    assert alike(total, kind(), 5, yields={"items": kinds.int64}) == 1000 * sum(wanted) + sign
    assert returned(total) == kinds.int64


# ---- helpers ---------------------------------------------------------------------------------------------


def beside(x):
    return x + 1


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@native
def marked(x):
    return x + 5


def test_helpers_need_no_decorator():
    class Helped:
        def ask(self, x):
            return beside(x) + factorial(x) + marked(x)

    assert alike(ask, Helped(), 5) == 6 + 120 + 10


def test_helpers_in_another_file(tmp_path, monkeypatch):
    (tmp_path / "faraway.py").write_text(
        "import further\ndef far(x):\n    return further.add(x) + further.ADDED\n"
    )
    (tmp_path / "further.py").write_text("ADDED = 3\ndef add(x):\n    return x + ADDED\n")
    (tmp_path / "using.py").write_text(
        "import faraway\nfrom faraway import far\n"
        "class Using:\n    def ask(self, x):\n        return far(x) + 100 * faraway.far(x)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from using import Using

    assert alike(ask, Using(), 5) == 11 + 1100
    for name in ("faraway", "further", "using"):
        monkeypatch.delitem(sys.modules, name)


def test_a_global_that_changed_counts_for_the_next_object(tmp_path, monkeypatch):
    """In a notebook a constant is changed and the game made again; the helper is the same function."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    module = python.ModuleType("notebook")
    helper, game = (
        "def helper(x):\n    return x + N\n",
        "class Game:\n    def ask(self, x):\n        return helper(x)",
    )
    exec("N = 3\n" + helper + game, vars(module))
    assert alike(ask, module.Game(), 1) == 4
    module.N = 30
    assert alike(ask, module.Game(), 1) == 31


# ---- memory ----------------------------------------------------------------------------------------------


class Shelf(Handle):
    arrays: ClassVar[dict[str, type]] = {"counts": np.int64, "shares": np.float32}
    STEP = 2

    def bump(self, place):
        self.counts[place] += self.STEP
        self.shares[place] = 0.5 * self.counts[place]
        return self.counts[place]


class Larger(Shelf):
    STEP = 3


@native
def work(game, memory, times):
    if times == 0:
        return memory.bump(0)
    memory.bump(1)
    return work(game, memory, times - 1)


@pytest.mark.parametrize(("kind", "step"), [(Shelf, 2), (Larger, 3)])
def test_a_handle_is_memory_that_both_gears_write(kind, step):
    class Nothing:
        pass

    memory = kind(counts=np.zeros(2, np.int64), shares=np.zeros(2, np.float32))
    lists = kind(counts=[0, 0], shares=[0, 0])
    assert work(constant(Nothing()), memory, 5) == work(Nothing(), lists, 5) == step
    assert memory.counts.tolist() == lists.counts == [step, 5 * step]
    assert memory.shares.tolist() == lists.shares == [0.5 * step, 2.5 * step]


def test_a_handle_of_another_kind_of_memory_is_refused():
    shares = np.zeros(2, np.float32)
    with pytest.raises(TypeError, match="counts must be a contiguous array of int64"):
        Shelf(counts=np.zeros(2, np.int32), shares=shares)
    with pytest.raises(TypeError, match="counts must be a contiguous array of int64"):
        Shelf(counts=np.zeros(4, np.int64)[::2], shares=shares)
    with pytest.raises(TypeError, match="a Shelf of lists is for the Python gear"):
        work(constant(Attributes()), Shelf(counts=[0, 0], shares=[0, 0]), 1)


# ---- memory that changes ---------------------------------------------------------------------------------


class Weighing:
    def __init__(self, small, large):
        self.small, self.large = Memory(small), Memory(large)

    def ask(self, x):
        return weighed(self.small, self.large, x)


def weighed(small, large, x):
    return 1000 * int64(small[x]) + int64(large[x + 1])


def test_memory_is_found_while_code_runs():
    first = Weighing(np.array([1, -2], np.int16), np.array([5, 6, 7]))
    other = Weighing(np.array([30, 40], np.int16), np.array([1, 2, 3]))
    one, two = constant(first), constant(other)
    assert one.key == two.key, "contents are no part of the code"
    assert [ask(one, 0), ask(two, 0), ask(one, 1)] == [1006, 30002, -1993]
    assert len(ask.dispatcher.overloads) == len({tuple(map(str, s)) for s in ask.dispatcher.overloads})
    first.small.array[0] = 9
    assert ask(one, 0) == ask(first, 0) == 9006


def test_memory_of_other_numbers_is_other_code():
    small, large = np.zeros(2, np.int16), np.zeros(3, np.int64)
    assert constant(Weighing(small, large)).key != constant(Weighing(small.astype(np.int32), large)).key


def test_memory_is_one_array_in_a_row():
    for array in (np.zeros((2, 2)), np.zeros(8)[::2]):
        with pytest.raises(TypeError, match="one dimension"):
            _ = Memory(array).array


def test_memory_is_made_when_it_is_needed():
    made = []
    memory = Memory(lambda: made.append(1) or np.arange(3))
    assert not made
    assert memory[2] == 2
    assert memory.array is memory.array
    assert made == [1]
