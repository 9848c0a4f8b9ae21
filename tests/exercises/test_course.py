"""Every exercise: a right solution passes, every typical mistake is refused and called by its name."""

import time
from pathlib import Path

import pytest

from gambito.exercises.course import COURSE
from gambito.exercises.trial import trying
from tests.exercises import solutions

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
SECONDS = 5.0  # of processor time for a check
NAMED = {exercise.name: exercise for exercise in COURSE}
MISTAKES = [(one.name, name, wrong) for one in COURSE for name, wrong in one.check.mistakes]


@pytest.mark.parametrize("name", NAMED)
def test_a_right_solution_passes(name):
    begun = time.process_time()
    trying.begin()
    assert NAMED[name].check(getattr(solutions, NAMED[name].wanted)) is None
    assert trying.count > 30
    assert time.process_time() - begun < SECONDS


def test_a_window_may_be_hard():
    assert NAMED["alpha-beta"].check(solutions.fail_hard) is None


def test_alpha_beta_is_not_yet_pvs():
    wrong = NAMED["pvs"].check(solutions.alpha_beta)
    assert wrong.kind == "leaves" and wrong.mistake == "every action is searched with the whole window"


@pytest.mark.parametrize("name", ["negamax", "pvs", "negascout"])
def test_a_search_with_color_is_right_where_the_players_take_turns(name):
    """As the lectures write it; and it is told where, and why, it would not be."""
    trying.begin()
    assert NAMED[name].check(getattr(solutions, f"lecture_{name}")) is None
    assert trying.count > 100
    told = trying.elsewhere
    assert told.mistake == "it assumes that the players take turns, but a player may move twice"
    assert told.position == '[{"player":"max","moves":[1,-1]}]' and (told.gave, told.right) == (-1, 1)


def test_a_wrong_search_with_color_is_refused():
    """The color is forgotten at the leaves: wrong even where the players take turns."""

    def negamax(game, node, depth, color):
        if depth == 0 or game.is_terminal(node):
            return solutions.value_for_max(game, node)
        below = (game.result(node, action) for action in game.actions(node))
        return max(-negamax(game, child, depth - 1, -color) for child in below)

    wrong = NAMED["negamax"].check(negamax)
    assert wrong.position == "min -1"
    assert wrong.mistake == "the leaf is valued for MAX, not for the player to move"


def test_a_search_that_takes_turns_without_color_is_refused_by_that_name():
    def negamax(game, state, depth):
        return solutions.lecture_negamax(game, state, depth, 1 - 2 * game.player(state))

    wrong = NAMED["negamax"].check(negamax)
    assert wrong.mistake == "it assumes that the players take turns, but a player may move twice"


@pytest.mark.parametrize("name, mistake, function", MISTAKES, ids=[f"{a}-{b}" for a, b, _ in MISTAKES])
def test_a_mistake_is_refused_by_its_name(name, mistake, function):
    begun = time.process_time()
    wrong = NAMED[name].check(function)
    assert wrong is not None and wrong.mistake == mistake
    assert time.process_time() - begun < SECONDS


def test_at_least_three_mistakes_each():
    assert all(len(one.check.mistakes) >= 3 for one in COURSE)


@pytest.mark.parametrize("name", NAMED)
def test_the_beginning_runs_and_is_not_right(name):
    one = NAMED[name]
    held = {"__name__": "begun"}
    exec(compile(one.start, "start.py", "exec"), held)
    assert one.check(held[one.wanted]) is not None
    exec(compile(one.start, "start.py", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", NAMED)
def test_the_lesson_is_there(name):
    lesson = NAMED[name].lesson
    assert (DOCS / lesson).exists() or (DOCS / "en" / lesson).exists()


@pytest.mark.parametrize(
    "name, mistake, position",
    [
        ("minimax", "MIN is treated as MAX", "min [-2,-1]"),
        ("minimax", "the utility is taken for the player to move, not for MAX", "min -1"),
        ("negamax", "the sign is not changed for the other player", "[-1]"),
        ("alpha-beta", "alpha is not raised by what was found", "[1,[1,1]]"),
        ("expectiminimax", "chance is treated as MAX", '{"chance":[["1/4",1],["3/4",-1]]}'),
        ("heuristic", "the blank is counted like a tile", "(1, 2, 0, 4, 5, 3)"),
    ],
)
def test_the_position_is_the_smallest(name, mistake, position):
    wrong = NAMED[name].check(dict(NAMED[name].check.mistakes)[mistake])
    assert wrong.position == position
