"""Heuristics: put together by name, derived by relaxation, and found out by the check."""

import pytest

import gambito
from gambito import Puzzle, SearchError, check_heuristic, heuristic
from gambito.puzzle.heuristics import guided

EXACT_ONES = ["manhattan", "misplaced", "euclidean"]


class Line(Puzzle):
    """From 9 down to 0 along a line, by one or by two; every second cell costs double."""

    def __init__(self, tolls: bool = True) -> None:
        self.tolls = tolls

    def initial(self):
        return 9

    def actions(self, state):
        yield 1
        yield 2

    def result(self, state, action):
        return max(state - action, 0)

    def cost(self, state, action):
        return 2 if self.tolls and state % 2 == 1 else 1

    def is_goal(self, state):
        return state == 0

    @heuristic(admissible=True, consistent=True)
    def halves(self, state):
        return (state + 1) // 2

    @heuristic()
    def too_high(self, state):
        return 2 * state

    def relaxed(self):
        return (Line(tolls=False),) if self.tolls else ()

    estimate = halves


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["linear-conflict", *(pytest.param(n, marks=pytest.mark.slow) for n in EXACT_ONES)]
)
def test_heuristics_of_tiles_are_proven(name):
    report = check_heuristic("sliding-tiles", name)
    assert (report.proof, report.states, report.edges) == (True, 181_440, 483_840)
    assert report.admissible and report.consistent and report.largest_cost == 31


@pytest.mark.thorough
def test_pattern_databases_without_the_blank_are_admissible_and_not_consistent():
    report = check_heuristic("sliding-tiles", "pattern-database")
    assert report.proof and report.admissible is True and report.consistent is False
    assert guided(gambito.load("sliding-tiles"), "pattern-database").consistent is None


def test_a_sum_is_found_out_with_its_counter_examples():
    report = check_heuristic("sliding-tiles", "sum(manhattan,misplaced)")
    assert report.admissible is False and report.consistent is False and not report.ok
    wrong = report.inadmissible_example
    assert wrong.h > wrong.true_cost == gambito.search("sliding-tiles", wrong.state).cost
    edge = report.inconsistent_example
    assert edge.h > edge.cost + edge.child_h
    game = gambito.load("sliding-tiles")
    state = game.parse(edge.state)
    assert game.text(game.result(state, game.read(state, edge.action))) == edge.child


@pytest.mark.thorough
def test_a_counter_example_is_searched_where_states_are_too_many():
    report = check_heuristic("sliding-tiles:width=4,height=4", "sum(manhattan,misplaced)", states=2000)
    assert not report.proof and report.admissible is False
    honest = check_heuristic("sliding-tiles:width=4,height=4", "manhattan", states=2000)
    assert (honest.proof, honest.admissible, honest.consistent, honest.ok) == (False, None, None, True)


def test_an_upper_bound_finds_out_what_costs_cannot():
    """Without inverse actions and with many states, the rest of a found path bounds the cost from above."""
    report = check_heuristic(Line(), "too-high", states=3)
    assert not report.proof and report.admissible is False
    assert report.inadmissible_example.is_bound
    assert report.inadmissible_example.h > report.inadmissible_example.true_cost


def test_estimates_of_a_graph_are_judged():
    good = check_heuristic("graph")
    assert good.proof and good.admissible and good.consistent
    bad = check_heuristic("graph", state="A-G 9, A-B 1, B-G 1; A=1 B=20; A to G")
    assert bad.admissible is False and bad.inadmissible_example.h == 20
    assert bad.inadmissible_example.true_cost == 1


def test_pancakes_gap():
    report = check_heuristic("pancakes:count=7")
    assert report.proof and report.states == 5040 and report.admissible and report.consistent
    assert report.largest_cost == 8  # the pancake number of seven


def test_what_rows_and_columns_are_worth_depends_on_the_directions():
    assert check_heuristic("grid-map:directions=4", "manhattan").consistent
    wrong = check_heuristic("grid-map:directions=8", "manhattan")
    assert wrong.admissible is False or wrong.consistent is False
    found = gambito.search("grid-map", "S...G", heuristic="manhattan")
    assert not found.exact


# ---- by relaxation -----------------------------------------------------------------------------------------


def test_the_exact_cost_of_a_relaxed_puzzle_is_an_estimate():
    found = gambito.search(Line(), heuristic="relaxed")
    assert found.exact and found.cost == gambito.search(Line(), algorithm="uniform-cost").cost
    report = check_heuristic(Line(), "relaxed")
    assert report.proof and report.admissible and report.consistent


@pytest.mark.thorough
def test_patterns_of_tiles():
    puzzle = gambito.load("sliding-tiles:patterns=1-2-3/4-5/6-7-8")
    found = gambito.search(puzzle, "8 6 7 2 5 4 3 0 1", heuristic="pattern-database")
    assert (found.cost, found.exact) == (31, True)
    finished = guided(puzzle, "relaxed")
    assert finished.puzzle.guess(finished.memory("python"), puzzle.finished) == 0
    for text, reason in (("1-2/2-3", "share a tile"), ("1-9", "tiles from 1 to 8")):
        with pytest.raises(gambito.GameError, match=reason):
            gambito.load(f"sliding-tiles:patterns={text}")


@pytest.mark.thorough
def test_both_gears_read_the_same_tables():
    native, python = (
        gambito.search("sliding-tiles", heuristic="pattern-database", gear=gear)
        for gear in ("native", "python")
    )
    assert (native.line, native.nodes) == (python.line, python.nodes)


# ---- by name -----------------------------------------------------------------------------------------------
@pytest.mark.thorough
def test_heuristics_are_put_together():
    largest = gambito.search("sliding-tiles", heuristic="max( manhattan , misplaced )")
    assert largest.exact and largest.expanded == gambito.search("sliding-tiles").expanded
    assert not gambito.search("sliding-tiles", heuristic="sum(manhattan,misplaced)").exact
    assert gambito.search("sliding-tiles", heuristic="sum(manhattan,zero)").exact


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense", "sliding-tiles has no heuristic 'nonsense'; accepted: estimate, manhattan"),
        ("max(manhattan", "has no heuristic"),
        ("max()", "has no heuristic ''"),
        ("max(zero,zero,zero,zero,zero)", "at most 4"),
    ],
)
def test_unknown_heuristics_are_refused_in_one_sentence(text, reason):
    with pytest.raises(SearchError) as told:
        gambito.search("sliding-tiles", heuristic=text)
    assert reason in str(told.value)


@pytest.mark.parametrize(
    ("puzzle", "position", "heuristic"),
    [
        ("sliding-tiles", "8 6 7 2 5 4 3 0 1", "manhattan"),
        pytest.param("pancakes", None, "gap", marks=pytest.mark.slow),
    ],
)
def test_incremental_estimates_are_the_same(puzzle, position, heuristic):
    """A search that asks `manhattan_after` finds what asking `manhattan` finds."""
    quick = gambito.search(puzzle, position, heuristic=heuristic)
    slow = gambito.search(puzzle, position, heuristic=f"max({heuristic},zero)")
    assert (quick.line, quick.nodes) == (slow.line, slow.nodes)


def test_a_game_has_no_heuristic_to_check():
    with pytest.raises(SearchError, match="a heuristic is checked on a puzzle"):
        check_heuristic("tic-tac-toe")
