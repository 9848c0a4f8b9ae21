"""How a function is tried: exceptions, wrong types, endless work, smaller trees, and what is shown."""

import contextlib
import json
import random

import pytest

import gambito
from gambito.exercises import Exercise, PlainArguments, Trial, Wrong, trees, trying
from gambito.exercises.course import COURSE
from gambito.exercises.trees import size, smaller

MINIMAX = next(one for one in COURSE if one.name == "minimax").check


def line_of(function):
    return function.__code__.co_firstlineno


def test_an_exception_is_told_with_its_line():
    def raises(game, state):
        return game.utility(state, 0) if game.is_terminal(state) else 1 // 0

    wrong = MINIMAX(raises)
    assert wrong.kind == "raises" and wrong.reason.startswith("it raises ZeroDivisionError")
    assert wrong.line == line_of(raises) + 1
    assert size(wrong.position) == 2


def test_a_rule_asked_in_the_wrong_place():
    wrong = MINIMAX(lambda game, state: game.utility(state, 0))
    assert wrong.reason == "it raises ValueError: utility is for terminal states, and this one is not"


@pytest.mark.parametrize(
    "value, reason",
    [
        (None, "it returns None instead of a number: perhaps a return is missing"),
        ("3", "it returns '3' instead of a number"),
        ((3, "a"), "it returns (3, 'a') instead of a number"),
        (True, "it returns True instead of a number"),
        (float("nan"), "it returns nan instead of a number"),
    ],
)
def test_a_value_of_another_kind(value, reason):
    wrong = MINIMAX(lambda game, state: value)
    assert (wrong.kind, wrong.reason) == ("type", reason)


def test_a_generator():
    def yields(game, state):
        yield 0

    assert MINIMAX(yields).reason.startswith("it returns a generator instead of a number")


def test_another_signature():
    def one(game):
        return 0

    assert "takes 1 positional argument" in MINIMAX(one).reason


def test_recursion_without_end():
    def calls_itself(game, state):
        return calls_itself(game, state)

    wrong = MINIMAX(calls_itself)
    assert wrong.kind == "endless" and wrong.line == line_of(calls_itself) + 1


def test_rules_asked_without_end():
    def asks(game, state):
        while True:
            with contextlib.suppress(Exception):
                game.actions(state)

    assert MINIMAX(asks).reason == "it calls the rules more than 100,000 times and does not end"


def test_a_wrong_state_is_shown_and_can_be_seen():
    wrong = MINIMAX(lambda game, state: 0)
    assert wrong.position == "-1"
    wrong = MINIMAX(lambda game, state: game.utility(state, 0) if game.is_terminal(state) else 0)
    assert wrong.position == "[-1]" and "▲ MAX" in wrong.drawing
    assert wrong.command == "gambito trace tree --position '[-1]' --algorithm minimax"


def test_a_mistake_of_the_check_is_no_mistake_of_the_student():
    def broken(case, answer):
        raise KeyError("ours")

    with pytest.raises(KeyError):
        Trial(lambda: [PlainArguments((1,))], broken)(abs)


# ---- trees ---------------------------------------------------------------------------------------
def test_trees_are_read_and_cover_what_goes_wrong():
    texts = trees(static=0.3)
    assert texts == trees(static=0.3) and len(set(texts)) == len(texts)
    assert [size(text) for text in texts] == sorted(size(text) for text in texts)
    game = gambito.load("tree")
    roots = [game.parse(text) for text in texts]
    nodes = [node for root in roots for node in root.below()]
    assert any(root.player == 1 for root in roots) and any(not root.moves for root in roots)
    assert any(node.parent and node.parent.player == node.player for node in nodes if node.moves)
    assert any(node.value is not None and node.value < 0 for node in nodes if not node.moves)
    assert any(len({move.height for move in node.moves}) > 1 for node in nodes)


def test_smaller_trees_can_be_read_and_end():
    rng = random.Random(1)
    game = gambito.load("tree")
    for text in [*trees(40, static=0.5), *trees(20, chance=0.5)]:
        steps = 0
        while found := list(smaller(text)):
            for other in found:
                game.parse(other)
            text = rng.choice(found)
            steps += 1
            assert steps < 1000


# ---- an exercise of one's own --------------------------------------------------------------------
def test_a_check_that_is_a_plain_function():
    def check(function):
        for number in range(5):
            trying(str(number))
            if function(number) != number * number:
                return Wrong(
                    "the square is wrong", position=str(number), gave=function(number), right=number**2
                )
        return None

    square = Exercise("square", "Squares.", "Write square(x).", "def square(x):\n    return x\n", check)
    assert square.wanted == "square"
    assert square.check(lambda x: x * x) is None
    assert square.check(lambda x: x).position == "2"
    json.dumps(square.as_dict())
