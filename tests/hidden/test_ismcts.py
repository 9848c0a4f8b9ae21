"""IS-MCTS: both gears and both observers, its policy, its limits, and play against a random player."""

import math
import statistics

import pytest

import gambito
from gambito.errors import SearchError
from tests.hidden.duels import duel
from tests.hidden.small import decisions, hidden_games, load

OBSERVERS = ("mover", "root")


@pytest.mark.thorough
@pytest.mark.parametrize("observer", OBSERVERS)
@pytest.mark.parametrize("select", ["ucb1", "ucb1-tuned"])
def test_gears_agree(observer, select):
    game = load("phantom-tic-tac-toe")
    for state in decisions(game, seed=2, count=3):
        said = [
            gambito.search(game, state, "ismcts", nodes=300, gear=gear, observer=observer, select=select)
            for gear in ("native", "python")
        ]
        assert said[0].policy == said[1].policy and said[0].value == said[1].value


@pytest.mark.parametrize("observer", OBSERVERS)
def test_policy_and_candidates(observer):
    found = gambito.search("phantom-tic-tac-toe", None, "ismcts", nodes=500, gear="python", observer=observer)
    assert math.isclose(sum(found.policy.values()), 1) and found.policy[found.action] == max(
        found.policy.values()
    )
    assert sum(c.visits for c in found.candidates) == found.nodes == 500
    assert set(found.policy) == set(range(9)) and found.line == [found.action]
    assert not found.exact and found.low <= found.value <= found.high and found.confidence == 0.95
    assert set(found.as_dict()["policy"]) == {str(square) for square in range(1, 10)}


def test_a_policy_is_one_or_none_whenever_a_stop_comes():
    """A first simulation that was stopped has seen actions and visited none."""
    kinds = set()
    for calls in range(1, 60):
        stop, left = gambito.Stop(), iter(range(calls))

        class Stopping(type(gambito.load("phantom-tic-tac-toe"))):
            def is_terminal(self, state, stop=stop, left=left):
                if next(left, None) is None:
                    stop.set()
                return super().is_terminal(state)

        found = gambito.search(Stopping(), None, "ismcts", gear="python", stop=stop)
        assert found.action is not None
        assert not found.policy or math.isclose(sum(found.policy.values()), 1)
        kinds.add((bool(found.candidates), bool(found.policy)))
    assert (True, False) in kinds and (True, True) in kinds


@pytest.mark.parametrize("observer", OBSERVERS)
def test_takes_the_win_that_is_sure(observer):
    """X has found O on 1 and 4; X holds 5 and 2, and O cannot be on 8, for it has two stones."""
    found = gambito.search(
        "phantom-tic-tac-toe", "5 2 1! 4! / ? / 4", "ismcts", nodes=400, gear="python", observer=observer
    )
    assert found.words() == ["8"] and found.value > 0.9


def test_is_the_default_and_among():
    found = gambito.search("phantom-tic-tac-toe", "5 / ? / 2", nodes=50, gear="python", root_actions=[0, 1])
    assert found.algorithm == "ismcts" and set(found.policy) == {0, 1}


def test_memory_that_is_full_stops_only_the_growth():
    found = gambito.search("phantom-tic-tac-toe", None, "ismcts", nodes=40_000, memory=1)
    assert found.nodes == 40_000


def test_trace_tells_the_worlds():
    record = gambito.trace("phantom-tic-tac-toe", "5 / ? / 2", "ismcts")
    worlds = [str(step.text) for step in record.steps if step.kind == "imagine"]
    assert len(worlds) == 60 and len(set(worlds)) > 5 and all("5 / " in world for world in worlds)


def test_plain_games_are_refused():
    with pytest.raises(SearchError, match="hides nothing"):
        gambito.search("tic-tac-toe", None, "ismcts", nodes=10)


# A random player cannot be beaten at rock-paper-scissors, and world-tree is a lesson of two moves.
FAIR = [name for name in hidden_games() if name not in ("rock-paper-scissors", "world-tree")]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAIR)
def test_beats_random_play(name):
    """200 games, each played twice with the seats turned: 4.75 standard errors are p < 1e-6."""
    sums = duel(load(name), pairs=200, nodes=300)
    mean, error = statistics.fmean(sums), statistics.stdev(sums) / len(sums) ** 0.5
    assert mean > 4.75 * error, (mean, error)
