"""Sums of a wide network that are carried along: equal to those from nothing, and to those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import gambito
from gambito.evaluate.accumulator import Slots, carried_value
from gambito.evaluate.wide import ONE
from gambito.game.gears import gears
from gambito.native import int64, native
from gambito.native.random import new_random
from tests.learn.wide_games import WideLines

GAMES = {
    "chess": lambda: gambito.load("chess:evaluation=blank-network"),
    "lines": lambda: WideLines("blank-network"),
}


def furnished(game, seed=0):
    """The game with random weights, large enough that sums are cut and values differ."""
    rng, form = np.random.default_rng(seed), game.form
    parts = rng.normal(0, 0.2, form.zeros), rng.normal(0.2, 0.1, form.units)
    outputs = rng.normal(0, 60, 2 * form.units * form.outputs), rng.normal(0, 10, form.outputs)
    form.install(game, np.concatenate([*parts, *outputs]))
    return game


@native
def wander(game, first, rng, slots, positions, found):
    """Play at random, with passes and jumps between rows; count values and those that differ."""
    state, row = first, int64(100)
    for _ in range(positions):
        if game.is_terminal(state):
            state = first
        player = game.player(state)
        value = game.evaluate(state, player)
        found[0] += game.carried(state, player, row, slots) != value
        found[1] += game.carried(state, 1 - player, row, slots) != -value
        found[2] += abs(value)
        if rng.below(4) == 0:
            passed = game.pass_turn(state)
            if not game.is_terminal(passed):
                state = passed
        if rng.below(8) == 0:
            row += rng.below(300)
        state = game.result(state, game.random_action(state, rng))
        row = row - 1 if row > 1 else int64(700)
    return positions


@pytest.mark.parametrize("name", GAMES)
def test_values_carried_along_are_those_from_nothing(name):
    compare(name, 20_000)


@pytest.mark.slow
def test_a_million_values_carried_along_are_those_from_nothing():
    compare("chess", 1_000_000)


def compare(name, positions):
    game = furnished(GAMES[name]())
    both, slots, found = gears(game), Slots(game), np.zeros(3, np.int64)
    slots.forget()
    first = both.cast(game.initial())
    wander(both.in_gear("native"), first, new_random(1), slots.address, positions, found)
    assert found[:2].tolist() == [0, 0] and found[2] > positions


def reference(game, state):
    """The value by the definition, in whole numbers of Python."""
    form, weights = game.form, [int(weight) for weight in game.weights.array]
    sets, mover, total = [int(one) for one in game.sets(state)], int(game.player(state)), 0
    count = sum(one.bit_count() for one in sets)
    output = min(count * form.outputs // (form.pieces + 1), form.outputs - 1)
    for part, side in enumerate((mover, 1 - mover)):
        seen = sets[form.sets // 2 :] + sets[: form.sets // 2] if side else sets
        inputs = [
            (n, game.across(s) if side else s)
            for n, one in enumerate(seen)
            for s in range(64)
            if one >> s & 1
        ]
        if form.king >= 0:
            at = next(square for number, square in inputs if number == form.king)
            if form.mirror(at) < at:
                inputs = [(number, form.mirror(square)) for number, square in inputs]
        for unit in range(form.units):
            value = weights[form.begin + unit] + sum(
                weights[(64 * n + s) * form.units + unit] for n, s in inputs
            )
            weight = weights[form.totals + (2 * output + part) * form.units + unit]
            total += min(max(value, 0), ONE) ** 2 * weight
    tail = [
        (weights[form.tail + 2 * n + 1] << 16) + (weights[form.tail + 2 * n] & 0xFFFF)
        for n in (output, form.outputs)
    ]
    return min(max((total + tail[0]) * tail[1] >> 32, game.lowest + 1), game.highest - 1)


@pytest.mark.parametrize("name", GAMES)
def test_both_gears_carried_along_or_not_give_the_value_of_the_definition(name):
    game = furnished(GAMES[name](), 1)
    both, slots, rng = gears(game), Slots(game), np.random.default_rng(2)
    slots.forget()
    state = game.initial()
    for ply in range(40):
        player, entered = game.player(state), both.cast(state)
        value = reference(game, state)
        assert game.evaluate(state, player) == value
        assert carried_value(game, entered, player, 90 - ply, slots.address) == value
        assert wandered_value(both.in_gear("native"), entered, player) == value
        actions = game.legal(state)
        state = game.result(state, actions[rng.integers(len(actions))])
        if game.is_terminal(state):
            state = game.initial()


@native
def wandered_value(game, state, player):
    return game.evaluate(state, player)


def test_the_engine_finds_the_same_in_both_gears_and_with_old_slots():
    game = furnished(WideLines("blank-network"))
    found = [
        gambito.search(game, algorithm="engine", depth=4, gear=gear)
        for gear in ("python", "native", "native")
    ]
    assert len({(one.value, one.action, one.nodes) for one in found}) == 1
