"""`match`, `ablate` and the progress of `solve`."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from tests.support import COMMAND, child, wait_until

MATCH = ("match", "random:seed=1", "greedy:seed=2", "--game", "tic-tac-toe")


def test_a_match_for_a_person(gambito, tmp_path):
    file = str(tmp_path / "games")
    ran = gambito(*MATCH, "--games", "20", "--file", file)
    assert ran.status == 0 and ran.err == ""
    for words in ("random:seed=1 against greedy:seed=2", "20: ", "points)", "Elo", "95 %", "likely", file):
        assert words in ran.out


def test_a_match_for_a_program(gambito):
    ran = gambito(*MATCH, "--games", "20", "--sprt", "0,20", "--clock", "10+1", "--json")
    data = ran.json
    assert ran.out.count("\n") == 1 and ran.err == ""
    assert data["games"] == 20 == data["wins"] + data["draws"] + data["losses"]
    assert sum(data["pairs"]) == 10 and data["elo_low"] < data["elo"] < data["elo_high"]
    assert data["time_losses"] == {"random:seed=1": 0, "greedy:seed=2": 0} and data["crashes"] == []
    assert data["sprt"]["elo1"] == 20 and data["sprt"]["accepted"] in (None, "elo0", "elo1")


def test_the_same_seed_is_the_same_match(gambito):
    def result(seed):
        data = gambito(*MATCH, "--games", "30", "--seed", seed, "--json").json
        return {k: v for k, v in data.items() if k != "seconds"}

    assert result("1") == result("1") != result("2")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("match", "a", "random", "--game", "nim"), "unknown player 'a'; accepted: random, greedy, "),
        (("match", "random", "--game", "nim"), "a match of nim needs a second player"),
        (("match", "random", "random"), "missing option '--game'"),
        (("match", "random", "random", "--game", "x"), "unknown game 'x'"),
        ((*MATCH, "--clock", "soon"), "'soon' is not a clock; accepted: TIME or TIME+INCREMENT"),
        ((*MATCH, "--sprt", "5"), "'5' is not a test; accepted: ELO0,ELO1"),
        ((*MATCH, "--sprt", "10,0"), "accepted: ELO0,ELO1"),
        ((*MATCH, "--sprt", "0,10,1,1"), "accepted: ALPHA and BETA between 0 and 0.5"),
        ((*MATCH, "--games", "0"), "games must be at least 1, not 0"),
        ((*MATCH, "--plies", "70"), "no opening of 70 plies was found"),
        ((*MATCH, "--file", "/no/such/folder/x"), "No such file or directory"),
        (("ablate", "chezz"), "unknown game 'chezz'"),
        (("ablate", "tic-tac-toe", "--depth", "0"), "depth must be a number above zero"),
        (("ablate", "tic-tac-toe", "--games", "-1"), "games must be at least 0"),
        (("play", "tree", "--opponent", "x"), "unknown player 'x'; accepted: random"),
    ],
)
def test_one_sentence(gambito, args, words):
    assert words in gambito(*args).complaint


def test_ctrl_c_ends_with_the_table_so_far(tmp_path):
    file = tmp_path / "games"
    command = [*COMMAND, *MATCH, "--games", "1000000", "--json", "--file", str(file)]
    with child(*command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        wait_until(lambda: file.exists() and file.read_text().count("\n") >= 20)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130 and err == ""
    assert json.loads(out)["games"] >= 18


def test_a_bar_on_a_terminal(terminal):
    status, screen = terminal(*MATCH, "--games", "300").end()
    assert status == 0 and "300/300" in screen and "against" in screen


def test_solve_tells_its_progress_on_a_terminal(terminal):
    position = ("--position", "44444432")
    status, screen = terminal("solve", "connect-four", *position, "--threads", "2").end()
    assert status == 0 and "million per second" in screen and "proven" in screen


@pytest.mark.slow  # each technique is compiled on and off
def test_ablation(gambito):
    data = gambito("ablate", "tic-tac-toe", "--games", "2", "--nodes", "200", "--depth", "4", "--json").json
    rows = {row["technique"]: row for row in data["techniques"]}
    assert rows["table"]["switched"] == "off" and rows["table"]["node_ratio"] > 1
    assert rows["order"]["default"] is True and rows["order"]["switched"] is False
    assert "live" not in rows and "deepen" not in rows and "memory" not in rows
    assert all(row["wins"] + row["draws"] + row["losses"] == 2 for row in rows.values())
    text = gambito("ablate", "tic-tac-toe", "--games", "0", "--depth", "3").out
    assert text.splitlines()[2].split() == [
        "technique",
        "default",
        "switched",
        "nodes",
        "time",
        "games",
        "Elo",
    ]
