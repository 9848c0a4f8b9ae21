"""Strategies for whole games beside OpenSpiel and a linear program: figures, bounds, best responses."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito.game.gears import gears
from gambito.hidden.best_response import judge
from gambito.hidden.cfr import ROOM, SAMPLING_SCHEMES, hashed_sets, indexed_sets, iterate_walks
from gambito.hidden.cfr_vectorised import iterate
from gambito.hidden.game_tree import set_key, unroll
from gambito.hidden.oos import marked
from gambito.hidden.regrets import VARIANTS, normalised
from gambito.hidden.sequence_form import new_sequence_form
from gambito.hidden.solver import Method, Solver
from gambito.native.random import new_random
from gambito.search.monitor import Monitor, new_monitor
from tests.hidden.sequence_form import solve_by_program

# Exploitability after 10 and 100 iterations, by OpenSpiel.
FIGURES = {
    ("kuhn-poker", "cfr"): (0.068698793817, 0.008225977316),
    ("kuhn-poker", "cfr+"): (0.032687090668, 0.001194404101),
    ("kuhn-poker", "lcfr"): (0.021250730612, 0.001089027365),
    ("kuhn-poker", "dcfr"): (0.022778783926, 0.001666341970),
    ("leduc-poker", "cfr"): (0.888578983169, 0.095716353005),
    ("leduc-poker", "cfr+"): (0.610438901590, 0.013415994971),
    ("leduc-poker", "lcfr"): (0.721065155707, 0.034489533670),
    ("leduc-poker", "dcfr"): (0.778802046996, 0.007753261851),
    ("leduc-poker:merged=true", "cfr"): (0.888578983169, 0.095716353005),
    ("leduc-poker:merged=true", "cfr+"): (0.610438901590, 0.013415994971),
    ("liars-dice:sides=4", "cfr"): (0.141638256782, 0.017043557657),
    ("liars-dice:sides=4", "cfr+"): (0.106561805059, 0.002295214063),
    ("goofspiel", "cfr"): (0.149654829468, 0.032588948341),
    ("goofspiel", "cfr+"): (0.142996878332, 0.011129852271),
    ("kuhn-poker:players=3", "cfr"): (0.312481205930 / 3, 0.037015624167 / 3),
}
LATER = {  # after 1,000
    ("kuhn-poker", "cfr"): 0.000937616647,
    ("kuhn-poker", "cfr+"): 0.000087365323,
    ("kuhn-poker", "lcfr"): 0.000093529886,
    ("kuhn-poker", "dcfr"): 0.000146500228,
    ("leduc-poker", "cfr"): 0.011817810260,
    ("leduc-poker", "cfr+"): 0.000257151616,
    ("kuhn-poker:players=3", "cfr"): 0.003922335434 / 3,
}
VALUES = {"kuhn-poker": -1 / 18, "leduc-poker": -0.085606424078, "liars-dice": -7 / 258, "goofspiel": 0.0}


@functools.cache
def held(name):
    tree = unroll(gambito.load(name), "native", 1024)
    return tree, new_sequence_form(tree)


def exploitability(name, algorithm, iterations, **options):
    return gambito.solve(name, algorithm=algorithm, iterations=iterations, **options).exploitability


@pytest.mark.parametrize(("name", "algorithm"), FIGURES)
def test_exploitability_after_10_and_100_iterations(name, algorithm):
    ten, hundred = FIGURES[name, algorithm]
    assert exploitability(name, algorithm, 10) == pytest.approx(ten, abs=5e-11)
    assert exploitability(name, algorithm, 100) == pytest.approx(hundred, abs=5e-11)


@pytest.mark.parametrize(("name", "algorithm"), LATER)
def test_exploitability_after_1000_iterations(name, algorithm):
    assert exploitability(name, algorithm, 1000) == pytest.approx(LATER[name, algorithm], rel=0.05)


@pytest.mark.slow
def test_dice_with_six_sides():
    assert exploitability("liars-dice", "cfr", 10) == pytest.approx(0.183925618175, abs=5e-11)
    assert exploitability("liars-dice", "cfr+", 10) == pytest.approx(0.141601426230, abs=5e-11)
    found = gambito.solve("liars-dice", algorithm="cfr+", iterations=2000)
    assert found.low <= VALUES["liars-dice"] <= found.high and found.exploitability < 1e-4


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "goofspiel"])
@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+", "fictitious-play"])
def test_the_value_lies_between_the_bounds(name, algorithm):
    found = gambito.solve(name, algorithm=algorithm, iterations=2000)
    assert found.low - 1e-12 <= VALUES[name] <= found.high + 1e-12
    assert found.high - found.low == pytest.approx(2 * found.exploitability, abs=1e-12)
    assert found.exploitability < 0.1 and found.iterations == 2000


def test_kuhn_against_uniform_play():
    """The published figures: 0.5 for the first player, 0.416667 for the second."""
    found = gambito.exploit("kuhn-poker", lambda seen: {0: 0.5, 1: 0.5})
    assert found.responses == pytest.approx((0.5, 5 / 12))
    assert found.exploitability == pytest.approx(11 / 24)


# ---- three texts of one arithmetic -------------------------------------------------------------------


def by_walk(name, variant, iterations, gear="native"):
    """The average strategy by the recursive walk over the tree."""
    tree, _ = held(name)
    table, both = indexed_sets(tree), gears(tree.unrolled)
    monitor = new_monitor(Monitor, gear, 0)
    root = both.cast(tree.unrolled.initial())
    how = (VARIANTS[variant], SAMPLING_SCHEMES["none"], 1, iterations + 1)
    iterate_walks(both.in_gear(gear), root, *how, table, new_random(1), monitor)
    return normalised(tree.first, table.average)


def by_sweeps(name, variant, iterations, gear="native"):
    tree, plan = held(name)
    table = indexed_sets(tree)
    given = (VARIANTS[variant], 1, iterations + 1, new_monitor(Monitor, gear, 0))
    iterate(gears(tree.unrolled).in_gear(gear), plan, table, *given)
    return normalised(tree.first, table.average)


def by_rules(name, variant, iterations, gear="native"):
    """The same by the walk over the rules, in the order of the tree's information sets."""
    game, (tree, _) = gambito.load(name), held(name)
    table, both = hashed_sets(1, game.players), gears(game)
    monitor = new_monitor(Monitor, gear, 0)
    how = (VARIANTS[variant], SAMPLING_SCHEMES["none"], 1, iterations + 1)
    iterate_walks(both.in_gear(gear), both.cast(game.initial()), *how, table, new_random(1), monitor)
    sums = np.zeros(int(tree.first[-1]))
    for place in np.flatnonzero(table.numbers):
        number, there = int(table.numbers[place]) - 1, tree.find(table.keys[place])
        begin, end = table.first[number], table.first[number + 1]
        sums[tree.first[there] : tree.first[there + 1]] = table.average[begin:end]
    return normalised(tree.first, sums)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sweeps_are_the_walk(variant):
    for name in ("kuhn-poker", "kuhn-poker:players=3", "goofspiel", "rock-paper-scissors"):
        walked = by_walk(name, variant, 60)
        assert by_sweeps(name, variant, 60) == pytest.approx(walked, abs=1e-10)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sweeps_are_the_walk_on_leduc(variant):
    """Where actions are worth the same, rounding decides between them, and later iterations differ."""
    assert by_sweeps("leduc-poker", variant, 10) == pytest.approx(
        by_walk("leduc-poker", variant, 10), abs=1e-10
    )


def test_rules_and_tree_are_walked_alike():
    assert by_rules("kuhn-poker", "cfr+", 50) == pytest.approx(by_walk("kuhn-poker", "cfr+", 50), abs=1e-12)


@pytest.mark.parametrize("variant", ["cfr", "pcfr+"])
def test_both_gears_compute_the_same(variant):
    for text in (by_walk, by_sweeps, by_rules):
        assert np.array_equal(text("kuhn-poker", variant, 20), text("kuhn-poker", variant, 20, "python"))


@pytest.mark.parametrize("how", ["chance", "external", "outcome"])
def test_sampling_in_both_gears(how):
    kept = []
    for gear in ("native", "python"):
        solver = Solver(
            gambito.load("kuhn-poker"), Method("", how=SAMPLING_SCHEMES[how], by="walk"), gear, 16, 3
        )
        solver.iterate(200, new_monitor(Monitor, gear, 0))
        kept.append(solver.table.average.copy())
    assert np.array_equal(*kept)


@pytest.mark.parametrize(("algorithm", "most"), [("chance", 0.01), ("external", 0.01), ("outcome", 0.03)])
def test_sampling_goes_to_an_equilibrium(algorithm, most):
    assert exploitability("kuhn-poker", f"{algorithm}-sampling", 50_000) < most


def test_online_sampling_falls_with_time():
    found = [exploitability("kuhn-poker", "oos", count) for count in (1000, 30_000)]
    assert found[1] < 0.04 and found[1] < found[0]


def test_online_sampling_is_soonest_right_where_it_is_asked():
    """With few games, the policy at a decision that is aimed at is nearer to the equilibrium's."""
    game = gambito.load("leduc-poker")
    state = game.parse("Ks? cr")
    exact = gambito.solve(game, algorithm="cfr+", iterations=3000).strategy.at(state)
    off = {}
    for name, asked in (("aimed", state), ("not aimed", None)):
        far = []
        for seed in range(1, 6):
            found = gambito.search(game, asked, "oos", iterations=3000, seed=seed).strategy.at(state)
            far.append(sum(abs(found[action] - exact[action]) for action in exact))
        off[name] = np.mean(far)
    assert off["aimed"] < off["not aimed"]


def test_aimed_games_go_towards_their_information_set():
    tree, _ = held("kuhn-poker")
    game = gambito.load("kuhn-poker")
    number = tree.find(set_key(game, gears(game).cast(game.parse("?K p")), 1))
    marks = marked(tree, int(tree.first[number]))
    assert marks[0] == 1 and marks.sum() == 1 + 2 + 2 + 2 + 2 * (
        2 + 2
    )  # root, cards, moves, and what follows
    assert marked(tree, None).all()


@pytest.mark.slow
def test_external_sampling_on_leduc():
    """OpenSpiel's: 0.0456 after as many iterations; the mean of three seeds."""
    found = [exploitability("leduc-poker", "external-sampling", 185_600, seed=seed) for seed in (1, 2, 3)]
    assert np.mean(found) < 0.06


# ---- best responses ----------------------------------------------------------------------------------


def beside_openspiel(name, other, count):
    """The largest differences of NashConv and best responses on random strategies."""
    pyspiel = pytest.importorskip("pyspiel")
    game, peer = gambito.load(name), pyspiel.load_game(other)
    tree, plan = held(name)
    told, waiting = {}, [(game.initial(), peer.new_initial_state())]
    while waiting:
        state, node = waiting.pop()
        if node.is_terminal():
            continue
        if not node.is_chance_node():
            mover = node.current_player()
            number = tree.find(set_key(game, gears(game).cast(state), mover))
            told[node.information_state_string()] = number, node.legal_actions()
        pairs = zip(game.legal(state), node.legal_actions(), strict=True)
        waiting += [(game.result(state, a), node.child(b)) for a, b in pairs]
    inner, rng, worst = gears(tree.unrolled).in_gear("native"), np.random.default_rng(5), 0.0
    for _ in range(count):
        policy, table = np.ones(int(tree.first[-1])), {}
        for text, (number, actions) in told.items():
            shares = rng.dirichlet(np.ones(len(actions)))
            policy[tree.first[number] : tree.first[number + 1]] = shares
            table[text] = list(zip(actions, shares.tolist(), strict=True))
        found, policies = judge(inner, plan, policy), pyspiel.TabularPolicy(table)
        worst = max(worst, abs(found.nash_conv - pyspiel.nash_conv(peer, policies, True)))
        for player in range(game.players):
            best = pyspiel.TabularBestResponse(peer, player, policies)
            worst = max(worst, abs(best.value_from_state(peer.new_initial_state()) - found.responses[player]))
    return worst


GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=4,points_order=descending))"
PEERS = {
    "kuhn-poker": ("kuhn_poker", 100),
    "kuhn-poker:players=3": ("kuhn_poker(players=3)", 100),
    "goofspiel": (GOOFSPIEL, 25),
    "leduc-poker:merged=true": ("leduc_poker(suit_isomorphism=true)", 8),
}
MORE_PEERS = {
    "leduc-poker": ("leduc_poker", 15),
    "leduc-poker:merged=true": ("leduc_poker(suit_isomorphism=true)", 40),
    "liars-dice:sides=4": ("liars_dice(dice_sides=4)", 25),
}


@pytest.mark.parametrize("name", PEERS)
def test_best_responses_are_openspiels(name):
    assert beside_openspiel(name, *PEERS[name]) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE_PEERS)
def test_best_responses_are_openspiels_on_larger_games(name):
    assert beside_openspiel(name, *MORE_PEERS[name]) < 1e-10


@pytest.mark.parametrize("name", ["kuhn-poker", "kuhn-poker:cards=5", "goofspiel", "rock-paper-scissors"])
def test_the_linear_program_lies_between_the_bounds(name):
    """The exact value by an independent way, and its strategy is not exploitable."""
    value, policy = solve_by_program(gambito.load(name))
    found = gambito.solve(name, algorithm="cfr+", iterations=500)
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    best = gambito.exploit(name, lambda seen: policy[seen])
    assert abs(best.exploitability) < 1e-8


@given(st.integers(0, 1 << 30))
@settings(max_examples=25, deadline=None)
def test_a_best_response_is_no_worse_than_any_strategy(seed):
    """And a best response against itself gains what it says."""
    tree, plan = held("kuhn-poker")
    rng, inner = np.random.default_rng(seed), tree.unrolled
    draws = [normalised(tree.first, rng.random(int(tree.first[-1]))) for _ in range(2)]
    found = judge(inner, plan, draws[0])
    assert all(r >= v - 1e-12 for r, v in zip(found.responses, found.values, strict=True))
    for player in range(2):
        begin, end = tree.slots[player], tree.slots[player + 1]
        for own in (found.best, draws[1]):
            mixed = draws[0].copy()
            mixed[begin:end] = own[begin:end]
            value = judge(inner, plan, mixed).values[player]
            assert value <= found.responses[player] + 1e-12
            if own is found.best:
                assert value == pytest.approx(found.responses[player], abs=1e-12)


# ---- memory ------------------------------------------------------------------------------------------


def test_memory_of_an_action_slot():
    """Four numbers for each slot, and what its information set needs: at most 40 bytes."""
    for name in ("leduc-poker", "liars-dice:sides=4"):
        tree, plan = held(name)
        table = indexed_sets(tree)
        held_bytes = sum(getattr(table, n).nbytes for n in ("regret", "policy", "average", "flow"))
        held_bytes += plan.first.nbytes + plan.parent.nbytes + plan.start.nbytes
        assert held_bytes / (tree.first[-1] - tree.players) < 40.1


def test_a_tree_that_is_too_large_tells_what_it_needs():
    told = r"leduc-poker:ranks=4 has \d\d,\d\d\d nodes and needs \d MiB; the option memory allows 1$"
    with pytest.raises(gambito.SearchError, match=told):
        gambito.solve("leduc-poker:ranks=4", memory=1, gear="python")


def test_a_table_that_is_too_small_tells_what_it_needs():
    solver = Solver(
        gambito.load("kuhn-poker"), Method("", how=SAMPLING_SCHEMES["external"], by="walk"), "python", 1, 1
    )
    solver.walked, solver.root, solver.table = solver.game, solver.game.initial(), hashed_sets(1, 2)
    solver.table.head[ROOM] = 5
    with pytest.raises(
        gambito.SearchError, match=r"of 1 MiB is full after \d+ iterations and needs 2 MiB or more"
    ):
        solver.iterate(1000, new_monitor(Monitor, "python", 0))


@pytest.mark.slow
def test_a_large_game_is_learned_without_its_tree():
    name = "leduc-poker:ranks=12"
    with pytest.raises(gambito.SearchError, match="the table of 1 MiB is full"):
        gambito.solve(name, algorithm="external-sampling", memory=1, iterations=100_000)
    found = gambito.solve(name, algorithm="outcome-sampling", memory=64, iterations=1000)
    assert found.exploitability is None and found.value is None and found.iterations == 1000
