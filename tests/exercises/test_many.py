"""Exercises for more than two players: what they check is what the package computes."""

import pytest

import gambito
from gambito.exercises.many import BEST_REPLY, COALITION, MAX_N, PARANOID
from gambito.exercises.seated import VectorTree
from gambito.game.coalitions import against, best_reply
from gambito.game.registry import load
from tests.exercises import solutions


def of(exercise, every=1):
    return [case for case in exercise.check.cases() if case.text][::every]


def rules(case):
    game = VectorTree() if case.name == VectorTree.name else load(case.name)
    return game, game.parse(case.place), dict(case.more)


@pytest.mark.parametrize("case", of(MAX_N, 4), ids=str)
def test_max_n(case):
    game, state, _ = rules(case)
    if not game.is_terminal(state):
        found = gambito.search(game, state, "max-n", depth=9, gear="python")
        assert case.ask(solutions.max_n).value == found.values


@pytest.mark.parametrize("case", of(PARANOID, 4), ids=str)
def test_paranoid(case):
    game, state, more = rules(case)
    if not game.is_terminal(state):
        view = against(game, more["player"])
        found = gambito.search(view, state, "minimax", depth=9, gear="python")
        sign = 1 if view.player(state) == 0 else -1
        assert case.ask(solutions.paranoid).value == sign * found.value


@pytest.mark.parametrize("case", of(BEST_REPLY, 4), ids=str)
def test_best_reply(case):
    game, state, more = rules(case)
    view = best_reply(game, more["player"])
    found = gambito.search(view, state, "minimax", depth=more["depth"], gear="python")
    sign = 1 if view.player(state) == 0 else -1
    assert case.ask(solutions.best_reply).value == sign * found.value


def test_a_coalition_of_one_is_paranoid():
    for case in of(COALITION, 5):
        game, state, more = rules(case)
        if len(more["members"]) == 1:
            assert solutions.coalition(game, state, more["members"]) == solutions.paranoid(
                game, state, more["members"][0]
            )


def test_trees_are_written_and_read():
    game = VectorTree()
    for case in of(MAX_N)[:60]:
        if case.name == game.name:
            state = game.parse(case.place)
            assert game.text(state) == case.place
