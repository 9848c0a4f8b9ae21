"""The door between Gambito and the rules: states and actions are the numbers that the rules expect."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import Game, popcount
from gambito.game.contract import adapt
from gambito.game.puzzle import Puzzle
from tests.support import PLAYING


class Bits(NamedTuple):
    mine: np.uint64
    theirs: np.uint64


ONE, TOP = np.uint64(1), np.uint64(58)


class Cells(Game):
    """Fill the six highest bits in turn; the last bit is set from the beginning.

    The rules build states from plain ints, and compute with NumPy's numbers: an `int` above 2 ** 63 raises.
    """

    longest = 5
    lowest, highest = -8, 8

    def initial(self):
        return Bits(0, 1 << 63)

    def player(self, state):
        return 1 - popcount(state.mine | state.theirs) % 2

    def actions(self, state):
        for place in range(58, 63):
            if (state.mine | state.theirs) >> np.uint64(place) & ONE == np.uint64(0):
                yield place

    def result(self, state, action):
        return Bits(state.theirs, int(state.mine) | 1 << action)

    def is_terminal(self, state):
        return ~(state.mine | state.theirs) >> TOP == np.uint64(0)

    def utility(self, state, player):
        score = popcount(state.mine & np.uint64(0x5 << 58)) - popcount(state.theirs & np.uint64(0x5 << 58))
        return score if player == self.player(state) else -score

    def symmetries(self, state):
        yield Bits(int(state.theirs), int(state.mine))

    def priority(self, state, action):
        return popcount(state.mine | 1 << action)

    def write(self, state, action):
        return f"{popcount(state.mine | state.theirs)}-{action}"


class Native(Cells):
    """The same rules as compiled code takes them."""

    def result(self, state, action):
        return Bits(state.theirs, state.mine | ONE << np.uint64(action))

    def symmetries(self, state):
        yield Bits(state.theirs, state.mine)

    def priority(self, state, action):
        return popcount(state.mine | ONE << np.uint64(action))


def kinds(state: tuple) -> set[type]:
    return set(map(type, state))


def test_whoever_asks_for_a_state_gets_the_declared_numbers():
    game = Cells()
    state = game.result(game.initial(), 60)
    states = [game.initial(), state, *game.symmetries(state), game.parse("1-60 2-61")]
    states += [game.result(state, np.int64(61)), game.read_game("1-60 2-61")[0]]
    assert all(kinds(s) == {np.uint64} for s in states)


def test_a_state_of_another_shape_and_a_game_that_does_not_compile_pass_unchanged():
    class Other(Cells):
        compiles = False

    assert kinds(Other().initial()) == {int}
    wrong = type("Wrong", (Cells,), {"result": lambda self, state, action: "no state"})()
    assert wrong.result(wrong.initial(), 60) == "no state"


def test_an_object_with_the_six_rules_has_the_same_door():
    own = {name: rule for name, rule in vars(Cells).items() if callable(getattr(rule, "plain", None))}
    bare = type("Bare", (), {n: r.plain for n, r in own.items()} | {"player": Cells.player})
    for name in ("actions", "is_terminal", "utility", "longest"):
        setattr(bare, name, vars(Cells)[name])
    game = adapt(bare())
    assert kinds(game.result(game.initial(), 60)) == {np.uint64}


def test_initial_may_ask_other_rules():
    class Later(Native):
        def initial(self):
            return self.result(Bits(0, 1 << 63), 62)

    assert kinds(Later().initial()) == {np.uint64}


def test_a_default_that_is_named_again_stays_the_default():
    class Plain(Native):
        evaluate, unmoves = gambito.Game.evaluate, gambito.Game.unmoves

    assert Plain.evaluate is gambito.Game.evaluate and Plain.unmoves is gambito.Game.unmoves


@pytest.mark.parametrize("algorithm", [*PLAYING, "mcts"])
def test_every_search_in_the_python_gear_gives_the_rules_what_they_expect(algorithm):
    limit = {"nodes": 60} if algorithm == "mcts" else {"depth": 3}
    answers = [
        gambito.search(kind(), algorithm=algorithm, gear="python", **limit) for kind in (Cells, Native)
    ]
    assert [a.value for a in answers] == [answers[1].value] * 2
    assert all(a.line for a in answers) and str(answers[0])


@pytest.mark.parametrize("gear", ["python", pytest.param("native", marks=pytest.mark.slow)])
def test_a_guide_may_ask_the_rules(gear):
    game = Native()
    seen = set()

    def guide(states):
        for state in states:
            seen.update(kinds(state))
            assert not game.is_terminal(state)
            game.evaluate(state, 0)
            actions = [a for a in game.actions(state) if game.result(state, a)]
            yield dict.fromkeys(actions, 1 / len(actions)), 0.0

    assert gambito.search(game, algorithm="mcts", gear=gear, nodes=40, guide=guide).line
    assert seen == {np.uint64}


def test_trace_and_check_ask_the_same_way():
    assert gambito.trace(Cells(), algorithm="alpha-beta", depth=3)
    report = gambito.check(Native())
    assert report.ok and report.native, report.problems


@pytest.mark.filterwarnings("error")
def test_sets_of_bits_wrap_around_without_a_warning():
    """In the Python gear a rule may subtract one from an empty set, as in compiled code."""
    found = gambito.search("chess", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", "engine", depth=4, gear="python")
    assert found.action is not None


# ---- numbers of few bits -----------------------------------------------------------------------------


class Count(NamedTuple):
    left: int
    mover: int


WORTH = np.array([3, -100, 90, 120, -128, 127, 64, -90, 5, 0], np.int8)


class Wide(Game):
    """Take one or two; the score is that of the last heap that each player left, by a table."""

    longest, lowest, highest = 9, -300, 300

    def initial(self):
        return Count(9, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, 3):
            if taken <= state.left:
                yield taken

    def result(self, state, action):
        return Count(state.left - action, 1 - state.mover)

    def is_terminal(self, state):
        return state.left <= 1

    def worth(self, state, player):
        return int(WORTH[state.left]) if player == 0 else -int(WORTH[state.left])

    def utility(self, state, player):
        return self.worth(state, player)

    def evaluate(self, state, player):
        return self.worth(state, player)

    def bounds(self, state):
        return -128, 128

    def priority(self, state, action):
        return int(WORTH[action])


class Narrow(Wide):
    """The same with the numbers as the table holds them."""

    def player(self, state):
        return np.uint8(state.mover)

    def actions(self, state):
        for taken in np.array([1, 2], np.uint8):
            if taken <= state.left:
                yield taken

    def worth(self, state, player):
        worth = np.int16(WORTH[state.left])
        return worth if player == 0 else -worth

    def bounds(self, state):
        return np.int16(-128), np.int16(128)

    def priority(self, state, action):
        return WORTH[action]


def test_numbers_leave_rules_with_all_their_bits():
    game = Narrow()
    state = game.initial()
    assert type(game.evaluate(state, 0)) is type(game.utility(state, 1)) is type(game.player(state)) is int
    assert list(map(type, game.actions(state))) == [int, int]
    assert list(map(type, game.bounds(state))) == [int, int]
    assert type(game.priority(state, np.uint8(1))) is int
    assert type(game.result(state, np.uint8(2)).left) is int

    class Floats(Narrow):
        value, lowest, highest = float, -300.0, 300.0

    assert type(Floats().evaluate(state, 0)) is type(Floats().bounds(state)[0]) is float


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("algorithm", [*PLAYING, "mcts"])
def test_numbers_of_few_bits_do_not_overflow_in_a_search(algorithm):
    limit = {"nodes": 60} if algorithm == "mcts" else {"depth": 4}
    wide, narrow = (
        gambito.search(kind(), algorithm=algorithm, gear="python", **limit) for kind in (Wide, Narrow)
    )
    assert narrow.value == wide.value and narrow.nodes == wide.nodes and narrow.line == wide.line


def test_both_gears_have_the_same_values():
    python, native = (gambito.search(Narrow(), gear=gear, depth=4) for gear in ("python", "native"))
    assert python.value == native.value and python.line == native.line


class Coin(Narrow):
    """A coin decides who begins; its probabilities are of 32 bits."""

    chance, value, lowest, highest, longest = True, float, -300.0, 300.0, 10

    def initial(self):
        return Count(9, 2)

    def player(self, state):
        return np.int8(gambito.CHANCE) if state.mover == 2 else np.int8(state.mover)

    def actions(self, state):
        if state.mover == 2:
            yield np.uint8(0)
            yield np.uint8(1)
        elif state.left:
            yield np.uint8(2)

    def chances(self, state):
        yield np.uint8(0), np.float32(0.25)
        yield np.uint8(1), np.float32(0.75)

    def result(self, state, action):
        return Count(state.left, action) if state.mover == 2 else Count(state.left - action, 1 - state.mover)


@pytest.mark.filterwarnings("error")
def test_chances_of_few_bits():
    chances = list(Coin().chances(Coin().initial()))
    assert [(type(outcome), type(share)) for outcome, share in chances] == [(int, float)] * 2
    python, native = (gambito.search(Coin(), gear=gear, depth=9) for gear in ("python", "native"))
    assert python.value == native.value


class Path(Puzzle):
    """Steps with costs from a table of eight bits; the way to the goal costs more than that holds."""

    def initial(self):
        return 0

    def actions(self, state):
        yield np.int8(1)

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state == 4

    def cost(self, state, action):
        return np.int8(100)

    def estimate(self, state):
        return np.int8(100 - 20 * state)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("algorithm", ["a-star", "ida-star", "uniform-cost"])
def test_costs_of_few_bits_add_up(algorithm):
    assert gambito.search(Path(), algorithm=algorithm, gear="python").cost == 400


def test_lists_and_arrays_of_actions_stay_what_they_are():
    """A game that does not compile may ask its own rule for the length."""

    class Listing(Wide):
        compiles = False
        kind = staticmethod(list)

        def actions(self, state):
            return self.kind(np.array([1, 2], np.uint8))

    for kind, wanted in ((list, list), (tuple, tuple), (np.asarray, np.ndarray)):
        game = type("Listing", (Listing,), {"kind": staticmethod(kind)})()
        actions = game.actions(game.initial())
        assert type(actions) is wanted and len(actions) == 2
        assert {type(action) for action in actions} <= {int, np.int64}
