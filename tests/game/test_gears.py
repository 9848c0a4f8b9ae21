"""The two gears of a game: conversion of states, a beginner's board, and games for the Python gear only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import CompileError, Game
from gambito.game.gears import Burst, gears
from gambito.native import kinds
from tests.support import PLAYING


class Boards(NamedTuple):
    """A beginner's state: the board itself, and whose turn it is."""

    cells: np.ndarray
    mover: int


class Row(Game):
    """A small game: two marks side by side in a row of five cells win."""

    longest = 5

    def initial(self):
        return Boards(np.zeros(5, np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for place in np.flatnonzero(state.cells == 0):
            yield place

    def result(self, state, action):
        cells = state.cells.copy()
        cells[action] = state.mover + 1
        return Boards(cells, 1 - state.mover)

    def is_terminal(self, state):
        return self.won(state) or np.all(state.cells != 0)

    def won(self, state):
        for place in range(4):
            if state.cells[place] != 0 and state.cells[place] == state.cells[place + 1]:
                return True
        return False

    def utility(self, state, player):
        if not self.won(state):
            return 0
        return -1 if player == state.mover else 1


class Lists(Row):
    """The same with a list: nothing that can be compiled."""

    def initial(self):
        return [0, 0, 0, 0, 0, 0]

    def player(self, state):
        return state[5]

    def actions(self, state):
        return [place for place in range(5) if state[place] == 0]

    def result(self, state, action):
        child = list(state)
        child[action] = state[5] + 1
        child[5] = 1 - state[5]
        return child

    def is_terminal(self, state):
        return self.won(state) or 0 not in state[:5]

    def won(self, state):
        return any(state[p] and state[p] == state[p + 1] for p in range(4))

    def utility(self, state, player):
        if not self.won(state):
            return 0
        return -1 if player == state[5] else 1


class Dicts(Lists):
    """The same with a dict."""

    def initial(self):
        return dict(enumerate(super().initial()))

    def result(self, state, action):
        return {**state, action: state[5] + 1, 5: 1 - state[5]}

    def is_terminal(self, state):
        return self.won(state) or all(state[p] for p in range(5))


class Board:
    def __init__(self, cells):
        self.cells = cells


class Objects(Lists):
    """The same with an object of the user's own class, whose hash ignores its content."""

    def initial(self):
        return Board(super().initial())

    def player(self, state):
        return super().player(state.cells)

    def actions(self, state):
        return super().actions(state.cells)

    def result(self, state, action):
        return Board(super().result(state.cells, action))

    def is_terminal(self, state):
        return super().won(state.cells) or 0 not in state.cells[:5]

    def utility(self, state, player):
        return super().utility(state.cells, player)


@pytest.mark.thorough
def test_a_beginners_board_works_in_both_gears():
    game = Row()
    for depth in range(6):
        assert gambito.perft(game, depth=depth, gear="native") == gambito.perft(
            game, depth=depth, gear="python"
        )
    founds = [
        gambito.search(game, algorithm="alpha-beta", depth=5, gear=gear) for gear in ("native", "python")
    ]
    assert founds[0].value == founds[1].value and founds[0].nodes == founds[1].nodes
    assert founds[0].line == founds[1].line
    report = gambito.check(game, games=20)
    assert report.ok and report.native, report.problems


@pytest.mark.parametrize("kind", [Lists, Dicts, Objects])
@pytest.mark.parametrize("algorithm", PLAYING)
def test_any_state_runs_in_the_python_gear(kind, algorithm):
    found = gambito.search(kind(), algorithm=algorithm, depth=5)
    truth = gambito.search(Row(), algorithm="minimax", depth=5, gear="python")
    assert found.gear == "python"
    assert found.low <= truth.value <= found.high
    assert gambito.perft(kind(), depth=4) == gambito.perft(Row(), depth=4, gear="python")


@pytest.mark.parametrize(("kind", "what"), [(Lists, "list"), (Dicts, "dict"), (Objects, "Board")])
def test_what_runs_in_the_python_gear_only_says_so_in_one_sentence(kind, what):
    name = kind.__name__.lower()
    sentence = f"the states of {name} run in the python gear only: a {what} cannot be compiled"
    for door in (gambito.search, gambito.perft):
        with pytest.raises(CompileError, match=f"^{sentence}") as told:
            door(kind(), depth=3, gear="native")
        assert "\n" not in str(told.value)
    report = gambito.check(kind(), games=5)
    assert report.ok and not report.native, report.problems


def test_a_game_may_say_that_it_does_not_compile():
    class Stubborn(Row):
        compiles = False

    assert gambito.search(Stubborn(), depth=2).gear == "python"
    with pytest.raises(CompileError, match=r"^stubborn runs in the python gear only$"):
        gambito.search(Stubborn(), depth=2, gear="native")


# ---- the door --------------------------------------------------------------------------------------------


def test_states_pass_the_same_door():
    both = gears(Row())
    assert both.default() == "native"
    state = both.cast((np.array([0, 1, 2, 0, 0]), True))
    assert isinstance(state, Boards)
    assert state.cells.dtype == np.int8 and type(state.mover) is int
    assert both.in_gear("python") is both.game
    assert both.in_gear("native") is both.in_gear("native")
    assert both.state.parts == (kinds.Fixed(kinds.Number("int8"), (5,)), kinds.int64)


class History(Game):
    """A state is all that was played: a tuple that grows."""

    def initial(self):
        return ()

    def player(self, state):
        return len(state) % 2

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 3

    def utility(self, state, player):
        return 0


def test_a_state_of_another_type_is_told_in_one_sentence(monkeypatch):
    told = r"a state of history is not of the initial state's type: \([01],\) is"
    with pytest.raises(gambito.SearchError, match=f"^history cannot be searched: result: {told}"):
        gambito.search(History(), (1,), depth=2)
    monkeypatch.setenv("GAMBITO_CHECK", "0")
    with pytest.raises(CompileError, match=f"^{told}"):
        gambito.search(History(), (1,), depth=2)
    with pytest.raises(CompileError, match="cannot be compiled"):
        gambito.perft(History(), depth=2)
    (problem,) = gambito.check(History()).problems
    assert problem.startswith("result: a state of history is not of the initial state's type")
    assert "compiles = False" in problem

    class Slow(History):
        compiles = False

    assert gambito.perft(Slow(), depth=3) == 8
    assert gambito.check(Slow()).ok


def test_every_object_has_gears_of_its_own():
    """This holds for two equal objects, and for one without a hash."""

    class Equal(Row):
        __hash__ = None

        def __eq__(self, other):
            return True

    one, two = Equal(), Equal()
    assert gears(one) is gears(one)
    assert gears(one) is not gears(two)


def test_the_key_of_a_game_is_that_of_what_its_rules_read():
    class Base(Row):
        def __init__(self, width=5):
            self._width = width
            self.handle = object()  # compiled code cannot read it

    def key(game):
        return gears(game).in_gear("native").key

    class Shown(Base):
        def show(self, state):
            return "pictures do not count"

    assert key(Base()) == key(Base())
    assert key(Base()) != key(Base(6))
    assert key(Base()) == key(Shown())
    assert key(Base()) != key(type("Sub", (Base,), {"extra": 3})())


def test_only_what_can_be_compiled_counts():
    """A helper of the text may change without a compilation, one of the rules may not."""

    def version(words, step):
        class Walk(Game):
            def initial(self):
                return 0

            def player(self, state):
                return state % 2

            def actions(self, state):
                yield self._step()

            def result(self, state, action):
                return state + action

            def is_terminal(self, state):
                return state > 5

            def utility(self, state, player):
                return 0

            def show(self, state):
                return self._words()

        Walk._step, Walk._words = step, words
        return gears(Walk()).in_gear("native").key

    first = version(lambda self: "a", lambda self: 1)
    assert version(lambda self: "b", lambda self: 1) == first
    assert version(lambda self: "a", lambda self: 2) != first


def test_a_burst_is_many_calls_in_a_short_time(monkeypatch):
    times = iter((0, 4, 11, 12, 12, 30, 31, 32))
    monkeypatch.setattr("gambito.game.gears.time.monotonic", lambda: next(times))
    burst = Burst(calls=3, seconds=10.0)
    assert [burst.goes_on() for _ in range(8)] == [False, False, False, True, True, False, False, True]


def test_a_long_game_of_chess_compiles_nothing(monkeypatch):
    """A game on a clock would be lost while the compiler works."""
    seconds = iter(range(1 << 20))
    monkeypatch.setattr("gambito.game.gears.time.monotonic", lambda: next(seconds))
    monkeypatch.setattr("gambito.games.chess.ASKED", Burst(calls=20, seconds=10.0))
    monkeypatch.setattr("gambito.games.chess.write_legal", None)
    game = gambito.load("chess")
    for _ in range(100):
        assert len(game.legal_moves(game.initial())) == 20
