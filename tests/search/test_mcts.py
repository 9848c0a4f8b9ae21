"""Monte-Carlo tree search: both gears alike, proofs, answers, memory, threads, chance, several players."""

import json
import random
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import CHANCE, Game
from gambito.memory.tree import PACKED, USED, find_below
from gambito.search.api import trace
from gambito.search.monte_carlo.trees import TREE
from tests.support import on_the_clock, random_tree

PLAYING = {"memory": 1, "solver": False}


def mcts(game, state=None, **given):
    return gambito.search(game, state, "mcts", **{"memory": 8, **given})


SWITCHES = [
    {"select": "ucb1-tuned", "solver": False},
    {"select": "puct"},
    {"rave": 300.0, "rave_from": 10},
    {"bias": 2.0, "widening": 2.0},
    {"implicit": 0.3, "plies": 2},
    {"reward": "score", "threshold": 3},
    {"playout": "uniform"},
    {"playout": "priority", "temperature": 5.0},
    {"playout": "mast"},
    {"playout": "last-good-reply"},
    {"playout": "replies"},
    {"playout": "decisive"},
    {"playout": "evaluate"},
]
# Every set of options is compiled for several seconds: a switch of the tree together with one of the playout.
TOGETHER = [{**SWITCHES[i], **SWITCHES[6 + i]} for i in range(6)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options",
    [{}, *TOGETHER, SWITCHES[-1], *(pytest.param(one, marks=pytest.mark.slow) for one in SWITCHES[:-1])],
    ids=str,
)
def test_both_gears_do_the_same(options):
    game = gambito.load("connect-four")
    native, plain = (mcts(game, "3344", nodes=150, gear=gear, **options) for gear in ("native", "python"))
    assert native.line == plain.line and native.value == pytest.approx(plain.value)
    assert [c.visits for c in native.candidates] == [c.visits for c in plain.candidates]


def test_the_same_seed_is_the_same_search():
    first, again, other = (mcts("connect-four", nodes=3000, seed=s) for s in (5, 5, 6))
    assert first.candidates == again.candidates != other.candidates


def test_nodes_are_simulations():
    found = mcts("connect-four", nodes=1234, solver=False)
    assert found.nodes == found.evaluations == 1234 == sum(c.visits for c in found.candidates)
    assert found.low < found.value < found.high and not found.exact and found.depth > 1


@pytest.mark.parametrize("position", [None, "X.O/.X./...", "X../.O./..X", "XX./OO./...", "X.O/.X./O.."])
def test_the_solver_proves_tic_tac_toe(position):
    truth = gambito.solve("tic-tac-toe", position)
    found = mcts("tic-tac-toe", position, nodes=200_000, memory=64)
    assert found.exact and found.value == found.low == found.high == truth.value
    after = gambito.load("tic-tac-toe")
    state = after.result(found.state, found.action)
    worth = after.utility if after.is_terminal(state) else lambda s, p: -gambito.solve(after, s).value
    assert worth(state, after.player(found.state)) == truth.value


def test_the_solver_is_right_on_random_trees():
    rng, proved, tried = random.Random(3), 0, 0
    for _ in range(60):
        text = json.dumps(random_tree(rng, 4, 3, 9, turns=rng.random() < 0.5))
        game = gambito.load("tree")
        state = game.parse(text)
        if game.at(state).is_terminal(state):
            continue
        found = mcts(game, text, nodes=400, reward="score", memory=1)
        proved, tried = proved + found.exact, tried + 1
        assert not found.exact or found.value == pytest.approx(gambito.solve(game, text).value)
    assert proved == tried > 30


class Even(Game):
    """Both take turns four times, and then the score is 3, or 0.3 in a game of fractions."""

    compiles = False
    lowest, highest = -5, 5
    score = 3

    def initial(self):
        return 0

    def player(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state == 4

    def utility(self, state, player):
        return self.score if player == 0 else -self.score


class Fraction(Even):
    value = float
    lowest, highest = -1.0, 1.0
    score = 0.3


@pytest.mark.parametrize("kind", [Even, Fraction])
def test_a_proved_outcome_is_no_proved_score(kind):
    """Where only winning counts, a win is known to be worth something up to the highest value."""
    won, lost = mcts(kind(), nodes=200), mcts(kind(), 1, nodes=200)
    assert not won.exact and 0 <= won.low <= kind.score <= won.high == kind.highest
    assert not lost.exact and lost.low == kind.lowest <= -kind.score <= lost.high <= 0
    exact = mcts(kind(), nodes=200, reward="score")
    assert exact.exact and exact.value == pytest.approx(kind.score)
    drawn = mcts(type("Drawn", (kind,), {"score": 0})(), nodes=200)
    assert drawn.exact and drawn.value == drawn.low == drawn.high == 0


def test_most_visited_becomes_optimal():
    """UCT without the solver: on tic-tac-toe after 2,000 simulations the answer keeps the draw."""
    game = gambito.load("tic-tac-toe")
    for seed in range(10):
        found = mcts(game, "1", nodes=2000, seed=seed, solver=False)
        assert game.write(found.state, found.action) == "5"


@pytest.mark.parametrize("way", ["visits", "mean", "ucb", "robust-max", "secure"])
def test_answers(way):
    found = mcts("tic-tac-toe", "XX./OO./...", nodes=300, answer=way, solver=False)
    assert found.words()[0] == "3"


def test_a_depth_alone_ends_after_a_second():
    began = time.perf_counter()
    assert mcts("tic-tac-toe", depth=2, solver=False).depth <= 2
    assert time.perf_counter() - began < 30


@pytest.mark.thorough
@on_the_clock
def test_a_stop_is_heard_at_once():
    stop, searching, late = gambito.Stop(), threading.Event(), []

    def work():
        mcts("othello", seconds=60, stop=stop, progress=lambda so_far: so_far.nodes and searching.set())
        late.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    assert searching.wait(120)
    began = time.perf_counter()
    stop.set()
    thread.join()
    assert late[0] - began < 0.5  # 10 ms on a quiet machine


def test_progress_tells_the_best_so_far():
    told = []
    mcts("othello", seconds=0.5, progress=told.append)
    assert any(p.found is not None and p.found.action is not None for p in told)


def test_little_memory_is_kept_and_the_search_goes_on():
    session = gambito.Session()
    found = mcts("othello", nodes=60_000, memory=1, session=session)
    tree = session.get(TREE)
    assert tree.head[PACKED] > 0 and tree.head[USED] <= tree.action.size
    assert sum(a.nbytes for n in tree.arrays if (a := getattr(tree, n)).size > 1) < 1.1 * 2**20
    assert found.nodes == 60_000 == tree.visits[0]
    assert sum(c.visits for c in found.candidates) == 60_000
    for node in range(int(tree.head[USED])):  # every child still knows its parent, and visits add up
        first, count = tree.first[node], tree.count[node]
        assert count == 0 or (tree.parent[first] == node and tree.size[first] == count)
        assert tree.visits[first : first + count].sum() <= tree.visits[node] or node == 0


@pytest.mark.slow
def test_a_long_search_in_little_memory_goes_on_improving():
    """Only column 4 wins here, and for a long time it looks no better than another one."""
    wins = []
    for nodes in (300_000, 6_000_000):
        found = mcts("connect-four", "646736672316", nodes=nodes, memory=1)
        wins += [c.mean for c in found.candidates if c.action == 3]
    assert wins[1] > wins[0] and found.words()[0] == "4"


def test_the_tree_is_used_again_after_a_move():
    session, game = gambito.Session(), gambito.load("connect-four")
    first = mcts(game, nodes=5000, session=session)
    state = game.result(game.result(game.initial(), first.line[0]), first.line[1])
    before = int(session.get(TREE).visits[0])
    again = mcts(game, state, nodes=5000, session=session)
    assert before == 5000 and again.nodes == 5000 and session.get(TREE).visits[0] > 5000 + 300
    fresh = mcts(game, state, nodes=5000, session=session, reuse=False)
    assert session.get(TREE).visits[0] == 5000 == fresh.nodes


def test_a_tree_is_found_one_ply_or_two_below_its_root():
    game, session = gambito.load("tic-tac-toe"), gambito.Session()
    mcts(game, nodes=2000, session=session, solver=False)
    tree, root = session.get(TREE), game.initial()
    one = game.result(root, 4)
    two = game.result(one, 0)
    child, below = find_below(game, tree, root, np.uint64(game.key(two)))
    assert tree.action[child] == 4 and tree.action[below] == 0
    assert find_below(game, tree, root, np.uint64(game.key(one))) == (child, 0)
    assert find_below(game, tree, root, np.uint64(game.key(game.parse("123")))) == (0, 0)


@pytest.mark.parametrize(
    ("parallel", "nodes"),
    [
        ("tree", 20_000),
        ("root", 20_000),
        ("leaf", 4000),
        pytest.param("leaf", 20_000, marks=pytest.mark.slow),
    ],
)
def test_threads_search_together(parallel, nodes):
    found = mcts("connect-four", nodes=nodes, threads=3, parallel=parallel, solver=False, memory=32)
    assert nodes <= found.nodes < nodes + 3 and found.words()[0] == "4"
    assert sum(c.visits for c in found.candidates) == found.nodes


def test_leaves_are_played_out_by_all_threads():
    """What the leading thread backs up adds up, with chance-free notes and with vectors of rewards."""
    found = mcts(Three(), nodes=3000, threads=2, parallel="leaf")
    assert found.action == 1 and sum(c.visits for c in found.candidates) == found.nodes
    found = mcts("tic-tac-toe", "1", nodes=4000, threads=2, parallel="leaf", rave=100.0, solver=False)
    assert found.words()[0] == "5"


def test_threads_in_little_memory():
    found = mcts("connect-four", nodes=60_000, threads=3, memory=1, solver=False)
    assert found.nodes >= 60_000 and found.words()[0] == "4"
    found = mcts("connect-four", nodes=60_000, threads=3, memory=3, solver=False, parallel="root")
    assert found.nodes >= 60_000 and found.action is not None


class Roll(NamedTuple):
    stage: int
    total: int


class Dice(Game):
    """Keep 4, or roll a die and get what it shows (3.5 on the average)."""

    chance, players, zero_sum, value = True, 1, True, float
    lowest, highest = 0.0, 6.0
    longest, most_actions = 2, 6

    def initial(self):
        return Roll(0, 0)

    def player(self, state):
        return CHANCE if state.stage == 1 else 0

    def actions(self, state):
        for action in range(2 if state.stage == 0 else 6):
            yield action

    def chances(self, state):
        for face in range(6):
            yield face, 1.0 / 6.0

    def result(self, state, action):
        if state.stage == 0:
            return Roll(1, 0) if action == 1 else Roll(2, 4)
        return Roll(2, action + 1)

    def is_terminal(self, state):
        return state.stage == 2

    def utility(self, state, player):
        return float(state.total)


@pytest.mark.parametrize("gear", ["native", "python"])
def test_chance_nodes_are_averages(gear):
    found = mcts(Dice(), nodes=3000, gear=gear, exploration=3.0)
    values = {c.action: c.value for c in found.candidates}
    assert found.action == 0 and values[0] == pytest.approx(4.0) and values[1] == pytest.approx(3.5, abs=0.25)


class LooseDice(Dice):
    """The same, with a highest score that no game comes near to."""

    highest = 4_000_000.0


@pytest.mark.parametrize("gear", ["native", "python"])
def test_a_loose_range_does_not_blind_the_search(gear):
    """Scores are compared on the scale of those that were seen."""
    found = mcts(LooseDice(), nodes=5000, gear=gear, solver=False)
    visits = {c.action: c.visits for c in found.candidates}
    assert found.action == 0 and visits[0] > 3 * visits[1]
    assert found.high - found.low < 1.0 and found.low <= 4.0 <= found.high


class Share(NamedTuple):
    ply: int
    first: int
    second: int


class Three(Game):
    """Three players in turn choose how a cake is cut; the last one can take all or give it to the first."""

    players, zero_sum, value = 3, False, float
    lowest, highest = 0.0, 10.0
    longest, most_actions = 3, 2

    def initial(self):
        return Share(0, 0, 0)

    def player(self, state):
        return min(state.ply, 2)

    def actions(self, state):
        for action in range(2):
            yield action

    def result(self, state, action):
        if state.ply == 0:
            return Share(1, action, 0)
        return (
            Share(2, state.first, action)
            if state.ply == 1
            else Share(3, state.first, state.second + 2 * action)
        )

    def is_terminal(self, state):
        return state.ply == 3

    def utility(self, state, player):
        """With 1 the first keeps two; with 0 the second decides whether the first gets anything."""
        if state.first == 1:
            return (2.0, 4.0, 4.0)[player]
        if state.second % 2 == 0:
            return (5.0, 1.0, 4.0)[player]
        return (0.0, 3.0, 7.0)[player] if state.second >= 2 else (0.0, 2.0, 8.0)[player]


def test_what_is_solved_below_chance_counts_as_what_it_is_worth():
    """Chance goes on asking a solved node for simulations: they must go to the child that it is worth."""
    coins = '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]'
    for seed in range(3):
        found = gambito.search("tree", coins, "mcts", nodes=2000, seed=seed, reward="score")
        assert found.words() == ["a"] and found.value == pytest.approx(3.5, abs=0.2)
    turned = "min " + coins.replace("[3,9]", "[-3,-9]").replace("[4,8]", "[-4,-8]")
    exact = gambito.search("tree", turned, "expectiminimax")
    found = gambito.search("tree", turned, "mcts", nodes=2000, seed=1, reward="score")
    assert found.words()[0] == exact.words()[0] and found.value == pytest.approx(exact.value, abs=0.3)


def test_three_players_by_vectors():
    found = mcts(Three(), nodes=4000)
    assert found.action == 1 and found.value == pytest.approx(2.0, abs=0.2)
    assert gambito.search(Three(), gear="python", algorithm="mcts", nodes=500, memory=1).action == 1


def test_what_mcts_does_not_refuse_others_do():
    with pytest.raises(gambito.SearchError, match="for games without chance"):
        gambito.search(Dice(), algorithm="alpha-beta")
    with pytest.raises(gambito.SearchError, match="for two players"):
        gambito.search(Three(), algorithm="alpha-beta")


def test_a_trace_tells_the_four_phases():
    record = trace("tic-tac-toe", "X.O/.../...", "mcts", solver=False)
    kinds = [step.kind for step in record.steps]
    assert {"begin", "select", "expand", "simulate", "backup"} == set(kinds)
    last = {step.node: step.facts for step in record.steps if step.facts}
    assert last[0]["visits"] == record.visited == kinds.count("simulate")
    children = [last[child]["visits"] for child in record.nodes[0].children]
    assert sum(children) == record.visited


class StandIn:
    """A stand-in for a network: equal probabilities, and the true value from a solver of a small game."""

    def __init__(self, game):
        self.game, self.asked = game, []

    def __call__(self, states):
        self.asked.append(len(states))
        found = []
        for state in states:
            actions = self.game.legal(state)
            found.append((dict.fromkeys(actions, 1 / len(actions)), gambito.solve(self.game, state).value))
        return found


@pytest.mark.parametrize("gear", ["native", "python"])
def test_a_guide_steers_the_search(gear):
    game = gambito.load("tic-tac-toe")
    guide = StandIn(game)
    found = mcts(game, "1", nodes=40, guide=guide, gear=gear, batch=4, solver=False)
    assert found.words()[0] == "5" and found.nodes == 40 and max(guide.asked) == 4
    assert sum(c.visits for c in found.candidates) == 39  # the first simulation is the root's


def test_a_guide_needs_mcts():
    with pytest.raises(gambito.SearchError, match="guide"):
        gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=2, guide=lambda states: [])


def test_the_line_of_a_proved_value_leads_to_it():
    found = gambito.search("tree", "[[3,12,8],[2,4,6],[14,5,2]]", "mcts", nodes=2000)
    assert found.exact and found.value == 3 and found.words() == ["a", "a"]


class Raising(Game):
    """A game whose rules raise where it ends."""

    compiles = False

    def initial(self):
        return 9

    def player(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state - action

    def is_terminal(self, state):
        return state == 0

    def utility(self, state, player):
        raise ArithmeticError("no score")


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("parallel", ["tree", "root", "leaf"])
def test_rules_that_raise_in_a_thread_raise_once(parallel, monkeypatch):
    told = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    with pytest.raises(ArithmeticError, match="no score"):
        gambito.search(Raising(), algorithm="mcts", nodes=100, threads=3, parallel=parallel)
    assert not told
