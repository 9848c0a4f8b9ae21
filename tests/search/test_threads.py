"""Threads of one search: what the rules raise in any of them reaches the caller, and nothing is printed."""

from __future__ import annotations

import threading

import pytest

import gambito
from gambito import Game
from gambito.memory.table import SHARED
from gambito.search.algorithm import find
from gambito.search.engine import threads
from gambito.search.engine.session import EngineSession


class Late(Game):
    """Count to thirty by ones and twos. A two after the seventh breaks the rules."""

    longest = 30

    def initial(self):
        return (0, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        for step in range(1, 3):
            yield step

    def result(self, state, action):
        if state[0] > 7 and action == 2:
            raise ValueError("more than seven")
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] >= 30

    def utility(self, state, player):
        return 1 if player == state[1] else -1


PARALLEL = [{"parallel": way} for way in ("tree", "root", "leaf")]


@pytest.mark.parametrize(
    ("gear", "algorithm", "options"),
    [
        *(("python", "mcts", {"nodes": 300, **way}) for way in PARALLEL if way != {"parallel": "leaf"}),
        *(pytest.param("native", "mcts", {"nodes": 50_000, **w}, marks=pytest.mark.slow) for w in PARALLEL),
        pytest.param("native", "engine", {"depth": 25}, marks=pytest.mark.slow),
    ],
)
def test_rules_that_raise_are_told_once(capfd, gear, algorithm, options):
    before = threading.active_count()
    with pytest.raises(ValueError, match="more than seven"):
        gambito.search(Late(), algorithm=algorithm, threads=2, gear=gear, **options)
    assert threading.active_count() <= before + 1
    assert capfd.readouterr() == ("", "")


def test_a_helper_goes_on_from_one_iteration_to_the_next(monkeypatch):
    begun = []

    class Counted(threads.HelpingThread):
        def __init__(self, *given):
            begun.append(threading.current_thread())
            super().__init__(*given)

    monkeypatch.setattr(threads, "HelpingThread", Counted)
    before = threading.active_count()
    found = gambito.search("tic-tac-toe", algorithm="engine", threads=3, seconds=5)
    assert (found.value, found.exact) == (0, True)
    assert len(begun) == 2
    assert threading.active_count() <= before + 1


def test_nodes_of_helpers_are_counted_once():
    one, two = (
        gambito.search("connect-four", algorithm="engine", depth=11, threads=count) for count in (1, 2)
    )
    assert one.value == two.value
    assert two.nodes < 8 * one.nodes


@pytest.mark.parametrize(("name", "does"), [("chess", False), ("draughts", False), ("othello", True)])
def test_only_games_without_reductions_postpone(name, does):
    """A postponed action counts as a late one, which a game with reductions searches less deep."""
    game = gambito.load(name)
    session = EngineSession(game, find("engine").read_options({"memory": 1}, game))
    session.begin(depth=10, threads=2)
    assert (session.table.words[SHARED] > 0) == does
    session.begin(depth=10, threads=1)
    assert session.table.words[SHARED] == 0
