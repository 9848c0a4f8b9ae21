"""Bounds checks: an index out of range in compiled code is an error with a name, and never a crash."""

from __future__ import annotations

import json
import os
import signal
import sys

import numpy as np
import pytest

from gambito.native import Constant, Memory, native
from gambito.native.process import ending
from tests.support import COMMAND, run

TABLE = np.arange(4)


class Reading:
    """Reads a table and a memory, directly and through a helper."""

    def __init__(self) -> None:
        self.memory = Memory(np.arange(4.0))

    def table(self, place):
        return TABLE[place]

    def remembered(self, place):
        return self.memory[place]

    def helped(self, place):
        return look_up(place)


def look_up(place):
    return TABLE[place]


@native
def read_table(game, place):
    return game.table(place)


@native
def read_memory(game, place):
    return game.remembered(place)


@native
def read_with_help(game, place):
    return game.helped(place)


@pytest.mark.parametrize(
    ("read", "name"), [(read_table, "table"), (read_memory, "remembered"), (read_with_help, "look_up")]
)
def test_checked_code_raises_and_names_the_function(read, name):
    checked = Constant(Reading(), "tests.Reading", "1", {}, {}, is_checked=True)
    assert read(checked, 3) == 3
    with pytest.raises(IndexError) as raised:
        read(checked, 4)
    assert raised.traceback[-1].name == name


def test_code_with_and_without_checks_are_two():
    checked, unchecked = (
        Constant(Reading(), "tests.Reading", "1", {}, {}, is_checked=is_checked)
        for is_checked in (True, False)
    )
    assert read_table(checked, 3) == read_table(unchecked, 3) == 3
    with pytest.raises(IndexError):
        read_table(checked, 9)
    assert checked.identity != unchecked.identity


def test_the_ending_of_a_process_is_one_sentence():
    assert "segmentation fault" in ending(-signal.SIGSEGV)
    assert "no memory left" in ending(-signal.SIGKILL)
    assert ending(1) == "the process ended without an answer"


# ---- hostile games ---------------------------------------------------------------------------------------

RULES = """
import numpy as np
from gambito import Game

SHORT = np.zeros(3, np.int64)

class Hostile(Game):
    most_actions = 3
    longest = 9

    def initial(self):
        return (0, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        for step in range(1, 4):
            yield step {actions}

    def result(self, state, action):
        return (state[0] + action {result}, 1 - state[1])

    def is_terminal(self, state):
        return state[0] >= 8

    def utility(self, state, player):
        return (1 if player == state[1] else -1) {utility}

    def evaluate(self, state, player):
        return 0 {evaluate}

    def priority(self, state, action):
        return 0 {priority}

    def noisy(self, state):
        for step in range(1, 2):
            if state[0] > 100:
                yield step {noisy}
"""
HOSTILE = ("actions", "result", "utility", "evaluate", "priority")


def hostile(rule: str) -> str:
    """The rules with an index that leaves a table after a few plies, in one of them."""
    holes = dict.fromkeys((*HOSTILE, "noisy"), "")
    return RULES.format(**{**holes, rule: "+ SHORT[100_000_000 * (state[0] // 5)]"})


SEARCHES = """
import sys, gambito
from gambito.players.error_sentences import sentence
for name in sys.argv[2].split(","):
    try:
        gambito.search(sys.argv[1], algorithm=name, depth=6, nodes=None if name != "mcts" else 200)
        print("no error")
    except Exception as problem:
        print(sentence(problem))
"""


def with_checks() -> dict[str, str]:
    return {**os.environ, "GAMBITO_BOUNDS": "1"}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("evaluate", "alpha-beta"),
        *(pytest.param(rule, "alpha-beta,engine,mtd-f,mcts", marks=pytest.mark.slow) for rule in HOSTILE),
    ],
)
def test_a_hostile_rule_is_named(tmp_path, rule, names):
    (tmp_path / "rules.py").write_text(hostile(rule))
    command = (sys.executable, "-c", SEARCHES, str(tmp_path / "rules.py"), names)
    done = run(*command, env=with_checks())
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == len(names.split(","))
    wanted = f"the rule '{rule}' raises IndexError: index is out of bounds (rules.py, line "
    if rule == "priority":  # not every search asks it
        assert all(t.startswith(wanted) or t == "no error" for t in told) and len(set(told)) == 2, told
    elif rule == "evaluate":  # a search to the end of the game does not ask it
        assert all(t.startswith(wanted) or t == "no error" for t in told) and any(wanted in t for t in told)
    else:
        assert all(t.startswith(wanted) for t in told), told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "limit"),
    [
        ("tic-tac-toe", "--depth=9"),
        ("connect-four", "--depth=9"),
        ("othello", "--depth=5"),
        ("backgammon", "--depth=2"),
        ("pig", "--depth=4"),
        ("go", "--nodes=300"),
        ("sliding-tiles:width=3,height=3", "--depth=30"),
    ],
)
def test_searches_stay_within_their_memory_and_answer_alike(game, limit):
    command = (*COMMAND, "best", game, limit, "--json")
    plain, checked = (run(*command, env=env) for env in (os.environ, with_checks()))
    assert checked.returncode == 0, checked.stderr
    times = ("seconds", "compile_seconds")
    one, other = (
        {name: value for name, value in json.loads(done.stdout).items() if name not in times}
        for done in (plain, checked)
    )
    assert one == other
