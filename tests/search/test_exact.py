"""Every exact algorithm gives minimax's value: on random trees, on random positions, in both gears."""

import json
import math
import random
from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import Game
from gambito.game.gears import gears
from gambito.native import Memory
from gambito.search.algorithm import LINE, algorithms
from tests.support import (
    EXACT,
    PLAYING,
    Circle,
    Fractions,
    TwiceRunner,
    minimax_truth,
    random_state,
    random_tree,
    small,
)

QUICK, WHOLE = 300, 10_000
OTHERS = sorted(set(PLAYING) - set(EXACT))


def check_trees(count: int, seed: int, turns: bool, fractions: bool) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        spread = rng.choice([1, 3, 50])
        written = random_tree(rng, rng.randint(1, 6), rng.choice([2, 2, 3, 3, 5]), spread, turns)
        text = rng.choice(["", "min "]) + json.dumps(written)
        if fractions:
            text = "".join(c + ".25" if c.isdigit() and n[:1] in ",]} " else c for c, n in pairs(text))
        check_tree(text, rng)


def pairs(text: str) -> list[tuple[str, str]]:
    return [(c, text[i + 1 : i + 2]) for i, c in enumerate(text)]


def check_tree(text: str, rng: random.Random) -> None:
    """All algorithms on one tree, to its end and to a horizon."""
    tree = gambito.load("tree")
    root = tree.parse(text)
    game = tree.at(root)
    if not root.moves:
        return
    sign = 1 if root.player == 0 else -1
    depth = rng.randint(1, root.height)
    truth = sign * minimax_truth(game, root, depth)
    best = {a for a in game.actions(root) if sign * minimax_truth(game, root.moves[a], depth - 1) == truth}
    for name in EXACT:
        if algorithms()[name].misfit(game):
            continue
        found = gambito.search(game, root, name, depth=depth, **small(name))
        assert found.value == truth, (name, text, depth)
        assert found.action in best, (name, text, depth)
        check_line(game, root, found, depth, sign * truth)
    found = gambito.search(game, root, "bns", depth=depth)
    assert found.action in best, ("bns", text, depth)
    if not any(n.bounds for n in root.below()):
        found = gambito.search(game, root, "b-star", depth=depth, memory=1)
        assert found.action in best, ("b-star", text, depth)
        assert found.low <= truth <= found.high, ("b-star", text, depth)
    if game.value is int:
        found = gambito.search(game, root, "df-pn", depth=depth, memory=1)
        assert outcome(found.value) == outcome(truth), ("df-pn", text, depth)


def outcome(value) -> int:
    """Won, drawn or lost."""
    return int(value > 0) - int(value < 0)


def check_line(game, state, found, depth: int, value_for_max) -> None:
    """Every state along the principal variation has the root's value, and the line goes to the end."""
    left = depth
    for action in found.line:
        state = game.result(state, action)
        left -= 1
        assert minimax_truth(game, state, left) == value_for_max, found
    assert left == 0 or game.is_terminal(state) or algorithms()[found.algorithm].holds != LINE, found


@pytest.mark.parametrize("turns", [True, False], ids=["in turns", "moving twice"])
@pytest.mark.parametrize("fractions", [False, True], ids=["whole", "fractions"])
def test_random_trees(turns, fractions):
    check_trees(QUICK // 4, seed=1, turns=turns, fractions=fractions)


@pytest.mark.parametrize("gear", ["python", "native"])
@pytest.mark.parametrize("algorithm", [*(name for name in EXACT if name != "engine"), "bns", "b-star"])
def test_fractions_that_lie_close_together(algorithm, gear):
    """No step lies between the values of a game whose author says nothing about steps."""
    game, rng = CloseValues(), random.Random(3)
    for _ in range(40):
        for place in range(len(game.leaves.array)):
            game.leaves.array[place] = rng.choice([rng.uniform(-9, 9), 8.0, math.nextafter(8.0, 9.0), 8.02])
        root = game.initial()
        worth = {action: minimax_truth(game, game.result(root, action), 2) for action in game.actions(root)}
        found = gambito.search(game, root, algorithm, depth=3, gear=gear, **small(algorithm))
        assert worth[found.action] == max(worth.values())
        assert found.low <= max(worth.values()) <= found.high
        assert not found.exact or found.value == max(worth.values())


@pytest.mark.parametrize("algorithm", ["mtd-f", "sss-star", "dual-star", "bns"])
@pytest.mark.parametrize("text", ["[0.4, 5.91]", "[[8, 9.5], [8.02, 8.5], [8.02]]", "min [0.25, -7.5, 3]"])
def test_fractions_of_a_written_tree(algorithm, text):
    found, true = (gambito.search("tree", text, name) for name in (algorithm, "minimax"))
    chosen = gambito.search("tree", text, "minimax", root_actions=[found.action])
    assert chosen.value == true.value and found.low <= true.value <= found.high
    assert not found.exact or found.value == true.value


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_random_trees(part):
    check_trees(WHOLE // 10, seed=100 + part, turns=part < 8, fractions=part % 5 == 4)


class Place(NamedTuple):
    ply: int
    path: int


class CloseValues(Game):
    """Three plies of three actions, and a fraction at each of the 27 leaves."""

    value = float
    lowest, highest = -10.0, 10.0
    longest = 3

    def __init__(self) -> None:
        self.leaves = Memory(np.zeros(27))

    def initial(self):
        return Place(0, 0)

    def player(self, state):
        return state.ply % 2

    def actions(self, state):
        for action in range(3):
            yield action

    def result(self, state, action):
        return Place(state.ply + 1, 3 * state.path + action)

    def is_terminal(self, state):
        return state.ply == 3

    def utility(self, state, player):
        value = self.leaves[state.path]
        return value if player == 0 else -value


RING = Circle(cells=5, ways=2)
# Plies at random, and the depth from there. All algorithms are compiled for each: the first three are games
# of the fingerprints too.
GAMES = {
    "tic-tac-toe": (6, 4),
    "connect-four": (20, 5),
    "uniform-tree:branching=4,depth=6,seed=1": (3, 4),
    RING: (6, 5),
    TwiceRunner: (5, 4),
    Fractions: (3, 6),
}
MORE = {
    "connect-four:width=5,height=4,line=3": (9, 5),
    "nim:heaps=2-3-3": (3, 6),
    "uniform-tree:branching=3,depth=6,order=best": (3, 4),
    Circle: (6, 5),
}


def check_positions(spec, count: int) -> None:
    """All algorithms in the native gear against the slow truth; the Python gear on some of them."""
    game = gambito.load(spec)
    plies, depth = {**GAMES, **MORE}[spec]
    rng = random.Random(7)
    for number in range(count):
        state = gears(game).cast(random_state(game, rng, rng.randint(0, plies)))
        here = rng.randint(1, depth)
        sign = 1 if game.player(state) == 0 else -1
        truth = sign * minimax_truth(game, state, here)
        for name in PLAYING:
            if algorithms()[name].misfit(game):
                continue
            found = gambito.search(game, state, name, depth=here, **small(name, game.cycles))
            if name in EXACT:
                assert found.value == truth, (name, game.text(state), here)
            if name in ("bns", "b-star") and found.action is not None:
                child = game.result(state, found.action)
                assert sign * minimax_value_below(game, state, child, here) == truth, (name, state, here)
            if name == "df-pn":
                assert outcome(found.value) == outcome(truth), (state, here)
            if number < 5:
                plain = gambito.search(
                    game, state, name, depth=here, gear="python", **small(name, game.cycles)
                )
                kept = ("value", "action", "line", "nodes", "evaluations", "exact", "low", "high")
                both = [(getattr(plain, k), getattr(found, k)) for k in kept]
                assert all(a == b for a, b in both), (name, state, here, both)


def minimax_value_below(game, state, child, depth: int):
    path = (int(game.key(state)),) if game.cycles else ()
    return minimax_truth(game, child, depth - 1, path)


def spec_name(spec) -> str:
    return spec if isinstance(spec, str) else getattr(spec, "__name__", "ring")


@pytest.mark.thorough
@pytest.mark.parametrize("spec", GAMES, ids=spec_name)
def test_random_positions(spec):
    check_positions(spec, 6 if spec == "connect-four" else 25)  # its truth takes long


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*GAMES, *MORE], ids=spec_name)
def test_many_random_positions(spec):
    check_positions(spec, 400)


@pytest.mark.parametrize("name", PLAYING)
def test_circles_end(name):
    """A position repeated on the path never makes a search run for ever."""
    game = RING
    if algorithms()[name].misfit(game):
        with pytest.raises(gambito.SearchError, match="without repeated positions"):
            gambito.search(game, None, name, depth=9)
        return
    found = gambito.search(game, None, name, depth=900, gear="native", **small(name, cycles=True))
    assert found.action is not None
    if name in EXACT:
        assert found.value == minimax_truth(game, game.initial(), 900)
        assert found.exact


def test_a_fraction_below_the_tested_bound_is_a_bound():
    """The first leaf shows that the value is below 0; the second, which is never seen, is less still."""
    found = gambito.search("tree", "[[-0.08, -0.24]]", "test", depth=2, gear="python")
    assert (found.low, found.high, found.exact) == (None, -0.08, False)


class Fractional(Game):
    """A tree of two plies."""

    compiles = False
    value = float

    def initial(self):
        return ()

    def player(self, state):
        return len(state) % 2

    def actions(self, state):
        return range(3)

    def result(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 2

    def utility(self, state, player):
        value = (state[0] + state[1]) % 3 - 1
        return value if player == 0 else -value


class Whole(Fractional):
    """The same with whole numbers: it inherits neither the step nor the infinity of fractions."""

    value = int


@pytest.mark.parametrize("algorithm", ["bns", "mtd-f", "engine", "alpha-beta"])
def test_a_game_of_whole_numbers_may_extend_one_of_fractions(algorithm):
    assert (Whole.step, Whole.infinity) == (Game.step, Game.infinity)
    found = gambito.search(Whole(), algorithm=algorithm, depth=2)
    assert found.exact and found.value == -1
