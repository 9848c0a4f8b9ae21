"""`best`, `solve` and `perft`: what they print for a person and for a program."""

from __future__ import annotations

import pytest

KEYS = (
    "game", "position", "algorithm", "action", "value", "line", "depth", "nodes",
    "evaluations", "seconds", "compile_seconds", "exact",
)  # fmt: skip

LONG = '''
class Long:
    """One action, 1,001 plies; the last to move wins one of three points."""

    lowest, highest, compiles = -3, 3, False

    def initial(self): return (1001, 0)
    def player(self, state): return state[1]
    def actions(self, state): return [0]
    def result(self, state, action): return (state[0] - 1, 1 - state[1])
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1
'''


def test_best_for_a_program(gambito):
    data = gambito("best", "tree", "--json").json
    assert all(key in data for key in KEYS)
    assert (data["action"], data["value"], data["line"], data["exact"]) == ("a", 3, ["a", "a"], True)
    assert (data["nodes"], data["evaluations"]) == (11, 7)
    assert data["seconds"] != round(data["seconds"], 6)


def test_best_for_a_person(gambito):
    ran = gambito("best", "tic-tac-toe", "--position", "X.O/.X./...", "--gear", "python", "--depth", "2")
    assert ran.status == 0 and not ran.err
    assert " X | 2 | O" in ran.out and "action  " in ran.out and "for the player to move" in ran.out
    assert "\x1b" not in ran.out


def test_position_is_told_as_it_was_written(gambito):
    data = gambito(
        "best", "connect-four", "--position", "4455", "--gear", "python", "--depth", "2", "--json"
    ).json
    assert data["position"] == "4455" and data["action"] in list("1234567")


def test_limits_and_options_reach_the_search(gambito):
    common = ("best", "tic-tac-toe", "--gear", "python", "--json")
    assert gambito(*common, "--depth", "2", "--algorithm", "pvs").json["algorithm"] == "pvs"
    assert gambito(*common, "--nodes", "50").json["nodes"] <= 51
    assert gambito(*common, "--seconds", "0.05").json["seconds"] < 5
    chosen = ("--algorithm", "mtd-f", "--option", "memory=1", "--option", "deepen=yes")
    assert gambito(*common, "--depth", "2", *chosen).json["depth"] == 2


def test_bounds_are_told_where_there_is_no_value(gambito):
    ran = gambito("best", "tree", "--algorithm", "df-pn", "--option", "memory=1")
    assert "value   between +1 and +14" in ran.out


def test_a_finished_game_has_no_action(gambito):
    position = ("--position", "XXX/OO./...")
    assert gambito("best", "tic-tac-toe", *position, "--json").json["action"] is None
    assert "none, the game is over" in gambito("best", "tic-tac-toe", *position).out


def test_solve(gambito):
    data = gambito("solve", "tree", "--position", "min [[3,12],[2,4]]", "--option", "memory=1", "--json").json
    assert (data["action"], data["value"], data["exact"]) == ("b", -4, True)


def test_solve_says_that_nothing_is_proven(gambito, tmp_path):
    """The game is longer than a search looks ahead, and its scores fit into no endgame table."""
    rules = tmp_path / "long.py"
    rules.write_text(LONG)
    ran = gambito("solve", f"{rules}:Long", "--option", "memory=1")
    assert ran.status == 1
    assert "proof   none: the search looked 1,000 plies ahead, and the game goes on" in ran.out
    assert ", proven" not in ran.out


def test_perft(gambito):
    data = gambito("perft", "tic-tac-toe", "--depth", "3", "--gear", "python", "--json").json
    assert data["nodes"] == 504 and data["seconds"] > 0 and data["compile_seconds"] == 0
    assert (data["game"], data["position"], data["depth"]) == ("tic-tac-toe", ".../.../...", 3)
    assert gambito("perft", "tree", "--depth", "2").out.startswith("9 sequences of 2 plies")


@pytest.mark.parametrize("name", ["Stones", "Prints"])
def test_own_rules(gambito, rules, name):
    """The output of the rules is not part of the answer."""
    ran = gambito("best", f"{rules}:{name}", "--depth", "9", "--json")
    assert (ran.json["action"], ran.json["value"]) == ("2", 1)
    assert ("a rule that prints" in ran.err) == (name == "Prints")
