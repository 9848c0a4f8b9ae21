"""The recording watch tells the truth about a search, and changes nothing about it."""

import json
import random

import pytest

import gambito
from gambito.search.trace import recorder
from tests.support import AIMA, LECTURE, PLAYING, random_tree, small


def nodes_by_path(record) -> dict[str, object]:
    named = {0: ""}
    for node in record.nodes[1:]:
        named[node.id] = (named[node.parent] + " " + node.action).strip()
    return {path: record.nodes[number] for number, path in named.items()}


def test_alpha_beta_on_the_textbook_tree():
    record = gambito.trace("tree", AIMA, "alpha-beta")
    nodes = nodes_by_path(record)
    assert (record.value, record.action, record.line, record.evaluations) == (3, "a", ["a", "a"], 7)
    assert (nodes[""].player, nodes["a"].player) == (0, 1)
    first, second = nodes["a"].visits[0], nodes["b"].visits[0]
    assert (first.alpha, first.beta, first.value, first.bound) == (None, None, 3, "exact")
    assert (second.alpha, second.beta, second.value, second.bound) == (3, None, 2, "upper")
    assert [v.order for v in nodes["b a"].visits] == [7]
    cut = nodes["b b"].cut
    assert (cut.reason, cut.at, cut.by, cut.deep) == ("alpha", nodes["b"].id, nodes[""].id, False)
    assert nodes["c c"].cut is None
    concluded = [s.text for s in record.steps if s.conclusion]
    assert concluded[:2] == ["β := 3, by a", "α := 3, by a"]
    assert [s.conclusion for s in record.steps if s.conclusion] == list(range(1, len(concluded) + 1))


def test_a_deep_cut_off_is_named():
    record = gambito.trace("tree", "[5,[[[4,9],7],8]]", "alpha-beta")
    deep = [n.cut for n in record.nodes if n.cut and n.cut.deep]
    assert deep
    assert all(c.by == 0 and "deep" in c.text for c in deep)


@pytest.mark.parametrize("name", PLAYING)
def test_watching_changes_nothing(name):
    rng = random.Random(11)
    for _ in range(25):
        text = json.dumps(random_tree(rng, 4, 3, 9, turns=False))
        if not text.startswith(("[", "{")):
            continue
        found = gambito.search("tree", text, name, deepen=False, **small(name))
        record = gambito.trace("tree", text, name, **small(name))
        assert (record.visited, record.evaluations) == (found.nodes, found.evaluations)
        check_record(record, name)


def check_record(record, name: str) -> None:
    visits = [v for n in record.nodes for v in n.visits]
    assert sorted(v.order for v in visits) == list(range(1, len(visits) + 1))
    assert len(visits) == record.visited or name == "df-pn"
    leaves = [v for v in visits if v.leaf in ("terminal", "horizon", "repetition")]
    assert len(leaves) == record.evaluations
    for node in record.nodes:
        assert node.id == record.nodes.index(node)
        assert all(record.nodes[c].parent == node.id for c in node.children)
        assert not (node.cut and node.visits)
        if node.cut:
            assert node.id in record.nodes[node.cut.at].children
    entered = [s.node for s in record.steps if s.kind == "enter"]
    assert len(entered) == len(visits)


@pytest.mark.parametrize("name", ["pvs", "negascout", "mtd-f", "scout"])
def test_re_searches_are_marked(name):
    record = gambito.trace("tree", LECTURE, name)
    assert any(v.again for n in record.nodes for v in n.visits)


def test_other_games_show_their_boards():
    record = gambito.trace("tic-tac-toe", "X.O/.X./..O", "alpha-beta", depth=2)
    assert "X | 2 | O" in record.nodes[0].board
    assert record.nodes[1].action in "24678"


def test_a_finished_game_is_one_node():
    record = gambito.trace("tic-tac-toe", "XXX/OO./...")
    assert len(record.nodes) == 1
    assert (record.value, record.action) == (1, "")


@pytest.mark.parametrize(
    ("branching", "most"), [(4, 1000), pytest.param(8, recorder.MOST_NODES, marks=pytest.mark.slow)]
)
def test_a_large_tree_is_kept_in_part(monkeypatch, branching, most):
    monkeypatch.setattr(recorder, "MOST_NODES", most)
    record = gambito.trace(f"uniform-tree:branching={branching},depth=6", None, "minimax", depth=6)
    assert len(record.nodes) == most
    assert "only the first" in record.note
    assert record.visited == sum(branching**d for d in range(7))


def test_a_long_search_is_kept_in_part(monkeypatch):
    monkeypatch.setattr(recorder, "MOST_STEPS", 50)
    record = gambito.trace("tree", LECTURE, "mtd-f")
    whole = gambito.search("tree", LECTURE, "mtd-f", deepen=False)
    assert len(record.steps) < 60
    assert "only the first 50 steps" in record.note
    assert (record.visited, record.value) == (whole.nodes, whole.value)


def test_the_engine_is_recorded_on_the_scale_of_the_tree():
    record = gambito.trace("tree", "[[3,12,8],[2,4,6],[14,5,2]]", algorithm="engine", depth=2)
    first = record.nodes[0].visits[0]
    assert (first.alpha, first.beta, first.value) == (None, None, 3)
    assert max(visit.value for node in record.nodes for visit in node.visits) == 14


@pytest.mark.parametrize("name", ["mtd-f", "sss-star", "dual-star", "b-star", "alpha-beta"])
@pytest.mark.parametrize("first", ["", "min "])
def test_a_value_that_is_known_is_shown_as_such(name, first):
    """Several searches, or bounds that meet, show the value of the root: it is neither ≤ nor ≥."""
    record = gambito.trace("tree", first + AIMA, name)
    last = record.nodes[0].visits[-1]
    assert (last.value, last.bound) == (record.value, "exact") and record.value == (6 if first else 3)
    assert record.steps[-1].node == 0 and "= " in record.steps[-1].text


def test_bounds_that_do_not_meet_stay_bounds():
    tree = '[{"bounds": [5, 9], "moves": [5, 9]}, {"bounds": [0, 5], "moves": [0, 5]}]'
    for first, bound in (("", "lower"), ("min ", "upper")):
        record = gambito.trace("tree", first + tree, "b-star")
        last = record.nodes[0].visits[-1]
        assert record.interval == "bounds" and "enter with the bounds" in record.steps[0].text
        assert last.bound in (bound, "exact") and (last.bound == "exact") == (last.alpha == last.beta)
    assert gambito.trace("tree", AIMA, "bns").interval == "window"


def test_a_stopped_search_has_no_value():
    """What a stopped search returns on its way out is none."""
    stop, looked = gambito.Stop(), []

    class Stopping(type(gambito.load("tic-tac-toe"))):
        compiles = False

        def evaluate(self, state, player):
            looked.append(state)
            if len(looked) == 20:
                stop.set()
            return 0

    for name in ("minimax", "alpha-beta", "pvs"):
        stop, looked = gambito.Stop(), []
        record = gambito.trace(Stopping(), None, name, 3, stop=stop)
        assert record.note == recorder.SENTENCES["stopped"] and record.value is None
        root = [step for step in record.steps if step.node == 0]
        assert record.nodes[0].visits[-1].value is None and "open" in root[-1].text


def test_optimisations_of_alpha_beta_are_recorded():
    """Each option leaves steps of its own: what it sorts, what it remembers, what it asks before the loop."""
    record = gambito.trace("tree", LECTURE, "alpha-beta", history="2^depth", killers=True)
    found = gambito.search("tree", LECTURE, "alpha-beta", history="2^depth", killers=True)
    assert (record.visited, record.evaluations) == (found.nodes, found.evaluations)
    texts = [step.text for step in record.steps]
    assert "history of a: 2 more, 2 in all" in texts
    assert "a is a killer of this ply now" in texts
    assert "the actions in this order: a, b, c" in texts
    assert record.options == {"history": "2^depth", "killers": True}


def test_a_null_move_and_probcut_are_branches_of_their_own():
    record = gambito.trace("othello:size=4", None, "alpha-beta", depth=3, null_move=2)
    assert {"pass", "pass cut"} <= {step.kind for step in record.steps}
    passes = [node for node in record.nodes if node.action == "∅"]
    assert passes
    assert all(node.player != record.nodes[node.parent].player for node in passes)
    tree = '{"value":0,"moves":[{"value":3,"moves":[5,2]},{"value":1,"moves":[{"value":1,"moves":[4]},9]}]}'
    record = gambito.trace("tree", tree, "alpha-beta", probcut="one", deep=2, shallow=1, certainty=0.5)
    assert {"≥ β?", "≤ α?"} <= {node.action for node in record.nodes}
    kinds = [step.kind for step in record.steps]
    assert kinds.count("fail high") >= kinds.count("fail low") >= 1


def test_infinite_ends_are_no_numbers():
    record = gambito.trace("tree", AIMA, "sss-star")
    assert record.steps[0].text == "enter with the window (+∞, +∞)"
