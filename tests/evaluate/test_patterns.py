"""Patterns: what a tuple's contents are, that images share their worth, and that both gears agree."""

import random

import numpy as np
import pytest

import gambito
from gambito.evaluate.patterns import Patterns
from gambito.game.gears import gears
from gambito.native import native
from tests.learn.small import Lines


@native
def value_of(game, state):
    return game.evaluate(state, game.player(state))


@native
def list_inputs(game, state, buffer):
    return game.inputs(state, buffer, 0)


def states(game, count, seed=0):
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial()
        while not game.is_terminal(state) and len(found) < count:
            found.append(gears(game).cast(state))
            state = game.result(state, rng.choice(game.legal(state)))
    return found


def with_random_weights(game):
    rng = np.random.default_rng(1)
    game.form.install(game, rng.normal(0, 0.2, game.form.size))
    return game


@pytest.mark.parametrize("spec", ["othello:evaluation=blank", "connect-four:evaluation=blank"])
def test_the_sum_is_that_of_a_plain_reading(spec):
    """The numbers of all tuples, digit by digit, beside those that are found at once."""
    game = with_random_weights(gambito.load(spec))
    inner, form = gears(game).in_gear("native"), game.form
    for state in states(game, 60):
        mine, theirs = (
            int(state.mine),
            int(getattr(state, "theirs", 0) or state.mine ^ getattr(state, "mask", 0)),
        )
        buffer = np.zeros(1024, np.int64)
        end = list_inputs(inner, state, buffer)
        stage = int(buffer[0]) // form.table
        for number, squares in enumerate(form.tuples):
            digits = [1 if mine >> s & 1 else 2 if theirs >> s & 1 else 0 for s in squares]
            index = sum(digit * 3**place for place, digit in enumerate(digits))
            assert buffer[2 * number] == stage * form.table + form.begins[number] + index
        assert end == 2 * len(form.tuples)
        total = int(game.weights.array[buffer[:end:2]].sum())
        assert value_of(inner, state) == value_of(game, state)
        assert abs(value_of(inner, state) - total / form.unit) <= 0.5 or abs(total) > form.unit * (
            game.highest - 1
        )


@pytest.mark.parametrize("spec", ["othello:evaluation=blank", "connect-four:evaluation=blank"])
def test_images_are_worth_the_same(spec):
    game = with_random_weights(gambito.load(spec))
    for state in states(game, 40, 2):
        worth = game.evaluate(state, game.player(state))
        for other in game.symmetries(state):
            assert game.evaluate(other, game.player(other)) == worth


def test_sides_see_their_own_board():
    """In checkers White's position turned round is Black's."""
    game = with_random_weights(gambito.load("checkers:evaluation=blank"))
    for state in states(game, 40, 3):
        turned = state._replace(
            mine=game.turned(state.mine),
            theirs=game.turned(state.theirs),
            kings=game.turned(state.kings),
            side=np.uint64(1) - state.side,
        )
        assert game.evaluate(state, game.player(state)) == game.evaluate(turned, game.player(turned))


def test_too_many_tuples_are_refused():
    with pytest.raises(ValueError, match="at most 64 tuples"):
        Patterns([[n] for n in range(65)])
    with pytest.raises(ValueError, match="65536 contents"):
        Patterns([list(range(11))])


def test_a_small_game_has_lines():
    assert len(Lines().form.groups) == 3  # side, middle, diagonal
    assert len(Lines().form.tuples) == 8
