"""The searches of the lectures count what their slides count: nodes and leaves, on random trees."""

import json
import random

import pytest

import gambito
from gambito.players.player_text import read_player
from tests import slides
from tests.slides import INF, Count
from tests.support import LECTURE, random_state

TREES = 500


def trees(count: int, seed: int):
    """Trees with a depth to search them to: of equal depth, uneven, or cut off above the leaves."""
    rng = random.Random(seed)
    for number in range(count):
        make = slides.tree if number % 2 else slides.uneven
        made = make(rng, rng.randint(2, 4), rng.randint(1, 5), rng.choice([1, 5, 20]))
        depth = slides.height(made)
        yield made, depth if number % 5 else rng.randint(1, depth)


def told(tree, depth: int, algorithm: str, **options):
    found = gambito.search("tree", json.dumps(tree), algorithm, depth=depth, gear="python", **options)
    return found.value, found.nodes, found.evaluations


def counted(search, *arguments):
    count = Count()
    return search(*arguments, count), count.nodes, count.leaves


def truth(tree, depth: int):
    return slides.minimax(tree, depth, True, Count())


@pytest.mark.parametrize(
    ("algorithm", "options", "slide"),
    [
        ("pvs", {}, lambda t, d: (slides.pvs, t, d, -INF, INF, 1)),
        ("negascout", {"form": "first"}, lambda t, d: (slides.negascout_first, t, 0, d, -INF, INF, 1)),
        ("negascout", {"form": "second"}, lambda t, d: (slides.negascout_second, t, 0, d, -INF, INF, 1)),
        ("mtd-f", {"memory": 1}, lambda t, d: (slides.mtd_f, t, 0, d)),
    ],
    ids=["pvs", "negascout-first", "negascout-second", "mtd-f"],
)
def test_node_for_node_as_on_the_slide(algorithm, options, slide):
    for tree, depth in trees(TREES, seed=47):
        assert told(tree, depth, algorithm, **options) == counted(*slide(tree, depth)), (tree, depth)
        assert told(tree, depth, algorithm, **options)[0] == truth(tree, depth), (tree, depth)


@pytest.mark.parametrize(
    ("algorithm", "options", "nodes", "leaves"),
    [
        ("pvs", {}, 37, 23),
        ("pvs", {"form": "alpha"}, 43, 27),
        ("negascout", {}, 36, 22),
        ("negascout", {"form": "second"}, 43, 27),
        ("negascout", {"form": "shallow"}, 32, 19),
        ("negascout", {"form": "quiescence"}, 35, 21),
        ("mtd-f", {}, 45, 17),
        ("mtd-f", {"leaves": False}, 45, 20),
    ],
    ids=str,
)
def test_winstons_tree(algorithm, options, nodes, leaves):
    found = gambito.search("tree", LECTURE, algorithm, **options)
    assert (found.value, found.nodes, found.evaluations) == (5, nodes, leaves)
    assert found.words() == ["b", "a", "c"]


def test_mtd_f_from_a_guess():
    """The slide's f: with the right one, two passes are enough."""
    for tree, depth in trees(60, seed=3):
        for guess in (-4, 0, 3, 17, truth(tree, depth)):
            found = told(tree, depth, "mtd-f", guess=guess, memory=1)
            assert found == counted(slides.mtd_f, tree, guess, depth), (tree, guess)
    record = gambito.trace("tree", LECTURE, "mtd-f", guess=5)
    assert len(record.nodes[0].visits) == 2


def test_a_guess_is_a_value_of_the_game():
    for guess in ("x", "nan", "2.5", "1e300"):
        with pytest.raises(gambito.SearchError, match="option guess must be"):
            gambito.search("tree", LECTURE, "mtd-f", guess=guess)
    found = gambito.search("tree", "[[3.5,4.25],[2,9]]", "mtd-f", guess="3.5")
    assert found.value == 3.5


@pytest.mark.parametrize("gear", ["python", "native"])
def test_one_null_window_search(gear):
    """The slide's null window: fail low says v < gamma, fail high v >= gamma, and no more."""
    for gamma in range(-2, 3):
        found = gambito.search("connect-four", "44", "test", depth=6, gamma=gamma, gear=gear)
        whole = gambito.search("connect-four", "44", "alpha-beta", depth=6, gear=gear)
        if whole.value >= gamma:
            assert (found.low is not None, found.high) == (True, None)
            assert gamma <= found.low <= whole.value
            assert found.action is not None
        else:
            assert (found.low, found.high is not None) == (None, True)
            assert whole.value <= found.high < gamma
            assert found.action is None
        assert not found.exact
        assert found.nodes <= whole.nodes


def test_the_action_of_a_null_window_search_reaches_gamma():
    for tree, depth in trees(60, seed=5):
        value = truth(tree, depth)
        for gamma in (value - 1, value):
            found = gambito.search("tree", json.dumps(tree), "test", depth=depth, gamma=gamma)
            child = tree[found.action]
            assert slides.minimax(child, depth - 1, False, Count()) >= gamma
        below = gambito.search("tree", json.dumps(tree), "test", depth=depth, gamma=value + 1)
        assert (below.action, below.low, below.high) == (None, None, value)


def test_a_player_moves_even_if_nothing_reaches_gamma():
    game = gambito.load("tic-tac-toe")
    choice = read_player("test:depth=3,gamma=1").choose(game, game.initial())
    assert choice.action in game.legal(game.initial())


@pytest.mark.parametrize("algorithm", ["alpha-beta", "pvs", "negascout"])
def test_a_window_at_the_root(algorithm):
    inside = gambito.search("tree", LECTURE, algorithm, alpha=4, beta=6)
    assert (inside.value, inside.low, inside.high, inside.words()) == (5, 5, 5, ["b", "a", "c"])
    below = gambito.search("tree", LECTURE, algorithm, alpha=7, beta=9)
    assert (below.low, below.action, below.exact) == (None, None, False)
    assert 5 <= below.high <= 7
    above = gambito.search("tree", LECTURE, algorithm, alpha=1, beta=4)
    assert (above.high, above.exact) == (None, False)
    assert 4 <= above.low <= 5
    assert above.words()[0] in ("a", "b")
    for wrong in ({"alpha": 3, "beta": 3}, {"alpha": 4, "beta": 2}):
        with pytest.raises(gambito.SearchError, match="alpha must be below beta"):
            gambito.search("tree", LECTURE, algorithm, **wrong)
    with pytest.raises(gambito.SearchError, match="one search of the root"):
        gambito.search("tree", LECTURE, algorithm, alpha=3, lines=2)


def test_windows_count_what_the_slides_count():
    for tree, depth in trees(100, seed=9):
        value = truth(tree, depth)
        for low, high in ((value - 2, value + 2), (value, value + 3), (value - 3, value), (-INF // 2, value)):
            window = {"alpha": low, "beta": high}
            assert told(tree, depth, "pvs", **window) == counted(slides.pvs, tree, depth, low, high, 1)


def test_best_node_search_from_given_ends():
    """The slide's X1, X2, X3: two subtrees of 3 and 8; a test between them separates, others move an end."""
    tree = "[[3,9],[8,12]]"
    separated = gambito.trace("tree", tree, "bns", alpha=0, beta=10)  # tests 5
    assert len(separated.nodes[0].visits) == 1
    assert separated.action == "b"
    low = gambito.trace("tree", tree, "bns", alpha=0, beta=5)  # tests 2: both are better; then 3, then 4
    assert [visit.beta for visit in low.nodes[0].visits] == [2, 3, 4]
    high = gambito.trace("tree", tree, "bns", alpha=0, beta=20)  # tests 10: none is better; then 5
    assert [visit.beta for visit in high.nodes[0].visits] == [10, 5]
    for record in (low, high):
        assert record.action == "b"


def test_best_node_search_tests_what_the_slide_tests():
    """Test for test and node for node, also where the root has one action or the ends lie side by side."""
    one, ends = [[4, 2]], (0, 1)
    for tree, depth in [*trees(200, seed=15), (one, 2)]:
        for low, high in ((-21, 22), (-40, 60), (truth(tree, depth) - 3, truth(tree, depth) + 5), ends):
            count, tests = Count(), []
            best = slides.bns(tree, low, high, depth, count, tests)
            record = gambito.trace("tree", json.dumps(tree), "bns", depth=depth, alpha=low, beta=high)
            assert [visit.beta for visit in record.nodes[0].visits] == tests, (tree, low, high)
            found = gambito.search("tree", json.dumps(tree), "bns", depth=depth, alpha=low, beta=high)
            assert (found.nodes, found.evaluations) == (count.nodes + len(tests), count.leaves)
            if best is not None and low <= truth(tree, depth) < high:
                assert found.action == best


@pytest.mark.parametrize("algorithm", ["alpha-beta", "pvs", "negascout", "bns"])
def test_a_window_beyond_the_values_of_the_game_is_one(algorithm):
    tree = "[[3,9],[8,12]]"
    above = gambito.search("tree", tree, algorithm, alpha=100, beta=120)
    assert (above.action, above.low) == (None, None) and 8 <= above.high <= 12
    below = gambito.search("tree", tree, algorithm, alpha=-120, beta=-100)
    assert below.action is not None and (below.high, -12 <= below.low <= 8) == (None, True)


def test_best_node_search_says_what_given_ends_leave_open():
    tree = "[[3,9],[8,12]]"
    beyond = gambito.search("tree", tree, "bns", alpha=9, beta=12)  # the value is below alpha
    assert (beyond.action, beyond.low) == (None, None)
    assert 8 <= beyond.high <= 9
    under = gambito.search("tree", tree, "bns", alpha=0, beta=2)
    assert (under.high, under.exact) == (None, False)
    assert 1 <= under.low <= 8


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_a_window_at_the_root_of_a_game_of_chance(algorithm):
    coins = '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]'
    assert gambito.search("tree", coins, algorithm).value == 3.5
    inside = gambito.search("tree", coins, algorithm, alpha=3, beta=4)
    assert (inside.value, inside.low, inside.high) == (3.5, 3.5, 3.5)
    above = gambito.search("tree", coins, algorithm, alpha=0, beta=2)
    assert (above.low >= 2, above.high, above.words()) == (True, None, ["a"])
    below = gambito.search("tree", coins, algorithm, alpha=5, beta=6)
    assert (below.low, below.high <= 5, below.action) == (None, True, None)


# ---- the optimisations of lecture 3.3 ----------------------------------------------------------------


def valued(rng: random.Random, branching: int, depth: int, spread: int = 20):
    """A tree with a static value in every node, near those below it."""
    if depth == 0:
        return rng.randint(-spread, spread)
    moves = [valued(rng, branching, depth - 1, spread) for _ in range(rng.randint(1, branching))]
    near = [move if isinstance(move, int) else move["value"] for move in moves]
    return {"value": rng.choice(near) + rng.randint(-1, 1), "moves": moves}


def rooted(made):
    game = gambito.load("tree")
    root = game.parse(json.dumps(made))
    return game.at(root), root


def same(game, state, depth: int, slide, options, gear="python", **more):
    """Does alpha-beta with these options count what the slide counts?"""
    found = gambito.search(game, state, "alpha-beta", depth=depth, gear=gear, **options, **more)
    count = Count()
    value = slide(game, state, -INF, INF, depth, count)
    assert (found.value, found.nodes, found.evaluations) == (value, count.nodes, count.leaves), game.text(
        state
    )
    return found


def optimised_trees(count: int, seed: int, depth: int = 5):
    rng = random.Random(seed)
    for _ in range(count):
        yield rooted(valued(rng, 3, rng.randint(1, depth)))


@pytest.mark.parametrize(("name", "merit"), [("2^depth", lambda d: 2**d), ("depth^2", lambda d: d * d)])
def test_history_as_on_the_slide(name, merit):
    for game, root in optimised_trees(TREES // 2, seed=11):
        slide = slides.History(merit).alpha_beta
        found = same(game, root, root.height, slide, {"history": name})
        assert found.value == gambito.search(game, root, "minimax").value
    games = gambito.load("tic-tac-toe"), gambito.load("connect-four:width=5,height=4")
    for game in games:
        for seed in range(3):
            state = random_state(game, random.Random(seed), 3)
            same(game, state, 5, slides.History(merit).alpha_beta, {"history": name})


def test_history_searches_fewer_nodes_where_actions_mean_something():
    plain = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="python")
    for history in ("2^depth", "depth^2"):
        found = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="python", history=history)
        assert found.nodes < plain.nodes
        assert found.value == plain.value


def test_the_null_move_as_on_the_slide():
    othello = gambito.load("othello:size=4")
    seen = 0
    for seed in range(12):
        state = random_state(othello, random.Random(seed), 3 + seed % 5)
        if any(
            othello.player(othello.result(state, a)) == othello.player(state) for a in othello.actions(state)
        ):
            continue
        for depth in (2, 3):
            same(othello, state, depth, slides.null_move, {"null_move": 2})
            seen += 1
    assert seen > 10
    chess = gambito.load("chess")
    for text in ("", "8/8/8/3k4/8/3P4/3K4/8 w - - 0 1", "r3k3/8/8/8/8/8/4q3/K6R w - - 0 1"):
        state = chess.parse(text) if text else chess.initial()
        same(chess, state, 2, slides.null_move, {"null_move": 2})


def test_a_null_move_of_the_slide_is_blind_to_zugzwang():
    """The position of the lesson on the horizon: passing would be best, so the null move cuts off wrongly."""
    position = "c4b4a1d4a3a2a4c1"
    plain = gambito.search("othello:size=4", position, "alpha-beta", depth=8, gear="python")
    blind = gambito.search("othello:size=4", position, "alpha-beta", depth=8, gear="python", null_move=2)
    assert (plain.value, plain.words()[0]) == (6, "d2")
    assert blind.value != plain.value
    assert not blind.exact


def test_probcut_as_on_the_slide():
    """D = 8 and D' = 4: the bound of either side is rounded to the nearest, and tested at depth 8 alone."""
    rng = random.Random(13)
    cut = 0
    for _ in range(60):
        game, root = rooted(valued(rng, 2, 9, 6))
        model = [{8: [(4, 1.5, 1.0, 0.0, 1.0)]}]

        def slide(game, state, alpha, beta, depth, count, model=model):
            return slides.multi_probcut(game, state, alpha, beta, depth, model, count)

        found = same(game, root, 9, slide, {"probcut": "one"})
        cut += found.nodes < gambito.search(game, root, "alpha-beta", depth=9).nodes
    assert cut > 5


@pytest.mark.parametrize("certainty", [0.5, 1.5, 2.0])
def test_probcut_at_other_depths(certainty):
    model = [{4: [(2, certainty, 1.0, 0.0, 1.0)]}]

    def slide(game, state, alpha, beta, depth, count):
        return slides.multi_probcut(game, state, alpha, beta, depth, model, count)

    options = {"probcut": "one", "deep": 4, "shallow": 2, "certainty": certainty}
    for game, root in optimised_trees(60, seed=17):
        same(game, root, root.height, slide, options)


def test_multi_probcut_has_a_threshold_for_each_stage_depth_and_try(tmp_path):
    rng = random.Random(19)
    tries = {
        3: [(1, 0.7, 0.9, 0.4, 1.5)],
        4: [(1, 2.0, 1.1, -0.3, 2.5), (2, 1.0, 1.0, 0.2, 1.0)],
        5: [(3, 0.4, 1.02, 0.3, 0.8), (2, 1.2, 0.95, 0.1, 1.4), (2, 0.6, 0.9, 0.2, 1.1)],  # in any order
    }
    none = {"d": -1, "t": 0, "a": 0, "b": 0, "sigma": 0}
    heights = [
        [dict(zip(("d", "t", "a", "b", "sigma"), each, strict=True)) for each in tries.get(depth, ())]
        for depth in range(6)
    ]
    file = tmp_path / "model.json"
    file.write_text(json.dumps({"game": "tree", "param": [[[*each, none, none][:3] for each in heights]]}))

    def slide(game, state, alpha, beta, depth, count):
        return slides.multi_probcut(game, state, alpha, beta, depth, [tries], count)

    for _ in range(100):
        game, root = rooted(valued(rng, 3, 5, 8))
        same(game, root, 5, slide, {"probcut": "multi", "probcut_model": str(file)})


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four:width=4,height=4"])
def test_the_table_as_on_the_slide(spec):
    """AlphaBetaWithMemory with the whole window: stored bounds narrow it, and leaves are stored."""
    game = gambito.load(spec)
    for seed in range(6):
        state = random_state(game, random.Random(seed), 2 + seed % 3)
        depth = 6
        found = gambito.search(game, state, "alpha-beta", depth=depth, gear="python", table=True)
        count = Count()
        value = slides.GameMemory().alpha_beta(game, state, -INF, INF, depth, count)
        sign = 1 if game.player(state) == 0 else -1
        assert (found.value, found.nodes, found.evaluations) == (sign * value, count.nodes, count.leaves)
        plain = gambito.search(game, state, "alpha-beta", depth=depth, gear="python")
        assert found.value == plain.value
        assert found.nodes < plain.nodes
        assert len(found.line) == len(plain.line)


def test_killers_and_the_orders():
    plain = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="python")
    for options in ({"killers": True}, {"order": "game"}, {"order": "game", "killers": True}):
        found = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="python", **options)
        assert found.value == plain.value
        assert found.nodes < plain.nodes


@pytest.mark.parametrize("algorithm", ["alpha-beta", "pvs", "minimax"])
def test_the_order_of_the_lecture_acts_wherever_it_is_set(algorithm):
    """chess:ordering=lecture lists checks, captures, threats, moves forward and backward, in this order."""
    game = gambito.load("chess:ordering=lecture")
    state = game.parse("4k3/3q4/8/2p5/3PN3/8/8/R3K3 w - - 0 1")
    kinds = [int(game.lecture_priority(state, action)) for action in game.actions(state)]
    assert kinds == sorted(kinds, reverse=True)
    assert set(kinds) == {4, 3, 2, 1, 0}
    assert sorted(game.actions(state)) == sorted(gambito.load("chess").actions(state))
    set_there = gambito.search(game, state, algorithm, depth=2, gear="python")
    usual = gambito.search("chess", game.text(state), algorithm, depth=2, gear="python")
    assert set_there.value == usual.value
    assert set_there.nodes < usual.nodes or algorithm == "minimax"
    if algorithm == "alpha-beta":
        given = gambito.search("chess", game.text(state), algorithm, depth=2, gear="python", order="lecture")
        assert (given.nodes, given.evaluations) == (set_there.nodes, set_there.evaluations)


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("othello", {"order": "lecture"}, "tells checks, captures and threats apart"),
        ("tic-tac-toe", {"null_move": 2}, "needs a game with a pass"),
        ("chess", {"probcut": "one"}, "needs a model of depth 8 by depth 4"),
        ("chess", {"probcut": "multi"}, "needs a model"),
    ],
)
def test_an_optimisation_that_the_game_cannot_have_is_refused(game, options, words):
    with pytest.raises(gambito.SearchError, match=words):
        gambito.search(game, None, "alpha-beta", depth=2, gear="python", **options)


def test_both_gears_count_the_same():
    every = {"order": "game", "history": "2^depth", "killers": True, "null_move": 2, "table": True}
    every |= {"probcut": "multi", "memory": 1}
    plain = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="python", **every)
    native = gambito.search("othello", "f5d6c3", "alpha-beta", depth=5, gear="native", **every)
    assert (plain.value, plain.nodes, plain.evaluations) == (native.value, native.nodes, native.evaluations)
