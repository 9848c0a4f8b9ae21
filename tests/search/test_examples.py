"""The worked examples of the textbooks, and what is known of small games."""

import json

import pytest

import gambito
from tests.support import AIMA, EXACT, LECTURE, PLAYING, json_lines


@pytest.mark.parametrize("name", EXACT)
def test_values_of_the_textbook_trees(name):
    assert gambito.search("tree", AIMA, name).value == 3
    found = gambito.search("tree", LECTURE, name)
    assert (found.value, found.words()[0]) == (5, "b")


@pytest.mark.parametrize(("text", "leaves"), [(AIMA, 7), (LECTURE, 16)])
def test_leaves_that_alpha_beta_evaluates(text, leaves):
    found = gambito.search("tree", text, "alpha-beta")
    assert found.evaluations == leaves
    assert found.exact


def test_lecture_trees():
    """The value and the evaluated leaves in order; leaves that must not be evaluated are null."""
    for row in json_lines("textbook_trees/alphabeta_lectures.jsonl"):
        text = json.dumps(row["tree"])
        if row["root"] == "min":
            text = "min " + text
        record = gambito.trace("tree", text, "alpha-beta")
        assert record.value == row["value"], row["name"]
        seen = [(v.order, v.value) for n in record.nodes for v in n.visits if v.leaf]
        assert [value for _, value in sorted(seen)] == row["leaves_evaluated"], row["name"]


def test_autograder_trees():
    """Berkeley's trees for two agents: the action, the value, and (minimax) the states looked at."""
    count = 0
    for row in json_lines("textbook_trees/cs188_trees.jsonl"):
        if row["agents"] != 2 or row["algorithm"] == "expectimax":
            continue
        count += 1
        name = {"minimax": "minimax", "alphabeta": "alpha-beta"}[row["algorithm"]]
        record = gambito.trace("tree", json.dumps(written(row, row["root"])), name, depth=2 * row["depth"])
        assert record.value == row["root_value"], row["id"]
        assert record.action == row["best_action"], row["id"]
        if name == "minimax":
            seen = sorted(n.label for n in record.nodes if n.visits)
            assert seen == sorted(row["expanded"]), row["id"]
    assert count


def written(row: dict, name: str) -> object:
    """A tree of the autograder as the tree game reads it; every node keeps its name."""
    moves = {move: written(row, below) for move, below in row["children"].get(name, [])}
    words: dict[str, object] = {"name": name}
    if name in row["values"]:
        words["value"] = row["values"][name]
    return {**words, "moves": moves} if moves and name not in row["terminal"] else words


def test_an_unknown_leaf_is_needed_or_not():
    assert gambito.search("tree", "[[3,12,8],[2,null,null],[14,5,2]]", "alpha-beta").value == 3
    with pytest.raises(gambito.UnknownValue, match="leaf b b"):
        gambito.search("tree", "[[3,12,8],[2,null,null],[14,5,2]]", "minimax")


def test_b_star_stops_when_one_action_is_proved():
    """Berliner's picture: bounds on the moves, and only what is needed is expanded."""
    text = """[{"bounds": [12, 20], "moves": [[14, 15], [16, 18]]},
               {"bounds": [3, 11], "moves": [[4, 9], [5, 11]]},
               {"bounds": [1, 10], "moves": [[2, 3], [7, 10]]}]"""
    for strategy in ("prove-best", "disprove-rest", "alternate"):
        found = gambito.search("tree", text, "b-star", strategy=strategy)
        assert found.words() == ["a"]
        assert found.evaluations == 0  # the bounds were enough
        assert (found.low, found.high, found.exact) == (12, 20, False)


@pytest.mark.parametrize("name", PLAYING)
def test_tic_tac_toe_is_a_draw(name):
    found = gambito.search("tic-tac-toe", None, name, depth=9)
    assert found.value == 0
    if name != "bns":
        assert found.exact


@pytest.mark.parametrize("branching", [2, 3, 4])
@pytest.mark.parametrize("depth", [1, 4, 5])
def test_the_minimal_tree(branching, depth):
    """With perfect order alpha-beta evaluates Knuth and Moore's minimum."""
    game = f"uniform-tree:branching={branching},depth={depth},order=best"
    least = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    for name in ("alpha-beta", "pvs", "negascout", "scout"):
        found = gambito.search(game, None, name, gear="python")
        if name == "alpha-beta":
            assert found.evaluations == least
        assert found.evaluations >= least
    assert gambito.search(game, None, "minimax", gear="python").evaluations == branching**depth


def test_connect_four_scores():
    """On 7×6 the score is 22 minus the winner's stones; the sign is the player's to move."""
    won = gambito.search("connect-four", "112233", depth=1)  # the fourth stone wins at once: 22 - 4
    assert (won.words(), won.value) == (["4"], 18)
    assert gambito.search("connect-four", "1122334", depth=1).value == -18


@pytest.mark.parametrize("misere", [False, True])
def test_nim_follows_bouton(misere):
    for heaps in ([1, 2, 3], [2, 2], [1, 1, 1], [3, 4], [2, 3, 1, 1], [1], [5]):
        total = 0
        for size in heaps:
            total ^= size
        wins = (total != 0) if not misere or max(heaps) > 1 else len(heaps) % 2 == 0
        text = " ".join(map(str, heaps))
        found = gambito.search(f"nim:misere={misere}", text, "df-pn", depth=sum(heaps))
        assert found.value == (1 if wins else -1), (heaps, misere)
