"""A* and its family: correct, the same in both gears, exact about what is proven, and limited in memory."""

import math
import random

import numpy as np
import pytest

import gambito
from gambito import SearchError
from gambito.puzzle.puzzle_run import PuzzleRun
from gambito.search.algorithm import PuzzleSearch, algorithms

LECTURE = "2 8 3 1 6 4 7 0 5"
HARDEST = "8 6 7 2 5 4 3 0 1"
FAMILY = [name for name, one in algorithms().items() if isinstance(one, PuzzleSearch)]
LEAST = ["a-star", "uniform-cost", "bidirectional", "ida-star", "breadth-first"]


def arrives(found) -> bool:
    state = found.state
    for action in found.line:
        assert action in found.game.legal(state)
        state = found.game.result(state, action)
    return found.game.is_goal(state)


def random_graph(rng: random.Random, quality: str) -> str:
    """A graph with a way to its goal, directed edges among others, and estimates of that quality."""
    count = rng.randint(4, 9)
    names = [f"N{i}" for i in range(count)]
    roads = [(names[i], names[i + 1]) for i in range(count - 1) if i == 0 or rng.random() < 0.7]
    roads += [tuple(rng.sample(names, 2)) for _ in range(rng.randint(count, 2 * count))]
    text = ", ".join(f"{a}{rng.choice('->')}{b} {rng.randint(0, 9)}" for a, b in dict.fromkeys(roads))
    bare = f"{text}; {names[0]} to {names[-1]}"
    game = gambito.load("graph")
    state = game.parse(bare)
    game = game.at(state)
    true = dict(zip(game.plan.names, game.true_costs(), strict=True))
    guess = {
        "admissible": lambda cost: rng.randint(0, int(min(cost, 30))),
        "any": lambda cost: rng.randint(0, 30),
    }[quality]
    estimates = " ".join(f"{name}={guess(cost)}" for name, cost in true.items())
    return f"{text}; {estimates}; {names[0]} to {names[-1]}"


def compare_on_graphs(count: int, seed: int) -> None:
    rng = random.Random(seed)
    judged = {True: 0, False: 0}
    for number in range(count):
        text = random_graph(rng, "admissible" if number % 2 else "any")
        game = gambito.load("graph")
        game = game.at(game.parse(text))
        least = game.true_costs()[game.plan.start]
        admissible, consistent = game.claims("estimate")
        assert admissible or not consistent, text  # what is consistent is admissible
        found = gambito.search(game, algorithm="a-star", eager=bool(number % 3))
        judged[admissible] += 1
        if found.cost is None:
            assert least == float("inf") or not admissible, text
            continue
        assert arrives(found)
        assert found.cost == least if admissible else found.cost >= least, text
        assert found.exact == admissible or game.is_goal(game.initial()), text
    assert min(judged.values()) > count // 10


def least_cost(edges: list[tuple[str, str, float]], start: str, goal: str) -> float:
    """Bellman and Ford: the least cost of a way, infinite if there is none."""
    cost = {start: 0.0}
    for _ in edges:
        for a, b, price in edges:
            if a in cost:
                cost[b] = min(cost.get(b, math.inf), cost[a] + price)
    return cost.get(goal, math.inf)


@pytest.mark.parametrize("name", ["a-star", "uniform-cost", "ida-star"])
def test_fractional_costs(name):
    rng = random.Random(4)
    for number in range(60):
        places = "SABCDG"
        edges = [(*rng.sample(places, 2), rng.choice([0.1, 0.2, 0.3, 0.7, 2.5])) for _ in range(9)]
        edges = [*{(a, b): (a, b, price) for a, b, price in edges if a != "G"}.values(), ("S", "A", 0.1)]
        text = ", ".join(f"{a}>{b} {price}" for a, b, price in dict.fromkeys(edges))
        if len({(a, b) for a, b, _ in edges}) < len(edges) or "G" not in text:
            continue
        found = gambito.search("graph", f"{text}; S to G", name)
        least = least_cost(edges, "S", "G")
        assert found.exact and (found.cost is None) == (least == math.inf), (number, text)
        assert found.cost is None or (arrives(found) and found.cost == pytest.approx(least, abs=1e-12)), text


@pytest.mark.parametrize(
    ("game", "position", "cost"), [("graph", "S>A 0.1, A>G 0.2; S to G", 0.3), ("grid-map", "S.G", 2)]
)
def test_ida_star_finds_the_goal_where_numbers_are_fractions(game, position, cost):
    found = gambito.search(game, position, "ida-star")
    assert found.exact and found.cost == pytest.approx(cost)


class Ring(gambito.Puzzle):
    """Cells in a ring, one step forth or back; every step has the same cost."""

    compiles = False
    price = 1

    def initial(self):
        return 0

    def actions(self, state):
        return [0, 1]

    def result(self, state, action):
        return (state + 1 - 2 * action) % 9

    def is_goal(self, state):
        return state == 4

    def cost(self, state, action):
        return self.price


class FractionRing(Ring):
    value = float
    price = 1e299


class BrokenRing(FractionRing):
    """The steps from cell 2 on cannot be taken."""

    def cost(self, state, action):
        return math.inf if state in (2, 3, 5, 6) else 0.5


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("price", [2**39, 2**40 - 1, 1e299])
def test_large_costs_are_no_missing_ways(name, price):
    game = type("Dear", (FractionRing if isinstance(price, float) else Ring,), {"price": price})()
    if algorithms()[name].misfit(game):
        return
    found = gambito.search(game, algorithm=name, nodes=5000)
    assert found.cost is not None and found.cost >= 4 * price
    assert not found.exact or found.cost == 4 * price


@pytest.mark.parametrize("name", FAMILY)
def test_ways_of_infinite_cost_are_none(name, monkeypatch):
    monkeypatch.setenv("GAMBITO_CHECK", "0")
    if not algorithms()[name].misfit(BrokenRing()):
        found = gambito.search(BrokenRing(), algorithm=name, nodes=5000)
        assert found.cost is None and not found.line


def test_a_star_is_right_on_random_graphs():
    compare_on_graphs(400, 1)


@pytest.mark.slow
def test_a_star_is_right_on_ten_thousand_random_graphs():
    compare_on_graphs(10_000, 2)


@pytest.mark.parametrize("gear", ["python", "native"])
@pytest.mark.parametrize("name", FAMILY)
def test_the_lectures_position_takes_five_moves(name, gear):
    found = gambito.search("sliding-tiles:goal=spiral", LECTURE, name, gear=gear)
    assert arrives(found)
    if name in LEAST:
        assert (found.cost, found.exact, found.depth) == (5, True, 5)
        assert found.as_dict()["cost"] == 5 and found.value == -5


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["sliding-tiles", "pancakes:count=6", "grid-map", "grid-map:directions=4"])
@pytest.mark.parametrize("name", ["a-star", "weighted-a-star", "beam"])
def test_both_gears_do_the_same(name, spec):
    native, python = (gambito.search(spec, algorithm=name, gear=gear) for gear in ("native", "python"))
    assert (native.line, native.nodes, native.expanded) == (python.line, python.nodes, python.expanded)
    assert native.cost == pytest.approx(python.cost) and native.exact == python.exact
    assert arrives(native)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["sliding-tiles", "pancakes:count=7", "grid-map", "graph"])
def test_what_is_exact_agrees(spec):
    names = [n for n in LEAST if n != "ida-star" or spec != "grid-map"]
    found = [gambito.search(spec, algorithm=name) for name in names]
    costs = {name: one.cost for name, one in zip(names, found, strict=True) if one.exact}
    assert len(costs) >= len(names) - 1
    assert max(costs.values()) == pytest.approx(min(costs.values()))


def test_a_weight_bounds_the_cost_and_proves_nothing():
    found = gambito.search("sliding-tiles", HARDEST, "weighted-a-star", weight=2)
    assert 31 <= found.cost <= 62 and not found.exact
    assert found.expanded < gambito.search("sliding-tiles", HARDEST, "a-star").expanded


@pytest.mark.parametrize("eager", [True, False])
@pytest.mark.parametrize("ties", ["low-h", "oldest", "newest"])
def test_the_order_of_the_open_list_does_not_change_the_cost(ties, eager):
    found = gambito.search("sliding-tiles", HARDEST, "a-star", ties=ties, eager=eager)
    assert (found.cost, found.exact) == (31, True)


# S to B costs 5 directly and 2 through A; the estimate at A falls by 9 over an edge of 1.
INCONSISTENT = "S-A 1, A-B 1, S-B 5, B-G 10; S=9 A=11 B=2; S to G"


def test_reopening_saves_an_inconsistent_heuristic():
    game = gambito.load("graph")
    state = game.parse(INCONSISTENT)
    assert game.at(state).claims("estimate") == (True, False)
    assert gambito.search(game, INCONSISTENT).cost == 12
    kept = gambito.search(game, INCONSISTENT, reopen=False)
    assert kept.cost == 15 and not kept.exact


def test_no_way_is_proven_where_there_is_none():
    found = gambito.search("graph", "A-B 1, C-G 1; A to G")
    assert (found.cost, found.line, found.action, found.exact) == (None, [], None, True)
    cut = gambito.search("graph", "A-B 1, B-G 1; A to G", depth=1)
    assert cut.cost is None and not cut.exact


def test_a_goal_needs_no_search():
    found = gambito.search("sliding-tiles", "1 2 3 4 5 6 7 8 0")
    assert (found.cost, found.line, found.exact) == (0, [], True)


def test_memory_is_bounded_and_the_error_names_the_limit():
    with pytest.raises(SearchError, match="memory=1 MiB"):
        gambito.search("sliding-tiles", HARDEST, "uniform-cost", memory=1)


def test_limits_end_a_search():
    hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    for name in ("a-star", "ida-star"):
        found = gambito.search("sliding-tiles:width=4,height=4,goal=blank-first", hard, name, nodes=1000)
        assert found.cost is None and not found.exact
        assert found.nodes <= 1010
    found = gambito.search("sliding-tiles:width=4,height=4,goal=blank-first", hard, "ida-star", seconds=0.1)
    assert found.cost is None and found.seconds < 5


def test_games_and_puzzles_are_told_apart():
    with pytest.raises(SearchError, match="a-star is for puzzles, and tic-tac-toe is a game"):
        gambito.search("tic-tac-toe", algorithm="a-star")
    with pytest.raises(SearchError, match="minimax is for two players, and sliding-tiles has 1"):
        gambito.search("sliding-tiles", algorithm="minimax")


class Jumps:
    """From 0 to 20 in steps of one or three; it has no base class and no declared estimate."""

    def initial(self):
        return 0

    def actions(self, state):
        yield 1
        yield 3

    def result(self, state, action):
        return state + action

    def is_goal(self, state):
        return state >= 20

    def estimate(self, state):
        return 20 - state


class Lists(Jumps):
    """States that only the Python gear knows."""

    def initial(self):
        return [0]

    def result(self, state, action):
        return [*state, action]

    def is_goal(self, state):
        return sum(state) >= 6

    def estimate(self, state):
        return 0


class Arrays(Jumps):
    """States that are arrays."""

    def initial(self):
        return np.zeros(2, np.int64)

    def result(self, state, action):
        after = state.copy()
        after[1] += action
        return after

    def is_goal(self, state):
        return state[1] >= 6

    def estimate(self, state):
        return 0


def test_any_object_with_the_four_rules_is_a_puzzle():
    found = gambito.search(Jumps())
    assert found.cost == 7 and found.gear == "native" and not found.exact
    assert gambito.search(Jumps(), algorithm="uniform-cost").exact
    assert gambito.search(Lists()).cost == 2
    assert gambito.search(Arrays()).cost == 2
    assert gambito.search(Arrays(), gear="native").cost == 2
    assert gambito.check(Jumps()).ok


@pytest.mark.parametrize("name", FAMILY)
def test_a_search_that_gets_more_room_goes_on_where_it_was(name, monkeypatch):
    """Its memory begins with room for four states. A state whose children did not fit is taken up again
    before any other, so that none of its descendants can become its parent."""
    monkeypatch.setattr(PuzzleRun.new_nodes, "__defaults__", (2,))
    game = gambito.load("pancakes:count=5")
    for number in range(12):
        state = game.shuffled(number)
        found = gambito.search(game, state, name, gear="python")
        assert arrives(found) and found.cost is not None
        if name in LEAST:
            assert found.exact and found.cost == gambito.search(game, state, "uniform-cost").cost


def test_two_sides_that_meet_too_late_prove_nothing():
    """A depth is the most actions of a solution: a longer one is not told, a dearer one may be shorter."""
    graph = "S-A 1, A-B 1, B-G 1, S-G 9; S to G"
    found = gambito.search("graph", graph, "bidirectional", depth=2, gear="python")
    assert found.line == [] and found.cost is None and not found.exact
    assert gambito.search("graph", graph, "bidirectional", depth=3, gear="python").cost == 3


@pytest.mark.parametrize("name", ["a-star", "uniform-cost", "breadth-first", "greedy-best-first"])
def test_a_depth_that_cuts_something_off_proves_nothing(name):
    """The cheapest way to A has too many actions to go on from there, and closes the dear and short one."""
    graph = "S>B 1, B>A 1, S>A 3, A>G 1, S>G 9; S to G"
    found = gambito.search("graph", graph, name, depth=2, gear="python")
    assert arrives(found) and found.cost in (4, 9) and not found.exact
    assert gambito.search("graph", graph, "uniform-cost", depth=3, gear="python").exact
