"""The command line on puzzles."""

import pytest


def test_best_serves_puzzles(gambito):
    said = gambito("best", "sliding-tiles:goal=spiral", "--position", "2 8 3 1 6 4 7 0 5", "--json").json
    assert (said["cost"], said["line"], said["exact"]) == (5, ["6", "8", "2", "1", "8"], True)
    assert (said["algorithm"], said["action"], said["depth"]) == ("a-star", "6", 5)
    assert said["expanded"] == 5 and said["nodes"] == 16
    told = gambito("best", "graph").out
    assert "cost    8, proven least" in told and "line    A B C G" in told
    assert "no goal can be reached" in gambito("best", "graph", "--position", "A-B; C-G; A to G").out
    assert "the goal is reached" in gambito("solve", "graph", "--position", "A-B; A to A").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["best", "sliding-tiles", "--position", "1 2 3 4 5 6 8 7 0"], "cannot be solved"),
        (["best", "sliding-tiles", "--algorithm", "minimax"], "minimax is for two players"),
        (["best", "tic-tac-toe", "--algorithm", "a-star"], "a-star is for puzzles"),
        (["best", "sliding-tiles", "--option", "heuristic=no"], "has no heuristic 'no'; accepted: estimate"),
        (["heuristic", "check", "nim"], "checked on a puzzle"),
        (["heuristic", "check", "graph", "--states", "0"], "above zero"),
        (["best", "grid-map:map=none.map"], "there is no map none.map"),
    ],
)
def test_what_is_wrong_is_one_sentence(gambito, words, sentence):
    done = gambito(*words)
    assert sentence in done.complaint


def test_a_heuristic_is_checked(gambito):
    good = gambito("heuristic", "check", "graph")
    assert good.status == 0 and "admissible  yes, proven" in good.out
    position = ["--position", "A-G 9, A-B 1, B-G 1; A=1 B=20; A to G"]
    bad = gambito("heuristic", "check", "graph", *position)
    assert bad.status == 1 and "not admissible: h = 20, and the true cost is 1" in bad.out
    said = gambito("heuristic", "check", "graph", *position, "--json").json
    assert said["admissible"] is False and said["inconsistent_example"]["h"] == 20


def test_puzzles_are_traced_and_listed(gambito, tmp_path):
    told = gambito("trace", "graph", "--algorithm", "a-star").out
    assert "f 7, g 1, h 6" in told
    page = tmp_path / "search.html"
    assert gambito("trace", "grid-map", "--format", "html", "--output", str(page)).status == 0
    assert "data-cell" in page.read_text()
    listed = gambito("games").out
    assert "sliding-tiles" in listed and "heuristics  estimate, manhattan" in listed
    fits = gambito("algorithms", "pancakes", "--json").json["algorithms"]
    assert {"a-star", "ida-star", "beam"} <= {one["name"] for one in fits if one["fits"]}
    assert not any(one["fits"] for one in fits if one["name"] in ("minimax", "engine"))
