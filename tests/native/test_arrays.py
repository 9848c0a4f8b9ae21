"""States with arrays: stored byte by byte, copied, compared, refused where an array has another shape."""

from __future__ import annotations

import ctypes
import gc
import json
import math
import resource
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import gambito
from gambito.errors import CompileError, GambitoError
from gambito.evaluate.policy.encoding import Layout
from gambito.game.gears import gears
from gambito.memory.positions import reachable
from gambito.native import Constant, Handle, kinds, native
from gambito.native.bits import mix
from gambito.native.compiler.blobs import chunks
from gambito.native.compiler.linking import without_templates
from gambito.native.kinds import from_json, to_json
from gambito.native.store import get, new_memory, put, width
from gambito.native.values import as_key, conform, declared
from tests.array_games import KINDS, Amazons, Board, Chain, Drawn, Tiles


def alike(first: Any, second: Any) -> bool:
    return bool(as_key(first) == as_key(second))


# ---- kinds and bytes ---------------------------------------------------------------------------------


def test_the_shape_of_an_array_is_a_part_of_the_kind_of_a_state():
    kind = declared(Board(np.zeros((2, 3), np.int8), 0))
    assert kind != declared(Board(np.zeros((3, 2), np.int8), 0))
    assert kind.lasting != declared(Board(np.zeros((3, 2), np.int8), 0)).lasting
    assert width(kind) == 2 * 3 + 8
    assert from_json(json.loads(json.dumps(to_json(kind))), [kind]) == kind


@pytest.mark.parametrize(
    "facts", [{}, {"array": "int8"}, {"array": "int8", "shape": "x"}, {"array": [], "shape": []}]
)
def test_a_damaged_description_of_an_array_is_refused(facts):
    with pytest.raises(ValueError):
        from_json(facts, [])


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 32, 33, 49, 1000])
def test_the_bytes_of_an_array_have_neither_gap_nor_neighbour(size):
    sizes = [part.width // 8 if hasattr(part, "width") else 8 * part.count for part in chunks(size)]
    assert sum(sizes) == size
    assert len(sizes) <= size // 32 + 5


def test_another_shape_is_refused_with_what_to_do():
    kind = declared(Board(np.zeros(4), 0))
    with pytest.raises(TypeError, match="greatest length"):
        conform(Board(np.zeros(5), 0), kind)


class Shelf(Handle):
    arrays: ClassVar[dict[str, type]] = {"values": np.uint8}


@native
def write_and_read(game, shelf, first, second):
    put(shelf.values, 2, first)
    put(shelf.values, 3, second)
    return get(shelf.values, 2, second).share + get(shelf.values, 3, first).second[0, 1]


def test_code_for_one_game_alone_stores_arrays_without_templates():
    first = Drawn(np.arange(3, dtype=np.int8), 1, np.arange(4).reshape(2, 2), True, 0.5)
    second = first._replace(number=2, second=first.second * 10, share=8.0)
    memory = new_memory(declared(first), 4)
    assert (
        write_and_read(Constant(object(), "test_arrays", "1", {}, {}), Shelf(values=memory), first, second)
        == 10.5
    )
    assert width(declared(first)) == 3 + 8 + 32 + 1 + 8
    assert write_and_read(None, Shelf(values=new_memory(None, 4)), first, second) == 10.5


# ---- many states ---------------------------------------------------------------------------------------


def listed(game: Any, gear: str) -> tuple[Any, Any, int]:
    """The keys and the memory of all states of a game."""
    both = gears(game)
    kind = both.state if gear == "native" else None
    found = reachable(both.in_gear(gear), kind, both.cast(game.initial()), 1 << 20, lambda count: None)
    assert found is not None
    keys, states, head = found
    return keys, states, int(head[0])


def check_chain(seed: int, length: int) -> None:
    rng = np.random.default_rng(seed)

    def draw() -> Any:
        shape = tuple(int(n) for n in rng.integers(1, 6, rng.integers(1, 4)))
        return np.zeros(shape, rng.choice(np.array(KINDS, object)))

    game = Chain(draw(), draw(), length)
    keys, memory, count = listed(game, "native")
    assert count == length + 1 == len(np.unique(keys[:count]))
    layout, state = Layout(game), gears(game).cast(game.initial())
    packed = layout.read(memory, count)
    for row in range(count):
        assert alike(layout.unpack(packed[row]), state)
        assert int(mix(state)) == int(keys[row])
        state = gears(game).cast(game.result(state, 0))


def test_states_of_drawn_shapes_come_back_as_they_were_stored():
    for seed in range(3):
        check_chain(seed, 100)


@pytest.mark.slow
def test_a_hundred_thousand_states_of_drawn_shapes_come_back_and_share_no_key():
    for seed in range(100, 140):
        check_chain(seed, 2_500)


# ---- rules ---------------------------------------------------------------------------------------------


class Four(gambito.Game):
    """Put a stone on one of four cells; the first cell decides."""

    longest = 4
    shape: ClassVar[Any] = (4,)

    def initial(self):
        return Board(np.zeros(self.shape, np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(4):
            if state.cells.flat[cell] == 0:
                yield cell

    def put(self, state, cell):
        cells = state.cells.copy()
        cells.flat[cell] = 1 + state.mover
        return cells

    def result(self, state, action):
        return Board(self.put(state, action), 1 - state.mover)

    def is_terminal(self, state):
        return np.all(state.cells != 0)

    def utility(self, state, player):
        return 1 if state.cells.flat[0] == 1 + player else -1


class Turned(Four):
    """A result that is not contiguous in one place, and of wider numbers in another."""

    shape = (2, 2)

    def result(self, state, action):
        if action == 3:
            return Board(state.cells + (1 + state.mover) * np.array([[0, 0], [0, 1]]), 1 - state.mover)
        return Board(np.rot90(self.put(state, action), 2 * action), 1 - state.mover)


class ReadOnly(Four):
    """A result that is a part of the game."""

    def __init__(self) -> None:
        self.table = np.eye(4, dtype=np.int8)

    def result(self, state, action):
        if state.mover == 0 and np.all(state.cells == 0):
            return Board(self.table[action], 1)
        return Board(self.put(state, action), 1 - state.mover)


class Flags(NamedTuple):
    cells: np.ndarray
    is_first: bool
    count: int


class Mixed(Four):
    """Numbers and bools in each other's place."""

    def initial(self):
        return Flags(np.zeros(4, bool), True, 0)

    def player(self, state):
        return 0 if state.is_first else 1

    def result(self, state, action):
        cells = state.cells.copy()
        cells[action] = 1
        if action == 0:
            return Flags(cells, state.count % 2, state.is_first)
        return Flags(cells, not state.is_first, state.count + 1)

    def utility(self, state, player):
        return (1 if state.count == 3 else -1) * (1 if player == 0 else -1)


class Inner(NamedTuple):
    sum: int
    grid: np.ndarray
    is_odd: bool


class Outer(NamedTuple):
    none: np.ndarray
    inner: Inner
    mover: int
    share: float


class Nested(Four):
    """A NamedTuple in a NamedTuple, an empty array, a fraction."""

    def initial(self):
        return Outer(np.zeros(0), Inner(0, np.zeros((2, 2), bool), False), 0, 1.0)

    def actions(self, state):
        for cell in range(4):
            if not state.inner.grid.flat[cell]:
                yield cell

    def result(self, state, action):
        grid = state.inner.grid.copy()
        grid.flat[action] = True
        total = state.inner.sum * 2 + action
        return Outer(state.none, Inner(total, grid, total % 2 == 1), 1 - state.mover, state.share / 2)

    def is_terminal(self, state):
        return state.inner.grid.all()

    def utility(self, state, player):
        return (1 if state.inner.is_odd == (state.share < 1) else -1) * (1 if player == 0 else -1)


class Bare(Four):
    """A state that is an array."""

    def initial(self):
        return np.zeros(4, np.int8)

    def player(self, state):
        return np.count_nonzero(state) % 2

    def actions(self, state):
        for cell in range(4):
            if state[cell] == 0:
                yield cell

    def result(self, state, action):
        cells = state.copy()
        cells[action] = 1 + np.count_nonzero(state) % 2
        return cells

    def is_terminal(self, state):
        return np.all(state != 0)

    def utility(self, state, player):
        return 1 if state[0] == 1 + player else -1


class Twice(NamedTuple):
    row: np.ndarray
    square: np.ndarray
    mover: int


class Views(Four):
    """Two fields that look at one array."""

    def initial(self):
        return Twice(np.zeros(4, np.int64), np.zeros((2, 2), np.int64), 0)

    def actions(self, state):
        for cell in range(4):
            if state.row[cell] == 0:
                yield cell

    def result(self, state, action):
        row = state.row.copy()
        row[action] = 1 + state.mover
        return Twice(row, row.reshape((2, 2)), 1 - state.mover)

    def is_terminal(self, state):
        return np.all(state.square != 0)

    def utility(self, state, player):
        return 1 if state.square[0, 0] == 1 + player else -1


class Row(NamedTuple):
    cells: tuple[int, ...]
    mover: int


class Rows(Four):
    """A tuple that is made of a list, of a list comprehension, and of slices."""

    def initial(self):
        return Row((0,) * 4, 0)

    def actions(self, state):
        return [cell for cell in range(4) if state.cells[cell] == 0]

    def result(self, state, action):
        stone = 1 + state.mover
        if action == 0:
            cells = list(state.cells)
            cells[action] = stone
            return Row(tuple(cells), 1 - state.mover)
        if action == 1:
            return Row(
                tuple([stone if i == action else c for i, c in enumerate(state.cells)]), 1 - state.mover
            )
        return Row(state.cells[:action] + (stone,) + state.cells[action + 1 :], 1 - state.mover)  # noqa: RUF005

    def is_terminal(self, state):
        return 0 not in state.cells

    def utility(self, state, player):
        return 1 if state.cells[0] == 1 + player else -1


class Lined(Four):
    """A slice that is assigned, and a sum along an axis: the texts of their errors hold numbers."""

    def result(self, state, action):
        cells = np.zeros(4, np.int8)
        cells[:] = state.cells
        cells[action : action + 1] = 1 + state.mover
        return Board(cells, 1 - state.mover)

    def is_terminal(self, state):
        return np.sum(state.cells.reshape((2, 2)) == 0, axis=0).max() == 0


class Replaced(Four):
    """`_replace`, generator expressions, and questions along an axis."""

    shape = (2, 2)

    def actions(self, state):
        return (cell for cell in range(4) if not state.cells.flat[cell])

    def result(self, state, action):
        if action == 0:
            return state._replace(cells=self.put(state, action), mover=1 - state.mover)
        return state._replace(mover=1 - state.mover)._replace(cells=self.put(state, action))

    def is_terminal(self, state):
        is_full = all(cell != 0 for cell in state.cells.flat)
        return is_full and (state.cells != 0).all(axis=0).all() and not any(np.any(state.cells == 0, axis=1))


class Tuples(Rows):
    """A tuple of a generator expression."""

    def result(self, state, action):
        stone = 1 + state.mover
        return Row(tuple(stone if i == action else c for i, c in enumerate(state.cells)), 1 - state.mover)


WRITTEN = [Turned, ReadOnly, Mixed, Nested, Bare, Views, Rows, Lined, Replaced, Tuples]


class Given(Four):
    """A generator of a rule is the argument of a function, which may leave it early."""

    def is_any(self, items):
        for _ in items:
            return True
        return False

    def is_terminal(self, state):
        return not self.is_any(self.actions(state))


def test_a_generator_that_keeps_arrays_is_no_argument():
    with pytest.raises(CompileError, match=r"give it the list of its items: `list\(…\)`"):
        gambito.search(Given(), algorithm="alpha-beta", depth=4, gear="native")


@pytest.mark.parametrize("kind", WRITTEN, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_rules_as_people_write_them_say_the_same_in_both_gears(kind, is_whole):
    assert gambito.check(kind(), games=3).problems == []
    plain = gambito.search(kind(), algorithm="alpha-beta", depth=4, gear="python")
    if is_whole:
        with without_templates():
            found = gambito.search(kind(), algorithm="alpha-beta", depth=4, gear="native")
    else:
        found = gambito.search(kind(), algorithm="alpha-beta", depth=4, gear="native")
    assert (found.value, found.nodes, found.line) == (plain.value, plain.nodes, plain.line)


class Growing(Four):
    def result(self, state, action):
        cells = self.put(state, action)
        return Board(np.concatenate((cells, cells)) if action == 2 else cells, 1 - state.mover)


class LongRow(Rows):
    def result(self, state, action):
        cells = list(state.cells)
        cells[action] = 1 + state.mover
        return Row(tuple([*cells, 1] if action == 2 else cells), 1 - state.mover)


@pytest.mark.parametrize("kind", [Growing, LongRow])
@pytest.mark.parametrize("gear", ["python", "native"])
def test_what_changes_its_size_is_refused_before_a_search(kind, gear, monkeypatch):
    monkeypatch.setenv("GAMBITO_CHECK", "1")
    with pytest.raises(GambitoError, match="the greatest length it can need"):
        gambito.search(kind(), algorithm="alpha-beta", depth=4, gear=gear)


@pytest.mark.parametrize("kind", [Growing, LongRow])
def test_compiled_code_raises_for_another_size_and_names_the_rule(kind):
    with pytest.raises(GambitoError, match=r"the rule 'result': .*greatest length"):
        gambito.search(kind(), algorithm="alpha-beta", depth=4, gear="native")


class Spoiling(Four):
    def result(self, state, action):
        state.cells[action] = 1 + state.mover
        return Board(state.cells, 1 - state.mover)


def test_a_rule_that_changes_the_state_it_is_given_is_refused(monkeypatch):
    monkeypatch.setenv("GAMBITO_CHECK", "1")
    with pytest.raises(GambitoError, match="changes the state"):
        gambito.search(Spoiling(), algorithm="alpha-beta", depth=4)


REFUSED = {
    "an array of bools": frozenset({1}),
    "a count": [0, 1],
    "a place for each key": {0: 1},
}


@pytest.mark.parametrize("item", [np.zeros(2, np.float16), np.zeros(2, complex), np.array(0), None])
def test_what_the_compiler_does_not_know_is_refused_by_its_name(item):
    with pytest.raises(TypeError, match=r"float16|complex128|without a length|None"):
        declared((item, 0))


@pytest.mark.parametrize("advice", REFUSED)
def test_what_cannot_be_in_a_state_is_refused_with_what_to_write_instead(advice):
    with pytest.raises(TypeError, match=advice):
        declared((REFUSED[advice], 0))


# ---- sizes, threads, memory ----------------------------------------------------------------------------


def test_games_of_several_sizes_are_told_apart_in_one_process():
    for size in (3, 4, 3):
        found, plain = (
            gambito.search(Amazons(size), algorithm="alpha-beta", depth=2, gear=gear)
            for gear in ("native", "python")
        )
        assert (found.value, found.nodes, found.line) == (plain.value, plain.nodes, plain.line)


@pytest.mark.thorough
def test_two_threads_search_states_with_arrays():
    alone, both = (gambito.search(Amazons(3), algorithm="engine", depth=12, threads=n) for n in (1, 2))
    assert alone.value == both.value


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["engine", "alpha-beta", "mcts"])
def test_fifty_searches_take_no_more_memory(algorithm):
    """The rule that yields keeps two arrays, and every cut-off leaves it early: that lost 10 MiB a search."""
    game = Amazons(5)
    limit: dict[str, Any] = {"nodes": 5_000} if algorithm == "mcts" else {"depth": 2}

    def used() -> int:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # what is free goes back to the system
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    for _ in range(10):
        gambito.search(game, algorithm=algorithm, **limit)
    before = used()
    for _ in range(50):
        gambito.search(game, algorithm=algorithm, **limit)
    assert used() - before < 24 << 20


def test_a_large_state_is_compiled_as_a_whole():
    class Large(Four):
        shape = (60, 60)

        def is_terminal(self, state):
            return np.all(state.cells[0, :4] != 0)

    assert math.prod(Large.shape) > 2048
    found, plain = (
        gambito.search(Large(), algorithm="alpha-beta", depth=3, gear=g) for g in ("native", "python")
    )
    assert (found.value, found.nodes) == (plain.value, plain.nodes)


def test_a_state_with_arrays_is_a_key():
    first, again = (Tiles(np.arange(6), 0) for _ in range(2))
    assert as_key(first) == as_key(again) != as_key(Tiles(np.arange(6)[::-1], 0))
    assert as_key((1, "two")) == (1, "two")
    assert as_key(([1], 2)) == int(mix(([1], 2)))


def test_an_array_that_keeps_its_shape_is_no_other_array():
    assert kinds.Fixed(kinds.int64, (3,)) != kinds.Array(kinds.int64, 1)
